//! The operands of one naga expression.

use naga::{Expression, Handle};

/// Calls `visit` for every expression that `expression` refers to, in order.
///
/// # Errors
/// The name of a kind of expression that a compute kernel on buffers has no use for.
pub(super) fn each_operand(
    expression: &mut Expression,
    visit: &mut dyn FnMut(&mut Handle<Expression>),
) -> Result<(), &'static str> {
    use Expression as E;
    match expression {
        E::Literal(_)
        | E::Constant(_)
        | E::Override(_)
        | E::ZeroValue(_)
        | E::FunctionArgument(_)
        | E::GlobalVariable(_)
        | E::LocalVariable(_)
        | E::CallResult(_)
        | E::AtomicResult { .. }
        | E::WorkGroupUniformLoadResult { .. }
        | E::SubgroupBallotResult
        | E::SubgroupOperationResult { .. } => {}
        E::AccessIndex { base: one, .. }
        | E::Splat { value: one, .. }
        | E::Swizzle { vector: one, .. }
        | E::Load { pointer: one }
        | E::Unary { expr: one, .. }
        | E::Relational { argument: one, .. }
        | E::As { expr: one, .. }
        | E::ArrayLength(one) => visit(one),
        E::Access { base: first, index: second } | E::Binary { left: first, right: second, .. } => {
            visit(first);
            visit(second);
        }
        E::Select { condition, accept, reject } => [condition, accept, reject].into_iter().for_each(visit),
        E::Math { arg, arg1, arg2, arg3, .. } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        E::Compose { components, .. } => components.iter_mut().for_each(visit),
        E::ImageSample { .. } | E::ImageLoad { .. } | E::ImageQuery { .. } => return Err("a texture"),
        E::Derivative { .. } => return Err("a derivative"),
        E::RayQueryVertexPositions { .. } | E::RayQueryProceedResult | E::RayQueryGetIntersection { .. } => {
            return Err("a ray query");
        }
        E::CooperativeLoad { .. } | E::CooperativeMultiplyAdd { .. } => return Err("a cooperative matrix"),
    }
    Ok(())
}
