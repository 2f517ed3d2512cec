//! The cells of an expression's octree as voxels.

use affine_arith::{Plan, SubdivideOptions, subdivide_cpu};
use sparse_topology::{GridBatch, Transform};

use super::Error;

/// Where the cells of level `level` of a box lie as voxels.
pub fn octree_transform(bounds: [(f64, f64); 3], level: u32) -> Transform {
    let voxel_size = bounds.map(|(low, high)| (high - low) / f64::from(level).exp2());
    Transform { voxel_size, origin: std::array::from_fn(|k| bounds[k].0 + 0.5 * voxel_size[k]) }
}

/// The cells of the last level in which the function of `plan` may be zero, as one grid of voxels.
///
/// # Errors
/// As [`subdivide_cpu`] and [`GridBatch::from_coordinates_cpu`].
pub fn octree_grid_cpu(plan: &Plan, bounds: [(f64, f64); 3], options: SubdivideOptions) -> Result<GridBatch, Error> {
    let cells = subdivide_cpu(plan, bounds, options)?;
    let coordinates: Vec<[i32; 3]> = cells.indices.iter().map(|cell| cell.map(i32::from)).collect();
    Ok(GridBatch::from_coordinates_cpu(&[&coordinates], &[octree_transform(bounds, options.level)])?)
}

/// [`octree_grid_cpu`] on a device: of the cells only their numbers come back.
///
/// # Errors
/// As [`affine_arith::CellQuery::new`], [`affine_arith::CellQuery::run`] and
/// [`sparse_topology::device::DeviceGrid::from_coordinates_on`].
///
/// Cost: room for `options.capacity` cells, 16 bytes each.
#[cfg(feature = "gpu")]
#[cfg_attr(docsrs, doc(cfg(feature = "gpu")))]
pub fn octree_grid(
    topology: &sparse_topology::device::TopologyDevice,
    plan: &Plan,
    bounds: [(f64, f64); 3],
    options: SubdivideOptions,
) -> Result<sparse_topology::device::DeviceGrid, Error> {
    let query = affine_arith::CellQuery::new(topology.context(), plan, bounds, options)?;
    let counts = query.run(gpu_runtime::Timestamps::None)?.counts;
    let count = counts.last().copied().unwrap_or(0);
    let coordinates = query.coordinates(count)?;
    let transforms = [octree_transform(bounds, options.level)];
    let voxels =
        sparse_topology::device::DeviceGrid::from_coordinates_on(topology, &coordinates, &[count as u64], &transforms)?;
    Ok(voxels)
}
