//! From lists of coordinates.

use rayon::prelude::*;

use crate::grid::{LowerKey, Part, Tile};
use crate::kernels::leaf::voxel_slot;
use crate::kernels::node_key::{slots_of_leaf, tile_of_leaf};
use crate::memory::Budget;
use crate::{Error, GridBatch, Transform};

/// Coordinates that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Tiles that a key can name.
const MAX_TILES: usize = 1 << 28;

/// Some voxels of one word of a leaf mask: the key (tile, upper slot, lower slot, word) and their bits.
type Entry = (u64, u32);

impl GridBatch {
    /// The set of the coordinates of every list: one item a list, with the transform of the same position.
    ///
    /// Any order, repetitions allowed; empty lists give empty items.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of transforms; [`Error::TooMany`]; [`Error::Memory`].
    ///
    /// Cost: one sort of 16 bytes for every run of coordinates in the same 4 x 8 columns (y, z) of a leaf; none if they are in canonical order. Source: fVDB `from_ijk`.
    pub fn from_coordinates_cpu(items: &[&[[i32; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        if items.len() != transforms.len() {
            return Err(Error::Length {
                what: "transforms",
                needed: items.len() as u64,
                found: transforms.len() as u64,
            });
        }
        let tiles = tiles_of(items);
        if tiles.len() > MAX_TILES {
            return Err(Error::TooMany { what: "tiles", needed: tiles.len() as u64, allowed: MAX_TILES as u64 });
        }
        // [1] the coordinates as bits of mask words, neighbours in a list joined
        let budget = Budget::new("the list of the coordinates");
        let mut entries: Vec<Entry> = Vec::new();
        for (item, list) in items.iter().enumerate() {
            let chunks: Vec<Vec<Entry>> =
                list.par_chunks(CHUNK).map(|chunk| words_of(chunk, item as u32, &tiles)).collect();
            budget.add(chunks.iter().map(|chunk| chunk.len() as u64 * 32).sum())?;
            entries.extend(chunks.into_iter().flatten());
        }
        // [2] in canonical order
        if !entries.is_sorted() {
            entries.par_sort_unstable();
        }
        // [3] by lower node
        let nodes: Vec<&[Entry]> = entries.chunk_by(|a, b| a.0 >> 16 == b.0 >> 16).collect();
        let parts = nodes.into_par_iter().with_min_len(16).map(|node| part(&tiles, node)).collect();
        Self::assemble(transforms.to_vec(), parts)
    }
}

/// The entries of a run of coordinates.
fn words_of(coordinates: &[[i32; 3]], item: u32, tiles: &[Tile]) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    let (mut last, mut rank) = (Tile { item: u32::MAX, position: [0; 3] }, 0);
    for &c in coordinates {
        let leaf = c.map(|v| v >> 3);
        let tile = Tile { item, position: tile_of_leaf(leaf) };
        if tile != last {
            (last, rank) = (tile, tiles.partition_point(|t| *t < tile) as u64);
        }
        let slot = voxel_slot(c);
        let key = (rank << 31) | (u64::from(slots_of_leaf(leaf)) << 4) | u64::from(slot >> 5);
        match out.last_mut() {
            Some(entry) if entry.0 == key => entry.1 |= 1 << (slot & 31),
            _ => out.push((key, 1 << (slot & 31))),
        }
    }
    out
}

/// The sorted tiles of all coordinates.
fn tiles_of(items: &[&[[i32; 3]]]) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Vec::new();
    for (item, list) in items.iter().enumerate() {
        tiles.par_extend(list.par_chunks(CHUNK).flat_map_iter(|chunk| {
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

/// The leaves of the sorted entries of one lower node.
fn part(tiles: &[Tile], entries: &[Entry]) -> Part {
    let first = entries[0].0;
    let key = LowerKey { tile: tiles[(first >> 31) as usize], slot: (first >> 16) as u32 & 0x7fff };
    let mut part = Part { key, slots: Vec::new(), masks: Vec::new() };
    for leaf in entries.chunk_by(|a, b| a.0 >> 4 == b.0 >> 4) {
        let mut mask = [0; 16];
        for &(key, bits) in leaf {
            mask[(key & 15) as usize] |= bits;
        }
        part.slots.push((leaf[0].0 >> 4) as u16 & 4095);
        part.masks.push(mask);
    }
    part
}
