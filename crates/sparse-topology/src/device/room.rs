//! How much room a result gets before its size is known.

use super::axis::tables;
use super::resident::{Capacity, Resident};
use super::tiles::TileTable;
use crate::Error;
use crate::ops::Relation;

/// Tiles of a result: 8 KiB each.
const MOST_TILES: u64 = 65_535;
/// Results that may be so large get their upper bound: no estimate can then be too small.
const SMALL: u64 = 1 << 16;

/// Most tiles of a result.
pub(crate) fn most_tiles() -> u64 {
    MOST_TILES
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
        let axes = tables(relation)?;
        let up = relation[0].is_up();
        let related = axes.iter().map(|t| t.reach(up)).fold(1, u64::saturating_mul);
        self.leaves_bound =
            self.leaves_bound.saturating_add(u64::from(source.capacity().leaves).saturating_mul(related));
        let [leaves, lower] = source.expected;
        self.leaves += leaves * growth(relation, 8.0);
        self.lower += lower * growth(relation, 128.0);
        Ok(())
    }

    /// The room of a result with these tiles, and the numbers to expect.
    pub(crate) fn capacity(&self, tiles: &TileTable, near: Option<&Self>) -> Result<(Capacity, [f64; 2]), Error> {
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
        let most = u64::from(u32::MAX) / 2;
        for (what, needed) in [("leaves", leaves), ("lower nodes", lower)] {
            if needed > most {
                return Err(Error::TooMany { what, needed, allowed: most });
            }
        }
        Ok((Capacity { lower: (lower as u32).max(1), leaves: (leaves as u32).max(1) }, expected))
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
