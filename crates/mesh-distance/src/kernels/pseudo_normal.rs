//! Pseudo-normals of faces, edges and corners: twin of `pseudo_normal.wgsl`.
//!
//! Source: Baerentzen & Aanaes, Signed distance computation using the angle weighted pseudonormal, 2005. A face has its unit normal,
//! an edge the sum of the unit normals of its triangles, a vertex the sum of the unit normals weighted by the angles at it.

use super::Vec3;
use super::triangle_record::{FLAT, TINY, cross_compensated, dot_compensated, dt, largest_exponent, scale_vector, sub};
use gpu_shaders::WgslModule;
use gpu_shaders::acos::acos_strict;
use gpu_shaders::strict_float::{div_rn, scale_pow2, snap, sqrt_rn};

/// WGSL text of this module; needs `acos` and `triangle_record`.
pub const PSEUDO_NORMAL: WgslModule = WgslModule { name: "pseudo_normal", source: include_str!("pseudo_normal.wgsl") };

/// 2^-20: a sum of weighted unit normals up to this part of the sum of weights has cancelled and has no direction; components of a
/// stored pseudo-normal below it are 0.
pub const CANCELLED: f32 = f32::from_bits((127 - 20) << 23);

/// `v / |v|` with components below 2^-40 set to 0; the zero vector stays.
pub fn unit_vector(v: Vec3) -> Vec3 {
    let exponent = largest_exponent(v);
    if exponent == 0 {
        return [0.0; 3];
    }
    let s = scale_vector(v, 127 - exponent);
    let length = sqrt_rn(dt(s, s));
    [snap(div_rn(s[0], length), TINY), snap(div_rn(s[1], length), TINY), snap(div_rn(s[2], length), TINY)]
}

/// Unit normal of the triangle a, b, c, or 0 when it has no interior (the test of the triangle record).
pub fn facet_normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    // [1] scale both edges by the same power of two
    let ab = sub(b, a);
    let ac = sub(c, a);
    let exponent = largest_exponent(ab).max(largest_exponent(ac));
    let u = scale_vector(ab, 127 - exponent);
    let w = scale_vector(ac, 127 - exponent);
    // [2] without interior
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return [0.0; 3];
    }
    // [3] unit length
    unit_vector(n)
}

/// Angle at the corner `a` between the directions to `b` and `c`.
pub fn corner_angle(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    acos_strict(dt(unit_vector(sub(b, a)), unit_vector(sub(c, a))))
}

/// `sum + normal * weight`.
pub fn add_weighted(sum: Vec3, normal: Vec3, weight: f32) -> Vec3 {
    [sum[0] + normal[0] * weight, sum[1] + normal[1] * weight, sum[2] + normal[2] * weight]
}

/// The stored pseudo-normal of a sum of weighted unit normals: scaled by a power of two so that its largest component lies in [1, 2),
/// components below 2^-20 set to 0; 0 when the sum has cancelled. Only its direction matters.
pub fn direction(sum: Vec3, weights: f32) -> Vec3 {
    let exponent = largest_exponent(sum);
    let limit = weights * CANCELLED;
    if exponent == 0 || (sum[0].abs() <= limit && sum[1].abs() <= limit && sum[2].abs() <= limit) {
        return [0.0; 3];
    }
    let k = 127 - exponent;
    [
        snap(scale_pow2(sum[0], k), CANCELLED),
        snap(scale_pow2(sum[1], k), CANCELLED),
        snap(scale_pow2(sum[2], k), CANCELLED),
    ]
}
