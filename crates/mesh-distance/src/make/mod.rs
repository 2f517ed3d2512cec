//! Procedural meshes with a chosen number of triangles.
//!
//! Coordinates are rounded to f32, so that a binary STL file holds them exactly. A count that the shape cannot have is replaced by the
//! nearest it can; look at `mesh.triangles.len()`.

mod patches;
mod shapes;

pub use shapes::{cube, knot, sphere, terrain, torus};
