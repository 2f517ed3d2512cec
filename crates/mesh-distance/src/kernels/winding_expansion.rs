//! The solid angle of many triangles seen from afar: twin of `winding_expansion.wgsl`.
//!
//! Source: Barill et al., Fast winding numbers for soups and clouds, 2018. With d from the point to the centre c of the triangles, N the
//! sum of area normals and M the sum of area normals times the places of their centroids about c,
//! angle = N.d / |d|^3 + tr M / |d|^3 - 3 d.M d / |d|^5 (dipole and first derivative, called order 2).

use super::Vec3;
use super::triangle_record::{SMALL, TINY, dt, sub};
use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::{div_rn, snap, sqrt_rn};

/// WGSL text of this module; needs `triangle_record`.
pub const WINDING_EXPANSION: WgslModule =
    WgslModule { name: "winding_expansion", source: include_str!("winding_expansion.wgsl") };

/// 1 / (4 pi), rounded.
const SPHERE: f32 = 0.079_577_47;

/// What the tree keeps of the triangles of a child, four vec4.
///
/// Stored numbers are 0 or at least 2^-40 in magnitude, so products with components of unit vectors are not subnormal.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(16))]
pub struct Moments {
    /// Centre.
    pub centre: Vec3,
    /// Squared size that the criterion compares with the squared distance, at least 2^-60.
    pub size2: f32,
    /// Sum of area normals.
    pub normal: Vec3,
    /// 2^-17 of the sum of |ab| |ac|, rounded up: the part of the error that falls with the squared distance (bound only).
    pub rounding: f32,
    /// The symmetric part of the sum of area normals times centroid places: xx, xy, xz, yy, yz, zz.
    pub tensor: [f32; 6],
    /// Integral of the squared distance from the centre over the triangles, rounded up (bound only).
    pub spread: f32,
    /// Nothing.
    pub unused: f32,
}

/// Whether the criterion lets the expansion stand for the child: |p - c|^2 > beta^2 size^2.
pub fn is_far(m: &Moments, p: Vec3, beta2: f32) -> bool {
    let d = sub(m.centre, p);
    dt(d, d) > beta2 * m.size2
}

/// Solid angle of the child's triangles seen from `p`, in turns.
///
/// Domain: |p| <= 4096 in every component, |p - c| >= 2^-30.
pub fn expansion(m: &Moments, p: Vec3) -> f32 {
    // [1] the direction
    let d = sub(m.centre, p);
    let d2 = dt(d, d);
    let i1 = div_rn(1.0, sqrt_rn(d2));
    let i2 = div_rn(1.0, d2);
    let u = [snap(d[0] * i1, TINY), snap(d[1] * i1, TINY), snap(d[2] * i1, TINY)];
    // [2] u . M u and the trace
    let t = m.tensor;
    let v = [
        snap(dt([t[0], t[1], t[2]], u), TINY),
        snap(dt([t[1], t[3], t[4]], u), TINY),
        snap(dt([t[2], t[4], t[5]], u), TINY),
    ];
    let derivative = snap(((t[0] + t[3]) + t[5]) - 3.0 * dt(u, v), SMALL);
    // [3] dipole and derivative
    let angle = snap(dt(m.normal, u) + i1 * derivative, SMALL);
    (i2 * angle) * SPHERE
}
