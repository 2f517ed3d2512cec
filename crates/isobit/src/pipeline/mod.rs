//! Meshes and expressions to sparse voxel grids: each step on the CPU, and the same on a device whose buffers go from crate to crate without coming back.
//!
//! A mesh gives its narrow band ([`band_grid_cpu`], [`band_grid`]): the cells of a dense grid near the surface as voxels, and the distance of each as a row.
//! A compressed mesh gives a surface ([`decoded_surface_cpu`], [`decoded_surface`]), whose band goes the same way. An expression gives the cells of its octree ([`octree_grid_cpu`], [`octree_grid`]). Both go on through [`Morphology`]. The words are the same on every device.

mod band;
mod decoded;
mod error;
mod morphology;
mod octree;

pub use band::{BandGrid, band_grid_cpu, grid_transform};
#[cfg(feature = "gpu")]
pub use band::{DeviceBandGrid, band_grid};
#[cfg(feature = "gpu")]
pub use decoded::decoded_surface;
pub use decoded::decoded_surface_cpu;
pub use error::Error;
pub use morphology::Morphology;
#[cfg(feature = "gpu")]
pub use octree::octree_grid;
pub use octree::{octree_grid_cpu, octree_transform};
