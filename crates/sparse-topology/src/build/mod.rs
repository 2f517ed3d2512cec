//! Batches from coordinates, points, dense masks and meshes.

mod coordinates;
mod dense;
mod mesh;
mod points;
mod triangle_box;

pub use mesh::MeshView;
pub(crate) use points::voxel_of_point;
