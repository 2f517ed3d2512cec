//! Neighbour pairs of convolutions, on the device.

use std::ops::Range;

use gpu_runtime::primitives::Scan;
use gpu_runtime::{Binding, DeviceVec, Recording};

use super::arena::{Pooled, Purpose};
use super::grid::DeviceGrid;
use super::list_params::{CountParams, TapParams};
use super::list_program::ListProgram;
use super::session::TopologyDevice;
use super::voxels::tile_words;
use crate::ops::check_positive;
use crate::{Error, Pair};

/// Invocations of a workgroup.
const GROUP: u32 = 64;
/// Taps of a submission.
const ROUND: u64 = 64;

/// The pairs of a convolution on the device, as four words each: input row, output row, 64 bits both, low word first; by tap, then by output row.
#[derive(Debug)]
pub struct DevicePairs {
    pairs: DeviceVec<u32>,
    /// Number of pairs before every tap, and of all.
    taps: Vec<u64>,
}

/// What every tap of a search shares.
struct Search<'a> {
    device: &'a TopologyDevice,
    /// Whose voxels are asked for.
    tree: &'a DeviceGrid,
    /// Whose voxels are gone through.
    list: &'a DeviceGrid,
    kernel: [u32; 3],
    stride: [u32; 3],
    before: [i64; 3],
    divide: bool,
    counts: Pooled,
    places: Pooled,
    scan: Scan,
    tiles: Vec<i32>,
}

impl DeviceGrid {
    /// As [`GridBatch::conv_pairs_cpu`](crate::GridBatch::conv_pairs_cpu), kept on the device.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a kernel or stride of 0; [`Error::Length`] for another number of items; [`Error::TooMany`] above 2^32 - 1 pairs; [`Error::Memory`], [`Error::Device`].
    ///
    /// Cost: two searches a tap and output voxel; scratch of 128 bytes an output leaf.
    pub fn conv_pairs(&self, output: &Self, kernel: [u32; 3], stride: [u32; 3]) -> Result<DevicePairs, Error> {
        let before = kernel.map(|k| (i64::from(k) - 1) / 2);
        pairs(self, output, kernel, stride, before, false)
    }

    /// As [`GridBatch::pool_pairs_cpu`](crate::GridBatch::pool_pairs_cpu), kept on the device.
    ///
    /// # Errors
    /// As [`conv_pairs`](Self::conv_pairs).
    pub fn pool_pairs(&self, output: &Self, factor: [u32; 3]) -> Result<DevicePairs, Error> {
        pairs(self, output, factor, factor, [0; 3], false)
    }

    /// As [`GridBatch::conv_transpose_pairs_cpu`](crate::GridBatch::conv_transpose_pairs_cpu), kept on the device.
    ///
    /// # Errors
    /// As [`conv_pairs`](Self::conv_pairs).
    pub fn conv_transpose_pairs(
        &self,
        output: &Self,
        kernel: [u32; 3],
        stride: [u32; 3],
    ) -> Result<DevicePairs, Error> {
        let before = kernel.map(|k| (i64::from(k) - 1) / 2);
        pairs(self, output, kernel, stride, before, true)
    }
}

impl DevicePairs {
    /// Number of pairs before every tap, and of all.
    pub fn taps(&self) -> &[u64] {
        &self.taps
    }

    /// Four words a pair: the row of the input and the row of the output, 64 bits each, low word first.
    pub fn words(&self) -> &DeviceVec<u32> {
        &self.pairs
    }

    /// Copies the pairs to the host.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn download(&self) -> Result<Vec<Pair>, Error> {
        let total = self.taps.last().copied().unwrap_or(0) as usize;
        let mut recording = self.pairs.context().record("pairs");
        let words = recording.download_range(&self.pairs, 0..4 * total);
        let words = recording.submit()?.take(words)?;
        let row = |low: u32, high: u32| u64::from(low) | (u64::from(high) << 32);
        let mut tap = 0;
        let pair = |(i, &[a, b, c, d]): (usize, &[u32; 4])| {
            while self.taps[tap + 1] <= i as u64 {
                tap += 1;
            }
            Pair { tap: tap as u64, in_row: row(a, b), out_row: row(c, d) }
        };
        Ok(words.as_chunks().0.iter().enumerate().map(pair).collect())
    }
}

/// The pairs between the voxels of `output` and their partners in `input`. `divide`: the input is the coarse side.
fn pairs(
    input: &DeviceGrid,
    output: &DeviceGrid,
    kernel: [u32; 3],
    stride: [u32; 3],
    before: [i64; 3],
    divide: bool,
) -> Result<DevicePairs, Error> {
    check_positive("kernel", kernel)?;
    check_positive("stride", stride)?;
    if input.items() != output.items() {
        let (needed, found) = (input.items() as u64, output.items() as u64);
        return Err(Error::Length { what: "items of the output", needed, found });
    }
    if input.pages().len() > 1 || output.pages().len() > 1 {
        return pairs_of_pages(input, output, kernel, stride, before, divide);
    }
    let device = input.device();
    let count = kernel.iter().fold(1, |n: u64, &k| n.saturating_mul(u64::from(k)));
    if input.leaves() == 0 || output.leaves() == 0 {
        let pairs = device.context().zeroed("pairs", 4)?;
        return Ok(DevicePairs { pairs, taps: vec![0; count as usize + 1] });
    }
    let words = 16 * output.leaves();
    let mut tiles = tile_words(&input.resident().tiles.tiles);
    tiles.extend(tile_words(&output.resident().tiles.tiles));
    let search = Search {
        device,
        tree: input,
        list: output,
        kernel,
        stride,
        before,
        divide,
        counts: device.arena().take(Purpose::Scratch, words as u64)?,
        places: device.arena().take(Purpose::Scratch, words as u64)?,
        scan: Scan::new(device.context(), words)?,
        tiles,
    };
    search.run(count)
}

/// The pairs of every page with every page, merged on the host: rows count on from page to page.
fn pairs_of_pages(
    input: &DeviceGrid,
    output: &DeviceGrid,
    kernel: [u32; 3],
    stride: [u32; 3],
    before: [i64; 3],
    divide: bool,
) -> Result<DevicePairs, Error> {
    let mut all: Vec<Pair> = Vec::new();
    let mut taps: Vec<u64> = Vec::new();
    let mut out_before = 0;
    for out_page in output.page_batches() {
        let mut in_before = 0;
        for in_page in input.page_batches() {
            let found = pairs(&in_page, &out_page, kernel, stride, before, divide)?;
            taps.resize(found.taps.len(), 0);
            taps.iter_mut().zip(&found.taps).for_each(|(sum, n)| *sum += n);
            let moved = |p: Pair| Pair { in_row: p.in_row + in_before, out_row: p.out_row + out_before, ..p };
            all.extend(found.download()?.into_iter().map(moved));
            in_before += in_page.voxels();
        }
        out_before += out_page.voxels();
    }
    let (needed, allowed) = (all.len() as u64, u64::from(u32::MAX));
    if needed > allowed {
        return Err(Error::TooMany { what: "pairs", needed, allowed });
    }
    // A voxel has one partner a tap.
    all.sort_unstable_by_key(|pair| (pair.tap, pair.out_row));
    let halves = |row: u64| [row as u32, (row >> 32) as u32];
    let words: Vec<u32> = all.iter().flat_map(|p| [halves(p.in_row), halves(p.out_row)]).flatten().collect();
    let context = input.device().context();
    let pairs = if words.is_empty() { context.zeroed("pairs", 4)? } else { context.upload("pairs", &words)? };
    Ok(DevicePairs { pairs, taps })
}

/// Pairs of a binding: whole multiples of what a binding may begin at.
const ALIGN: u64 = 16;

impl Search<'_> {
    fn run(&self, count: u64) -> Result<DevicePairs, Error> {
        // [1] how many each tap has
        let mut taps = vec![0_u64];
        let totals = self.device.context().zeroed::<u32>("pairs of taps", ROUND as usize)?;
        for first in (0..count).step_by(ROUND as usize) {
            let round = ROUND.min(count - first);
            let mut recording = self.device.context().record("numbers of pairs");
            for tap in first..first + round {
                self.count(&mut recording, tap)?;
                recording.copy(self.scan.total(), 0..1, &totals, (tap - first) as usize)?;
            }
            let found = recording.download_range(&totals, 0..round as usize);
            for n in recording.submit()?.take(found)? {
                taps.push(taps[taps.len() - 1] + u64::from(n));
            }
        }
        let total = taps[taps.len() - 1];
        let allowed = u64::from(u32::MAX);
        if total > allowed {
            return Err(Error::TooMany { what: "pairs", needed: total, allowed });
        }
        // [2] the pairs, each at its place
        let pairs = self.device.context().zeroed::<u32>("pairs", 4 * total.max(1) as usize)?;
        for first in (0..count).step_by(ROUND as usize) {
            let mut recording = self.device.context().record("pairs");
            for tap in first..count.min(first + ROUND) {
                let range = taps[tap as usize]..taps[tap as usize + 1];
                if !range.is_empty() {
                    self.count(&mut recording, tap)?;
                    self.write(&mut recording, tap, range, &pairs)?;
                }
            }
            recording.submit()?;
        }
        if total > 0 {
            self.rows(&pairs, total as u32)?;
        }
        Ok(DevicePairs { pairs, taps })
    }

    fn params(&self, tap: u64, base: u32) -> TapParams {
        let [_, ky, kz] = self.kernel.map(u64::from);
        let at = [tap / (ky * kz), tap / kz % ky, tap % kz];
        let tree = self.tree.resident();
        let leaves = self.list.leaves() as u32;
        TapParams {
            step: self.stride,
            offset: std::array::from_fn(|k| (at[k] as i64 - self.before[k]) as i32),
            leaves,
            tiles: tree.tiles.len() as u32,
            lower_capacity: tree.capacity().lower,
            leaf_capacity: tree.capacity().leaves,
            groups: self.device.list_groups(leaves.saturating_mul(16), GROUP),
            base,
            ..TapParams::default()
        }
    }

    fn dispatch(
        &self,
        recording: &mut Recording,
        write: bool,
        params: &TapParams,
        more: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let (tree, list) = (self.tree.resident(), self.list.resident());
        let kernel = self.device.list_kernel(ListProgram::TapPairs { divide: self.divide, write })?;
        let tiles = recording.data(&self.tiles);
        let mut bindings = vec![
            ("tiles", tiles.bind()),
            ("tree_upper", tree.structure.upper.words()?),
            ("tree_lower", tree.structure.lower.words()?),
            ("tree_masks", tree.masks.words()?),
            ("tree_rows", tree.structure.rows.words()?),
            ("list_keys", list.structure.leaf_keys.words()?),
            ("list_masks", list.masks.words()?),
        ];
        bindings.extend_from_slice(more);
        recording.dispatch(&kernel, &bindings, params, [params.groups, 1, 1])?;
        Ok(())
    }

    /// Numbers of pairs of every word, and the sums before each.
    fn count(&self, recording: &mut Recording, tap: u64) -> Result<(), Error> {
        self.dispatch(recording, false, &self.params(tap, 0), &[("counts", self.counts.words()?)])?;
        self.scan.record(recording, &self.counts, &self.places, 16 * self.list.leaves())?;
        Ok(())
    }

    /// The pairs of a tap; the binding holds those of this tap alone.
    fn write(
        &self,
        recording: &mut Recording,
        tap: u64,
        range: Range<u64>,
        pairs: &DeviceVec<u32>,
    ) -> Result<(), Error> {
        let first = range.start / ALIGN * ALIGN;
        let bound = pairs.bind_range(4 * first as usize..4 * range.end as usize)?;
        let more = [("places", self.places.words()?), ("pairs", bound)];
        self.dispatch(recording, true, &self.params(tap, (range.start - first) as u32), &more)
    }

    /// Rows of the list in place of words and bits.
    fn rows(&self, pairs: &DeviceVec<u32>, count: u32) -> Result<(), Error> {
        let list = self.list.resident();
        let kernel = self.device.list_kernel(ListProgram::PairRows)?;
        let most = self.device.context().adapter().limits.max_binding_bytes / 16 / ALIGN * ALIGN;
        let mut recording = self.device.context().record("rows of pairs");
        for first in (0..u64::from(count)).step_by(most.max(ALIGN) as usize) {
            let end = u64::from(count).min(first + most.max(ALIGN));
            let groups = self.device.list_groups((end - first) as u32, GROUP);
            let params = CountParams { count: (end - first) as u32, groups, ..CountParams::default() };
            let bindings = [
                ("list_masks", list.masks.words()?),
                ("list_rows", list.structure.rows.words()?),
                ("pairs", pairs.bind_range(4 * first as usize..4 * end as usize)?),
            ];
            recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        }
        recording.submit()?;
        Ok(())
    }
}
