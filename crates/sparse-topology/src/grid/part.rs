//! Results by lower node: what operations make in parallel and [`GridBatch::assemble`] joins.

use rayon::prelude::*;

use super::{GridBatch, Tile};
use crate::kernels::LeafMask;

/// Name of a lower node: its tile and its upper slot. Ordered canonically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LowerKey {
    pub(crate) tile: Tile,
    pub(crate) slot: u32,
}

impl LowerKey {
    /// The lower node at a lower coordinate (coordinate `>> 7`) of an item.
    pub(crate) fn at(item: u32, lower: [i32; 3]) -> Self {
        let [x, y, z] = lower.map(|n| n as u32 & 31);
        Self { tile: Tile { item, position: lower.map(|n| n >> 5) }, slot: (x << 10) | (y << 5) | z }
    }

    /// Lower coordinate.
    pub(crate) fn position(&self) -> [i32; 3] {
        let slot = crate::kernels::node_key::upper_position(self.slot);
        std::array::from_fn(|k| (self.tile.position[k] << 5) | slot[k] as i32)
    }
}

/// The leaves of one lower node, by ascending lower slot, none of them empty.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) key: LowerKey,
    pub(crate) slots: Vec<u16>,
    pub(crate) masks: Vec<LeafMask>,
}

/// No mask yet at a slot.
const NONE: u16 = u16::MAX;

/// Leaves of one lower node that grow in any order.
pub(crate) struct Accumulator {
    place: Box<[u16; 4096]>,
    masks: Vec<LeafMask>,
}

impl Accumulator {
    pub(crate) fn new() -> Self {
        Self { place: Box::new([NONE; 4096]), masks: Vec::new() }
    }

    /// ORs a mask into the leaf of a slot.
    pub(crate) fn or(&mut self, slot: u32, mask: &LeafMask) {
        let place = &mut self.place[slot as usize];
        if *place == NONE {
            if *mask == [0; 16] {
                return;
            }
            *place = self.masks.len() as u16;
            self.masks.push(*mask);
        } else {
            for (into, word) in self.masks[usize::from(*place)].iter_mut().zip(mask) {
                *into |= word;
            }
        }
    }

    /// The leaves by slot; the accumulator is empty again.
    pub(crate) fn take(&mut self, key: LowerKey) -> Part {
        let mut part =
            Part { key, slots: Vec::with_capacity(self.masks.len()), masks: Vec::with_capacity(self.masks.len()) };
        for (slot, place) in self.place.iter_mut().enumerate() {
            if *place != NONE {
                part.slots.push(slot as u16);
                part.masks.push(self.masks[usize::from(*place)]);
                *place = NONE;
            }
        }
        self.masks.clear();
        part
    }
}

/// Every leaf's mask replaced by `f(leaf, mask)`; leaves that become empty are dropped.
pub(crate) fn map_leaves(grid: &GridBatch, f: impl Fn(usize, &LeafMask) -> LeafMask + Sync) -> Vec<Part> {
    let make = |lower: usize| {
        let leaves = grid.nodes.leaves(lower);
        let mut part = Part { key: grid.lower_key(lower), slots: Vec::new(), masks: Vec::new() };
        for leaf in leaves {
            let mask = f(leaf, &grid.masks[leaf]);
            if mask != [0; 16] {
                part.slots.push(grid.leaf_keys[leaf] as u16 & 4095);
                part.masks.push(mask);
            }
        }
        part
    };
    (0..grid.nodes.lower_nodes()).into_par_iter().map(make).collect()
}

impl GridBatch {
    /// Name of a lower node.
    pub(crate) fn lower_key(&self, lower: usize) -> LowerKey {
        let key = self.nodes.lower_keys()[lower];
        LowerKey { tile: self.tiles[(key >> 32) as usize], slot: key as u32 }
    }
}
