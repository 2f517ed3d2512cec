//! Batches cut into ranges of lower nodes, and joined again: a device that sees less than a batch at a time holds it in such pages.

use std::ops::Range;

use super::{GridBatch, Tile};
use crate::{Error, Transform};

impl GridBatch {
    /// Ranges of lower nodes of which each has at most so many tiles, lower nodes and leaves; one lower node at least.
    pub(crate) fn lower_ranges(&self, tiles: usize, lower: usize, leaves: usize) -> Vec<Range<usize>> {
        let keys = self.nodes.lower_keys();
        let tile = |node: usize| (keys[node] >> 32) as usize;
        let mut ranges = Vec::new();
        let mut first = 0;
        for node in 0..keys.len() {
            let held = self.nodes.leaves(node).end - self.nodes.leaves(first).start;
            if node > first && (node - first >= lower || held > leaves || tile(node) - tile(first) >= tiles) {
                ranges.push(first..node);
                first = node;
            }
        }
        if first < keys.len() {
            ranges.push(first..keys.len());
        }
        ranges
    }

    /// The batch of the voxels of a range of lower nodes, which is not empty.
    pub(crate) fn of_lower_nodes(&self, range: Range<usize>) -> Result<Self, Error> {
        let tile = |node: usize| (self.nodes.lower_keys()[node] >> 32) as usize;
        let tiles = tile(range.start)..tile(range.end - 1) + 1;
        let leaves = self.nodes.leaves(range.start).start..self.nodes.leaves(range.end - 1).end;
        let keys = self.leaf_keys[leaves.clone()].iter().map(|key| key - ((tiles.start as u64) << 32)).collect();
        let mut masks = self.masks[leaves].to_vec();
        masks.push([0; 16]);
        Self::from_leaves(self.transforms.clone(), self.tiles[tiles].to_vec(), keys, masks)
    }

    /// The batch whose lower nodes are those of `pages`, one after the other in canonical order.
    pub(crate) fn of_pages(transforms: Vec<Transform>, pages: Vec<Self>) -> Result<Self, Error> {
        let leaves = pages.iter().map(Self::leaves).sum();
        let mut tiles: Vec<Tile> = Vec::new();
        let (mut keys, mut masks) = (Vec::with_capacity(leaves), Vec::with_capacity(leaves + 1));
        for page in pages {
            let mut ranks = Vec::with_capacity(page.tiles.len());
            for tile in page.tiles {
                // Two pages may share a tile.
                if tiles.last() != Some(&tile) {
                    tiles.push(tile);
                }
                ranks.push((tiles.len() - 1) as u64);
            }
            keys.extend(page.leaf_keys.iter().map(|key| (ranks[(key >> 32) as usize] << 32) | (key & 0xffff_ffff)));
            masks.extend_from_slice(&page.masks[..page.leaf_keys.len()]);
        }
        masks.push([0; 16]);
        Self::from_leaves(transforms, tiles, keys, masks)
    }
}
