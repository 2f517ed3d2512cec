//! Batches from coordinates, points, dense masks and meshes.

mod coordinates;
mod dense;
mod mesh;
mod points;
mod triangle_box;

#[cfg(feature = "gpu")]
pub(crate) use mesh::FixedMesh;
pub use mesh::MeshView;
pub(crate) use points::Coordinate;
#[cfg(feature = "gpu")]
pub(crate) use points::voxels_of;
#[cfg(feature = "gpu")]
pub(crate) use triangle_box::{FixedTriangle, UNITS};
