//! How many arithmetic operations a function takes at least: the floor that a rate of arithmetic sets.

use std::collections::HashMap;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Block, Expression, Function, Handle, Module, Statement, TypeInner, VectorSize};

/// The least number of operations from the beginning of a block to its end, and to a return inside it; none where no path gets there.
#[derive(Clone, Copy, Debug, Default)]
struct Paths {
    end: Option<u64>,
    left: Option<u64>,
}

/// Operations of one call of a function of the module, or of the entry point of that name, those of the functions it calls among them.
///
/// Counted are binary and unary operators, built-in functions, conversions and selections, each once for every component; of branches the
/// cheaper one. `None` for an unknown name and for a function with a loop: its rounds depend on data.
pub(super) fn operations(module: &Module, info: &ModuleInfo, name: &str) -> Option<u64> {
    let mut known = HashMap::new();
    for (handle, function) in module.functions.iter() {
        // A function stands behind those that it calls.
        let cost = Scope { module, function, info: &info[handle], known: &known }.cost();
        known.insert(handle, cost);
    }
    let named = module.functions.iter().find(|(_, function)| function.name.as_deref() == Some(name));
    if let Some((handle, _)) = named {
        return known[&handle];
    }
    let index = module.entry_points.iter().position(|entry| entry.name == name)?;
    let function = &module.entry_points[index].function;
    Scope { module, function, info: info.get_entry_point(index), known: &known }.cost()
}

struct Scope<'a> {
    module: &'a Module,
    function: &'a Function,
    info: &'a FunctionInfo,
    known: &'a HashMap<Handle<Function>, Option<u64>>,
}

impl Scope<'_> {
    fn cost(&self) -> Option<u64> {
        let Paths { end, left } = self.block(&self.function.body)?;
        least(end, left)
    }

    /// `None` where a loop, or a function with one, is on the way.
    fn block(&self, block: &Block) -> Option<Paths> {
        let (mut so_far, mut left) = (Some(0), None);
        for statement in block.iter() {
            // Behind a return nothing runs.
            let Some(before) = so_far else { break };
            let step = match statement {
                Statement::Emit(range) => {
                    let sum = range.clone().map(|handle| self.expression(handle)).sum();
                    Paths { end: Some(sum), left: None }
                }
                Statement::Call { function, .. } => Paths { end: Some((*self.known.get(function)?)?), left: None },
                Statement::Block(inner) => self.block(inner)?,
                Statement::If { accept, reject, .. } => either(self.block(accept)?, self.block(reject)?),
                Statement::Switch { cases, .. } => {
                    let mut cases = cases.iter().map(|case| self.block(&case.body));
                    let first = cases.next()??;
                    cases.try_fold(first, |paths, case| Some(either(paths, case?)))?
                }
                Statement::Loop { .. } => return None,
                Statement::Return { .. } | Statement::Kill => Paths { end: None, left: Some(0) },
                _ => Paths { end: Some(0), left: None },
            };
            left = least(left, step.left.map(|cost| cost + before));
            so_far = step.end.map(|cost| cost + before);
        }
        Some(Paths { end: so_far, left })
    }

    fn expression(&self, handle: Handle<Expression>) -> u64 {
        let width = |handle: Handle<Expression>| match *self.info[handle].ty.inner_with(&self.module.types) {
            TypeInner::Vector { size, .. } => components(size),
            TypeInner::Matrix { columns, rows, .. } => components(columns) * components(rows),
            _ => 1,
        };
        match self.function.expressions[handle] {
            Expression::Binary { .. }
            | Expression::Unary { .. }
            | Expression::Select { .. }
            | Expression::Relational { .. }
            | Expression::As { convert: Some(_), .. } => width(handle),
            // A product of each component and their sum.
            Expression::Math { fun: naga::MathFunction::Dot, arg, .. } => 2 * width(arg) - 1,
            Expression::Math { .. } => width(handle),
            _ => 0,
        }
    }
}

fn components(size: VectorSize) -> u64 {
    u64::from(size as u8)
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn either(a: Paths, b: Paths) -> Paths {
    Paths { end: least(a.end, b.end), left: least(a.left, b.left) }
}

#[cfg(test)]
mod tests {
    use crate::kernel::KernelSource;
    use crate::numerics::Form;
    use crate::translate::{Target, Translation};
    use gpu_shaders::WgslModule;

    const TEXT: &str = "
struct Params { zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
fn straight(x: vec3<f32>) -> vec3<f32> { return x * x + x; }
fn branches(x: f32) -> f32 {
    if (x < 0.0) { return x * x * x; }
    return x + x;
}
fn calls(x: f32) -> f32 { return straight(vec3<f32>(x)).x + branches(x); }
fn repeats(x: f32) -> f32 {
    var y = x;
    for (var i = 0u; i < 4u; i++) { y = y * x; }
    return y;
}
@compute @workgroup_size(64)
fn counted(@builtin(global_invocation_id) id: vec3<u32>) { out[id.x] = calls(out[id.x]) + f32(id.y); }
fn looping() -> f32 { return repeats(2.0); }
";

    #[test]
    fn least_operations_of_functions_are_counted() {
        let modules = [WgslModule { name: "counted", source: TEXT }];
        let source = KernelSource { name: "counted", constants: &[], modules: &modules, trusted: true };
        let translation = Translation::new(&source, Form::Decorated, &Target::default()).expect("a kernel");
        // Three products and three sums; a comparison and one sum; both, with one sum more; that, a sum and a conversion.
        for (name, count) in [("straight", 6), ("branches", 2), ("calls", 9), ("counted", 11)] {
            assert_eq!(translation.operations(name), Some(count), "{name}");
        }
        for name in ["repeats", "looping", "nothing"] {
            assert_eq!(translation.operations(name), None, "{name}");
        }
    }
}
