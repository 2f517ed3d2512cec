//! Closest point and signed distance on triangle meshes, on CPU and GPU, bit for bit.
//!
//! ```
//! use mesh_distance::{Sign, Surface, make};
//!
//! let mesh = make::sphere(1_000);
//! let surface = Surface::build(&mesh)?;
//! let distance = surface.distance_cpu(&[[0.0, 0.0, 3.0], [0.0, 0.0, 0.0]], Sign::PseudoNormal, false)?;
//! assert!(distance[0] > 1.9 && distance[1] < -0.9);
//! # Ok::<(), mesh_distance::Error>(())
//! ```
//!
//! A [`Mesh`] is read from a file or its bytes ([`read_mesh`], [`read_mesh_bytes`]), made ([`make`]) or given as arrays; [`Mesh::report`] says what is wrong with it.
//! A [`Surface`] is the structure that answers: triangle records, pseudo-normals and a tree. Every answer is the
//! lexicographic minimum of (squared distance, triangle), so it equals [`brute_force`] over all triangles bit for bit,
//! whatever the tree, the order of the search, the number of threads or the device.
//!
//! The arithmetic is strict f32 in a frame centred on the mesh; `docs/numerics.md` is the normative contract.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer_parts;
mod answers;
mod band;
pub mod brute_force;
mod deviation;
#[cfg(feature = "gpu")]
mod device;
mod double;
mod edges;
mod error;
mod frame;
mod grid;
mod io;
pub mod kernels;
pub mod make;
pub mod mark;
mod mesh;
mod pseudo_normals;
mod query;
mod query_grid;
pub mod ray;
mod repair;
mod report;
mod rigid;
mod search;
mod signs;
mod surface;
pub mod tree;
mod unit;
mod update;

pub use answers::{Answers, MaxDistance, Outputs, Question, is_miss};
pub use band::Band;
pub use deviation::{Deviation, Directed, deviation_cpu, deviation_double_cpu};
#[cfg(feature = "gpu")]
pub use deviation::{deviation, deviation_double};
#[cfg(feature = "gpu")]
pub use device::{DeviceBand, DeviceSurface, GridQuery, PointQuery, device_kernels};
pub use double::Precision;
pub use error::Error;
pub use frame::Frame;
pub use grid::Grid;
pub use io::{
    Extension, ExtensionKind, FileParts, MeshFile, MeshFormat, read_gltf_buffer, read_mesh, read_mesh_bytes, write_mesh,
};
pub use mesh::{Bounds, Mesh};
pub use pseudo_normals::PseudoNormals;
pub use query::{Closest, Feature, Progress, Sign};
pub use repair::{RepairOptions, Repaired};
pub use report::{Component, MeshReport, OutOfRange, Trust};
pub use rigid::Rigid;
pub use search::WalkCounts;
pub use signs::{Criterion, WindingOptions};
pub use surface::Surface;
