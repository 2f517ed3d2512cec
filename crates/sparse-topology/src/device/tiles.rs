//! The tiles of a batch on the host, and which a relation reaches.

use std::ops::Range;

use crate::grid::VoxelBox;
use crate::ops::Relation;
use crate::{GridBatch, Tile};

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

    /// The tiles of the item of tile `first`, from it on.
    pub(crate) fn item_from(&self, first: usize) -> Range<usize> {
        let rest = self.tiles.get(first..).unwrap_or_default();
        let item = rest.first().map(|tile| tile.item);
        first..first + rest.iter().take_while(|tile| Some(tile.item) == item).count()
    }

    /// The tiles of an item. `guess`: where they begin if items are asked for in turn.
    pub(crate) fn item(&self, item: u32, guess: usize) -> Range<usize> {
        let begins = |at: usize| at == 0 || self.tiles.get(at - 1).is_some_and(|tile| tile.item < item);
        let is = |at: usize| self.tiles.get(at).is_some_and(|tile| tile.item == item);
        let first = match is(guess) && begins(guess) {
            true => guess,
            false => self.tiles.partition_point(|tile| tile.item < item),
        };
        if is(first) { self.item_from(first) } else { first..first }
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

/// Smallest and largest coordinate along each axis.
type Ends = [(i32, i32); 3];

/// A box without voxels.
const EMPTY: VoxelBox = ([i32::MAX; 3], [i32::MIN; 3]);

/// Grows a set of tiles by those that a relation reaches.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    tiles: Vec<(Tile, VoxelBox)>,
    /// Whether a box of voxels reaches outside of `i32`, so that a voxel may.
    pub(crate) overflow: bool,
    /// Number of tiles when they were last joined.
    joined: usize,
    /// Images of the tiles of the item at hand.
    images: Vec<Ends>,
    /// Boxes by position in the box of the item's tiles.
    cells: Vec<VoxelBox>,
}

impl Reached {
    /// Positions up to which an item's tiles are joined in place; more must be mostly empty for it to lose.
    const CELLS: u64 = 4096;

    /// Adds the tiles that the voxels of `source` reach; stops above `most` tiles.
    pub(crate) fn add(&mut self, source: &TileTable, relation: &Relation, items: &ItemMap, most: u64) -> bool {
        let mut at = 0;
        while at < source.len() {
            let run = source.item_from(at);
            at = run.end;
            let Some(item) = item_place(items, source.tiles[run.start].item) else { continue };
            if !self.add_item(item, &source.bounds[run], relation, most) {
                return false;
            }
        }
        self.join();
        self.tiles.len() as u64 <= most
    }

    /// Adds the tiles that the boxes of one item reach.
    fn add_item(&mut self, item: u32, bounds: &[VoxelBox], relation: &Relation, most: u64) -> bool {
        let mut images = std::mem::take(&mut self.images);
        images.clear();
        let mut hull = [(i32::MAX, i32::MIN); 3];
        for bounds in bounds {
            let Some(ends) = self.image(relation, bounds) else { continue };
            let tiles = tiles_of(&ends);
            if volume(&tiles) > most {
                return false;
            }
            for (all, one) in hull.iter_mut().zip(tiles) {
                *all = (all.0.min(one.0), all.1.max(one.1));
            }
            images.push(ends);
        }
        let mut fits = true;
        if images.is_empty() {
        } else if volume(&hull) <= Self::CELLS.min(64 + 8 * images.len() as u64) {
            self.add_cells(item, &images, &hull);
            fits = self.within(most);
        } else {
            fits = images.iter().all(|ends| {
                self.add_box(item, ends);
                self.within(most)
            });
        }
        self.images = images;
        fits
    }

    /// The box that a box of voxels reaches, within `i32`.
    fn image(&mut self, relation: &Relation, (low, high): &VoxelBox) -> Option<Ends> {
        let ends: [(i64, i64); 3] = std::array::from_fn(|k| relation[k].image(i64::from(low[k]), i64::from(high[k])));
        if ends.iter().any(|(lo, hi)| lo > hi) {
            return None;
        }
        let [least, greatest] = [i32::MIN, i32::MAX].map(i64::from);
        let inside = ends.iter().all(|&(lo, hi)| lo >= least && hi <= greatest);
        self.overflow |= !inside;
        let ends = ends.map(|(lo, hi)| (lo.max(least), hi.min(greatest)));
        ends.iter().all(|(lo, hi)| lo <= hi).then(|| ends.map(|(lo, hi)| (lo as i32, hi as i32)))
    }

    /// Adds the tiles of images that share most of them: each once, in order.
    fn add_cells(&mut self, item: u32, images: &[Ends], hull: &Ends) {
        let sides = hull.map(|(lo, hi)| (hi - lo + 1) as usize);
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.resize(sides.iter().product(), EMPTY);
        for ends in images {
            each_tile(&tiles_of(ends), |position| {
                let [x, y, z]: [usize; 3] = std::array::from_fn(|k| (position[k] - hull[k].0) as usize);
                grow(&mut cells[(x * sides[1] + y) * sides[2] + z], &part(ends, position));
            });
        }
        let mut found = cells.iter();
        each_tile(hull, |position| {
            let reached = found.next().filter(|(low, high)| low[0] <= high[0]);
            self.tiles.extend(reached.map(|bounds| (Tile { item, position }, *bounds)));
        });
        self.cells = cells;
    }

    fn add_box(&mut self, item: u32, ends: &Ends) {
        each_tile(&tiles_of(ends), |position| self.push(Tile { item, position }, part(ends, position)));
    }

    /// Neighbouring sources reach the same tiles: most are among the last ones.
    fn push(&mut self, tile: Tile, bounds: VoxelBox) {
        let recent = self.tiles.len().saturating_sub(16);
        match self.tiles[recent..].iter_mut().find(|(other, _)| *other == tile) {
            Some((_, known)) => grow(known, &bounds),
            None => self.tiles.push((tile, bounds)),
        }
    }

    /// Joins what is there when it has grown much; whether it is at most `most` tiles then.
    fn within(&mut self, most: u64) -> bool {
        if self.tiles.len() <= 2 * self.joined + (1 << 18) {
            return true;
        }
        self.join();
        self.joined = self.tiles.len();
        self.tiles.len() as u64 <= most
    }

    /// Sorts the tiles; equal ones become one with a box for both.
    fn join(&mut self) {
        if self.tiles.is_sorted_by(|(a, _), (b, _)| a < b) {
            return;
        }
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

/// The positions of the tiles of a box of voxels.
fn tiles_of(ends: &Ends) -> Ends {
    ends.map(|(lo, hi)| (lo >> 12, hi >> 12))
}

/// Positions in a box of them.
fn volume(tiles: &Ends) -> u64 {
    tiles.iter().fold(1, |n: u64, (lo, hi)| n.saturating_mul((i64::from(*hi) - i64::from(*lo) + 1) as u64))
}

/// All positions in a box of them, in order.
fn each_tile([x, y, z]: &Ends, mut f: impl FnMut([i32; 3])) {
    for x in x.0..x.1 + 1 {
        for y in y.0..y.1 + 1 {
            for z in z.0..z.1 + 1 {
                f([x, y, z]);
            }
        }
    }
}

/// What of a box of voxels lies in a tile.
fn part(ends: &Ends, position: [i32; 3]) -> VoxelBox {
    let first = position.map(|p| p << 12);
    let low = std::array::from_fn(|k| ends[k].0.max(first[k]));
    (low, std::array::from_fn(|k| ends[k].1.min(first[k] + 4095)))
}

/// Makes a box hold another one.
fn grow((low, high): &mut VoxelBox, (lo, hi): &VoxelBox) {
    for k in 0..3 {
        low[k] = low[k].min(lo[k]);
        high[k] = high[k].max(hi[k]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ops::{AxisRelation, pad};

    /// Small items, one of several tiles far apart, and an item in two places of the numbers.
    fn table(seed: u32) -> TileTable {
        let mut state = seed;
        let mut draw = |reach: i32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as i32 % (2 * reach) - reach
        };
        let mut found = BTreeMap::new();
        for (item, reach, count) in [(0, 2, 9), (1, 1, 3), (3, 300, 6), (4, 1 << 19, 5)] {
            for _ in 0..count {
                let position: [i32; 3] = std::array::from_fn(|_| draw(reach).clamp(-(1 << 19), (1 << 19) - 1));
                let [a, b] = [0, 1].map(|_| -> [i32; 3] { std::array::from_fn(|_| draw(2048) + 2048) });
                let corner =
                    |pick: fn(i32, i32) -> i32| std::array::from_fn(|k| (position[k] << 12) + pick(a[k], b[k]));
                found.insert(Tile { item, position }, (corner(i32::min), corner(i32::max)));
            }
        }
        let (tiles, bounds) = found.into_iter().unzip();
        TileTable { tiles, bounds }
    }

    /// The tiles that boxes reach, one by one by the definition.
    fn by_definition(source: &TileTable, relation: &Relation, items: &ItemMap, into: &mut BTreeMap<Tile, VoxelBox>) {
        for (tile, (low, high)) in source.tiles.iter().zip(&source.bounds) {
            let Some(item) = item_place(items, tile.item) else { continue };
            let ends: [(i64, i64); 3] =
                std::array::from_fn(|k| relation[k].image(i64::from(low[k]), i64::from(high[k])));
            let ends = ends.map(|(lo, hi)| (lo.max(i64::from(i32::MIN)), hi.min(i64::from(i32::MAX))));
            let [x, y, z] = ends.map(|(lo, hi)| lo >> 12..(hi >> 12) + 1);
            if ends.iter().any(|(lo, hi)| lo > hi) {
                continue;
            }
            for x in x {
                for y in y.clone() {
                    for z in z.clone() {
                        let at = [x, y, z];
                        let low = std::array::from_fn(|k| ends[k].0.max(at[k] << 12) as i32);
                        let high = std::array::from_fn(|k| ends[k].1.min((at[k] << 12) + 4095) as i32);
                        let tile = Tile { item, position: at.map(|p| p as i32) };
                        grow(into.entry(tile).or_insert((low, high)), &(low, high));
                    }
                }
            }
        }
    }

    #[test]
    fn reached_tiles_are_those_of_the_boxes() {
        let relations: [Relation; 6] = [
            [AxisRelation::coarsen(2), AxisRelation::coarsen(3), AxisRelation::coarsen(7)],
            [AxisRelation::conv(3, 1), AxisRelation::conv(5, 2), AxisRelation::subsample(60)],
            [AxisRelation::refine(3), AxisRelation::refine(1), AxisRelation::conv_transpose(4, 2)],
            pad([-1; 3], [1; 3]),
            pad([-1, 0, -50_000], [1, 0, 9]),
            pad([101, -101, 4096], [101, -101, 4096]),
        ];
        let maps: [ItemMap; 2] = [None, Some(vec![Some(5), None, None, Some(1), Some(0)])];
        for relation in relations {
            for items in &maps {
                let mut reached = Reached::default();
                let mut expected = BTreeMap::new();
                for seed in [1, 7] {
                    let source = table(seed);
                    assert!(reached.add(&source, &relation, items, 1 << 24));
                    by_definition(&source, &relation, items, &mut expected);
                }
                assert!(!reached.add(&table(1), &relation, items, 3), "more than three tiles");
                let found = reached.table();
                assert!(found.tiles.iter().eq(expected.keys()), "{relation:?} {items:?}");
                assert!(found.bounds.iter().eq(expected.values()), "{relation:?} {items:?}");
            }
        }
    }

    #[test]
    fn items_are_found_from_any_guess() {
        let table = table(3);
        for item in 0..6 {
            let expected: Vec<usize> = (0..table.len()).filter(|&i| table.tiles[i].item == item).collect();
            for guess in 0..table.len() + 2 {
                let found = table.item(item, guess);
                assert!(found.clone().eq(expected.iter().copied()), "{item} {guess}: {found:?}");
            }
        }
    }
}
