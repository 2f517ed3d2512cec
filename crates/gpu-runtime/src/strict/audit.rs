//! Which float operations of a kernel are exact, can be made exact, or are refused.

use naga::{BinaryOperator, Expression, Handle, MathFunction, RelationalFunction, Scalar, ScalarKind, TypeInner};
use naga::{Function, Module, Span, Statement, SubgroupOperation, UnaryOperator};

use naga::valid::{FunctionInfo, ModuleInfo};

use super::marks::Marks;
use super::walk::{each_statement, emitted};
use crate::compose::{Composed, ShaderFault};

/// Why a float operation needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FloatRule {
    /// Rounds more than once, or no standard fixes its result: refused in both strict forms.
    Refused,
    /// `/`, `sqrt`, `inverseSqrt`: the device's estimate, a few ulp off; only a correction may use it.
    Estimate,
    /// `min`, `max`, `clamp`, `saturate`: NaN, subnormals and the sign of zero differ between devices.
    Selection,
}

/// A float operation on a line without the mark that would allow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloatFinding {
    /// Function that holds the operation.
    pub function: String,
    /// The operation as WGSL writes it.
    pub operation: String,
    /// What is the matter with it.
    pub rule: FloatRule,
    /// The place: kernel, module, line and excerpt.
    pub place: ShaderFault,
}

/// What a run-time expression is to the strict forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Class {
    /// No float is rounded.
    Exact,
    /// Rounded once and correctly, if nothing contracts or reassociates it: `+ - *` and negation.
    Arithmetic,
    /// See [`FloatRule`].
    Rule(FloatRule, String),
}

/// Every float operation of the kernel on a line that lacks the mark for it, in the order of the text's functions.
///
/// `// bound only` allows everything but float atomics, `// zero free` allows selections. Unmarked operations of all
/// functions of the text are reported, also where the kernel does not call them.
pub(crate) fn audit(composed: &Composed, module: &Module, info: &ModuleInfo) -> Vec<FloatFinding> {
    let marks = Marks::of(&composed.text);
    let mut findings = Vec::new();
    for (handle, function) in module.functions.iter() {
        let scope = Scope { module, function, info: &info[handle] };
        scope.audit(composed, &marks, &mut findings);
    }
    for (index, entry_point) in module.entry_points.iter().enumerate() {
        let scope = Scope { module, function: &entry_point.function, info: info.get_entry_point(index) };
        scope.audit(composed, &marks, &mut findings);
    }
    findings
}

/// The first refused operation as an error that names function and operation.
pub(crate) fn refuse(composed: &Composed, module: &Module, info: &ModuleInfo) -> Result<(), ShaderFault> {
    match audit(composed, module, info).into_iter().find(|finding| finding.rule == FloatRule::Refused) {
        None => Ok(()),
        Some(FloatFinding { function, operation, place, .. }) => {
            let message = format!("function {function} uses {operation} on floats, which has no exact form");
            Err(ShaderFault { message, ..place })
        }
    }
}

/// One function with the types of its expressions.
pub(super) struct Scope<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) info: &'a FunctionInfo,
}

impl Scope<'_> {
    fn audit(&self, composed: &Composed, marks: &Marks, findings: &mut Vec<FloatFinding>) {
        let mut report = |rule: FloatRule, operation: String, span: Span, always: bool| {
            let mark = marks.at(span);
            let allowed = mark.bound_only || (mark.zero_free && rule == FloatRule::Selection);
            if always || !allowed {
                let start = span.to_range().map(|range| range.start);
                let place = start.map_or_else(|| composed.fault(""), |start| composed.fault_at(start, ""));
                let function = self.function.name.clone().unwrap_or_else(|| composed.kernel.clone());
                findings.push(FloatFinding { function, operation, rule, place });
            }
        };
        let runs = emitted(self.function);
        for (handle, expression) in self.function.expressions.iter() {
            if let (true, Class::Rule(rule, operation)) = (runs[handle.index()], self.class(expression)) {
                report(rule, operation, self.function.expressions.get_span(handle), false);
            }
        }
        each_statement(&self.function.body, &mut |statement, span| {
            if let Some((rule, operation, always)) = self.statement_rule(statement) {
                report(rule, operation.to_owned(), span, always);
            }
        });
    }

    /// Type of an expression.
    pub(super) fn inner(&self, handle: Handle<Expression>) -> &TypeInner {
        self.info[handle].ty.inner_with(&self.module.types)
    }

    fn float(&self, handle: Handle<Expression>) -> Option<Scalar> {
        match *self.inner(handle) {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } | TypeInner::Matrix { scalar, .. } => {
                (scalar.kind == ScalarKind::Float).then_some(scalar)
            }
            _ => None,
        }
    }

    fn is_matrix(&self, handle: Handle<Expression>) -> bool {
        matches!(self.inner(handle), TypeInner::Matrix { .. })
    }

    /// What `expression` is, by its operation and the types of its operands.
    pub(super) fn class(&self, expression: &Expression) -> Class {
        let refused = |what: &str| Class::Rule(FloatRule::Refused, what.to_owned());
        match *expression {
            Expression::Binary { op, left, right } => self.binary_class(op, left, right),
            Expression::Unary { op: UnaryOperator::Negate, expr } => match self.float(expr) {
                None => Class::Exact,
                Some(scalar) if scalar.width == 2 => refused("f16 arithmetic"),
                Some(_) if self.is_matrix(expr) => refused("matrix arithmetic"),
                Some(_) => Class::Arithmetic,
            },
            Expression::Math { fun, arg, .. } => match (self.float(arg), unpacks_floats(fun)) {
                (None, None) => Class::Exact,
                (None, Some(name)) => refused(name),
                (Some(scalar), _) if scalar.width == 2 => refused("f16 arithmetic"),
                (Some(_), _) => math_class(fun),
            },
            Expression::As { expr, kind, convert: Some(width) } => {
                let from_half = self.float(expr).is_some_and(|scalar| scalar.width == 2);
                let to_half = kind == ScalarKind::Float && width == 2;
                if from_half || to_half { refused("an f16 conversion") } else { Class::Exact }
            }
            Expression::Relational { fun: RelationalFunction::IsNan, .. } => refused("isNan"),
            Expression::Relational { fun: RelationalFunction::IsInf, .. } => refused("isInf"),
            Expression::Derivative { .. } => refused("a derivative"),
            _ => Class::Exact,
        }
    }

    fn binary_class(&self, op: BinaryOperator, left: Handle<Expression>, right: Handle<Expression>) -> Class {
        use BinaryOperator as Op;
        let refused = |what: &str| Class::Rule(FloatRule::Refused, what.to_owned());
        let (Some(scalar), true) =
            (self.float(left), matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo))
        else {
            return Class::Exact;
        };
        match op {
            _ if scalar.width == 2 => refused("f16 arithmetic"),
            _ if self.is_matrix(left) || self.is_matrix(right) => refused("matrix arithmetic"),
            Op::Modulo => refused("%"),
            Op::Divide => Class::Rule(FloatRule::Estimate, "/".to_owned()),
            _ => Class::Arithmetic,
        }
    }

    /// Rule and name of a statement on floats, and whether no mark allows it.
    fn statement_rule(&self, statement: &Statement) -> Option<(FloatRule, &'static str, bool)> {
        use naga::AtomicFunction as Atomic;
        match *statement {
            Statement::Atomic { ref fun, value, .. } if self.float(value).is_some() => match fun {
                Atomic::Exchange { .. } => None,
                _ => Some((FloatRule::Refused, "an atomic", true)),
            },
            Statement::SubgroupCollectiveOperation { op, argument, .. } if self.float(argument).is_some() => match op {
                SubgroupOperation::Add => Some((FloatRule::Refused, "a sum over a subgroup", false)),
                SubgroupOperation::Mul => Some((FloatRule::Refused, "a product over a subgroup", false)),
                SubgroupOperation::Min => Some((FloatRule::Selection, "subgroupMin", false)),
                SubgroupOperation::Max => Some((FloatRule::Selection, "subgroupMax", false)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Class of a built-in function whose first argument is a float.
fn math_class(fun: MathFunction) -> Class {
    use MathFunction as M;
    match fun {
        M::Abs | M::Floor | M::Ceil | M::Round | M::Trunc | M::Sign | M::Step => Class::Exact,
        M::Sqrt | M::InverseSqrt => Class::Rule(FloatRule::Estimate, built_in_name(fun)),
        M::Min | M::Max | M::Clamp | M::Saturate => Class::Rule(FloatRule::Selection, built_in_name(fun)),
        _ => Class::Rule(FloatRule::Refused, built_in_name(fun)),
    }
}

/// Built-ins that make floats from integers: their division or their f16 subnormals are the driver's choice.
fn unpacks_floats(fun: MathFunction) -> Option<&'static str> {
    match fun {
        MathFunction::Unpack4x8snorm => Some("unpack4x8snorm"),
        MathFunction::Unpack4x8unorm => Some("unpack4x8unorm"),
        MathFunction::Unpack2x16snorm => Some("unpack2x16snorm"),
        MathFunction::Unpack2x16unorm => Some("unpack2x16unorm"),
        MathFunction::Unpack2x16float => Some("unpack2x16float"),
        _ => None,
    }
}

/// The WGSL name: naga's variant with a small first letter.
fn built_in_name(fun: MathFunction) -> String {
    let name = format!("{fun:?}");
    match fun {
        MathFunction::SmoothStep => "smoothstep".to_owned(),
        _ => name[..1].to_ascii_lowercase() + &name[1..],
    }
}
