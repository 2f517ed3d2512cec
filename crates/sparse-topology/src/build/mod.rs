//! Batches from coordinates, points and dense masks.

mod coordinates;
mod dense;
mod points;

pub(crate) use points::voxel_of_point;
