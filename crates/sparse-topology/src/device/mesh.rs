//! Batches from triangle meshes.
//!
//! The host takes vertices to integers and lists tasks: a triangle and a block of 4^3 leaves of which it touches a voxel. The device decides leaves and voxels.

use std::ops::Range;
use std::sync::Arc;

use gpu_runtime::{Binding, Recording};
use rayon::prelude::*;

use super::arena::{Pooled, Purpose};
use super::build::{Level, Marking, build};
use super::grid::DeviceGrid;
use super::list_params::VoxelParams;
use super::list_program::ListProgram;
use super::session::TopologyDevice;
use super::voxels::length;
use crate::build::{FixedMesh, FixedTriangle, UNITS};
use crate::memory::Budget;
use crate::{Error, GridBatch, MeshView, Tile, Transform};

/// Triangles that a thread takes at a time.
const CHUNK: usize = 1 << 12;
/// Tasks that are announced at a time.
const ANNOUNCED: usize = 1 << 12;
/// Blocks that tasks are of have 2^5 voxels along an axis.
const BLOCK_SHIFT: u32 = 5;
/// Tasks of a dispatch: a workgroup takes few, so that no loop on a processor is long.
const DISPATCH: usize = 1 << 19;
/// Words of a triangle and of a task.
const TRIANGLE_WORDS: usize = 14;
const TASK_WORDS: usize = 3;

impl DeviceGrid {
    /// As [`GridBatch::from_mesh_cpu`]: conservative voxelisation, one item a mesh.
    ///
    /// # Errors
    /// As [`GridBatch::from_mesh_cpu`]; [`Error::Memory`], [`Error::Device`].
    ///
    /// Cost: 56 bytes a triangle and 12 a task go to the device, a task being a triangle and a block of 32^3 voxels that it touches; one window a separating axis and task, then integers of 64 and 128 bits for each leaf of the block
    /// that is met; three waits (lower nodes, leaves, voxels). No list of voxels is made.
    pub fn from_mesh<R: Copy + Into<f64> + Sync>(
        device: &TopologyDevice,
        meshes: &[MeshView<'_, R>],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        if meshes.len() != transforms.len() {
            return Err(length("transforms", meshes.len(), transforms.len()));
        }
        let tasks = Tasks::of(meshes, transforms)?;
        if tasks.tasks.is_empty() {
            return Self::upload(device, &GridBatch::empty(transforms));
        }
        let range = 0..tasks.tasks.len();
        build(&MeshTasks { device, all: Arc::new(tasks), range }, transforms)
    }
}

/// The tasks of all items.
#[derive(Default)]
struct Tasks {
    triangles: Vec<[u32; TRIANGLE_WORDS]>,
    /// Triangle, rank of the tile, position of the block in the tile; by triangle.
    tasks: Vec<[u32; TASK_WORDS]>,
    /// Sorted.
    tiles: Vec<Tile>,
}

impl Tasks {
    fn of<R: Copy + Into<f64> + Sync>(meshes: &[MeshView<'_, R>], transforms: &[Transform]) -> Result<Self, Error> {
        let budget = Budget::new("the blocks of the triangles");
        let mut chunks: Vec<Self> = Vec::new();
        for (item, (mesh, transform)) in meshes.iter().zip(transforms).enumerate() {
            let mesh = FixedMesh::new(item, mesh, transform)?;
            let chunk = |indices: &[[u32; 3]]| {
                budget.add((indices.len() * TRIANGLE_WORDS * 4) as u64)?;
                let mut chunk = Self::default();
                for indices in indices {
                    chunk.add(item as u32, &mesh.triangle(indices), &budget)?;
                }
                Ok(chunk)
            };
            let made: Result<Vec<Self>, Error> = mesh.indices.par_chunks(CHUNK).map(chunk).collect();
            chunks.extend(made?);
        }
        let mut tiles: Vec<Tile> = chunks.iter().flat_map(|chunk| chunk.tiles.iter().copied()).collect();
        tiles.sort_unstable();
        tiles.dedup();
        let mut all = Self { tiles, ..Self::default() };
        for chunk in chunks {
            let first = all.triangles.len() as u64;
            let (needed, allowed) = (first + chunk.triangles.len() as u64, u64::from(u32::MAX));
            if needed > allowed {
                return Err(Error::TooMany { what: "triangles", needed, allowed });
            }
            let rank = |tile: &Tile| all.tiles.partition_point(|other| other < tile) as u32;
            let ranks: Vec<u32> = chunk.tiles.iter().map(rank).collect();
            let place = |[triangle, tile, at]: [u32; 3]| [first as u32 + triangle, ranks[tile as usize], at];
            all.tasks.extend(chunk.tasks.into_iter().map(place));
            all.triangles.extend(chunk.triangles);
        }
        Ok(all)
    }

    /// Adds the tasks of a triangle; tiles are in the order of their first task.
    fn add(&mut self, item: u32, triangle: &FixedTriangle, budget: &Budget) -> Result<(), Error> {
        // A block holds the shadow of at most 32^2 voxels.
        let least = (triangle.shadow() >> (2 * BLOCK_SHIFT)).saturating_mul((TASK_WORDS * 4) as u64);
        Budget::new("the blocks of a triangle").add(least)?;
        let index = self.triangles.len() as u32;
        self.triangles.push(words_of(triangle));
        triangle.blocks(BLOCK_SHIFT, &mut |block| {
            if self.tasks.len().is_multiple_of(ANNOUNCED) {
                budget.add((ANNOUNCED.min(1 + self.tasks.len()) * TASK_WORDS * 4) as u64)?;
            }
            let tile = Tile { item, position: block.map(|n| (n >> 7) as i32) };
            let known = self.tiles.iter().rposition(|other| *other == tile);
            let rank = known.unwrap_or_else(|| {
                self.tiles.push(tile);
                self.tiles.len() - 1
            });
            let [x, y, z] = block.map(|n| (n & 127) as u32);
            self.tasks.push([index, rank as u32, (x << 14) | (y << 7) | z]);
            Ok(())
        })
    }
}

/// A triangle as kernels read it: the voxel that corners are counted from, low words of nine coordinates, their 7 higher bits each.
fn words_of(triangle: &FixedTriangle) -> [u32; TRIANGLE_WORDS] {
    let base = triangle.base();
    let mut words = [0; TRIANGLE_WORDS];
    let mut high = 0_u64;
    for k in 0..3 {
        words[k] = base[k] as u32;
    }
    for i in 0..9 {
        // Below 2^39: the extent is at most 2^38.
        let at = (triangle.corners[i / 3][i % 3] - base[i % 3] * UNITS) as u64;
        words[3 + i] = at as u32;
        high |= (at >> 32) << (7 * i);
    }
    words[12] = high as u32;
    words[13] = (high >> 32) as u32;
    words
}

/// Some tasks on their way to a batch.
struct MeshTasks<'a> {
    device: &'a TopologyDevice,
    all: Arc<Tasks>,
    range: Range<usize>,
}

/// Triangles and tasks that each fit a binding.
struct Part {
    triangles: Pooled,
    tasks: Pooled,
    count: usize,
}

impl MeshTasks<'_> {
    fn tasks(&self) -> &[[u32; TASK_WORDS]] {
        &self.all.tasks[self.range.clone()]
    }

    fn part(&self, tasks: &[[u32; TASK_WORDS]], ranks: &[u32]) -> Result<Part, Error> {
        let (first, last) = (tasks[0][0] as usize, tasks[tasks.len() - 1][0] as usize);
        let triangles = &self.all.triangles[first..=last];
        let tasks: Vec<[u32; TASK_WORDS]> =
            tasks.iter().map(|&[triangle, tile, at]| [triangle - first as u32, ranks[tile as usize], at]).collect();
        let take = |words: usize| self.device.arena().take(Purpose::Scratch, words as u64);
        let part = Part {
            triangles: take(triangles.len() * TRIANGLE_WORDS)?,
            tasks: take(tasks.len() * TASK_WORDS)?,
            count: tasks.len(),
        };
        part.triangles.write(0, triangles.as_flattened())?;
        part.tasks.write(0, tasks.as_flattened())?;
        Ok(part)
    }
}

impl Marking for MeshTasks<'_> {
    type Ready = Vec<Part>;

    fn device(&self) -> &TopologyDevice {
        self.device
    }

    fn tiles(&self) -> Result<Option<Vec<Tile>>, Error> {
        let mut used = vec![false; self.all.tiles.len()];
        for task in self.tasks() {
            used[task[1] as usize] = true;
        }
        let tiles: Vec<Tile> =
            self.all.tiles.iter().zip(&used).filter_map(|(tile, used)| used.then_some(*tile)).collect();
        Ok((tiles.len() <= self.device.page_limit().tiles as usize).then_some(tiles))
    }

    fn ready(&self, tiles: &[Tile]) -> Result<Vec<Part>, Error> {
        let ranks: Vec<u32> =
            self.all.tiles.iter().map(|tile| tiles.partition_point(|other| other < tile) as u32).collect();
        let words = self.device.context().adapter().limits.max_binding_bytes as usize / 4;
        let most_triangles = (words / TRIANGLE_WORDS).max(1) as u32;
        let most_tasks = (words / TASK_WORDS).max(1);
        let mut rest = self.tasks();
        let mut parts = Vec::new();
        while let Some(&[first, ..]) = rest.first() {
            let near = rest.partition_point(|[triangle, ..]| triangle - first < most_triangles);
            let (part, behind) = rest.split_at(near.min(most_tasks));
            parts.push(self.part(part, &ranks)?);
            rest = behind;
        }
        Ok(parts)
    }

    fn mark(
        &self,
        recording: &mut Recording,
        ready: &Vec<Part>,
        level: Level,
        params: VoxelParams,
        bindings: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let (program, each) = match level {
            Level::Upper => (ListProgram::MeshUpper, 64),
            Level::Lower => (ListProgram::MeshLower, 1),
            Level::Masks => (ListProgram::MeshMasks, 1),
        };
        let kernel = self.device.list_kernel(program)?;
        for part in ready {
            for first in (0..part.count).step_by(DISPATCH) {
                let count = DISPATCH.min(part.count - first);
                let groups = self.device.list_groups(count as u32, each);
                let params = VoxelParams { count: count as u32, groups, ..params };
                let tasks = part.tasks.bind_range(TASK_WORDS * first..TASK_WORDS * (first + count))?;
                let mut all = vec![("tasks", tasks), ("triangles", part.triangles.words()?)];
                all.extend_from_slice(bindings);
                recording.dispatch(&kernel, &all, &params, [groups, 1, 1])?;
            }
        }
        Ok(())
    }

    fn halves(&self) -> (u64, Option<[Self; 2]>) {
        let Range { start, end } = self.range;
        let middle = start + (end - start) / 2;
        let half = |range| Self { device: self.device, all: self.all.clone(), range };
        ((end - start) as u64, (end - start > 1).then(|| [half(start..middle), half(middle..end)]))
    }
}
