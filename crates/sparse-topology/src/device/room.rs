//! How much room a result gets before its size is known.

use gpu_runtime::AdapterLimits;

use super::axis::related;
use super::resident::{Capacity, Resident};
use super::tiles::TileTable;
use crate::Error;
use crate::ops::Relation;

/// Tiles of all pages of a result: 12 KiB of nodes and marks each.
const MOST_TILES: u64 = 1 << 24;
/// Results that may be so large get their upper bound: no estimate can then be too small.
const SMALL: u64 = 1 << 16;

/// The error of a result of more tiles than any device holds.
pub(crate) fn too_many_tiles() -> Error {
    const BYTES: u64 = 12_288;
    Error::Memory { what: "the tiles of the result", needed: (MOST_TILES + 1) * BYTES, allowed: MOST_TILES * BYTES }
}

/// Most tiles of a result.
pub(crate) fn most_tiles() -> u64 {
    MOST_TILES
}

/// A binding that does not hold the 4,096 leaves of a lower node.
pub(crate) fn lower_node_too_large(limit: PageLimit) -> Error {
    Error::Memory { what: "a lower node", needed: 4097 * 64, allowed: (u64::from(limit.leaves) + 1) * 64 }
}

/// What a page may hold: every array of it fits a binding and its dispatches fit a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageLimit {
    pub(crate) tiles: u32,
    pub(crate) lower: u32,
    pub(crate) leaves: u32,
}

impl PageLimit {
    /// Of a device with such limits.
    pub(crate) fn new(limits: &AdapterLimits) -> Self {
        // Positions in an array are 32 bits.
        let words = limits.max_binding_bytes.min(limits.max_buffer_bytes).min(u64::from(u32::MAX)) / 4;
        // Masks with one behind the last; child masks with ranks; marks of both levels and sums of groups.
        let fits = |each: u64, less: u64| (words / each).saturating_sub(less).max(1) as u32;
        let tiles = fits(4096, 0).min(limits.max_workgroups_per_dimension).min(65_535);
        Self { tiles, lower: fits(256, 0), leaves: fits(16, 1) }
    }
}

/// Bounds and expectations, summed over sources.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Room {
    leaves_bound: u64,
    leaves: f64,
    lower: f64,
}

impl Room {
    /// Adds what a source can reach.
    pub(crate) fn add(&mut self, source: &Resident, relation: &Relation) -> Result<(), Error> {
        let related = related(relation, relation[0].is_up())?;
        self.leaves_bound =
            self.leaves_bound.saturating_add(u64::from(source.capacity().leaves).saturating_mul(related));
        let [leaves, lower] = source.expected;
        self.leaves += leaves * growth(relation, 8.0);
        self.lower += lower * growth(relation, 128.0);
        Ok(())
    }

    /// Numbers of leaves and lower nodes to expect.
    pub(crate) fn expected(&self) -> [f64; 2] {
        [self.leaves, self.lower]
    }

    /// The room of a result with these tiles, at most a page's, and the numbers to expect.
    pub(crate) fn capacity(&self, tiles: &TileTable, near: Option<&Self>, limit: PageLimit) -> (Capacity, [f64; 2]) {
        let near = near.copied().unwrap_or(*self);
        let expected = [self.leaves.min(near.leaves), self.lower.min(near.lower)];
        // No more than the boxes hold.
        let boxes = |shift: u32| {
            let side = |lo: i32, hi: i32| u64::from(((hi >> shift) - (lo >> shift)) as u32 + 1);
            let volume = |(lo, hi): &([i32; 3], [i32; 3])| (0..3).map(|k| side(lo[k], hi[k])).product::<u64>();
            tiles.bounds.iter().map(volume).fold(0, u64::saturating_add)
        };
        let bound = self.leaves_bound.min(near.leaves_bound).min(boxes(3));
        let leaves = if bound <= SMALL { bound } else { bound.min((expected[0] * 1.2) as u64 + SMALL) };
        let lower_bound = bound.min(boxes(7));
        let lower = if lower_bound <= 1024 { lower_bound } else { lower_bound.min((expected[1] * 1.5) as u64 + 1024) };
        let expected = [expected[0].min(bound as f64), expected[1].min(lower_bound as f64)];
        let clamp = |needed: u64, most: u32| needed.clamp(1, u64::from(most)) as u32;
        (Capacity { lower: clamp(lower, limit.lower), leaves: clamp(leaves, limit.leaves) }, expected)
    }
}

/// Blocks of a side of `block` voxels that one of them is expected to reach.
fn growth(relation: &Relation, block: f64) -> f64 {
    let axis = |k: usize| {
        let [step, before, after] = relation[k].window();
        let over = (before + after + 1 - step).max(0) as f64 / block;
        if relation[k].is_up() { step as f64 + over } else { 1.0 + over }
    };
    axis(0) * axis(1) * axis(2)
}
