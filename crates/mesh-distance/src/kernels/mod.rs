//! Per-item functions, each a twin of the WGSL file of the same name beside it: same functions, same order of operations.
//!
//! Strict f32, or f64 where a function is generic over [`Real`](real::Real): `+ - *` and comparisons in the order written, and the named functions of `gpu_shaders`. They define every bit of
//! every answer; searches only decide which triangles are asked.

pub mod cell_triangle;
pub mod cylinder_bound;
pub mod frame_vertex;
pub mod frame_vertex_double;
pub mod grid_point;
pub mod pseudo_normal;
pub mod query_answer;
pub mod ray_parity;
pub mod ray_triangle;
pub mod real;
pub mod real_double;
pub mod real_single;
pub mod solid_angle;
pub mod triangle_distance;
pub mod triangle_record;
pub mod winding_expansion;

/// A vector of working coordinates.
pub type Vec3<R = f32> = [R; 3];
