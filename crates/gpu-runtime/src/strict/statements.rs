//! Statements whose expressions moved to a new arena.

use naga::{AtomicFunction, Block, Expression, GatherMode, Handle, Range, Statement};

/// Where each expression of the old arena, by index, is in the new one.
pub(super) struct Moved {
    /// The expression itself.
    pub(super) raw: Vec<Handle<Expression>>,
    /// The value that its uses see: the end of its guard where it has one, else the expression itself.
    pub(super) value: Vec<Handle<Expression>>,
}

impl Moved {
    fn one(&self, handle: &mut Handle<Expression>) {
        *handle = self.value[handle.index()];
    }

    fn all<'a>(&self, handles: impl IntoIterator<Item = &'a mut Handle<Expression>>) {
        handles.into_iter().for_each(|handle| self.one(handle));
    }

    /// The new range of an `Emit`: from the first expression to the end of the last one's guard.
    fn range(&self, range: &mut Range<Expression>) {
        if let Some((first, last)) = range.first_and_last() {
            *range = Range::new_from_bounds(self.raw[first.index()], self.value[last.index()]);
        }
    }

    /// Rewrites every statement of `block`.
    ///
    /// # Errors
    /// The name of a kind of statement that a compute kernel on buffers has no use for.
    pub(super) fn block(&self, block: &mut Block) -> Result<(), &'static str> {
        block.iter_mut().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&self, statement: &mut Statement) -> Result<(), &'static str> {
        use Statement as S;
        match statement {
            S::Emit(range) => self.range(range),
            S::Block(inner) => self.block(inner)?,
            S::If { condition, accept, reject } => {
                self.one(condition);
                self.block(accept)?;
                self.block(reject)?;
            }
            S::Switch { selector, cases } => {
                self.one(selector);
                cases.iter_mut().try_for_each(|case| self.block(&mut case.body))?;
            }
            S::Loop { body, continuing, break_if } => {
                self.block(body)?;
                self.block(continuing)?;
                self.all(break_if);
            }
            S::Break | S::Continue | S::Kill | S::ControlBarrier(_) | S::MemoryBarrier(_) => {}
            S::Return { value } => self.all(value),
            S::Store { pointer, value } => self.all([pointer, value]),
            S::Call { arguments, result, .. } => self.all(arguments.iter_mut().chain(result)),
            S::Atomic { pointer, fun, value, result } => {
                self.all([pointer, value].into_iter().chain(result));
                if let AtomicFunction::Exchange { compare } = fun {
                    self.all(compare);
                }
            }
            S::WorkGroupUniformLoad { pointer, result } => self.all([pointer, result]),
            S::SubgroupBallot { result, predicate } => self.all([result].into_iter().chain(predicate)),
            S::SubgroupCollectiveOperation { argument, result, .. } => self.all([argument, result]),
            S::SubgroupGather { mode, argument, result } => {
                self.all([argument, result].into_iter().chain(gather_operand(mode)));
            }
            S::ImageStore { .. } | S::ImageAtomic { .. } => return Err("a texture"),
            S::RayQuery { .. } | S::RayPipelineFunction(_) => return Err("a ray query"),
            S::CooperativeStore { .. } => return Err("a cooperative matrix"),
        }
        Ok(())
    }
}

fn gather_operand(mode: &mut GatherMode) -> Option<&mut Handle<Expression>> {
    match mode {
        GatherMode::Broadcast(index)
        | GatherMode::Shuffle(index)
        | GatherMode::ShuffleDown(index)
        | GatherMode::ShuffleUp(index)
        | GatherMode::ShuffleXor(index)
        | GatherMode::QuadBroadcast(index) => Some(index),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}
