//! From points in the world.

use rayon::prelude::*;

use crate::kernels::voxel_of_point::voxel_of_axis;
use crate::{Error, GridBatch, Transform};

/// Points that a thread takes at least.
const CHUNK: usize = 4096;

impl GridBatch {
    /// The voxels that hold a point: `floor((p - origin) / voxel size + 0.5)`, one item a list, all in f32 (origin and voxel size rounded to f32 first).
    ///
    /// Halves round up. Empty lists give empty items. Far from the origin f32 holds no fraction of a voxel: see [`from_points_double_cpu`](Self::from_points_double_cpu).
    ///
    /// # Errors
    /// [`Error::Point`] for a coordinate that is not finite or whose voxel lies outside `i32`; [`Error::Length`] for another number of transforms; [`Error::Memory`].
    ///
    /// Cost: as [`from_coordinates_cpu`](Self::from_coordinates_cpu). Source: fVDB `from_points`.
    pub fn from_points_cpu(items: &[&[[f32; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        Self::from_voxels(&voxels_of(items, transforms, 0.5)?, transforms)
    }

    /// The voxels that hold a point of f64: `floor((p - origin) / voxel size + 0.5)`, one item a list; subtraction, division and sum in f64 in this order, each rounded to nearest (even), subnormal numbers kept.
    ///
    /// Halves round up. Empty lists give empty items.
    ///
    /// # Errors
    /// As [`from_points_cpu`](Self::from_points_cpu).
    ///
    /// Cost: as [`from_points_cpu`](Self::from_points_cpu).
    pub fn from_points_double_cpu(items: &[&[[f64; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        Self::from_voxels(&voxels_of(items, transforms, 0.5)?, transforms)
    }

    /// The eight voxels whose centres surround each point: `floor((p - origin) / voxel size) + {0, 1}^3`, in f32 as [`from_points_cpu`](Self::from_points_cpu).
    ///
    /// # Errors
    /// As [`from_points_cpu`](Self::from_points_cpu), and [`Error::CoordinateOverflow`].
    ///
    /// Source: fVDB `from_nearest_voxels_to_points`.
    pub fn from_nearest_voxels_cpu(items: &[&[[f32; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        Self::from_voxels(&voxels_of(items, transforms, 0.0)?, transforms)?.pad_cpu([0; 3], [1; 3])
    }

    /// The eight voxels whose centres surround each point of f64: `floor((p - origin) / voxel size) + {0, 1}^3`, in f64 as [`from_points_double_cpu`](Self::from_points_double_cpu).
    ///
    /// # Errors
    /// As [`from_nearest_voxels_cpu`](Self::from_nearest_voxels_cpu).
    pub fn from_nearest_voxels_double_cpu(items: &[&[[f64; 3]]], transforms: &[Transform]) -> Result<Self, Error> {
        Self::from_voxels(&voxels_of(items, transforms, 0.0)?, transforms)?.pad_cpu([0; 3], [1; 3])
    }

    /// Number of points whose voxel in f32 ([`from_points_cpu`](Self::from_points_cpu), or [`from_nearest_voxels_cpu`](Self::from_nearest_voxels_cpu) when `nearest`) is not the one of the same points in f64; points without a voxel in f32 are left out.
    ///
    /// Cost: a pass over the points, nothing is stored.
    pub fn points_moved_by_f32_cpu(points: &[[f32; 3]], transform: &Transform, nearest: bool) -> usize {
        let add = if nearest { 0.0 } else { 0.5 };
        let moved = |point: &&[f32; 3]| {
            let double = f64::voxel(transform, &point.map(f64::from), f64::from(add));
            f32::voxel(transform, point, add).is_ok_and(|single| double != Ok(single))
        };
        points.par_iter().with_min_len(CHUNK).filter(moved).count()
    }

    fn from_voxels(voxels: &[Vec<[i32; 3]>], transforms: &[Transform]) -> Result<Self, Error> {
        let lists: Vec<&[[i32; 3]]> = voxels.iter().map(Vec::as_slice).collect();
        Self::from_coordinates_cpu(&lists, transforms)
    }
}

/// The numbers that points may have.
pub(crate) trait Coordinate: Copy + Into<f64> + From<f32> + Sync {
    /// `floor((p - origin) / voxel size + add)` in these numbers, or the axis that has no voxel.
    fn voxel(transform: &Transform, point: &[Self; 3], add: Self) -> Result<[i32; 3], usize>;
}

impl Coordinate for f32 {
    fn voxel(transform: &Transform, point: &[f32; 3], add: f32) -> Result<[i32; 3], usize> {
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
}

impl Coordinate for f64 {
    fn voxel(transform: &Transform, point: &[f64; 3], add: f64) -> Result<[i32; 3], usize> {
        let mut voxel = [0; 3];
        for k in 0..3 {
            let at = ((point[k] - transform.origin[k]) / transform.voxel_size[k] + add).floor();
            // NaN is in no range.
            if !(f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&at) {
                return Err(k);
            }
            voxel[k] = at as i32;
        }
        Ok(voxel)
    }
}

/// The voxels of lists of points, in their order; `add` as in [`Coordinate::voxel`].
pub(crate) fn voxels_of<R: Coordinate>(
    items: &[&[[R; 3]]],
    transforms: &[Transform],
    add: f32,
) -> Result<Vec<Vec<[i32; 3]>>, Error> {
    if items.len() != transforms.len() {
        return Err(Error::Length { what: "transforms", needed: items.len() as u64, found: transforms.len() as u64 });
    }
    let list = |(item, (points, transform)): (usize, (&&[[R; 3]], &Transform))| {
        let one = |(index, point): (usize, &[R; 3])| {
            R::voxel(transform, point, add.into()).map_err(|k| Error::Point {
                item,
                index,
                axis: ['x', 'y', 'z'][k],
                value: point[k].into(),
            })
        };
        // `collect` of a parallel iterator may meet any error first; a second, ordered look names the first one.
        let voxels: Result<Vec<_>, Error> = points.par_iter().enumerate().with_min_len(CHUNK).map(one).collect();
        voxels.or_else(|_| points.iter().enumerate().map(one).collect())
    };
    items.iter().zip(transforms).enumerate().map(list).collect()
}
