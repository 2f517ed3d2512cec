//! Queries on a device: the same words as the CPU references.
//!
//! A query level by level: the first, coarsest level finds a good triangle for each of at most a few thousand points from
//! nothing; each finer level starts from the triangle that the coarser one found nearby and walks the tree in packets of
//! neighbouring queries. Only the finest level decides bits, and it evaluates its seed exactly, so neither the levels nor
//! the packets can change a word (`docs/numerics.md`).

mod answers;
mod band;
mod band_on;
mod band_signs;
mod grid;
mod levels;
mod mark;
mod morton;
mod moving;
mod params;
mod point_search;
mod points;
mod program;
mod rays;
mod signs;
mod surface;

pub use band_on::DeviceBand;
pub use grid::GridQuery;
pub use points::PointQuery;
pub use program::kernels as device_kernels;
pub use surface::DeviceSurface;
