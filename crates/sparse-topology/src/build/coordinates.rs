//! From lists of coordinates.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::grid::{LEAF_BYTES, Tile};
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
    /// Cost: one pass over the list and three over 16 bytes for every run of coordinates in the same half slice (4 rows y) of a leaf; nothing is sorted. Source: fVDB `from_ijk`.
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
        // [2] bits of the tree's levels, from the top
        let upper = Level::marked(tiles.len() * 1024, &entries, &budget, |key| key >> 16)?;
        let lower_of = |key: u64| upper.rank(key >> 16);
        let leaf_slot = |key: u64| (key >> 4) & 4095;
        let leaves = Level::marked(upper.bits as usize * 128, &entries, &budget, |key| {
            u64::from(lower_of(key)) << 12 | leaf_slot(key)
        })?;
        // [3] the masks, and the keys of the leaves
        budget.add(u64::from(leaves.bits) * LEAF_BYTES)?;
        let masks: Vec<AtomicU32> = zeros((leaves.bits as usize + 1) * 16);
        entries.par_chunks(CHUNK).for_each(|chunk| {
            for &(key, bits) in chunk {
                let leaf = leaves.rank(u64::from(lower_of(key)) << 12 | leaf_slot(key)) as usize;
                set(&masks[leaf * 16 + (key & 15) as usize], bits);
            }
        });
        let masks: Vec<u32> = masks.into_iter().map(AtomicU32::into_inner).collect();
        let lower_keys: Vec<u64> = upper.positions().map(|at| (at >> 15 << 32) | (at & 0x7fff) << 12).collect();
        let leaf_keys = leaves.positions().map(|at| lower_keys[(at >> 12) as usize] | (at & 4095)).collect();
        Self::from_leaves(transforms.to_vec(), tiles, leaf_keys, masks.as_chunks().0.to_vec())
    }
}

/// A level of the tree as set bits, with the number of bits before each word.
struct Level {
    words: Vec<AtomicU32>,
    before: Vec<u32>,
    bits: u32,
}

impl Level {
    /// `words` words with the bit of every entry set.
    fn marked(
        words: usize,
        entries: &[Entry],
        budget: &Budget,
        bit_of: impl Fn(u64) -> u64 + Sync,
    ) -> Result<Self, Error> {
        budget.add(words as u64 * 8)?;
        let words: Vec<AtomicU32> = zeros(words);
        entries.par_chunks(CHUNK).for_each(|chunk| {
            let mut last = None;
            for &(key, _) in chunk {
                // The lowest four bits name a word of a leaf: entries of one leaf set one bit.
                if last != Some(key >> 4) {
                    last = Some(key >> 4);
                    let bit = bit_of(key);
                    set(&words[(bit >> 5) as usize], 1 << (bit & 31));
                }
            }
        });
        let mut total = 0_u64;
        let before = words
            .iter()
            .map(|word| {
                let here = total as u32;
                total += u64::from(word.load(Relaxed).count_ones());
                here
            })
            .collect();
        if total >= u64::from(u32::MAX) {
            return Err(Error::TooMany { what: "nodes", needed: total, allowed: u64::from(u32::MAX) - 1 });
        }
        Ok(Self { words, before, bits: total as u32 })
    }

    /// Number of set bits before a bit.
    fn rank(&self, bit: u64) -> u32 {
        let word = (bit >> 5) as usize;
        self.before[word] + (self.words[word].load(Relaxed) & ((1 << (bit & 31)) - 1)).count_ones()
    }

    /// The set bits, ascending.
    fn positions(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = bits.load(Relaxed);
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    (word as u64) << 5 | u64::from(bit)
                })
            })
        })
    }
}

fn zeros(words: usize) -> Vec<AtomicU32> {
    // Zeroed memory as the system gives it, without a pass of ours.
    vec![0_u32; words].into_iter().map(AtomicU32::new).collect()
}

/// Sets bits of which most are set already.
fn set(word: &AtomicU32, bits: u32) {
    if word.load(Relaxed) & bits != bits {
        word.fetch_or(bits, Relaxed);
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
