//! From lists of coordinates.

use rayon::prelude::*;

use crate::grid::{LowerKey, Part, Tile};
use crate::kernels::leaf::voxel_slot;
use crate::kernels::node_key::{slots_of_leaf, tile_of_leaf};
use crate::memory::Budget;
use crate::{Error, GridBatch, Transform};

/// Tiles that a key of 64 bits can name beside its 36 bits of slots.
const MAX_TILES: usize = 1 << 28;

impl GridBatch {
    /// The set of the coordinates of every list: one item a list, with the transform of the same position.
    ///
    /// Any order, repetitions allowed; empty lists give empty items.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of transforms; [`Error::TooMany`]; [`Error::Memory`].
    ///
    /// Cost: one sort of 8 bytes a coordinate (none if they are in canonical order already). Source: fVDB `from_ijk`.
    pub fn from_coordinates_cpu(items: &[&[[i32; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        if items.len() != transforms.len() {
            return Err(Error::Length {
                what: "transforms",
                needed: items.len() as u64,
                found: transforms.len() as u64,
            });
        }
        let total: usize = items.iter().map(|list| list.len()).sum();
        Budget::new("the keys of the coordinates").add(total as u64 * 8)?;
        let tiles = tiles_of(items);
        if tiles.len() > MAX_TILES {
            return Err(Error::TooMany { what: "tiles", needed: tiles.len() as u64, allowed: MAX_TILES as u64 });
        }
        // [1] keys: tile, upper slot, lower slot, voxel slot
        let mut keys = Vec::with_capacity(total);
        for (item, list) in items.iter().enumerate() {
            keys.par_extend(list.par_chunks(1 << 14).flat_map_iter(|chunk| {
                let mut last = (Tile { item: u32::MAX, position: [0; 3] }, 0);
                let tiles = &tiles;
                chunk.iter().map(move |&c| {
                    let leaf = c.map(|v| v >> 3);
                    let tile = Tile { item: item as u32, position: tile_of_leaf(leaf) };
                    if tile != last.0 {
                        last = (tile, tiles.partition_point(|t| *t < tile) as u64);
                    }
                    (last.1 << 36) | (u64::from(slots_of_leaf(leaf)) << 9) | u64::from(voxel_slot(c))
                })
            }));
        }
        // [2] in canonical order, without repetitions
        if !keys.is_sorted() {
            keys.par_sort_unstable();
        }
        // [3] by lower node
        let nodes: Vec<&[u64]> = keys.chunk_by(|a, b| a >> 21 == b >> 21).collect();
        let parts = nodes.into_par_iter().with_min_len(16).map(|node| part(&tiles, node)).collect();
        Self::assemble(transforms.to_vec(), parts)
    }
}

/// The sorted tiles of all coordinates.
fn tiles_of(items: &[&[[i32; 3]]]) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Vec::new();
    for (item, list) in items.iter().enumerate() {
        tiles.par_extend(list.par_chunks(1 << 14).flat_map_iter(|chunk| {
            let mut seen: Vec<Tile> = Vec::new();
            for &c in chunk {
                let tile = Tile { item: item as u32, position: tile_of_leaf(c.map(|v| v >> 3)) };
                // Neighbours in a list mostly share their tile; what repeats later is removed by the sort.
                if seen.last() != Some(&tile) {
                    seen.push(tile);
                }
            }
            seen.sort_unstable();
            seen.dedup();
            seen
        }));
    }
    tiles.par_sort_unstable();
    tiles.dedup();
    tiles
}

/// The leaves of the sorted keys of one lower node.
fn part(tiles: &[Tile], keys: &[u64]) -> Part {
    let first = keys[0];
    let key = LowerKey { tile: tiles[(first >> 36) as usize], slot: (first >> 21) as u32 & 0x7fff };
    let mut part = Part { key, slots: Vec::new(), masks: Vec::new() };
    for leaf in keys.chunk_by(|a, b| a >> 9 == b >> 9) {
        let mut mask = [0; 16];
        for key in leaf {
            let slot = *key as u32 & 511;
            mask[(slot >> 5) as usize] |= 1 << (slot & 31);
        }
        part.slots.push((leaf[0] >> 9) as u16 & 4095);
        part.masks.push(mask);
    }
    part
}
