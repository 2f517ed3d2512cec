//! The solid angle of many triangles seen from afar: twin of `winding_expansion.wgsl`.
//!
//! Source: Barill et al., Fast winding numbers for soups and clouds, 2018. With d from the point to the centre c of the triangles, N the
//! sum of area normals and M the sum of area normals times the places of their centroids about c,
//! angle = N.d / |d|^3 + tr M / |d|^3 - 3 d.M d / |d|^5 (dipole and first derivative, called order 2).

use super::Vec3;
use super::real::{Real, div_rn, snap, sqrt_rn};
use super::triangle_record::{dt, sub};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `triangle_record`.
pub const WINDING_EXPANSION: WgslModule =
    WgslModule { name: "winding_expansion", source: include_str!("winding_expansion.wgsl") };

/// What the tree keeps of the triangles of a child, four vec4.
///
/// Stored numbers are 0 or at least [`Real::TINY`] in magnitude, so products with components of unit vectors are not subnormal. The centre is
/// representable in f32 in either case, so that both forms are about the same point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments<R = f32> {
    /// Centre.
    pub centre: Vec3<R>,
    /// Squared size that the criterion compares with the squared distance, at least 2^-60.
    pub size2: R,
    /// Sum of area normals.
    pub normal: Vec3<R>,
    /// 2^-17 of the sum of |ab| |ac|, rounded up: the part of the error that falls with the squared distance (bound only).
    pub rounding: R,
    /// The symmetric part of the sum of area normals times centroid places: xx, xy, xz, yy, yz, zz.
    pub tensor: [R; 6],
    /// Integral of the squared distance from the centre over the triangles, rounded up (bound only).
    pub spread: R,
}

impl<R: Real> Moments<R> {
    /// The 16 numbers as they lie on the device.
    pub fn rows(&self) -> [R; 16] {
        let ([cx, cy, cz], [nx, ny, nz], [xx, xy, xz, yy, yz, zz]) = (self.centre, self.normal, self.tensor);
        [cx, cy, cz, self.size2, nx, ny, nz, self.rounding, xx, xy, xz, yy, yz, zz, self.spread, R::ZERO]
    }
}

/// Whether the criterion lets the expansion stand for the child: |p - c|^2 > beta^2 size^2.
pub fn is_far<R: Real>(m: &Moments<R>, p: Vec3<R>, beta2: R) -> bool {
    let d = sub(m.centre, p);
    dt(d, d) > beta2 * m.size2
}

/// Solid angle of the child's triangles seen from `p`, in turns.
///
/// Domain: |p| <= [`Real::FAR_AWAY`] in every component, |p - c| >= 2^-30.
pub fn expansion<R: Real>(m: &Moments<R>, p: Vec3<R>) -> R {
    // [1] the direction
    let d = sub(m.centre, p);
    let d2 = dt(d, d);
    let i1 = div_rn(R::ONE, sqrt_rn(d2));
    let i2 = div_rn(R::ONE, d2);
    let u = [snap(d[0] * i1, R::TINY), snap(d[1] * i1, R::TINY), snap(d[2] * i1, R::TINY)];
    // [2] u . M u and the trace
    let t = m.tensor;
    let v = [
        snap(dt([t[0], t[1], t[2]], u), R::TINY),
        snap(dt([t[1], t[3], t[4]], u), R::TINY),
        snap(dt([t[2], t[4], t[5]], u), R::TINY),
    ];
    let derivative = snap(((t[0] + t[3]) + t[5]) - R::THREE * dt(u, v), R::SMALL);
    // [3] dipole and derivative
    let angle = snap(dt(m.normal, u) + i1 * derivative, R::SMALL);
    (i2 * angle) * R::SPHERE
}
