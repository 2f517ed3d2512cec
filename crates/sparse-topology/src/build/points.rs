//! From points in the world.

use rayon::prelude::*;

use crate::kernels::voxel_of_point::voxel_of_axis;
use crate::{Error, GridBatch, Transform};

impl GridBatch {
    /// The voxels that hold a point: `floor((p - origin) / voxel size + 0.5)`, one item a list, all in f32 (origin and voxel size rounded to f32 first).
    ///
    /// Halves round up. Empty lists give empty items.
    ///
    /// # Errors
    /// [`Error::Point`] for a coordinate that is not finite or whose voxel lies outside `i32`; [`Error::Length`] for another number of transforms; [`Error::Memory`].
    ///
    /// Cost: as [`from_coordinates_cpu`](Self::from_coordinates_cpu). Source: fVDB `from_points`.
    pub fn from_points_cpu(items: &[&[[f32; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        let voxels = voxels_of(items, transforms, 0.5)?;
        let lists: Vec<&[[i32; 3]]> = voxels.iter().map(Vec::as_slice).collect();
        Self::from_coordinates_cpu(&lists, transforms)
    }

    /// The eight voxels whose centres surround each point: `floor((p - origin) / voxel size) + {0, 1}^3`, in f32 as [`from_points_cpu`](Self::from_points_cpu).
    ///
    /// # Errors
    /// As [`from_points_cpu`](Self::from_points_cpu), and [`Error::CoordinateOverflow`].
    ///
    /// Source: fVDB `from_nearest_voxels_to_points`.
    pub fn from_nearest_voxels_cpu(items: &[&[[f32; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        let voxels = voxels_of(items, transforms, 0.0)?;
        let lists: Vec<&[[i32; 3]]> = voxels.iter().map(Vec::as_slice).collect();
        Self::from_coordinates_cpu(&lists, transforms)?.pad_cpu([0; 3], [1; 3])
    }
}

fn voxels_of(items: &[&[[f32; 3]]], transforms: &[Transform], add: f32) -> Result<Vec<Vec<[i32; 3]>>, Error> {
    if items.len() != transforms.len() {
        return Err(Error::Length { what: "transforms", needed: items.len() as u64, found: transforms.len() as u64 });
    }
    let list = |(item, (points, transform)): (usize, (&&[[f32; 3]], &Transform))| {
        let one = |(index, &point): (usize, &[f32; 3])| {
            voxel_of_point(transform, point, add).map_err(|k| Error::Point {
                item,
                index,
                axis: ['x', 'y', 'z'][k],
                value: f64::from(point[k]),
            })
        };
        // `collect` of a parallel iterator may meet any error first; a second, ordered look names the first one.
        let voxels: Result<Vec<_>, Error> = points.par_iter().enumerate().with_min_len(4096).map(one).collect();
        voxels.or_else(|_| points.iter().enumerate().map(one).collect())
    };
    items.iter().zip(transforms).enumerate().map(list).collect()
}

/// `floor((p - origin) / voxel size + add)`, or the axis that has no voxel.
pub(crate) fn voxel_of_point(transform: &Transform, point: [f32; 3], add: f32) -> Result<[i32; 3], usize> {
    let mut voxel = [0; 3];
    for k in 0..3 {
        let (at, status) = voxel_of_axis(point[k], transform.origin[k] as f32, transform.voxel_size[k] as f32, add);
        if status != 0 {
            return Err(k);
        }
        voxel[k] = at;
    }
    Ok(voxel)
}
