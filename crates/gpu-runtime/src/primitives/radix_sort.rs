//! Stable radix sort of `u32` keys with `u32` values: least significant digit first, eight bits a pass.

use super::kernels::radix_count::{self, RADIX_COUNT, TILE};
use super::kernels::radix_prefix::{self, RADIX_PREFIX};
use super::kernels::radix_scatter;
use super::kernels::{plain, scanning, scattering};
use super::plan::{self, Cut, Piece};
use crate::{Context, DeviceVec, Error, Kernel, Recording};

/// Most workgroups of all dispatches of a step together: each has a count of every digit. So many that up to 100 million
/// pairs have a workgroup a tile: then workgroups that run at the same time fill the same cache lines of the output.
const GROUPS: u32 = 32_768;
/// Bits a pass sorts by, and digits they make.
const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 1 << DIGIT_BITS;

/// Keys ascending, equal keys in their order in the input, each with its value.
///
/// The reference of [`radix_sort`] and [`RadixSort`].
///
/// # Errors
/// [`Error::Length`] when the slices differ in length.
pub fn radix_sort_cpu(keys: &[u32], values: &[u32]) -> Result<(Vec<u32>, Vec<u32>), Error> {
    same_len(keys, values)?;
    let (mut keys, mut values) = (keys.to_vec(), values.to_vec());
    let (mut keys_out, mut values_out) = (keys.clone(), values.clone());
    for shift in (0..u32::BITS).step_by(DIGIT_BITS as usize) {
        let mut places = [0usize; DIGITS];
        for key in &keys {
            places[radix_count::digit(*key, shift) as usize] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for (key, value) in keys.iter().zip(&values) {
            let place = &mut places[radix_count::digit(*key, shift) as usize];
            (keys_out[*place], values_out[*place]) = (*key, *value);
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut keys_out);
        std::mem::swap(&mut values, &mut values_out);
    }
    Ok((keys, values))
}

fn same_len(keys: &[u32], values: &[u32]) -> Result<(), Error> {
    if keys.len() == values.len() {
        return Ok(());
    }
    Err(Error::Length { what: "radix sort, values".into(), needed: keys.len(), given: values.len() })
}

/// [`radix_sort_cpu`] on a device: uploads, sorts, reads back. The same words.
///
/// # Errors
/// [`Error::Length`] when the slices differ in length, [`Error::Limit`] for more words than the device's largest buffer
/// holds, and device errors.
pub fn radix_sort(context: &Context, keys: &[u32], values: &[u32]) -> Result<(Vec<u32>, Vec<u32>), Error> {
    same_len(keys, values)?;
    let plan = RadixSort::new(context, keys.len())?;
    let (len, upload) = (keys.len(), |label, words| context.upload(label, words));
    let input = Pairs { keys: &upload("sort keys", keys)?, values: &upload("sort values", values)? };
    let output = [context.zeroed("sorted keys", len)?, context.zeroed("sorted values", len)?];
    let mut recording = context.record("radix_sort");
    plan.record(&mut recording, input, Pairs { keys: &output[0], values: &output[1] }, len)?;
    let (keys, values) = (recording.download(&output[0]), recording.download(&output[1]));
    let mut completed = recording.submit()?;
    Ok((completed.take(keys)?, completed.take(values)?))
}

/// Keys and their values on a device.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    /// What is compared.
    pub keys: &'a DeviceVec<u32>,
    /// What goes with it.
    pub values: &'a DeviceVec<u32>,
}

/// A plan of sorts of up to `capacity` pairs: kernels and scratch, made once.
///
/// Cost: three dispatches and 20 bytes of traffic a pair for each eight bits of key, for an array whose pieces fit a
/// binding; of `n` pieces, each pass scatters every piece once for every piece of the output. Scratch: 8 bytes a pair,
/// and a third of a byte a pair, at most 32 MiB, of digit counts.
#[derive(Debug)]
pub struct RadixSort {
    capacity: usize,
    max_groups: u32,
    passes: u32,
    count: Kernel,
    prefix: Kernel,
    scatter: Kernel,
    /// One row of counts a digit, then the total of each digit.
    counts: DeviceVec<u32>,
    other_keys: DeviceVec<u32>,
    other_values: DeviceVec<u32>,
}

/// The cut of `len` pairs; all pieces share so many workgroups that the counts fit a binding.
fn cut(len: usize, max_groups: u32, binding_bytes: u64) -> Result<(Cut, u32), Error> {
    let cut = Cut::new("radix sort", len, TILE, GROUPS, binding_bytes)?;
    let row_bytes = 4 * DIGITS as u64;
    let groups = (binding_bytes / row_bytes).saturating_sub(1).min(GROUPS.into()) as u32 / 4 * 4;
    if groups == 0 || cut.count() > groups as usize {
        let needed = row_bytes * (cut.count().next_multiple_of(4).max(4) as u64 + 1);
        return Err(Error::Limit { what: "radix sort, counts".into(), needed, allowed: binding_bytes, unit: "bytes" });
    }
    Ok((cut.sharing(groups.min(max_groups)), groups))
}

/// Words of a row of counts: whole quads.
fn stride(groups: usize) -> u32 {
    groups.next_multiple_of(4) as u32
}

fn counts_len(stride: u32) -> usize {
    DIGITS * (stride as usize + 1)
}

impl RadixSort {
    /// Compiles the kernels and allocates the scratch, for keys of all 32 bits.
    ///
    /// # Errors
    /// [`Error::Limit`] when places would not fit `u32`, or the binding limit is too small for the counts (of `n`
    /// pieces, 1 KiB each, and 4 KiB at least); device errors.
    pub fn new(context: &Context, capacity: usize) -> Result<Self, Error> {
        Self::with_key_bits(context, capacity, u32::BITS)
    }

    /// The same for keys whose bits from `key_bits` up are all zero: one pass for each eight bits that are left.
    ///
    /// Higher bits are not looked at beyond the last pass. `key_bits` is taken into 1..=32.
    ///
    /// # Errors
    /// As [`RadixSort::new`].
    pub fn with_key_bits(context: &Context, capacity: usize, key_bits: u32) -> Result<Self, Error> {
        let (cut, groups) = cut(capacity, GROUPS, context.adapter().limits.max_binding_bytes)?;
        let passes = key_bits.clamp(1, u32::BITS).div_ceil(DIGIT_BITS);
        let others = if passes > 1 { capacity } else { 0 };
        Ok(RadixSort {
            capacity,
            max_groups: GROUPS,
            passes,
            count: plain(context, RADIX_COUNT)?,
            prefix: scanning(context, &[], RADIX_PREFIX)?,
            scatter: scattering(context)?,
            counts: context.zeroed("radix counts", counts_len(stride(cut.most_shared(groups))))?,
            other_keys: context.zeroed("radix other keys", others)?,
            other_values: context.zeroed("radix other values", others)?,
        })
    }

    /// Takes at most `groups` workgroups a dispatch (1 at least), so that each walks a longer span. The words stay the same:
    /// for tuning and for tests.
    #[must_use]
    pub fn with_max_groups(mut self, groups: u32) -> Self {
        self.max_groups = groups.clamp(1, GROUPS);
        self
    }

    /// Bytes of its scratch on the device.
    pub fn bytes(&self) -> u64 {
        self.counts.byte_len() + self.other_keys.byte_len() + self.other_values.byte_len()
    }

    /// Records the sort of the first `len` pairs of `input` into the first `len` pairs of `output`, other buffers.
    ///
    /// The input is kept; words of the output from `len` on keep their values.
    ///
    /// # Errors
    /// [`Error::Length`] when a buffer or the capacity is below `len`; [`Error::WrongContext`].
    pub fn record(
        &self,
        recording: &mut Recording,
        input: Pairs<'_>,
        output: Pairs<'_>,
        len: usize,
    ) -> Result<(), Error> {
        let given = [
            ("capacity", self.capacity),
            ("keys", input.keys.len()),
            ("values", input.values.len()),
            ("sorted keys", output.keys.len()),
            ("sorted values", output.values.len()),
        ];
        plan::check("radix sort", len, &given)?;
        let (cut, _) = cut(len, self.max_groups, self.counts.context().adapter().limits.max_binding_bytes)?;
        let other = Pairs { keys: &self.other_keys, values: &self.other_values };
        let mut from = input;
        for pass in 0..self.passes {
            // The last pass ends in the output, so they alternate backwards from it.
            let to = if (self.passes - pass) % 2 == 1 { output } else { other };
            self.record_pass(recording, cut, DIGIT_BITS * pass, from, to)?;
            from = to;
        }
        Ok(())
    }

    fn record_pass(
        &self,
        recording: &mut Recording,
        cut: Cut,
        shift: u32,
        from: Pairs<'_>,
        to: Pairs<'_>,
    ) -> Result<(), Error> {
        let groups = cut.all_groups();
        let stride = stride(groups);
        for piece in cut.pieces() {
            let params = count_params(&piece, shift, stride);
            let bindings = [("keys", from.keys.bind_range(piece.words.clone())?), ("counts", self.counts.bind())];
            recording.dispatch(&self.count, &bindings, &params, [piece.groups, 1, 1])?;
        }
        if groups > 0 {
            let params = radix_prefix::Params { zero: 0, groups: groups as u32, stride, pad: 0 };
            recording.dispatch(&self.prefix, &[("counts", self.counts.bind())], &params, [DIGITS as u32, 1, 1])?;
        }
        for piece in cut.pieces() {
            for window in cut.windows() {
                let bindings = [
                    ("keys", from.keys.bind_range(piece.words.clone())?),
                    ("values", from.values.bind_range(piece.words.clone())?),
                    ("counts", self.counts.bind()),
                    ("keys_out", to.keys.bind_range(window.clone())?),
                    ("values_out", to.values.bind_range(window.clone())?),
                ];
                let params = scatter_params(&piece, shift, stride, window);
                recording.dispatch(&self.scatter, &bindings, &params, [piece.groups, 1, 1])?;
            }
        }
        Ok(())
    }
}

fn count_params(piece: &Piece, shift: u32, stride: u32) -> radix_count::Params {
    let (len, span, first_group) = (piece.len(), piece.span, piece.first_group);
    radix_count::Params { zero: 0, len, span, first_group, shift, stride, pad: [0; 2] }
}

fn scatter_params(piece: &Piece, shift: u32, stride: u32, window: std::ops::Range<usize>) -> radix_scatter::Params {
    let (len, span, first_group) = (piece.len(), piece.span, piece.first_group);
    let (window_start, window_len) = (window.start as u32, window.len() as u32);
    radix_scatter::Params { zero: 0, len, span, first_group, shift, stride, window_start, window_len }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The dispatches of one pass, run by the models of the kernels.
    fn pass_by_models(cut: Cut, shift: u32, from: [&[u32]; 2], to: [&mut [u32]; 2]) {
        let stride = stride(cut.all_groups());
        let mut counts = vec![77; counts_len(stride)];
        for piece in cut.pieces() {
            let params = count_params(&piece, shift, stride);
            radix_count::radix_count(&params, &from[0][piece.words.clone()], &mut counts, piece.groups);
        }
        let groups = cut.all_groups() as u32;
        radix_prefix::radix_prefix(&radix_prefix::Params { zero: 0, groups, stride, pad: 0 }, &mut counts);
        let [keys, values] = to;
        for piece in cut.pieces() {
            for window in cut.windows() {
                let params = scatter_params(&piece, shift, stride, window.clone());
                let input = from.map(|words| &words[piece.words.clone()]);
                let output = [&mut keys[window.clone()], &mut values[window]];
                radix_scatter::radix_scatter(&params, input, &counts, output, piece.groups);
            }
        }
    }

    fn sort_by_models(keys: &[u32], max_groups: u32, binding_bytes: u64) -> (Vec<u32>, Vec<u32>) {
        let (cut, _) = cut(keys.len(), max_groups, binding_bytes).unwrap();
        let mut from = (keys.to_vec(), (0..keys.len() as u32).collect::<Vec<_>>());
        for pass in 0..4 {
            let mut to = (vec![1; keys.len()], vec![1; keys.len()]);
            pass_by_models(cut, 8 * pass, [&from.0, &from.1], [&mut to.0, &mut to.1]);
            from = to;
        }
        from
    }

    fn keys() -> impl Strategy<Value = Vec<u32>> {
        let mask = prop_oneof![Just(u32::MAX), Just(0), Just(0xff00_0000), Just(0x8000_0001), Just(0xf0), Just(7)];
        (proptest::collection::vec(any::<u32>(), 0..30_000), mask)
            .prop_map(|(keys, mask)| keys.into_iter().map(|key| key & mask).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn reference_and_models_give_the_stable_order(keys in keys(), tiles in 2u64..9, groups in 1u32..9) {
            // An independent oracle: the standard library's stable sort of the indices by their keys.
            let mut values: Vec<u32> = (0..keys.len() as u32).collect();
            values.sort_by_key(|index| keys[*index as usize]);
            let sorted: Vec<u32> = values.iter().map(|index| keys[*index as usize]).collect();
            let indices: Vec<u32> = (0..keys.len() as u32).collect();
            prop_assert_eq!(&radix_sort_cpu(&keys, &indices).unwrap(), &(sorted.clone(), values.clone()));
            prop_assert_eq!(&sort_by_models(&keys, groups, 4 * tiles * u64::from(TILE)), &(sorted, values));
        }
    }

    #[test]
    fn lengths_that_differ_are_an_error_with_numbers() {
        let text = radix_sort_cpu(&[1, 2, 3], &[1]).unwrap_err().to_string();
        assert!(text.contains('3') && text.contains('1'), "{text}");
        let text = cut(1 << 20, GROUPS, 16 << 10).unwrap_err().to_string();
        assert!(text.contains("16384"), "{text}");
    }
}
