//! A batch of grids in one structure.

mod assemble;
mod digest;
mod nodes;
#[cfg(feature = "gpu")]
mod pages;
mod part;
mod select;

use std::ops::Range;

pub(crate) use assemble::LEAF_BYTES;
pub use nodes::Nodes;
pub(crate) use part::{Accumulator, LowerKey, Part, map_leaves};
pub use select::Selection;

use crate::kernels::LeafMask;
use crate::kernels::leaf::{leaf_bounds, leaf_occupancy, leaf_rank, leaf_slots, leaf_test, voxel_position, voxel_slot};
use crate::kernels::node_key::{leaf_of_slots, slots_of_leaf, tile_of_leaf};
use crate::{Error, Transform};

/// A block of 4096^3 voxels of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// The item of the batch.
    pub item: u32,
    /// Signed position: coordinate `>> 12`, x, y, z.
    pub position: [i32; 3],
}

/// The smallest and the largest coordinate of a box, both inclusive.
pub type VoxelBox = ([i32; 3], [i32; 3]);

/// A batch of sparse voxel grids: the active voxels of every item, in canonical order.
///
/// **Canonical order**: items in turn; in an item its tiles by signed x, y, z; in a tile the upper slots, in a lower node the lower slots, in a leaf the voxel slots, x slowest in each.
/// The position of a voxel in this order over the whole batch is its **row**; the row in its item plus one is the index of NanoVDB.
///
/// **Layout** (structure of arrays of 32-bit words, as the device reads it; 64-bit values are pairs, low word first): the [tiles](Self::tiles), the
/// [nodes] with their child masks and ranks, leaf keys (tile << 32 | upper slot << 12 | lower slot), leaf masks with one zero mask behind the last, first rows.
/// About 80 bytes a leaf, 1 KiB a lower node, 8 KiB a tile.
///
/// Items may be empty anywhere, and a batch may have no items. Coordinates use all of `i32`.
///
/// [nodes]: Self::nodes
#[derive(Debug, Clone, PartialEq)]
pub struct GridBatch {
    pub(crate) transforms: Vec<Transform>,
    pub(crate) tiles: Vec<Tile>,
    /// First tile of every item, and the number of tiles.
    pub(crate) item_tiles: Vec<u32>,
    pub(crate) nodes: Nodes,
    pub(crate) leaf_keys: Vec<u64>,
    /// One zero mask behind the last.
    pub(crate) masks: Vec<LeafMask>,
    /// Row of every leaf's first voxel, and the number of voxels.
    pub(crate) first_rows: Vec<u64>,
    /// First leaf of every item, and the number of leaves.
    pub(crate) item_leaves: Vec<u32>,
}

impl GridBatch {
    /// Items without voxels, one a transform.
    pub fn empty(transforms: &[Transform]) -> Self {
        Self {
            tiles: Vec::new(),
            item_tiles: vec![0; transforms.len() + 1],
            nodes: Nodes::default(),
            leaf_keys: Vec::new(),
            masks: vec![[0; 16]],
            first_rows: vec![0],
            item_leaves: vec![0; transforms.len() + 1],
            transforms: transforms.to_vec(),
        }
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.transforms.len()
    }

    /// Number of leaves of all items.
    pub fn leaves(&self) -> usize {
        self.leaf_keys.len()
    }

    /// Number of voxels of all items.
    pub fn voxels(&self) -> u64 {
        self.first_rows[self.leaves()]
    }

    /// Bytes of the structure: what the arrays hold.
    pub fn bytes(&self) -> u64 {
        let nodes = (self.nodes.upper().len() + self.nodes.lower().len() + self.nodes.lower_nodes()) * 8;
        let leaves = self.leaf_keys.len() * 8 + self.masks.len() * 64 + self.first_rows.len() * 8;
        let items =
            self.transforms.len() * size_of::<Transform>() + (self.item_tiles.len() + self.item_leaves.len()) * 4;
        (nodes + leaves + items + self.tiles.len() * size_of::<Tile>()) as u64
    }

    /// The transform of every item.
    pub fn transforms(&self) -> &[Transform] {
        &self.transforms
    }

    /// The tiles of all items, sorted.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The lower nodes and the two levels of child masks with their ranks.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Keys of the leaves, ascending: tile (rank in [`tiles`](Self::tiles)) `<< 32`, upper slot `<< 12`, lower slot.
    pub fn leaf_keys(&self) -> &[u64] {
        &self.leaf_keys
    }

    /// Masks of the leaves, none of them zero.
    pub fn leaf_masks(&self) -> &[LeafMask] {
        &self.masks[..self.leaves()]
    }

    /// Row of the first voxel of every leaf, and the number of voxels at the end.
    pub fn first_rows(&self) -> &[u64] {
        &self.first_rows
    }

    /// Leaves of an item.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn item_leaves(&self, item: usize) -> Result<Range<usize>, Error> {
        self.check_item(item)?;
        Ok(self.item_leaves[item] as usize..self.item_leaves[item + 1] as usize)
    }

    /// Rows of an item.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn item_rows(&self, item: usize) -> Result<Range<u64>, Error> {
        let leaves = self.item_leaves(item)?;
        Ok(self.first_rows[leaves.start]..self.first_rows[leaves.end])
    }

    /// Tiles of an item: its upper nodes.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn item_tiles(&self, item: usize) -> Result<Range<usize>, Error> {
        self.check_item(item)?;
        Ok(self.item_tiles[item] as usize..self.item_tiles[item + 1] as usize)
    }

    /// Lower nodes of an item.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn item_lower_nodes(&self, item: usize) -> Result<Range<usize>, Error> {
        let tiles = self.item_tiles(item)?;
        Ok(self.nodes.first_lower(tiles.start)..self.nodes.first_lower(tiles.end))
    }

    /// The transform of an item replaced.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn set_transform(&mut self, item: usize, transform: Transform) -> Result<(), Error> {
        self.check_item(item)?;
        self.transforms[item] = transform;
        Ok(())
    }

    /// The active voxels of an item in canonical order, so that a voxel's position in the list is its row in the item.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn coordinates(&self, item: usize) -> Result<Vec<[i32; 3]>, Error> {
        let rows = self.item_rows(item)?;
        let mut out = Vec::with_capacity((rows.end - rows.start) as usize);
        for leaf in self.item_leaves(item)? {
            let origin = self.leaf_position(leaf).map(|n| n << 3);
            out.extend(leaf_slots(&self.masks[leaf]).map(|slot| {
                let p = voxel_position(slot);
                [origin[0] | p[0] as i32, origin[1] | p[1] as i32, origin[2] | p[2] as i32]
            }));
        }
        Ok(out)
    }

    /// Smallest and largest coordinate of an item's voxels, both inclusive; `None` when it is empty.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn bounds(&self, item: usize) -> Result<Option<VoxelBox>, Error> {
        let mut bounds = None;
        for leaf in self.item_leaves(item)? {
            let (low, high) = self.leaf_box(leaf);
            let (lo, hi) = bounds.get_or_insert((low, high));
            for k in 0..3 {
                lo[k] = lo[k].min(low[k]);
                hi[k] = hi[k].max(high[k]);
            }
        }
        Ok(bounds)
    }

    /// Row of a voxel; `None` when it is not active or the item does not exist.
    pub fn row(&self, item: usize, coordinate: [i32; 3]) -> Option<u64> {
        self.row_in_leaf(self.find_leaf(item, coordinate.map(|c| c >> 3))?, coordinate)
    }

    /// Row of a voxel whose leaf is known.
    pub(crate) fn row_in_leaf(&self, leaf: usize, coordinate: [i32; 3]) -> Option<u64> {
        let slot = voxel_slot(coordinate);
        let mask = &self.masks[leaf];
        leaf_test(mask, slot).then(|| self.first_rows[leaf] + u64::from(leaf_rank(mask, slot)))
    }

    /// The leaf at a leaf coordinate (coordinate `>> 3`).
    pub(crate) fn find_leaf(&self, item: usize, leaf: [i32; 3]) -> Option<usize> {
        let tile = self.find_tile(item, tile_of_leaf(leaf))?;
        self.nodes.find_leaf(tile, slots_of_leaf(leaf))
    }

    /// The rank of a tile.
    fn find_tile(&self, item: usize, position: [i32; 3]) -> Option<usize> {
        let first = *self.item_tiles.get(item)? as usize;
        let last = *self.item_tiles.get(item + 1)? as usize;
        self.tiles[first..last].binary_search_by(|t| t.position.cmp(&position)).ok().map(|i| first + i)
    }

    /// Leaf coordinate of a leaf.
    pub(crate) fn leaf_position(&self, leaf: usize) -> [i32; 3] {
        let key = self.leaf_keys[leaf];
        leaf_of_slots(self.tiles[(key >> 32) as usize].position, key as u32)
    }

    /// The item of a leaf.
    pub(crate) fn leaf_item(&self, leaf: usize) -> usize {
        self.tiles[(self.leaf_keys[leaf] >> 32) as usize].item as usize
    }

    /// Smallest and largest coordinate of a leaf's voxels.
    pub(crate) fn leaf_box(&self, leaf: usize) -> VoxelBox {
        let origin = self.leaf_position(leaf).map(|n| n << 3);
        let (lo, hi) = leaf_bounds(leaf_occupancy(&self.masks[leaf]));
        (std::array::from_fn(|k| origin[k] | lo[k] as i32), std::array::from_fn(|k| origin[k] | hi[k] as i32))
    }

    pub(crate) fn check_item(&self, item: usize) -> Result<(), Error> {
        if item >= self.items() {
            return Err(Error::Index { what: "item", index: item as i64, count: self.items() as u64 });
        }
        Ok(())
    }

    /// Every item's transform changed by a rule.
    pub(crate) fn transforms_by(&self, rule: impl Fn(&Transform) -> Transform) -> Vec<Transform> {
        self.transforms.iter().map(rule).collect()
    }
}
