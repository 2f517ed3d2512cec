//! Topology of sparse voxel index grids, on CPU and GPU, bit for bit.
//!
//! ```
//! use sparse_topology::{GridBatch, Neighbours, Transform};
//!
//! let voxels = [[-4, 0, 0], [-3, 0, 0], [2, 7, 9]];
//! let grid = GridBatch::from_coordinates_cpu(&[&voxels], &[Transform::uniform(0.5, [0.0; 3])])?;
//! let coarse = grid.coarsen_cpu([3, 3, 3])?;
//! assert_eq!(coarse.coordinates(0)?, [[-2, 0, 0], [-1, 0, 0], [0, 2, 3]]);
//! assert_eq!(coarse.transforms()[0].voxel_size, [1.5; 3]);
//! assert_eq!(grid.dilate_cpu(Neighbours::Face, 1)?.voxels(), 19);
//! # Ok::<(), sparse_topology::Error>(())
//! ```
//!
//! A [`GridBatch`] holds the active voxels of any number of grids. Every operation takes a batch and gives a batch in canonical order, so the position of a voxel
//! (its row) names its feature. [`nvdb`] reads and writes NanoVDB index grids. `docs/sparse-topology.md` has the semantics of every operation.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod build;
#[cfg(feature = "corpus")]
pub mod corpus;
#[cfg(feature = "gpu")]
pub mod device;
mod error;
mod grid;
pub mod kernels;
mod memory;
pub mod nvdb;
mod ops;
mod transform;

pub use build::MeshView;
pub use error::Error;
pub use grid::{GridBatch, Nodes, Selection, Tile, VoxelBox};
pub use kernels::leaf_dilate::Neighbours;
pub use ops::{AxisOrder, Pair, hilbert_code, morton_code};
pub use transform::Transform;
