//! Batches from marks: what can mark its lower nodes, its leaves and its voxels becomes a batch. Nothing is sorted: between the passes the marks are ranked as in a relation step.

use std::sync::Arc;

use gpu_runtime::{Binding, Recording};

use super::arena::{Pooled, Purpose};
use super::grid::DeviceGrid;
use super::list_params::VoxelParams;
use super::list_program::ListProgram;
use super::params::{ListParams, RankParams};
use super::program::Program;
use super::resident::{Capacity, Counts, Resident, STATUS_WORDS, Status, Structure, take_masks};
use super::session::TopologyDevice;
use super::tiles::TileTable;
use super::voxels::tile_words;
use crate::{Error, Tile, Transform};

/// What is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Lower nodes in the child masks of the tiles.
    Upper,
    /// Leaves in the child masks of the lower nodes, behind those of the tiles.
    Lower,
    /// Voxels in the masks of the leaves.
    Masks,
}

/// Something that marks. Every pass marks exactly what holds a voxel.
pub(crate) trait Marking: Sized {
    /// What stays on the device from pass to pass.
    type Ready;

    fn device(&self) -> &TopologyDevice;

    /// The sorted tiles; `None` when they are more than a page has.
    fn tiles(&self) -> Result<Option<Vec<Tile>>, Error>;

    /// Makes ready for marking in these tiles.
    fn ready(&self, tiles: &[Tile]) -> Result<Self::Ready, Error>;

    /// Records a pass; `bindings` are `tiles`, `marks`, and the inner levels that the level needs.
    fn mark(
        &self,
        recording: &mut Recording,
        ready: &Self::Ready,
        level: Level,
        params: VoxelParams,
        bindings: &[(&str, Binding<'_>)],
    ) -> Result<(), Error>;

    /// Two parts of it, and what they are parts of by number; no parts when there is one thing.
    fn halves(&self) -> (u64, Option<[Self; 2]>);
}

/// The batch of what is marked; where it is larger than a page, the union of those of both halves.
pub(crate) fn build<M: Marking>(marking: &M, transforms: &[Transform]) -> Result<DeviceGrid, Error> {
    if let Some(tiles) = marking.tiles()?
        && let Some(batch) = build_page(marking, &tiles, transforms)?
    {
        return Ok(batch);
    }
    match marking.halves() {
        (_, Some([low, high])) => DeviceGrid::union(&[&build(&low, transforms)?, &build(&high, transforms)?]),
        (count, None) => {
            let allowed = u64::from(marking.device().page_limit().tiles) * 12_288;
            Err(Error::Memory { what: "the nodes of a few coordinates", needed: count * 12_288, allowed })
        }
    }
}

/// `None` when it is larger than a page.
fn build_page<M: Marking>(marking: &M, tiles: &[Tile], transforms: &[Transform]) -> Result<Option<DeviceGrid>, Error> {
    let device = marking.device();
    let limit = device.page_limit();
    let build = Build { device, marking, ready: marking.ready(tiles)?, words: tile_words(tiles) };
    let params = VoxelParams { tiles: tiles.len() as u32, ..VoxelParams::default() };
    // [1] lower nodes: marks in the tiles' child masks, and the number of each tile's
    let upper_words = 1024 * tiles.len();
    let marks = device.arena().take(Purpose::Scratch, (upper_words + tiles.len()) as u64)?;
    let rank = RankParams {
        tiles: params.tiles,
        lower_at: upper_words as u32,
        sums_at: upper_words as u32,
        summed: 1,
        ..RankParams::default()
    };
    let mut recording = device.context().record("lower nodes of coordinates");
    recording.clear_range(&marks, 0..upper_words)?;
    build.mark(&mut recording, Level::Upper, params, &[("marks", marks.words()?)])?;
    let kernel = device.kernel(Program::SumUpper)?;
    recording.dispatch(&kernel, &[("marks", marks.words()?)], &rank, [rank.tiles, 1, 1])?;
    let sums = recording.download_range(&marks, upper_words..upper_words + tiles.len());
    let lower: u64 = recording.submit()?.take(sums)?.into_iter().map(u64::from).sum();
    if lower > u64::from(limit.lower) {
        return Ok(None);
    }
    // [2] leaves
    let nodes = build.nodes(&marks, VoxelParams { lower_capacity: lower as u32, ..params })?;
    if nodes.leaves > u64::from(limit.leaves) {
        return Ok(None);
    }
    // [3] voxels
    build.finish(nodes, transforms, tiles).map(Some)
}

/// A batch in the making.
struct Build<'a, M: Marking> {
    device: &'a TopologyDevice,
    marking: &'a M,
    ready: M::Ready,
    /// The tiles as kernels read them.
    words: Vec<i32>,
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

impl<M: Marking> Build<'_, M> {
    fn mark(
        &self,
        recording: &mut Recording,
        level: Level,
        params: VoxelParams,
        more: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let table = recording.data(&self.words);
        let mut bindings = vec![("tiles", table.bind())];
        bindings.extend_from_slice(more);
        self.marking.mark(recording, &self.ready, level, params, &bindings)
    }

    /// The upper masks with their ranks, and marks of the leaves.
    fn nodes(&self, upper_marks: &Pooled, params: VoxelParams) -> Result<Nodes, Error> {
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
            summed: 3,
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
        let more = [("marks", marks.words()?), ("upper", upper.words()?)];
        self.mark(&mut recording, Level::Lower, params, &more)?;
        let bindings = [("status", status.bind()?), ("marks", marks.words()?)];
        recording.dispatch(&self.device.kernel(Program::SumLower)?, &bindings, &rank, [groups, 1, 1])?;
        let sums = recording.download_range(&marks, sums_at as usize..(sums_at + u64::from(groups)) as usize);
        let leaves: u64 = recording.submit()?.take(sums)?.into_iter().map(u64::from).sum();
        rank.leaf_capacity = leaves.min(u64::from(u32::MAX)) as u32;
        Ok(Nodes { marks, upper, lower_keys, status, rank, leaves })
    }

    /// Ranks the leaves, sets and counts the voxels.
    fn finish(&self, nodes: Nodes, transforms: &[Transform], tiles: &[Tile]) -> Result<DeviceGrid, Error> {
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
        let more = [("marks", masks.words()?), ("tree_upper", upper.words()?), ("tree_lower", lower.words()?)];
        self.mark(&mut recording, Level::Masks, params, &more)?;
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
            tiles: Arc::new(TileTable { tiles: tiles.to_vec(), bounds }),
            structure: Arc::new(Structure { upper, lower_keys, lower, leaf_keys, rows, status, capacity }),
            masks,
            filtered: false,
            expected: [f64::from(leaves), f64::from(lower_capacity)],
        };
        Ok(DeviceGrid::of(self.device, resident, Counts { lower: lower_capacity, leaves, voxels }))
    }
}

/// The box of a tile's voxels from its six words: 4095 minus the smallest, and the largest coordinate inside.
fn tile_box(tile: &Tile, ends: &[u32]) -> ([i32; 3], [i32; 3]) {
    let at = |k: usize, inside: u32| (tile.position[k] << 12) + inside as i32;
    (std::array::from_fn(|k| at(k, 4095 - ends[k])), std::array::from_fn(|k| at(k, ends[3 + k])))
}
