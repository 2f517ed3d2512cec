//! A batch in device memory.

use std::sync::Arc;

use gpu_runtime::Binding;

use super::arena::{Arena, Pooled, Purpose};
use super::tiles::TileTable;
use crate::{Error, Transform};

/// Words of a batch's place in a status buffer: a binding may begin at each.
pub(crate) const STATUS_WORDS: usize = 64;
/// Words of a status that mean something: lower nodes, leaves, voxels (two).
pub(crate) const STATUS_USED: usize = 4;

/// Rooms of a batch: what fits, not what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Capacity {
    pub(crate) lower: u32,
    pub(crate) leaves: u32,
}

/// What is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) lower: u32,
    pub(crate) leaves: u32,
    pub(crate) voxels: u64,
}

/// Numbers of a batch on the device.
#[derive(Debug, Clone)]
pub(crate) struct Status {
    pub(crate) buffer: Arc<Pooled>,
    pub(crate) slot: usize,
}

impl Status {
    pub(crate) fn bind(&self) -> Result<Binding<'_>, Error> {
        let first = self.slot * STATUS_WORDS;
        Ok(self.buffer.bind_range(first..first + STATUS_USED)?)
    }
}

/// The nodes, keys and rows. Words as in [`GridBatch`](crate::GridBatch): pairs of words, low word first.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) upper: Pooled,
    pub(crate) lower_keys: Pooled,
    pub(crate) lower: Pooled,
    pub(crate) leaf_keys: Pooled,
    /// First rows and one word a group behind them.
    pub(crate) rows: Pooled,
    pub(crate) status: Status,
    pub(crate) capacity: Capacity,
}

impl Structure {
    pub(crate) fn new(
        arena: &Arc<Arena>,
        tiles: usize,
        capacity: Capacity,
        groups: u32,
        status: Status,
    ) -> Result<Self, Error> {
        let take = |words: u64| arena.take(Purpose::Grid, words);
        let (lower, leaves) = (u64::from(capacity.lower), u64::from(capacity.leaves));
        Ok(Self {
            upper: take(2048 * tiles as u64)?,
            lower_keys: take(2 * lower)?,
            lower: take(256 * lower)?,
            leaf_keys: take(2 * leaves)?,
            rows: take(2 * (leaves + 1) + u64::from(groups))?,
            status,
            capacity,
        })
    }
}

/// Masks of `leaves` leaves and the zero mask behind them.
pub(crate) fn take_masks(arena: &Arc<Arena>, purpose: Purpose, leaves: u32) -> Result<Arc<Pooled>, Error> {
    Ok(Arc::new(arena.take(purpose, 16 * (u64::from(leaves) + 1))?))
}

/// A batch, computed or recorded.
#[derive(Debug, Clone)]
pub(crate) struct Resident {
    pub(crate) transforms: Arc<Vec<Transform>>,
    pub(crate) tiles: Arc<TileTable>,
    pub(crate) structure: Arc<Structure>,
    /// Behind a filter these are other masks on the same nodes; leaves may then be empty.
    pub(crate) masks: Arc<Pooled>,
    /// Whether leaves may be empty.
    pub(crate) filtered: bool,
    /// Numbers of leaves and lower nodes to expect.
    pub(crate) expected: [f64; 2],
}

impl Resident {
    pub(crate) fn capacity(&self) -> Capacity {
        self.structure.capacity
    }
}
