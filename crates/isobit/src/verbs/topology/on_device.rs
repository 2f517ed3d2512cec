//! The operations on an adapter: the same words as the CPU references give.

use gpu_runtime::Context;
use sparse_topology::device::{DeviceGrid, TopologyDevice, TopologyOptions};
use sparse_topology::{Error, GridBatch, MeshView, Pair, Transform};

use super::args::Operation;
use super::derive::neighbours;

fn open(context: &Context) -> TopologyDevice {
    TopologyDevice::new(context, &TopologyOptions::default())
}

/// A batch from batches of which the first is the operation's own; `mask` is that of `prune`.
pub(super) fn derive(
    context: &Context,
    operation: &Operation,
    batches: &[&GridBatch],
    mask: &[bool],
) -> Result<GridBatch, Error> {
    let device = open(context);
    let grids = batches.iter().map(|batch| DeviceGrid::upload(&device, batch)).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<&DeviceGrid> = grids.iter().collect();
    let Some(grid) = all.first() else { return Ok(GridBatch::empty(&[])) };
    let result = match operation {
        Operation::Coarsen(a) => grid.coarsen(a.factor.0)?,
        Operation::Subsample(a) => grid.subsample(a.factor.0)?,
        Operation::Refine(a) => grid.refine(a.factor.0)?,
        Operation::Conv(a) => grid.conv(a.kernel.0, a.stride.0)?,
        Operation::ConvTranspose(a) => grid.conv_transpose(a.kernel.0, a.stride.0)?,
        Operation::Dilate(a) => grid.dilate(neighbours(&a.neighbours), a.steps)?,
        Operation::Erode(a) => grid.erode(neighbours(&a.neighbours), a.steps)?,
        Operation::Pad(a) => grid.pad(a.min.0, a.max.0)?,
        Operation::Clip(a) => grid.clip(a.min.0, a.max.0)?,
        Operation::Dual(a) if a.exclude_border => grid.dual_without_border()?,
        Operation::Dual(_) => grid.dual()?,
        Operation::Prune(_) => grid.prune(mask)?,
        Operation::Select(a) => grid.select(&a.items)?,
        Operation::Merge(_) => DeviceGrid::union(&all)?,
        Operation::Intersect(_) => DeviceGrid::intersection(&all)?,
        Operation::Difference(_) => DeviceGrid::difference(&all)?,
        _ => return Ok(batches[0].clone()),
    };
    result.download()
}

/// The neighbour pairs of the operations that have some.
pub(super) fn pairs(
    context: &Context,
    operation: &Operation,
    from: &GridBatch,
    to: &GridBatch,
) -> Result<Vec<Pair>, Error> {
    let device = open(context);
    let (from, to) = (DeviceGrid::upload(&device, from)?, DeviceGrid::upload(&device, to)?);
    match operation {
        Operation::Coarsen(a) => from.pool_pairs(&to, a.factor.0)?.download(),
        Operation::Conv(a) => from.conv_pairs(&to, a.kernel.0, a.stride.0)?.download(),
        Operation::ConvTranspose(a) => from.conv_transpose_pairs(&to, a.kernel.0, a.stride.0)?.download(),
        _ => Ok(Vec::new()),
    }
}

/// A batch from coordinates.
pub(super) fn coordinates(
    context: &Context,
    lists: &[&[[i32; 3]]],
    transforms: &[Transform],
) -> Result<GridBatch, Error> {
    DeviceGrid::from_coordinates(&open(context), lists, transforms)?.download()
}

/// A batch from points of f64.
pub(super) fn points_double(
    context: &Context,
    lists: &[&[[f64; 3]]],
    transforms: &[Transform],
    nearest: bool,
) -> Result<GridBatch, Error> {
    let device = open(context);
    let grid = match nearest {
        true => DeviceGrid::from_nearest_voxels_double(&device, lists, transforms)?,
        false => DeviceGrid::from_points_double(&device, lists, transforms)?,
    };
    grid.download()
}

/// A batch from points of f32.
pub(super) fn points(
    context: &Context,
    lists: &[&[[f32; 3]]],
    transforms: &[Transform],
    nearest: bool,
) -> Result<GridBatch, Error> {
    let device = open(context);
    let grid = match nearest {
        true => DeviceGrid::from_nearest_voxels(&device, lists, transforms)?,
        false => DeviceGrid::from_points(&device, lists, transforms)?,
    };
    grid.download()
}

/// A batch from meshes.
pub(super) fn mesh(
    context: &Context,
    meshes: &[MeshView<'_, f64>],
    transforms: &[Transform],
) -> Result<GridBatch, Error> {
    DeviceGrid::from_mesh(&open(context), meshes, transforms)?.download()
}

/// A batch from a dense box.
pub(super) fn dense(
    context: &Context,
    min: [i32; 3],
    size: [u32; 3],
    mask: Option<&[bool]>,
    transforms: &[Transform],
) -> Result<GridBatch, Error> {
    DeviceGrid::from_dense(&open(context), min, size, mask, transforms)?.download()
}
