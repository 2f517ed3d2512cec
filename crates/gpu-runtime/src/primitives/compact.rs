//! Stream compaction in order: what is flagged, without gaps.

use super::kernels::compact_indices::COMPACT_INDICES;
use super::kernels::compact_spans::{self, COMPACT_SPANS};
use super::kernels::compact_values::COMPACT_VALUES;
// Spans are multiples of the tile of both kernels: the one that counts has the larger.
use super::kernels::reduce_spans::{self, Op, TILE};
use super::kernels::{reducing, scanning};
use super::plan::{self, Cut, Piece, TOTAL_WORDS};
use crate::{Binding, Context, DeviceVec, Error, Kernel, Recording};

/// Most workgroups of a dispatch. Each adds up the counts before its span itself.
const GROUPS: u32 = 2048;

/// The `values[i]` whose `flags[i]` is not zero, in order.
///
/// The reference of [`compact`] and [`Compact`].
///
/// # Errors
/// [`Error::Length`] when the slices differ in length.
pub fn compact_cpu(flags: &[u32], values: &[u32]) -> Result<Vec<u32>, Error> {
    same_len(flags, values)?;
    Ok(flags.iter().zip(values).filter(|(flag, _)| **flag != 0).map(|(_, value)| *value).collect())
}

/// The indices of the flags that are not zero, ascending.
///
/// # Errors
/// [`Error::Limit`] when an index does not fit `u32`.
pub fn compact_indices_cpu(flags: &[u32]) -> Result<Vec<u32>, Error> {
    Cut::new("compact", flags.len(), TILE, GROUPS, u64::MAX)?;
    Ok((0..).zip(flags).filter(|(_, flag)| **flag != 0).map(|(index, _)| index).collect())
}

fn same_len(flags: &[u32], values: &[u32]) -> Result<(), Error> {
    if flags.len() == values.len() {
        return Ok(());
    }
    Err(Error::Length { what: "compact, values".into(), needed: flags.len(), given: values.len() })
}

/// [`compact_cpu`] on a device: uploads, compacts, reads back. The same words.
///
/// # Errors
/// [`Error::Length`] when the slices differ in length, [`Error::Limit`] for more words than the device's largest buffer
/// holds, and device errors.
pub fn compact(context: &Context, flags: &[u32], values: &[u32]) -> Result<Vec<u32>, Error> {
    same_len(flags, values)?;
    let device_values = context.upload("compact values", values)?;
    run(context, flags, Some(&device_values))
}

/// [`compact_indices_cpu`] on a device. The same words.
///
/// # Errors
/// As [`compact`].
pub fn compact_indices(context: &Context, flags: &[u32]) -> Result<Vec<u32>, Error> {
    run(context, flags, None)
}

fn run(context: &Context, flags: &[u32], values: Option<&DeviceVec<u32>>) -> Result<Vec<u32>, Error> {
    let plan = Compact::new(context, flags.len())?;
    let device_flags = context.upload("compact flags", flags)?;
    let output = context.zeroed("compact output", flags.len())?;
    let mut recording = context.record("compact");
    plan.record_given(&mut recording, &device_flags, values, &output, flags.len())?;
    let (words, count) = (recording.download(&output), recording.download(plan.count()));
    let mut completed = recording.submit()?;
    let (mut words, count) = (completed.take(words)?, completed.take(count)?[0]);
    words.truncate(count as usize);
    Ok(words)
}

/// A plan of compactions of up to `capacity` flags: kernels and scratch, made once.
///
/// Cost: two dispatches (one for a single workgroup) and 8 bytes of traffic a flag and 8 a kept value (4 a kept index),
/// for an array whose pieces fit a binding. Of `n` pieces, the second dispatch runs up to `n` times for each piece, once
/// for each piece of the output it may reach. Scratch: at most 8 KiB.
#[derive(Debug)]
pub struct Compact {
    capacity: usize,
    max_groups: u32,
    reduce: Kernel,
    values: Kernel,
    indices: Kernel,
    sums: DeviceVec<u32>,
    count: DeviceVec<u32>,
}

fn cut(context: &Context, len: usize, max_groups: u32) -> Result<Cut, Error> {
    Cut::new("compact", len, TILE, max_groups, context.adapter().limits.max_binding_bytes)
}

impl Compact {
    /// Compiles the kernels and allocates the scratch.
    ///
    /// # Errors
    /// [`Error::Limit`] when indices would not fit `u32`, or the array is above a binding limit that is below 16 KiB;
    /// device errors.
    pub fn new(context: &Context, capacity: usize) -> Result<Self, Error> {
        let groups = cut(context, capacity, GROUPS)?.most_groups();
        Ok(Compact {
            capacity,
            max_groups: GROUPS,
            reduce: reducing(context, Op::Count)?,
            values: scanning(context, &[COMPACT_VALUES], COMPACT_SPANS)?,
            indices: scanning(context, &[COMPACT_INDICES], COMPACT_SPANS)?,
            sums: context.zeroed("compact sums", groups)?,
            count: context.zeroed("compact count", TOTAL_WORDS)?,
        })
    }

    /// Takes at most `groups` workgroups a dispatch (1 at least), so that each walks a longer span. The words stay the same:
    /// for tuning and for tests.
    #[must_use]
    pub fn with_max_groups(mut self, groups: u32) -> Self {
        self.max_groups = groups.clamp(1, GROUPS);
        self
    }

    /// Records the compaction of the first `len` words of `values` by the first `len` words of `flags` into `output`,
    /// another buffer. [`Compact::count`] holds the number of kept words afterwards.
    ///
    /// Kept words beyond the end of a shorter `output` are dropped (but counted); words of `output` beyond the kept
    /// ones keep their values.
    ///
    /// # Errors
    /// [`Error::Length`] when a buffer or the capacity is below `len`; [`Error::WrongContext`].
    pub fn record(
        &self,
        recording: &mut Recording,
        flags: &DeviceVec<u32>,
        values: &DeviceVec<u32>,
        output: &DeviceVec<u32>,
        len: usize,
    ) -> Result<(), Error> {
        self.record_given(recording, flags, Some(values), output, len)
    }

    /// Records the same for the indices of the flags in place of values.
    ///
    /// # Errors
    /// As [`Compact::record`].
    pub fn record_indices(
        &self,
        recording: &mut Recording,
        flags: &DeviceVec<u32>,
        output: &DeviceVec<u32>,
        len: usize,
    ) -> Result<(), Error> {
        self.record_given(recording, flags, None, output, len)
    }

    fn record_given(
        &self,
        recording: &mut Recording,
        flags: &DeviceVec<u32>,
        values: Option<&DeviceVec<u32>>,
        output: &DeviceVec<u32>,
        len: usize,
    ) -> Result<(), Error> {
        let values_len = values.map_or(len, DeviceVec::len);
        plan::check("compact", len, &[("capacity", self.capacity), ("flags", flags.len()), ("values", values_len)])?;
        if len == 0 {
            return recording.clear(&self.count);
        }
        let context = self.count.context();
        let windows = cut(context, output.len().min(len), self.max_groups)?;
        for piece in cut(context, len, self.max_groups)?.pieces() {
            let source = flags.bind_range(piece.words.clone())?;
            if piece.groups > 1 {
                let params = reduce_spans::Params { zero: 0, len: piece.len(), span: piece.span, first: 0 };
                let bindings = [("input", source.clone()), ("partials", self.sums.bind())];
                recording.dispatch(&self.reduce, &bindings, &params, [piece.groups, 1, 1])?;
            }
            let mut bindings = vec![("flags", source), ("sums", self.sums.bind()), ("total", self.count.bind())];
            if let Some(values) = values {
                bindings.push(("values", values.bind_range(piece.words.clone())?));
            }
            // A piece reaches no place behind its own end. An empty output has one empty window, so that all is counted.
            let reached = windows.windows().take_while(|w| w.start < piece.words.end);
            for window in reached.chain((output.is_empty()).then_some(0..0)) {
                let mut bindings = bindings.clone();
                bindings.push(("output", output.bind_range(window.clone())?));
                self.dispatch(recording, &bindings, &piece, window)?;
            }
        }
        Ok(())
    }

    fn dispatch(
        &self,
        recording: &mut Recording,
        bindings: &[(&str, Binding<'_>)],
        piece: &Piece,
        window: std::ops::Range<usize>,
    ) -> Result<(), Error> {
        let has_values = bindings.iter().any(|(name, _)| *name == "values");
        let kernel = if has_values { &self.values } else { &self.indices };
        recording.dispatch(kernel, bindings, &params(piece, window), [piece.groups, 1, 1])
    }

    /// Where the number of kept words lies: word 0. The other words are scratch.
    pub fn count(&self) -> &DeviceVec<u32> {
        &self.count
    }
}

fn params(piece: &Piece, window: std::ops::Range<usize>) -> compact_spans::Params {
    let (read_slot, write_slot) = plan::slots(piece);
    compact_spans::Params {
        zero: 0,
        len: piece.len(),
        span: piece.span,
        groups: piece.groups,
        read_slot,
        write_slot,
        first_index: piece.words.start as u32,
        window_start: window.start as u32,
        window_len: window.len() as u32,
        pad: [0; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernels::{compact_indices, compact_values};
    use super::*;
    use proptest::prelude::*;

    /// The dispatches of a compaction, run by the models of the kernels.
    fn compact_by_models(flags: &[u32], values: Option<&[u32]>, binding_bytes: u64, groups: u32) -> Vec<u32> {
        let mut output = vec![7; flags.len()];
        let mut total = [9, 9, 9, 0];
        let cut = Cut::new("x", flags.len(), TILE, groups, binding_bytes).unwrap();
        let mut sums = vec![5; cut.most_groups()];
        for piece in cut.pieces() {
            let source = &flags[piece.words.clone()];
            if piece.groups > 1 {
                let params = reduce_spans::Params { zero: 0, len: piece.len(), span: piece.span, first: 0 };
                reduce_spans::reduce_spans(Op::Count, &params, source, &mut sums, piece.groups);
            }
            for window in cut.windows().take_while(|w| w.start < piece.words.end) {
                let params = params(&piece, window.clone());
                let given = |quad| match values {
                    Some(values) => compact_values::given_quad(&values[piece.words.clone()], quad),
                    None => compact_indices::given_quad(params.first_index, quad),
                };
                let target = &mut output[window];
                compact_spans::compact_spans(&params, source, given, target, &sums, &mut total);
            }
        }
        output.truncate(total[0] as usize);
        output
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn models_of_the_kernels_give_the_reference(
            flags in proptest::collection::vec(prop_oneof![Just(0u32), any::<u32>()], 1..30_000),
            tiles in 1u64..9, groups in 1u32..5,
        ) {
            let values: Vec<u32> = (0..flags.len() as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let bytes = 4 * tiles * u64::from(TILE);
            let kept = compact_by_models(&flags, Some(&values), bytes, groups);
            prop_assert_eq!(kept, compact_cpu(&flags, &values).unwrap());
            prop_assert_eq!(compact_by_models(&flags, None, bytes, groups), compact_indices_cpu(&flags).unwrap());
        }
    }

    #[test]
    fn the_reference_compacts() {
        assert_eq!(compact_cpu(&[0, 2, 0, 1], &[5, 6, 7, 8]).unwrap(), [6, 8]);
        assert_eq!(compact_indices_cpu(&[0, 2, 0, 1]).unwrap(), [1, 3]);
        let text = compact_cpu(&[1, 1], &[1]).unwrap_err().to_string();
        assert!(text.contains('2') && text.contains('1'), "{text}");
    }
}
