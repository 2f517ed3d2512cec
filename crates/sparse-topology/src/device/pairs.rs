//! Neighbour pairs of convolutions, on the device.

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
                    self.write(&mut recording, tap, range.start as u32, &pairs)?;
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

    fn write(&self, recording: &mut Recording, tap: u64, base: u32, pairs: &DeviceVec<u32>) -> Result<(), Error> {
        let more = [("places", self.places.words()?), ("pairs", pairs.bind())];
        self.dispatch(recording, true, &self.params(tap, base), &more)
    }

    /// Rows of the list in place of words and bits.
    fn rows(&self, pairs: &DeviceVec<u32>, count: u32) -> Result<(), Error> {
        let groups = self.device.list_groups(count, GROUP);
        let params = CountParams { count, groups, ..CountParams::default() };
        let list = self.list.resident();
        let mut recording = self.device.context().record("rows of pairs");
        let bindings =
            [("list_masks", list.masks.words()?), ("list_rows", list.structure.rows.words()?), ("pairs", pairs.bind())];
        recording.dispatch(&self.device.list_kernel(ListProgram::PairRows)?, &bindings, &params, [groups, 1, 1])?;
        recording.submit()?;
        Ok(())
    }
}
