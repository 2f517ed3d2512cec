//! Exclusive scan of `u32` by addition modulo 2^32.

use super::kernels::reduce_spans::{self, Op};
use super::kernels::scan_spans::{self, SCAN_SPANS, TILE};
use super::kernels::{reducing, scanning};
use super::plan::{self, Cut, TOTAL_WORDS};
use crate::{Context, DeviceVec, Error, Kernel, Recording};

/// Most workgroups of a dispatch. Each adds up the sums before its span itself, so there are only some thousand.
const GROUPS: u32 = 2048;

/// Exclusive scan: `output[i] = input[0] + .. + input[i - 1]` modulo 2^32, and the sum of all.
///
/// The reference of [`exclusive_scan`] and [`Scan`]. An empty slice gives an empty vector and 0.
pub fn exclusive_scan_cpu(input: &[u32]) -> (Vec<u32>, u32) {
    let mut sum = 0u32;
    let mut output = Vec::with_capacity(input.len());
    for word in input {
        output.push(sum);
        sum = sum.wrapping_add(*word);
    }
    (output, sum)
}

/// [`exclusive_scan_cpu`] on a device: uploads, scans, reads back. The same words.
///
/// # Errors
/// [`Error::Limit`] for more words than the device's largest buffer holds, and device errors.
pub fn exclusive_scan(context: &Context, input: &[u32]) -> Result<(Vec<u32>, u32), Error> {
    let plan = Scan::new(context, input.len())?;
    let device_input = context.upload("scan input", input)?;
    let device_output = context.zeroed("scan output", input.len())?;
    let mut recording = context.record("exclusive_scan");
    plan.record(&mut recording, &device_input, &device_output, input.len())?;
    let (output, total) = (recording.download(&device_output), recording.download(plan.total()));
    let mut completed = recording.submit()?;
    Ok((completed.take(output)?, completed.take(total)?[0]))
}

/// A plan of exclusive scans of up to `capacity` words: kernels and scratch, made once.
///
/// Cost: two dispatches and 12 bytes of traffic a word (8 for a single workgroup), for each piece of the array that
/// fits a binding. Scratch: at most 8 KiB.
#[derive(Debug)]
pub struct Scan {
    capacity: usize,
    max_groups: u32,
    reduce: Kernel,
    scan: Kernel,
    sums: DeviceVec<u32>,
    total: DeviceVec<u32>,
}

fn cut(context: &Context, len: usize, max_groups: u32) -> Result<Cut, Error> {
    Cut::new("scan", len, TILE, max_groups, context.adapter().limits.max_binding_bytes)
}

impl Scan {
    /// Compiles the kernels and allocates the scratch.
    ///
    /// # Errors
    /// [`Error::Limit`] when positions would not fit `u32`, or the array is above a binding limit that is below 16 KiB;
    /// device errors.
    pub fn new(context: &Context, capacity: usize) -> Result<Self, Error> {
        let groups = cut(context, capacity, GROUPS)?.most_groups();
        Ok(Scan {
            capacity,
            max_groups: GROUPS,
            reduce: reducing(context, Op::Sum)?,
            scan: scanning(context, &[], SCAN_SPANS)?,
            sums: context.zeroed("scan sums", groups)?,
            total: context.zeroed("scan total", TOTAL_WORDS)?,
        })
    }

    /// Takes at most `groups` workgroups a dispatch (1 at least), so that each walks a longer span. The words stay the same:
    /// for tuning and for tests.
    #[must_use]
    pub fn with_max_groups(mut self, groups: u32) -> Self {
        self.max_groups = groups.clamp(1, GROUPS);
        self
    }

    /// Records the scan of the first `len` words of `input` into the first `len` words of `output`, another buffer.
    ///
    /// [`Scan::total`] holds the sum afterwards. Words of `output` from `len` on keep their values.
    ///
    /// # Errors
    /// [`Error::Length`] when a buffer or the capacity is below `len`; [`Error::WrongContext`].
    pub fn record(
        &self,
        recording: &mut Recording,
        input: &DeviceVec<u32>,
        output: &DeviceVec<u32>,
        len: usize,
    ) -> Result<(), Error> {
        let given = [("capacity", self.capacity), ("input", input.len()), ("output", output.len())];
        plan::check("scan", len, &given)?;
        if len == 0 {
            return recording.clear(&self.total);
        }
        for piece in cut(self.total.context(), len, self.max_groups)?.pieces() {
            let source = input.bind_range(piece.words.clone())?;
            if piece.groups > 1 {
                let params = reduce_spans::Params { zero: 0, len: piece.len(), span: piece.span, first: 0 };
                let bindings = [("input", source.clone()), ("partials", self.sums.bind())];
                recording.dispatch(&self.reduce, &bindings, &params, [piece.groups, 1, 1])?;
            }
            let (read_slot, write_slot) = plan::slots(&piece);
            let (len, span, groups) = (piece.len(), piece.span, piece.groups);
            let params = scan_spans::Params { zero: 0, len, span, groups, read_slot, write_slot, pad: [0; 2] };
            let target = output.bind_range(piece.words)?;
            let bindings =
                [("input", source), ("output", target), ("sums", self.sums.bind()), ("total", self.total.bind())];
            recording.dispatch(&self.scan, &bindings, &params, [groups, 1, 1])?;
        }
        Ok(())
    }

    /// Where the sum of all words lies: word 0, modulo 2^32. The other words are scratch.
    pub fn total(&self) -> &DeviceVec<u32> {
        &self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The dispatches of a scan, run by the models of the kernels.
    fn scan_by_models(input: &[u32], binding_bytes: u64, groups: u32) -> (Vec<u32>, u32) {
        let mut output = vec![7; input.len()];
        let mut total = [9, 9, 9, 0];
        let cut = Cut::new("scan", input.len(), TILE, groups, binding_bytes).unwrap();
        let mut sums = vec![5; cut.most_groups()];
        for piece in cut.pieces() {
            let source = &input[piece.words.clone()];
            let (len, span, groups) = (piece.len(), piece.span, piece.groups);
            if groups > 1 {
                let params = reduce_spans::Params { zero: 0, len, span, first: 0 };
                reduce_spans::reduce_spans(Op::Sum, &params, source, &mut sums, groups);
            }
            let (read_slot, write_slot) = plan::slots(&piece);
            let params = scan_spans::Params { zero: 0, len, span, groups, read_slot, write_slot, pad: [0; 2] };
            scan_spans::scan_spans(&params, source, &mut output[piece.words], &sums, &mut total);
        }
        (output, total[0])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn models_of_the_kernels_give_the_reference(
            input in proptest::collection::vec(any::<u32>(), 1..60_000), tiles in 1u64..9, groups in 1u32..5,
        ) {
            prop_assert_eq!(scan_by_models(&input, 4 * tiles * u64::from(TILE), groups), exclusive_scan_cpu(&input));
        }
    }

    #[test]
    fn the_reference_scans() {
        assert_eq!(exclusive_scan_cpu(&[]), (vec![], 0));
        assert_eq!(exclusive_scan_cpu(&[3, u32::MAX, 5]), (vec![0, 3, 2], 7));
    }
}
