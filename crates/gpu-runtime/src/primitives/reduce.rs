//! Reduction of `u32` to a sum, a minimum or a maximum.

use super::kernels::reduce_spans::{self, Op, TILE};
use super::kernels::reducing;
use super::plan::{self, Cut};
use crate::{Binding, Context, DeviceVec, Error, Kernel, Recording};

/// Most workgroups of all dispatches together, unless there are more pieces.
const GROUPS: u32 = 2048;

/// What a reduction computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReduceOp {
    /// Sum modulo 2^32; 0 for no words.
    Sum,
    /// Smallest word; `u32::MAX` for no words.
    Min,
    /// Largest word; 0 for no words.
    Max,
}

impl ReduceOp {
    fn kernel_op(self) -> Op {
        match self {
            ReduceOp::Sum => Op::Sum,
            ReduceOp::Min => Op::Min,
            ReduceOp::Max => Op::Max,
        }
    }
}

/// Sum (modulo 2^32), minimum or maximum of all words; of none, the operation's neutral element.
///
/// The reference of [`reduce()`] and [`Reduce`].
pub fn reduce_cpu(op: ReduceOp, input: &[u32]) -> u32 {
    match op {
        ReduceOp::Sum => input.iter().fold(0, |a, b| a.wrapping_add(*b)),
        ReduceOp::Min => input.iter().copied().min().unwrap_or(u32::MAX),
        ReduceOp::Max => input.iter().copied().max().unwrap_or(0),
    }
}

/// [`reduce_cpu`] on a device: uploads, reduces, reads one word back. The same word.
///
/// # Errors
/// [`Error::Limit`] for more words than the device's largest buffer holds, and device errors.
pub fn reduce(context: &Context, op: ReduceOp, input: &[u32]) -> Result<u32, Error> {
    let plan = Reduce::new(context, op, input.len())?;
    let device_input = context.upload("reduce input", input)?;
    let mut recording = context.record("reduce");
    plan.record(&mut recording, &device_input, input.len())?;
    let result = recording.download(plan.result());
    Ok(recording.submit()?.take(result)?[0])
}

/// A plan of reductions of up to `capacity` words by one operation: kernel and scratch, made once.
///
/// Cost: 4 bytes of traffic a word; one dispatch for each piece of the array that fits a binding and one more over the
/// words that the workgroups leave (none for a single workgroup). Scratch: at most 8 KiB, or 4 bytes a piece.
#[derive(Debug)]
pub struct Reduce {
    capacity: usize,
    max_groups: u32,
    spans: Kernel,
    partials: DeviceVec<u32>,
    result: DeviceVec<u32>,
}

fn cut(context: &Context, len: usize, max_groups: u32) -> Result<Cut, Error> {
    Ok(Cut::new("reduce", len, TILE, max_groups, context.adapter().limits.max_binding_bytes)?.sharing(max_groups))
}

impl Reduce {
    /// Compiles the kernel and allocates the scratch.
    ///
    /// # Errors
    /// [`Error::Limit`] when positions would not fit `u32`, or the array is above a binding limit that is below 16 KiB;
    /// device errors.
    pub fn new(context: &Context, op: ReduceOp, capacity: usize) -> Result<Self, Error> {
        let partials = cut(context, capacity, GROUPS)?.most_shared(GROUPS);
        Ok(Reduce {
            capacity,
            max_groups: GROUPS,
            spans: reducing(context, op.kernel_op())?,
            partials: context.zeroed("reduce partials", partials)?,
            result: context.zeroed("reduce result", 1)?,
        })
    }

    /// Takes at most `groups` workgroups a dispatch (1 at least), so that each walks a longer span. The words stay the same:
    /// for tuning and for tests.
    #[must_use]
    pub fn with_max_groups(mut self, groups: u32) -> Self {
        self.max_groups = groups.clamp(1, GROUPS);
        self
    }

    /// Records the reduction of the first `len` words of `input`; [`Reduce::result`] holds it afterwards.
    ///
    /// # Errors
    /// [`Error::Length`] when the buffer or the capacity is below `len`; [`Error::WrongContext`].
    pub fn record(&self, recording: &mut Recording, input: &DeviceVec<u32>, len: usize) -> Result<(), Error> {
        plan::check("reduce", len, &[("capacity", self.capacity), ("input", input.len())])?;
        let cut = cut(self.result.context(), len, self.max_groups)?;
        let groups = cut.all_groups();
        let target = if groups > 1 { &self.partials } else { &self.result };
        for piece in cut.pieces() {
            let params = reduce_spans::Params { zero: 0, len: piece.len(), span: piece.span, first: piece.first_group };
            let source = input.bind_range(piece.words)?;
            self.dispatch(recording, source, target, &params, piece.groups)?;
        }
        if groups != 1 {
            // All partial results in one workgroup; of no words, it leaves the neutral element.
            let words = groups as u32;
            let span = words.next_multiple_of(TILE);
            let params = reduce_spans::Params { zero: 0, len: words, span, first: 0 };
            self.dispatch(recording, self.partials.bind(), &self.result, &params, 1)?;
        }
        Ok(())
    }

    fn dispatch(
        &self,
        recording: &mut Recording,
        input: Binding<'_>,
        partials: &DeviceVec<u32>,
        params: &reduce_spans::Params,
        groups: u32,
    ) -> Result<(), Error> {
        let bindings = [("input", input), ("partials", partials.bind())];
        recording.dispatch(&self.spans, &bindings, params, [groups, 1, 1])
    }

    /// Where the result lies: one word.
    pub fn result(&self) -> &DeviceVec<u32> {
        &self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn models_of_the_kernel_give_the_reference(
            input in proptest::collection::vec(any::<u32>(), 0..60_000), tiles in 1u64..9, groups in 1u32..5,
        ) {
            for op in [ReduceOp::Sum, ReduceOp::Min, ReduceOp::Max] {
                let bytes = 4 * tiles * u64::from(TILE);
                let cut = Cut::new("x", input.len(), TILE, groups, bytes).unwrap().sharing(groups);
                let mut partials = vec![1; cut.all_groups()];
                for piece in cut.pieces() {
                    let (len, span, first) = (piece.len(), piece.span, piece.first_group);
                    let params = reduce_spans::Params { zero: 0, len, span, first };
                    let source = &input[piece.words];
                    reduce_spans::reduce_spans(op.kernel_op(), &params, source, &mut partials, piece.groups);
                }
                let (len, mut result) = (partials.len() as u32, [1]);
                let params = reduce_spans::Params { zero: 0, len, span: len.next_multiple_of(TILE), first: 0 };
                reduce_spans::reduce_spans(op.kernel_op(), &params, &partials, &mut result, 1);
                prop_assert_eq!(result[0], reduce_cpu(op, &input));
            }
        }
    }

    #[test]
    fn the_reference_reduces() {
        let words = [5, u32::MAX, 3];
        let of = |op| (reduce_cpu(op, &words), reduce_cpu(op, &[]));
        assert_eq!(of(ReduceOp::Sum), (7, 0));
        assert_eq!(of(ReduceOp::Min), (3, u32::MAX));
        assert_eq!(of(ReduceOp::Max), (u32::MAX, 0));
    }
}
