//! Batches from lists of points that are on the device.

use gpu_runtime::DeviceVec;

use super::grid::DeviceGrid;
use super::list_params::PointParams;
use super::list_program::ListProgram;
use super::session::TopologyDevice;
use super::voxels::{item_ends, length, pages};
use crate::build::voxels_of;
use crate::kernels::voxel_of_point::voxel_of_axis;
use crate::{Error, Transform};

/// Invocations of a workgroup.
const GROUP: u32 = 64;

impl DeviceGrid {
    /// As [`GridBatch::from_points_cpu`](crate::GridBatch::from_points_cpu).
    ///
    /// # Errors
    /// [`Error::Point`] for the first point without a voxel; as [`from_coordinates_on`](Self::from_coordinates_on).
    pub fn from_points(
        device: &TopologyDevice,
        items: &[&[[f32; 3]]],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let (points, counts) = upload_points(device, items)?;
        Self::from_points_on(device, &points, &counts, transforms)
    }

    /// The voxels that hold the points of every item: three words a point, item by item, `counts` points each.
    ///
    /// # Errors
    /// As [`from_points`](Self::from_points).
    pub fn from_points_on(
        device: &TopologyDevice,
        points: &DeviceVec<f32>,
        counts: &[u64],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let voxels = voxels_of_points(device, points, counts, transforms, 0.5)?;
        Self::from_coordinates_on(device, &voxels, counts, transforms)
    }

    /// As [`GridBatch::from_nearest_voxels_cpu`](crate::GridBatch::from_nearest_voxels_cpu).
    ///
    /// # Errors
    /// As [`from_points`](Self::from_points), and [`Error::CoordinateOverflow`].
    pub fn from_nearest_voxels(
        device: &TopologyDevice,
        items: &[&[[f32; 3]]],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let (points, counts) = upload_points(device, items)?;
        let voxels = voxels_of_points(device, &points, &counts, transforms, 0.0)?;
        Self::from_coordinates_on(device, &voxels, &counts, transforms)?.pad([0; 3], [1; 3])
    }

    /// As [`GridBatch::from_points_double_cpu`](crate::GridBatch::from_points_double_cpu): the host computes the voxels, since few devices have f64, and the device the tree.
    ///
    /// # Errors
    /// As [`from_points`](Self::from_points).
    pub fn from_points_double(
        device: &TopologyDevice,
        items: &[&[[f64; 3]]],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        Self::from_voxels(device, &voxels_of(items, transforms, 0.5)?, transforms)
    }

    /// As [`GridBatch::from_nearest_voxels_double_cpu`](crate::GridBatch::from_nearest_voxels_double_cpu); host and device share the work as in [`from_points_double`](Self::from_points_double).
    ///
    /// # Errors
    /// As [`from_nearest_voxels`](Self::from_nearest_voxels).
    pub fn from_nearest_voxels_double(
        device: &TopologyDevice,
        items: &[&[[f64; 3]]],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        Self::from_voxels(device, &voxels_of(items, transforms, 0.0)?, transforms)?.pad([0; 3], [1; 3])
    }

    fn from_voxels(device: &TopologyDevice, voxels: &[Vec<[i32; 3]>], transforms: &[Transform]) -> Result<Self, Error> {
        let lists: Vec<&[[i32; 3]]> = voxels.iter().map(Vec::as_slice).collect();
        Self::from_coordinates(device, &lists, transforms)
    }
}

fn upload_points(device: &TopologyDevice, items: &[&[[f32; 3]]]) -> Result<(DeviceVec<f32>, Vec<u64>), Error> {
    let words: Vec<f32> = items.iter().flat_map(|list| list.as_flattened()).copied().collect();
    Ok((device.context().upload("points", &words)?, items.iter().map(|list| list.len() as u64).collect()))
}

/// The voxels of points, on the device.
fn voxels_of_points(
    device: &TopologyDevice,
    points: &DeviceVec<f32>,
    counts: &[u64],
    transforms: &[Transform],
    add: f32,
) -> Result<DeviceVec<i32>, Error> {
    if counts.len() != transforms.len() {
        return Err(length("transforms", counts.len(), transforms.len()));
    }
    let ends = item_ends(counts, points.len())?;
    let total = ends.last().copied().unwrap_or(0);
    let voxels = device.context().zeroed::<i32>("voxels of points", 3 * total as usize)?;
    if total == 0 {
        return Ok(voxels);
    }
    let failed = device.context().upload("points without a voxel", &[u32::MAX])?;
    let frames: Vec<f32> =
        transforms.iter().flat_map(|t| t.origin.into_iter().chain(t.voxel_size)).map(|v| v as f32).collect();
    let kernel = device.list_kernel(ListProgram::PointVoxels { status: false })?;
    let mut recording = device.context().record("voxels of points");
    let (ends_data, frames) = (recording.data(&ends), recording.data(&frames));
    for (first, count) in pages(device, 0..total) {
        let range = 3 * first as usize..3 * (first + count) as usize;
        let groups = device.list_groups(count, GROUP);
        let items = ends.len() as u32;
        let params = PointParams { count, before: first, items, add, groups, ..PointParams::default() };
        let bindings = [
            ("points", points.bind_range(range.clone())?),
            ("item_ends", ends_data.bind()),
            ("frames", frames.bind()),
            ("voxels", voxels.bind_range(range)?),
            ("failed", failed.bind()),
        ];
        recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
    }
    let first_failed = recording.download(&failed);
    let mut done = recording.submit()?;
    match done.take(first_failed)?[0] {
        u32::MAX => Ok(voxels),
        at => Err(point_error(device, points, &ends, transforms, add, at)?),
    }
}

/// The error of point `at` of the whole list.
fn point_error(
    device: &TopologyDevice,
    points: &DeviceVec<f32>,
    ends: &[u32],
    transforms: &[Transform],
    add: f32,
    at: u32,
) -> Result<Error, Error> {
    let mut recording = device.context().record("a point without a voxel");
    let point = recording.download_range(points, 3 * at as usize..3 * at as usize + 3);
    let point = recording.submit()?.take(point)?;
    let item = ends.partition_point(|&end| end <= at);
    let start = if item == 0 { 0 } else { ends[item - 1] };
    let transform = transforms[item];
    let fails =
        |k: usize| voxel_of_axis(point[k], transform.origin[k] as f32, transform.voxel_size[k] as f32, add).1 != 0;
    let k = (0..3).find(|&k| fails(k)).unwrap_or(0);
    Ok(Error::Point { item, index: (at - start) as usize, axis: ['x', 'y', 'z'][k], value: f64::from(point[k]) })
}
