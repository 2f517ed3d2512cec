//! Batches from lists of coordinates that are on the device.
//!
//! Nothing is sorted: coordinates mark lower nodes, then leaves, then voxels; between the passes the marks are ranked as in a relation step.

use std::ops::Range;
use std::sync::Arc;

use gpu_runtime::{Binding, DeviceVec, Recording};

use super::arena::{Pooled, Purpose};
use super::grid::DeviceGrid;
use super::list_params::VoxelParams;
use super::list_program::ListProgram;
use super::params::{ListParams, RankParams};
use super::program::Program;
use super::resident::{Capacity, Counts, Resident, STATUS_WORDS, Status, Structure, take_masks};
use super::session::TopologyDevice;
use super::tiles::TileTable;
use crate::{Error, GridBatch, Tile, Transform};

/// voxel_tiles.wgsl
const SLOTS: u64 = 131_072;
/// Tiles that come back with their number; more take a second read-back.
const FIRST_TILES: usize = 1024;
/// Invocations of a workgroup.
const GROUP: u32 = 64;

impl DeviceGrid {
    /// As [`GridBatch::from_coordinates_cpu`]: uploads the lists and calls [`from_coordinates_on`](Self::from_coordinates_on).
    ///
    /// # Errors
    /// As [`from_coordinates_on`](Self::from_coordinates_on).
    pub fn from_coordinates(
        device: &TopologyDevice,
        items: &[&[[i32; 3]]],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let counts: Vec<u64> = items.iter().map(|list| list.len() as u64).collect();
        let words: Vec<i32> = items.iter().flat_map(|list| list.as_flattened()).copied().collect();
        Self::from_coordinates_on(device, &device.context().upload("coordinates", &words)?, &counts, transforms)
    }

    /// The set of the coordinates of every item: three words a coordinate (x, y, z), item by item, `counts` coordinates each. Any order, repetitions allowed.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of transforms and a list shorter than the counts; [`Error::TooMany`] above 2^32 - 2 coordinates;
    /// [`Error::Memory`]; [`Error::Device`].
    ///
    /// Cost: four passes over the list and four waits (tiles, lower nodes, leaves, voxels); scratch of half a mebibyte and half a byte a leaf.
    pub fn from_coordinates_on(
        device: &TopologyDevice,
        coordinates: &DeviceVec<i32>,
        counts: &[u64],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        if counts.len() != transforms.len() {
            return Err(length("transforms", counts.len(), transforms.len()));
        }
        let list = List::new(device, coordinates, counts)?;
        if list.range.is_empty() {
            return Self::upload(device, &GridBatch::empty(transforms));
        }
        list.build_pages(transforms)
    }
}

pub(crate) fn length(what: &'static str, needed: usize, found: usize) -> Error {
    Error::Length { what, needed: needed as u64, found: found as u64 }
}

/// End of every item in a list of `counts`; checked against the words at hand.
pub(crate) fn item_ends(counts: &[u64], words: usize) -> Result<Vec<u32>, Error> {
    let mut end = 0_u64;
    let mut ends = Vec::with_capacity(counts.len());
    for &count in counts {
        end = end.saturating_add(count);
        ends.push(end.min(u64::from(u32::MAX)) as u32);
    }
    let allowed = u64::from(u32::MAX) - 1;
    if end > allowed {
        return Err(Error::TooMany { what: "coordinates", needed: end, allowed });
    }
    if words as u64 / 3 < end {
        return Err(Error::Length { what: "coordinates of all items", needed: end, found: words as u64 / 3 });
    }
    Ok(ends)
}

/// Parts of a list that a binding holds: position of the first, number. Bindings begin at multiples of 256 bytes: 64 triples are three of those.
pub(crate) fn pages(device: &TopologyDevice, range: Range<u32>) -> Vec<(u32, u32)> {
    let most = device.context().adapter().limits.max_binding_bytes / 12 / 64 * 64;
    let most = most.clamp(64, u64::from(u32::MAX / 64 * 64)) as u32;
    range.clone().step_by(most as usize).map(|first| (first, most.min(range.end - first))).collect()
}

/// Item, x, y, z of every tile.
pub(crate) fn tile_words(tiles: &[Tile]) -> Vec<i32> {
    tiles.iter().flat_map(|t| [t.item as i32, t.position[0], t.position[1], t.position[2]]).collect()
}

/// A list of coordinates on its way to a batch.
struct List<'a> {
    device: &'a TopologyDevice,
    voxels: &'a DeviceVec<i32>,
    ends: Vec<u32>,
    /// The coordinates that count; begins at a multiple of 64.
    range: Range<u32>,
}

impl<'a> List<'a> {
    fn new(device: &'a TopologyDevice, voxels: &'a DeviceVec<i32>, counts: &[u64]) -> Result<Self, Error> {
        let ends = item_ends(counts, voxels.len())?;
        let range = 0..ends.last().copied().unwrap_or(0);
        Ok(Self { device, voxels, ends, range })
    }

    /// Records a pass over the parts `pages`.
    fn pass(
        &self,
        recording: &mut Recording,
        program: ListProgram,
        params: VoxelParams,
        pages: &[(u32, u32)],
        more: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let kernel = self.device.list_kernel(program)?;
        let ends = recording.data(&self.ends);
        for &(first, count) in pages {
            let range = 3 * first as usize..3 * (first + count) as usize;
            let groups = self.device.list_groups(count, GROUP);
            let params = VoxelParams { count, before: first, items: self.ends.len() as u32, groups, ..params };
            let mut bindings = vec![("voxels", self.voxels.bind_range(range)?), ("item_ends", ends.bind())];
            bindings.extend_from_slice(more);
            recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        }
        Ok(())
    }

    /// The batch; where it is larger than a page, the union of those of both halves of the list.
    fn build_pages(&self, transforms: &[Transform]) -> Result<DeviceGrid, Error> {
        if let Some(batch) = self.build(transforms)? {
            return Ok(batch);
        }
        let Range { start, end } = self.range;
        let middle = start + ((end - start) / 2).next_multiple_of(64);
        if middle >= end {
            let needed = u64::from(end - start) * 12_288;
            let allowed = u64::from(self.device.page_limit().tiles) * 12_288;
            return Err(Error::Memory { what: "the nodes of a few coordinates", needed, allowed });
        }
        let half = |range| Self { ends: self.ends.clone(), range, ..*self }.build_pages(transforms);
        DeviceGrid::union(&[&half(start..middle)?, &half(middle..end)?])
    }

    /// The sorted tiles of all coordinates; `None` when they are more than a page has.
    fn tiles(&self) -> Result<Option<Vec<Tile>>, Error> {
        let arena = self.device.arena();
        let most = self.device.page_limit().tiles as usize;
        let slots = arena.take(Purpose::Scratch, SLOTS)?;
        let found = arena.take(Purpose::Scratch, 4 + 4 * most.max(FIRST_TILES) as u64)?;
        let mut tiles = Vec::new();
        for page in pages(self.device, self.range.clone()) {
            let mut recording = self.device.context().record("tiles of coordinates");
            recording.clear_range(&slots, 0..SLOTS as usize)?;
            recording.clear_range(&found, 0..4)?;
            let more = [("slots", slots.words()?), ("found", found.words()?)];
            self.pass(&mut recording, ListProgram::VoxelTiles, VoxelParams::default(), &[page], &more)?;
            let first = recording.download_range(&found, 0..4 + 4 * FIRST_TILES);
            let mut words = recording.submit()?.take(first)?;
            let (count, full) = (words[0] as usize, words[1] != 0);
            if full || count > most {
                return Ok(None);
            }
            if count > FIRST_TILES {
                let mut recording = self.device.context().record("tiles of coordinates");
                let rest = recording.download_range(&found, 4 + 4 * FIRST_TILES..4 + 4 * count);
                words.extend(recording.submit()?.take(rest)?);
            }
            let tile = |w: &[u32]| Tile { item: w[0], position: [w[1] as i32, w[2] as i32, w[3] as i32] };
            tiles.extend(words[4..4 + 4 * count].chunks_exact(4).map(tile));
        }
        tiles.sort_unstable();
        tiles.dedup();
        Ok((tiles.len() <= most).then_some(tiles))
    }

    /// `None` when it is larger than a page.
    fn build(&self, transforms: &[Transform]) -> Result<Option<DeviceGrid>, Error> {
        let limit = self.device.page_limit();
        let Some(tiles) = self.tiles()? else { return Ok(None) };
        let words = tile_words(&tiles);
        let params = VoxelParams { tiles: tiles.len() as u32, ..VoxelParams::default() };
        let upper_words = 1024 * tiles.len();
        // [1] lower nodes: marks in the tiles' child masks, and the number of each tile's
        let marks = self.device.arena().take(Purpose::Scratch, (upper_words + tiles.len()) as u64)?;
        let rank = RankParams {
            tiles: params.tiles,
            lower_at: upper_words as u32,
            sums_at: upper_words as u32,
            summed: 1,
            ..RankParams::default()
        };
        let mut recording = self.device.context().record("lower nodes of coordinates");
        recording.clear_range(&marks, 0..upper_words)?;
        let table = recording.data(&words);
        let more = [("tiles", table.bind()), ("marks", marks.words()?)];
        let pages = pages(self.device, self.range.clone());
        self.pass(&mut recording, ListProgram::VoxelUpper, params, &pages, &more)?;
        let kernel = self.device.kernel(Program::SumUpper)?;
        recording.dispatch(&kernel, &[("marks", marks.words()?)], &rank, [rank.tiles, 1, 1])?;
        let sums = recording.download_range(&marks, upper_words..upper_words + tiles.len());
        let lower: u64 = recording.submit()?.take(sums)?.into_iter().map(u64::from).sum();
        if lower > u64::from(limit.lower) {
            return Ok(None);
        }
        // [2] leaves
        let params = VoxelParams { lower_capacity: lower as u32, ..params };
        let nodes = self.nodes(&marks, &words, params, &pages)?;
        if nodes.leaves > u64::from(limit.leaves) {
            return Ok(None);
        }
        // [3] voxels
        self.finish(nodes, transforms, tiles, &words, &pages).map(Some)
    }

    /// The upper masks with their ranks, and marks of the leaves.
    fn nodes(
        &self,
        upper_marks: &Pooled,
        words: &[i32],
        params: VoxelParams,
        pages: &[(u32, u32)],
    ) -> Result<Nodes, Error> {
        let arena = self.device.arena();
        let upper_words = 1024 * params.tiles as usize;
        let lower = u64::from(params.lower_capacity);
        let sums_at = upper_words as u64 + 128 * lower;
        let groups = self.device.groups(params.lower_capacity, 2);
        let sums = u64::from(groups).max(u64::from(params.tiles));
        let marks = arena.take(Purpose::Scratch, sums_at + sums)?;
        let upper = arena.take(Purpose::Grid, 2 * upper_words as u64)?;
        let lower_keys = arena.take(Purpose::Grid, 2 * lower)?;
        let status = Status { buffer: Arc::new(arena.take(Purpose::Grid, STATUS_WORDS as u64)?), slot: 0 };
        let mut rank = RankParams {
            tiles: params.tiles,
            lower_capacity: params.lower_capacity,
            lower_at: upper_words as u32,
            sums_at: sums_at as u32,
            groups,
            summed: 1,
            ..RankParams::default()
        };
        let mut recording = self.device.context().record("leaves of coordinates");
        recording.copy(upper_marks, 0..upper_words, &marks, 0)?;
        recording.clear_range(&marks, upper_words..sums_at as usize)?;
        let kernel = self.device.kernel(Program::SumUpper)?;
        recording.dispatch(&kernel, &[("marks", marks.words()?)], &rank, [rank.tiles, 1, 1])?;
        let bindings = [
            ("marks", marks.words()?),
            ("upper", upper.words()?),
            ("lower_keys", lower_keys.words()?),
            ("status", status.bind()?),
        ];
        recording.dispatch(&self.device.kernel(Program::RankUpper)?, &bindings, &rank, [rank.tiles, 1, 1])?;
        let table = recording.data(words);
        let more = [("tiles", table.bind()), ("marks", marks.words()?), ("upper", upper.words()?)];
        self.pass(&mut recording, ListProgram::VoxelLower, params, pages, &more)?;
        let bindings = [("status", status.bind()?), ("marks", marks.words()?)];
        recording.dispatch(&self.device.kernel(Program::SumLower)?, &bindings, &rank, [groups, 1, 1])?;
        let sums = recording.download_range(&marks, sums_at as usize..(sums_at + u64::from(groups)) as usize);
        let leaves: u64 = recording.submit()?.take(sums)?.into_iter().map(u64::from).sum();
        rank.leaf_capacity = leaves.min(u64::from(u32::MAX)) as u32;
        Ok(Nodes { marks, upper, lower_keys, status, rank, leaves })
    }

    /// Ranks the leaves, sets and counts the voxels.
    fn finish(
        &self,
        nodes: Nodes,
        transforms: &[Transform],
        tiles: Vec<Tile>,
        words: &[i32],
        pages: &[(u32, u32)],
    ) -> Result<DeviceGrid, Error> {
        let arena = self.device.arena();
        let Nodes { marks, upper, lower_keys, status, rank, .. } = nodes;
        let (lower_capacity, leaves) = (rank.lower_capacity, rank.leaf_capacity);
        let groups = self.device.groups(leaves, 64);
        let take = |words: u64| arena.take(Purpose::Grid, words);
        let lower = take(256 * u64::from(lower_capacity))?;
        let leaf_keys = take(2 * u64::from(leaves))?;
        let rows = take(2 * (u64::from(leaves) + 1) + u64::from(groups))?;
        let masks = take_masks(arena, Purpose::Grid, leaves)?;
        let boxes = arena.take(Purpose::Scratch, 6 * tiles.len() as u64)?;
        let mut recording = self.device.context().record("voxels of coordinates");
        let bindings = [
            ("marks", marks.words()?),
            ("lower_keys", lower_keys.words()?),
            ("lower", lower.words()?),
            ("leaf_keys", leaf_keys.words()?),
            ("status", status.bind()?),
        ];
        recording.dispatch(&self.device.kernel(Program::RankLower)?, &bindings, &rank, [rank.groups, 1, 1])?;
        recording.clear_range(&masks, 0..16 * (leaves as usize + 1))?;
        recording.clear_range(&boxes, 0..6 * tiles.len())?;
        let params =
            VoxelParams { tiles: tiles.len() as u32, lower_capacity, leaf_capacity: leaves, ..VoxelParams::default() };
        let table = recording.data(words);
        let more = [
            ("tiles", table.bind()),
            ("marks", masks.words()?),
            ("tree_upper", upper.words()?),
            ("tree_lower", lower.words()?),
        ];
        self.pass(&mut recording, ListProgram::VoxelMasks, params, pages, &more)?;
        let params = ListParams { list_capacity: leaves, groups, ..ListParams::default() };
        let bindings = [
            ("list_keys", leaf_keys.words()?),
            ("list_masks", masks.words()?),
            ("list_rows", rows.words()?),
            ("boxes", boxes.words()?),
        ];
        let kernel = self.device.list_kernel(ListProgram::CountLeaves)?;
        recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        let bindings = [("list_rows", rows.words()?), ("status", status.bind()?)];
        recording.dispatch(&self.device.kernel(Program::LeafRows)?, &bindings, &params, [groups, 1, 1])?;
        let numbers = recording.download_range(&status.buffer, 0..4);
        let ends = recording.download_range(&boxes, 0..6 * tiles.len());
        let mut done = recording.submit()?;
        let (numbers, ends) = (done.take(numbers)?, done.take(ends)?);
        let voxels = u64::from(numbers[2]) | (u64::from(numbers[3]) << 32);
        let bounds = tiles.iter().zip(ends.chunks_exact(6)).map(|(tile, ends)| tile_box(tile, ends)).collect();
        let capacity = Capacity { lower: lower_capacity, leaves };
        let resident = Resident {
            transforms: Arc::new(transforms.to_vec()),
            tiles: Arc::new(TileTable { tiles, bounds }),
            structure: Arc::new(Structure { upper, lower_keys, lower, leaf_keys, rows, status, capacity }),
            masks,
            filtered: false,
            expected: [f64::from(leaves), f64::from(lower_capacity)],
        };
        Ok(DeviceGrid::of(self.device, resident, Counts { lower: lower_capacity, leaves, voxels }))
    }
}

/// Both levels above the leaves, the lower one still as marks.
struct Nodes {
    marks: Pooled,
    upper: Pooled,
    lower_keys: Pooled,
    status: Status,
    rank: RankParams,
    leaves: u64,
}

/// The box of a tile's voxels from its six words: 4095 minus the smallest, and the largest coordinate inside.
fn tile_box(tile: &Tile, ends: &[u32]) -> ([i32; 3], [i32; 3]) {
    let at = |k: usize, inside: u32| (tile.position[k] << 12) + inside as i32;
    (std::array::from_fn(|k| at(k, 4095 - ends[k])), std::array::from_fn(|k| at(k, ends[3 + k])))
}
