//! From results by lower node to one structure.

use super::{GridBatch, Nodes, Part, Tile};
use crate::kernels::LeafMask;
use crate::kernels::leaf::leaf_count;
use crate::memory::Budget;
use crate::{Error, Transform};

/// Bytes of a leaf: key, mask, first row.
pub(crate) const LEAF_BYTES: u64 = 80;
/// Bytes of a lower node: key, child mask with ranks.
const LOWER_BYTES: u64 = 1032;
/// Bytes of a tile: table entry, child mask with ranks.
const TILE_BYTES: u64 = 8208;

impl GridBatch {
    /// Joins parts in ascending order of their keys; empty parts are dropped.
    pub(crate) fn assemble(transforms: Vec<Transform>, parts: Vec<Part>) -> Result<Self, Error> {
        let parts: Vec<Part> = parts.into_iter().filter(|part| !part.slots.is_empty()).collect();
        debug_assert!(parts.windows(2).all(|pair| pair[0].key < pair[1].key));
        // [1] the tiles, and the sizes of everything
        let mut tiles: Vec<Tile> = parts.iter().map(|part| part.key.tile).collect();
        tiles.dedup();
        let leaves: usize = parts.iter().map(|part| part.slots.len()).sum();
        check_count("leaves", leaves)?;
        check_count("tiles", tiles.len())?;
        Budget::new("the grid")
            .add(leaves as u64 * LEAF_BYTES + parts.len() as u64 * LOWER_BYTES + tiles.len() as u64 * TILE_BYTES)?;
        // [2] keys, masks and first rows of the leaves
        let mut leaf_keys = Vec::with_capacity(leaves);
        let mut masks = Vec::with_capacity(leaves + 1);
        let mut first_rows = Vec::with_capacity(leaves + 1);
        let (mut row, mut tile) = (0, 0);
        for part in parts {
            if part.key.tile != tiles[tile] {
                tile += 1;
            }
            let base = ((tile as u64) << 32) | u64::from(part.key.slot << 12);
            leaf_keys.extend(part.slots.iter().map(|&slot| base | u64::from(slot)));
            for mask in &part.masks {
                first_rows.push(row);
                row += u64::from(leaf_count(mask));
            }
            masks.extend(part.masks);
        }
        first_rows.push(row);
        masks.push([0; 16]);
        Ok(Self::of_leaves(transforms, tiles, leaf_keys, masks, first_rows))
    }

    /// A batch of sorted leaves, none of them empty, and one zero mask behind them; every tile has one.
    pub(crate) fn from_leaves(
        transforms: Vec<Transform>,
        tiles: Vec<Tile>,
        leaf_keys: Vec<u64>,
        masks: Vec<LeafMask>,
    ) -> Result<Self, Error> {
        check_count("leaves", leaf_keys.len())?;
        let mut row = 0;
        let first_rows = masks
            .iter()
            .map(|mask| {
                let first = row;
                row += u64::from(leaf_count(mask));
                first
            })
            .collect();
        Ok(Self::of_leaves(transforms, tiles, leaf_keys, masks, first_rows))
    }

    /// [3] the nodes and the ranges of the items
    fn of_leaves(
        transforms: Vec<Transform>,
        tiles: Vec<Tile>,
        leaf_keys: Vec<u64>,
        masks: Vec<LeafMask>,
        first_rows: Vec<u64>,
    ) -> Self {
        let nodes = Nodes::over(tiles.len(), &leaf_keys);
        let items = transforms.len();
        let item_tiles: Vec<u32> =
            (0..=items).map(|item| tiles.partition_point(|t| (t.item as usize) < item) as u32).collect();
        let item_leaves = item_tiles
            .iter()
            .map(|&tile| leaf_keys.partition_point(|&key| key >> 32 < u64::from(tile)) as u32)
            .collect();
        Self { transforms, tiles, item_tiles, nodes, leaf_keys, masks, first_rows, item_leaves }
    }
}

fn check_count(what: &'static str, needed: usize) -> Result<(), Error> {
    if needed as u64 >= u64::from(u32::MAX) {
        return Err(Error::TooMany { what, needed: needed as u64, allowed: u64::from(u32::MAX) - 1 });
    }
    Ok(())
}
