//! A pass over the naga representation that makes every float result opaque to the compilers below.
//!
//! Each float result `x` becomes `bitcast(bitcast(x) | zero)`, where `zero` is a run-time 0 from the kernel's parameter
//! block. An integer operation on an unknown value cannot be contracted or reassociated under any float rule. Every
//! operation needs it, additions too: with guarded products alone, two_sum is still folded.
//!
//! It is an inclusive or, not an exclusive one: where a compiler drops an operation between two guards (`x + 0.0`,
//! `x * 1.0`), two exclusive ors would cancel and leave the value bare, so that a product could still be fused. Seen on
//! an NVIDIA H200. Two inclusive ors are one.
//!
//! Expressions precede their uses in naga's arenas, so each function's arena is rebuilt in its order, with the guard of
//! an expression right after it. An `Emit` of old expressions then covers them and their guards.

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Arena, BinaryOperator, Expression, Function, Handle, Module, ScalarKind, Span, Statement};
use naga::{Block, TypeInner, VectorSize};

use super::audit::{Class, FloatRule, Scope, refuse};
use super::statements::Moved;
use super::walk::emitted;
use super::{operands::each_operand, zero_word, zero_word::ZeroWord};
use crate::compose::{Composed, ShaderCapabilities, ShaderFault};

/// Name of the zero in text translations; the zero of a vector or of 64 bits has it as prefix.
pub(crate) const ZERO_NAME: &str = "strict_zero";

/// Guards every float operation of a valid module and returns how many. The module must be validated again.
///
/// # Errors
/// An operation that no guard makes exact, on a line that is not marked `// bound only`; float arithmetic without a
/// member `zero: u32` in the parameter block; f64 arithmetic without the capability `int64`.
pub(crate) fn guard(
    composed: &Composed,
    module: &mut Module,
    info: &ModuleInfo,
    capabilities: ShaderCapabilities,
) -> Result<usize, ShaderFault> {
    refuse(composed, module, info)?;
    let plans = plans(module, info);
    let guards = plans.iter().flatten().flatten().count();
    if guards == 0 {
        return Ok(0);
    }
    if !capabilities.int64 && plans.iter().flatten().flatten().any(|shape| shape.wide) {
        return Err(composed.fault("guarded f64 arithmetic needs 64-bit integers, which the device lacks"));
    }
    let zero = zero_word::find(module).map_err(|message| composed.fault(message))?;
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let entry_points = module.entry_points.iter_mut().map(|entry_point| &mut entry_point.function);
    for (function, plan) in functions.chain(entry_points).zip(&plans) {
        if plan.iter().any(Option::is_some) {
            let name = function.name.clone().unwrap_or_else(|| composed.kernel.clone());
            let unsupported = |what| composed.fault(format!("function {name} uses {what}, which no kernel may"));
            rewrite(function, plan, zero).map_err(unsupported)?;
        }
    }
    Ok(guards)
}

/// Shape of a guarded value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    size: Option<VectorSize>,
    wide: bool,
}

/// For each function, then each entry point: the shapes of the expressions to guard, by index.
fn plans(module: &Module, info: &ModuleInfo) -> Vec<Vec<Option<Shape>>> {
    let functions = module.functions.iter().map(|(handle, function)| plan(module, function, &info[handle]));
    let entry_points = module.entry_points.iter().enumerate();
    let entry_points = entry_points.map(|(i, entry)| plan(module, &entry.function, info.get_entry_point(i)));
    functions.chain(entry_points).collect()
}

/// What runs and is arithmetic, an estimate, or a built-in that only a mark allowed gets a guard. Selections return one
/// of their operands and those are guarded already. What naga folded does not run.
fn plan(module: &Module, function: &Function, info: &FunctionInfo) -> Vec<Option<Shape>> {
    let scope = Scope { module, function, info };
    let runs = emitted(function);
    let shape = |(handle, expression): (Handle<Expression>, &Expression)| {
        let wanted = match scope.class(expression) {
            Class::Exact | Class::Rule(FloatRule::Selection, _) => false,
            Class::Arithmetic | Class::Rule(..) => true,
        };
        if !wanted || !runs[handle.index()] {
            return None;
        }
        let (size, scalar) = match *scope.inner(handle) {
            TypeInner::Scalar(scalar) => (None, scalar),
            TypeInner::Vector { size, scalar } => (Some(size), scalar),
            _ => return None,
        };
        (scalar.kind == ScalarKind::Float).then_some(Shape { size, wide: scalar.width == 8 })
    };
    function.expressions.iter().map(shape).collect()
}

fn rewrite(function: &mut Function, plan: &[Option<Shape>], zero: ZeroWord) -> Result<(), &'static str> {
    let old = std::mem::take(&mut function.expressions);
    let mut prologue = Prologue::load(&mut function.expressions, zero);
    for shape in plan.iter().flatten() {
        prologue.zero_of(&mut function.expressions, *shape);
    }
    let emit = function.expressions.range_from(prologue.first);
    let mut moved = Moved { raw: Vec::with_capacity(old.len()), value: Vec::with_capacity(old.len()) };
    for (handle, expression) in old.iter() {
        let span = old.get_span(handle);
        let mut expression = expression.clone();
        each_operand(&mut expression, &mut |operand| *operand = moved.value[operand.index()])?;
        let raw = function.expressions.append(expression, span);
        let value = match plan[handle.index()] {
            None => raw,
            Some(shape) => {
                let zero = prologue.zero_of(&mut function.expressions, shape);
                append_guard(&mut function.expressions, raw, zero, span)
            }
        };
        moved.raw.push(raw);
        moved.value.push(value);
    }
    for (_, local) in function.local_variables.iter_mut() {
        // Initial values are constants, which have no guard.
        local.init = local.init.map(|init| moved.raw[init.index()]);
    }
    let named = std::mem::take(&mut function.named_expressions);
    function.named_expressions =
        named.into_iter().map(|(handle, name)| (moved.value[handle.index()], name)).chain(prologue.names()).collect();
    moved.block(&mut function.body)?;
    let body = std::mem::replace(&mut function.body, Block::with_capacity(1));
    function.body.push(Statement::Emit(emit), Span::UNDEFINED);
    function.body.extend_block(body);
    Ok(())
}

fn append_guard(
    arena: &mut Arena<Expression>,
    raw: Handle<Expression>,
    zero: Handle<Expression>,
    span: Span,
) -> Handle<Expression> {
    let bits = arena.append(Expression::As { expr: raw, kind: ScalarKind::Uint, convert: None }, span);
    let opaque = Expression::Binary { op: BinaryOperator::InclusiveOr, left: bits, right: zero };
    let opaque = arena.append(opaque, span);
    arena.append(Expression::As { expr: opaque, kind: ScalarKind::Float, convert: None }, span)
}

/// The start of a function: the zero is loaded once, and widened to the shapes that the function guards.
struct Prologue {
    /// Length of the arena before the first expression to emit.
    first: usize,
    zeros: Vec<(Shape, Handle<Expression>)>,
}

const SCALAR: Shape = Shape { size: None, wide: false };

impl Prologue {
    fn load(arena: &mut Arena<Expression>, zero: ZeroWord) -> Prologue {
        let base = arena.append(Expression::GlobalVariable(zero.global), Span::UNDEFINED);
        let first = arena.len();
        let pointer = arena.append(Expression::AccessIndex { base, index: zero.member }, Span::UNDEFINED);
        let word = arena.append(Expression::Load { pointer }, Span::UNDEFINED);
        Prologue { first, zeros: vec![(SCALAR, word)] }
    }

    /// The zero of `shape`, appended to the arena on its first use.
    fn zero_of(&mut self, arena: &mut Arena<Expression>, shape: Shape) -> Handle<Expression> {
        if let Some((_, zero)) = self.zeros.iter().find(|(of, _)| *of == shape) {
            return *zero;
        }
        let made = match shape.size {
            Some(size) => Expression::Splat { size, value: self.zero_of(arena, Shape { size: None, ..shape }) },
            None => Expression::As { expr: self.zero_of(arena, SCALAR), kind: ScalarKind::Uint, convert: Some(8) },
        };
        let zero = arena.append(made, Span::UNDEFINED);
        self.zeros.push((shape, zero));
        zero
    }

    /// Names make the text translations declare each zero once, instead of repeating the load.
    fn names(&self) -> impl Iterator<Item = (Handle<Expression>, String)> + '_ {
        self.zeros.iter().map(|(shape, zero)| {
            let size = match shape.size {
                None => "",
                Some(VectorSize::Bi) => "_pair",
                Some(VectorSize::Tri) => "_triple",
                Some(VectorSize::Quad) => "_quad",
            };
            (*zero, format!("{ZERO_NAME}{}{size}", if shape.wide { "_wide" } else { "" }))
        })
    }
}
