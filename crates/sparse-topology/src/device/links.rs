//! How the tiles of a list are linked with those of a tree: what the kernels read to find the relatives of a leaf.
//!
//! The host's time counts here. Batches of many grids have few tiles an item, and mostly at the same positions: an item whose tiles lie where those of an item before it lie takes over its words.

use std::ops::Range;

use super::axis::AxisTables;
use super::tiles::TileTable;
use crate::Tile;

/// No tile.
pub(crate) const NONE: u32 = u32::MAX;
/// Leaves along an axis of a tile.
const LEAVES: i64 = 512;

/// For every tile of a list: offsets and a block of ranks in another table of tiles, as the kernels read them.
#[derive(Debug)]
pub(crate) struct TileLinks {
    /// Tiles of a block along each axis.
    pub(crate) extent: [u32; 3],
    /// Four words a tile (offsets, first word of the block), then the blocks. Blocks are counted from the first word.
    pub(crate) words: Vec<u32>,
}

/// The tiles of an item of the list, and those of its item of the tree.
struct Run {
    list: Range<usize>,
    tree: Range<usize>,
    /// The run whose tiles lie at the same positions: this one, or one before it.
    like: usize,
    /// The first of its origins.
    origin: usize,
}

/// Links the tiles of `list` with those of `tree`. `expand`: the list is the coarse side. `place` gives the item in the tree of an item of the list.
pub(crate) fn link(
    list: &TileTable,
    tree: &TileTable,
    axes: &AxisTables,
    expand: bool,
    place: impl Fn(u32) -> Option<u32>,
) -> TileLinks {
    let mut origins = Origins { axes, expand, known: Default::default(), all: Vec::new() };
    let mut runs: Vec<Run> = Vec::new();
    let (mut at, mut near) = (0, 0..0);
    while at < list.len() {
        let own = list.item_from(at);
        near = place(list.tiles[at].item).map_or(0..0, |item| tree.item(item, near.end));
        at = own.end;
        let like = runs.last().map(|last| last.like).filter(|&like| {
            same(&list.tiles[own.clone()], &list.tiles[runs[like].list.clone()])
                && same(&tree.tiles[near.clone()], &tree.tiles[runs[like].tree.clone()])
        });
        let origin = like.map_or(origins.all.len(), |like| runs[like].origin);
        if like.is_none() {
            own.clone().for_each(|i| origins.push(list.tiles[i].position));
        }
        runs.push(Run { list: own, tree: near.clone(), like: like.unwrap_or(runs.len()), origin });
    }
    let extent = origins.extent();
    let block = extent.iter().map(|&e| e as usize).product::<usize>();
    let mut words = Vec::with_capacity(list.len() * (4 + block));
    for run in &runs {
        for (i, at) in run.list.clone().zip(&origins.all[run.origin..]) {
            let [x, y, z] = at.map(|(_, offset)| offset as u32);
            words.extend([x, y, z, (4 * list.len() + i * block) as u32]);
        }
    }
    let mut near = Near::default();
    for (index, run) in runs.iter().enumerate() {
        if run.like == index {
            near.set(tree, run.tree.clone());
            for at in &origins.all[run.origin..run.origin + run.list.len()] {
                near.block(at.map(|(base, _)| base), extent, &mut words);
            }
            continue;
        }
        let like = &runs[run.like];
        let moved = run.tree.start.wrapping_sub(like.tree.start) as u32;
        let (first, end) = (4 * list.len() + like.list.start * block, words.len());
        words.extend_from_within(first..first + run.list.len() * block);
        for rank in words[end..].iter_mut().filter(|rank| **rank != NONE) {
            *rank = rank.wrapping_add(moved);
        }
    }
    TileLinks { extent, words }
}

/// Whether tiles lie at the same positions.
fn same(a: &[Tile], b: &[Tile]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.position == b.position)
}

/// By tile and axis: the first tile of its block, and the offset from the tile to the block's origin (see relation_walk).
struct Origins<'a> {
    axes: &'a AxisTables,
    expand: bool,
    /// Tiles share few coordinates, and divisions are dear.
    known: [Vec<(i32, (i64, i64))>; 3],
    all: Vec<[(i64, i64); 3]>,
}

impl Origins<'_> {
    fn push(&mut self, position: [i32; 3]) {
        let mut origin = [(0, 0); 3];
        for k in 0..3 {
            let known = self.known[k].iter().find(|(at, _)| *at == position[k]);
            origin[k] = match known {
                Some((_, origin)) => *origin,
                None => {
                    let origin = self.at(k, i64::from(position[k]));
                    self.known[k].truncate(15);
                    self.known[k].push((position[k], origin));
                    origin
                }
            };
        }
        self.all.push(origin);
    }

    fn at(&self, k: usize, at: i64) -> (i64, i64) {
        let axis = &self.axes[k];
        if self.expand {
            let back = axis.first.div_euclid(LEAVES);
            (axis.step * at + back, -LEAVES * back)
        } else {
            // The first tile of the least relative of the tile's first leaf; none of them is before it.
            let last = axis.first + axis.entries - 1;
            let least = (last - LEAVES * at).div_euclid(axis.step);
            let base = (-least).min((LEAVES * at - axis.first).div_euclid(axis.step)).div_euclid(LEAVES);
            (base, LEAVES * at - LEAVES * axis.step * base)
        }
    }

    /// Tiles of a block along each axis.
    fn extent(&self) -> [u32; 3] {
        std::array::from_fn(|k| {
            let axis = &self.axes[k];
            let most = if self.expand {
                let back = axis.first.div_euclid(LEAVES);
                axis.step * (LEAVES - 1) - LEAVES * back + axis.first + axis.entries - 1
            } else {
                let most = self.all.iter().map(|at| at[k].1).max();
                most.map_or(0, |most| (most + LEAVES - 1 - axis.first) / axis.step)
            };
            (most / LEAVES + 1) as u32
        })
    }
}

/// The tiles of an item, for many questions.
#[derive(Default)]
struct Near<'a> {
    tiles: &'a [Tile],
    /// Rank of the first.
    first: usize,
    low: [i64; 3],
    sides: [i64; 3],
    /// Ranks by position in the box of all tiles, where that is small.
    ranks: Vec<u32>,
}

impl<'a> Near<'a> {
    /// Largest box with a table.
    const MOST: i64 = 4096;

    fn set(&mut self, table: &'a TileTable, range: Range<usize>) {
        (self.first, self.tiles) = (range.start, &table.tiles[range]);
        let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
        for tile in self.tiles {
            for k in 0..3 {
                low[k] = low[k].min(tile.position[k]);
                high[k] = high[k].max(tile.position[k]);
            }
        }
        self.low = low.map(i64::from);
        self.sides = std::array::from_fn(|k| (i64::from(high[k]) - self.low[k] + 1).max(0));
        self.ranks.clear();
        let volume = self.sides.iter().fold(1, |n: i64, side| n.saturating_mul(*side));
        if volume <= Self::MOST {
            self.ranks.resize(volume as usize, NONE);
            for (rank, tile) in (self.first as u32..).zip(self.tiles) {
                let [x, y, z] = std::array::from_fn(|k| i64::from(tile.position[k]) - self.low[k]);
                self.ranks[((x * self.sides[1] + y) * self.sides[2] + z) as usize] = rank;
            }
        }
    }

    /// Ranks of the tiles of a block.
    fn block(&self, first: [i64; 3], extent: [u32; 3], ranks: &mut Vec<u32>) {
        for x in first[0]..first[0] + i64::from(extent[0]) {
            for y in first[1]..first[1] + i64::from(extent[1]) {
                self.column([x, y, first[2]], i64::from(extent[2]), ranks);
            }
        }
    }

    /// Ranks of the `count` tiles from a position on along z.
    fn column(&self, from: [i64; 3], count: i64, ranks: &mut Vec<u32>) {
        if self.ranks.is_empty() {
            ranks.extend((from[2]..from[2] + count).map(|z| self.rank([from[0], from[1], z])));
            return;
        }
        let [x, y, z]: [i64; 3] = std::array::from_fn(|k| from[k] - self.low[k]);
        let row = (x * self.sides[1] + y) * self.sides[2];
        let inside = (0..self.sides[0]).contains(&x) && (0..self.sides[1]).contains(&y);
        ranks.extend((z..z + count).map(|z| match inside && (0..self.sides[2]).contains(&z) {
            true => self.ranks[(row + z) as usize],
            false => NONE,
        }));
    }

    /// Rank of the tile at a position.
    fn rank(&self, position: [i64; 3]) -> u32 {
        let order = |tile: &Tile| tile.position.map(i64::from).cmp(&position);
        self.tiles.binary_search_by(order).map_or(NONE, |i| (self.first + i) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::axis::tables;
    use crate::kernels::relation_walk::{Walk, contract_walk, expand_walk};
    use crate::ops::{AxisRelation, Relation, pad};

    /// Tiles of items, clustered and far apart; 4 to 6 have theirs at the same positions.
    fn table(seed: u32) -> TileTable {
        let mut tiles = Vec::new();
        for (item, reach) in [(0, 2), (2, 300), (3, 1 << 19), (4, 2), (5, 2), (6, 2)] {
            let mut state = seed + item.min(4);
            for _ in 0..12 {
                let position = std::array::from_fn(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 9) as i32 % (2 * reach) - reach
                });
                tiles.push(Tile { item, position });
            }
        }
        tiles.sort_unstable();
        tiles.dedup();
        let bounds = vec![([0; 3], [0; 3]); tiles.len()];
        TileTable { tiles, bounds }
    }

    /// Every leaf position of a walk lies in the block, at the tile that its coordinate says.
    #[test]
    fn blocks_hold_every_relative_of_a_tile() {
        let relations: [Relation; 5] = [
            [AxisRelation::coarsen(2), AxisRelation::coarsen(3), AxisRelation::coarsen(7)],
            [AxisRelation::conv(3, 1), AxisRelation::conv(5, 2), AxisRelation::subsample(60)],
            [AxisRelation::refine(3), AxisRelation::refine(1), AxisRelation::conv_transpose(4, 2)],
            pad([-1, 0, -5000], [1, 0, 9]),
            pad([101, -101, 4096], [101, -101, 4096]),
        ];
        let (list, tree) = (table(1), table(7));
        for relation in relations {
            let axes = tables(&relation).expect("tables");
            // Item 1 is not there; 6 and 5 change places.
            let place = |item: u32| [Some(0), None, Some(2), Some(3), Some(4), Some(6), Some(5)][item as usize];
            for expand in [false, true] {
                let links = link(&list, &tree, &axes, expand, place);
                let extent = links.extent.map(i64::from);
                for (i, tile) in list.tiles.iter().enumerate() {
                    let [.., block] = [0, 1, 2, 3].map(|k| links.words[4 * i + k]);
                    let walks = |k: usize, leaf: u32| -> Walk {
                        let axis = &axes[k];
                        let walk = if expand { expand_walk } else { contract_walk };
                        let [step, first, entries] = [axis.step, axis.first, axis.entries].map(|v| v as u32);
                        walk(leaf, links.words[4 * i + k], step, first, entries)
                    };
                    for leaf in [0, 1, 255, 510, 511] {
                        // Local positions and the coordinates that they stand for, by axis.
                        let places: [Vec<(i64, i64)>; 3] = std::array::from_fn(|k| {
                            let walk = walks(k, leaf);
                            let at = i64::from(tile.position[k]) * 512 + i64::from(leaf);
                            let one = |j: u32| {
                                let local = walk.first.wrapping_add(walk.stride.wrapping_mul(j));
                                let d = axes[k].first + i64::from(walk.entry + walk.skip * j);
                                let to = if expand { axes[k].step * at + d } else { (at - d) / axes[k].step };
                                assert!(expand || (at - d) % axes[k].step == 0);
                                (i64::from(local), to)
                            };
                            (0..walk.count).map(one).collect()
                        });
                        for (k, places) in places.iter().enumerate() {
                            for &(local, to) in places {
                                assert!((0..512 * extent[k]).contains(&local), "{relation:?} {expand}");
                                assert_eq!(local & 511, to & 511);
                            }
                        }
                        let Some(ends) = places.iter().map(|p| p.first()).collect::<Option<Vec<_>>>() else { continue };
                        let q: Vec<i64> = ends.iter().map(|(local, _)| local >> 9).collect();
                        let found =
                            links.words[block as usize + ((q[0] * extent[1] + q[1]) * extent[2] + q[2]) as usize];
                        let position: [i64; 3] = std::array::from_fn(|k| ends[k].1 >> 9);
                        let same = |t: &Tile| Some(t.item) == place(tile.item) && t.position.map(i64::from) == position;
                        let expected = tree.tiles.iter().position(same).map_or(NONE, |rank| rank as u32);
                        assert_eq!(found, expected, "{relation:?} {expand} {tile:?} {leaf}");
                    }
                }
            }
        }
    }
}
