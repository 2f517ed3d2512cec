//! The tiles of a batch on the host: which a relation reaches, and how they are linked.

use super::axis::AxisTables;
use crate::grid::VoxelBox;
use crate::ops::Relation;
use crate::{GridBatch, Tile};

/// No tile.
pub(crate) const NONE: u32 = u32::MAX;
/// Leaves along an axis of a tile.
const LEAVES: i64 = 512;

/// Sorted tiles, each with a box that holds its voxels. A tile may be empty when an operation that has not run yet could not be foretold.
#[derive(Debug, Clone, Default)]
pub(crate) struct TileTable {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) bounds: Vec<VoxelBox>,
}

/// Items of a source in a destination: `None` keeps the numbers; a source item without a place is left out.
pub(crate) type ItemMap = Option<Vec<Option<u32>>>;

/// The place of an item.
pub(crate) fn item_place(map: &ItemMap, item: u32) -> Option<u32> {
    map.as_ref().map_or(Some(item), |places| places.get(item as usize).copied().flatten())
}

impl TileTable {
    /// The tiles of a batch with the exact boxes of their voxels.
    pub(crate) fn of(batch: &GridBatch) -> Self {
        let mut bounds = vec![([i32::MAX; 3], [i32::MIN; 3]); batch.tiles().len()];
        for leaf in 0..batch.leaves() {
            let (low, high) = batch.leaf_box(leaf);
            let (lo, hi) = &mut bounds[(batch.leaf_keys()[leaf] >> 32) as usize];
            for k in 0..3 {
                lo[k] = lo[k].min(low[k]);
                hi[k] = hi[k].max(high[k]);
            }
        }
        Self { tiles: batch.tiles().to_vec(), bounds }
    }

    /// Number of tiles.
    pub(crate) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether a voxel of these tiles may have a destination outside of `i32`.
    pub(crate) fn may_leave(&self, relation: &Relation) -> bool {
        let outside = |&(low, high): &VoxelBox| {
            let ends: [(i64, i64); 3] =
                std::array::from_fn(|k| relation[k].image(i64::from(low[k]), i64::from(high[k])));
            ends.iter().all(|(lo, hi)| lo <= hi)
                && ends.iter().any(|&(lo, hi)| i32::try_from(lo).is_err() || i32::try_from(hi).is_err())
        };
        self.bounds.iter().any(outside)
    }
}

/// The tiles of an item, for many questions.
struct ItemTiles<'a> {
    tiles: &'a [Tile],
    /// Rank of the first.
    first: usize,
    low: [i64; 3],
    sides: [i64; 3],
    /// Ranks by position in the box of all tiles, where that is small.
    ranks: Vec<u32>,
}

impl<'a> ItemTiles<'a> {
    /// Largest box with a table.
    const MOST: i64 = 4096;

    fn new(table: &'a TileTable, item: Option<u32>) -> Self {
        let (first, count) = item.map_or((0, 0), |item| {
            let first = table.tiles.partition_point(|tile| tile.item < item);
            (first, table.tiles[first..].partition_point(|tile| tile.item == item))
        });
        let tiles = &table.tiles[first..first + count];
        let axis = |k: usize| tiles.iter().map(move |tile| i64::from(tile.position[k]));
        let low = std::array::from_fn(|k| axis(k).min().unwrap_or(0));
        let sides = std::array::from_fn(|k| axis(k).max().map_or(0, |high| high - low[k] + 1));
        let mut found = Self { tiles, first, low, sides, ranks: Vec::new() };
        let volume = sides.iter().fold(1, |n: i64, side| n.saturating_mul(*side));
        if volume <= Self::MOST {
            found.ranks = vec![NONE; volume as usize];
            for (i, tile) in tiles.iter().enumerate() {
                if let Some(at) = found.place(tile.position.map(i64::from)) {
                    found.ranks[at] = (first + i) as u32;
                }
            }
        }
        found
    }

    /// Index of a position in the box.
    fn place(&self, position: [i64; 3]) -> Option<usize> {
        let at: [i64; 3] = std::array::from_fn(|k| position[k] - self.low[k]);
        let inside = (0..3).all(|k| (0..self.sides[k]).contains(&at[k]));
        inside.then(|| ((at[0] * self.sides[1] + at[1]) * self.sides[2] + at[2]) as usize)
    }

    /// Ranks of the `count` tiles from a position on along z.
    fn column(&self, from: [i64; 3], count: u32, ranks: &mut Vec<u32>) {
        let [x, y, z]: [i64; 3] = std::array::from_fn(|k| from[k] - self.low[k]);
        let end = z + i64::from(count);
        if self.ranks.is_empty() {
            ranks.extend((0..i64::from(count)).map(|dz| self.rank([from[0], from[1], from[2] + dz])));
        } else if (0..self.sides[0]).contains(&x) && (0..self.sides[1]).contains(&y) && z < self.sides[2] && end > 0 {
            let (first, last) = (z.max(0), end.min(self.sides[2]));
            let row = (x * self.sides[1] + y) * self.sides[2];
            ranks.extend((z..first).map(|_| NONE));
            ranks.extend_from_slice(&self.ranks[(row + first) as usize..(row + last) as usize]);
            ranks.extend((last..end).map(|_| NONE));
        } else {
            ranks.extend((0..count).map(|_| NONE));
        }
    }

    /// Rank of the tile at a position.
    fn rank(&self, position: [i64; 3]) -> u32 {
        match self.place(position) {
            Some(at) if !self.ranks.is_empty() => self.ranks[at],
            Some(_) => {
                let order = |tile: &Tile| tile.position.map(i64::from).cmp(&position);
                self.tiles.binary_search_by(order).map_or(NONE, |i| (self.first + i) as u32)
            }
            None => NONE,
        }
    }
}

/// Grows a set of tiles by those that a relation reaches.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    tiles: Vec<(Tile, VoxelBox)>,
    /// Whether a box of voxels reaches outside of `i32`, so that a voxel may.
    pub(crate) overflow: bool,
    /// Number of tiles when they were last joined.
    joined: usize,
}

impl Reached {
    /// Adds the tiles that the voxels of `source` reach; stops above `most` tiles.
    pub(crate) fn add(&mut self, source: &TileTable, relation: &Relation, items: &ItemMap, most: u64) -> bool {
        for (tile, &(low, high)) in source.tiles.iter().zip(&source.bounds) {
            let Some(item) = item_place(items, tile.item) else { continue };
            let ends: [(i64, i64); 3] =
                std::array::from_fn(|k| relation[k].image(i64::from(low[k]), i64::from(high[k])));
            if ends.iter().any(|(lo, hi)| lo > hi) {
                continue;
            }
            let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
            self.overflow |= ends.iter().any(|(lo, hi)| !range.contains(lo) || !range.contains(hi));
            let ends = ends.map(|(lo, hi)| (lo.max(*range.start()), hi.min(*range.end())));
            if ends.iter().any(|(lo, hi)| lo > hi) {
                continue;
            }
            let counts = ends.map(|(lo, hi)| ((hi >> 12) - (lo >> 12) + 1) as u64);
            if counts.iter().fold(1, |n: u64, c| n.saturating_mul(*c)) > most {
                return false;
            }
            self.add_box(item, ends);
            if self.tiles.len() > 2 * self.joined + (1 << 18) {
                self.join();
                self.joined = self.tiles.len();
                if self.tiles.len() as u64 > most {
                    return false;
                }
            }
        }
        self.join();
        self.tiles.len() as u64 <= most
    }

    fn add_box(&mut self, item: u32, ends: [(i64, i64); 3]) {
        let tiles = ends.map(|(lo, hi)| (lo >> 12)..=(hi >> 12));
        for x in tiles[0].clone() {
            for y in tiles[1].clone() {
                for z in tiles[2].clone() {
                    let position = [x, y, z];
                    let lo = std::array::from_fn(|k| ends[k].0.max(position[k] << 12) as i32);
                    let hi = std::array::from_fn(|k| ends[k].1.min((position[k] << 12) + 4095) as i32);
                    let tile = Tile { item, position: position.map(|p| p as i32) };
                    self.push(tile, (lo, hi));
                }
            }
        }
    }

    /// Neighbouring sources reach the same tiles: most are among the last ones.
    fn push(&mut self, tile: Tile, bounds: VoxelBox) {
        let recent = self.tiles.len().saturating_sub(16);
        match self.tiles[recent..].iter_mut().find(|(other, _)| *other == tile) {
            Some((_, known)) => grow(known, &bounds),
            None => self.tiles.push((tile, bounds)),
        }
    }

    /// Sorts the tiles; equal ones become one with a box for both.
    fn join(&mut self) {
        self.tiles.sort_unstable_by_key(|(tile, _)| *tile);
        self.tiles.dedup_by(|(tile, bounds), (kept, known)| {
            let same = tile == kept;
            if same {
                grow(known, bounds);
            }
            same
        });
    }

    /// The tiles so far, sorted.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = Tile> {
        self.tiles.iter().map(|(tile, _)| *tile)
    }

    pub(crate) fn table(self) -> TileTable {
        // `add` has joined them.
        let (tiles, bounds) = self.tiles.into_iter().unzip();
        TileTable { tiles, bounds }
    }
}

/// Makes a box hold another one.
fn grow((low, high): &mut VoxelBox, (lo, hi): &VoxelBox) {
    for k in 0..3 {
        low[k] = low[k].min(lo[k]);
        high[k] = high[k].max(hi[k]);
    }
}

/// For every tile of a list: offsets and a block of ranks in another table of tiles, as the kernels read them.
#[derive(Debug)]
pub(crate) struct TileLinks {
    /// Tiles of a block along each axis.
    pub(crate) extent: [u32; 3],
    /// Four words a tile (offsets, first word of the block), then the blocks. Blocks are counted from the first word.
    pub(crate) words: Vec<u32>,
}

/// Links the tiles of `list` with those of `tree`. `expand`: the list is the coarse side. `place` gives the item in the tree of an item of the list.
pub(crate) fn link(
    list: &TileTable,
    tree: &TileTable,
    axes: &AxisTables,
    expand: bool,
    place: impl Fn(u32) -> Option<u32>,
) -> TileLinks {
    let last = |k: usize| axes[k].first + axes[k].entries - 1;
    // The first tile of a block, and the offset from the tile of the list to its origin: see relation_walk.
    let origin_at = |k: usize, at: i64| {
        let axis = &axes[k];
        if expand {
            let back = axis.first.div_euclid(LEAVES);
            (axis.step * at + back, -LEAVES * back)
        } else {
            // The first tile of the least relative of the tile's first leaf; none of them is before it.
            let least = (last(k) - LEAVES * at).div_euclid(axis.step);
            let base = (-least).min((LEAVES * at - axis.first).div_euclid(axis.step)).div_euclid(LEAVES);
            (base, LEAVES * at - LEAVES * axis.step * base)
        }
    };
    // Tiles share few coordinates, and divisions are dear.
    let mut known: [Vec<(i32, (i64, i64))>; 3] = Default::default();
    let mut origin = |k: usize, at: i32| match known[k].iter().find(|(position, _)| *position == at) {
        Some((_, origin)) => *origin,
        None => {
            let origin = origin_at(k, i64::from(at));
            known[k].truncate(15);
            known[k].push((at, origin));
            origin
        }
    };
    let origins: Vec<[(i64, i64); 3]> =
        list.tiles.iter().map(|tile| std::array::from_fn(|k| origin(k, tile.position[k]))).collect();
    let extent: [u32; 3] = std::array::from_fn(|k| {
        let axis = &axes[k];
        let most = if expand {
            let back = axis.first.div_euclid(LEAVES);
            axis.step * (LEAVES - 1) - LEAVES * back + last(k)
        } else {
            origins.iter().map(|at| at[k].1).max().map_or(0, |most| (most + LEAVES - 1 - axis.first) / axis.step)
        };
        (most / LEAVES + 1) as u32
    });
    let block = extent.iter().map(|&e| e as usize).product::<usize>();
    let mut words = Vec::with_capacity(list.len() * (4 + block));
    for (i, at) in origins.iter().enumerate() {
        words.extend(at.map(|(_, offset)| offset as u32));
        words.push((4 * list.len() + i * block) as u32);
    }
    let mut near = (None, ItemTiles::new(tree, None));
    for (tile, at) in list.tiles.iter().zip(&origins) {
        let item = place(tile.item);
        if item != near.0 {
            near = (item, ItemTiles::new(tree, item));
        }
        let base = at.map(|(base, _)| base);
        for x in 0..i64::from(extent[0]) {
            for y in 0..i64::from(extent[1]) {
                near.1.column([base[0] + x, base[1] + y, base[2]], extent[2], &mut words);
            }
        }
    }
    TileLinks { extent, words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::axis::tables;
    use crate::kernels::relation_walk::{Walk, contract_walk, expand_walk};
    use crate::ops::{AxisRelation, pad};

    /// Tiles of three items, clustered and far apart.
    fn table(seed: u32) -> TileTable {
        let mut tiles = Vec::new();
        for (item, reach) in [(0, 2), (2, 300), (3, 1 << 19)] {
            let mut state = seed + item;
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
            for expand in [false, true] {
                let links = link(&list, &tree, &axes, expand, Some);
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
                        let same = |t: &Tile| t.item == tile.item && t.position.map(i64::from) == position;
                        let expected = tree.tiles.iter().position(same).map_or(NONE, |rank| rank as u32);
                        assert_eq!(found, expected, "{relation:?} {expand} {tile:?} {leaf}");
                    }
                }
            }
        }
    }
}
