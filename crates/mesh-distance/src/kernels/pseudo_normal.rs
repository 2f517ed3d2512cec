//! Pseudo-normals of faces, edges and corners: twin of `pseudo_normal.wgsl`.
//!
//! Source: Baerentzen & Aanaes, Signed distance computation using the angle weighted pseudonormal, 2005. A face has its unit normal,
//! an edge the sum of the unit normals of its triangles, a vertex the sum of the unit normals weighted by the angles at it.

use super::Vec3;
use super::real::{Real, acos_strict, div_rn, scale_pow2, snap, sqrt_rn};
use super::triangle_record::{cross_compensated, dot_compensated, dt, largest_exponent, scale_vector, sub};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `acos` and `triangle_record`.
pub const PSEUDO_NORMAL: WgslModule = WgslModule { name: "pseudo_normal", source: include_str!("pseudo_normal.wgsl") };

/// `v / |v|` with components below `TINY` set to 0; the zero vector stays.
pub fn unit_vector<R: Real>(v: Vec3<R>) -> Vec3<R> {
    let exponent = largest_exponent(v);
    if exponent == 0 {
        return [R::ZERO; 3];
    }
    let s = scale_vector(v, R::EXPONENT_BIAS - exponent);
    let length = sqrt_rn(dt(s, s));
    [snap(div_rn(s[0], length), R::TINY), snap(div_rn(s[1], length), R::TINY), snap(div_rn(s[2], length), R::TINY)]
}

/// Unit normal of the triangle a, b, c, or 0 when it has no interior (the test of the triangle record).
pub fn facet_normal<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> Vec3<R> {
    // [1] scale both edges by the same power of two
    let ab = sub(b, a);
    let ac = sub(c, a);
    let exponent = largest_exponent(ab).max(largest_exponent(ac));
    let u = scale_vector(ab, R::EXPONENT_BIAS - exponent);
    let w = scale_vector(ac, R::EXPONENT_BIAS - exponent);
    // [2] without interior
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (R::FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return [R::ZERO; 3];
    }
    // [3] unit length
    unit_vector(n)
}

/// Angle at the corner `a` between the directions to `b` and `c`.
pub fn corner_angle<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> R {
    acos_strict(dt(unit_vector(sub(b, a)), unit_vector(sub(c, a))))
}

/// `sum + normal * weight`.
pub fn add_weighted<R: Real>(sum: Vec3<R>, normal: Vec3<R>, weight: R) -> Vec3<R> {
    [sum[0] + normal[0] * weight, sum[1] + normal[1] * weight, sum[2] + normal[2] * weight]
}

/// The stored pseudo-normal of a sum of weighted unit normals: scaled by a power of two so that its largest component lies in [1, 2),
/// components below `CANCELLED` set to 0; 0 when the sum has cancelled. Only its direction matters.
pub fn direction<R: Real>(sum: Vec3<R>, weights: R) -> Vec3<R> {
    let exponent = largest_exponent(sum);
    let limit = weights * R::CANCELLED;
    if exponent == 0 || (sum[0].abs() <= limit && sum[1].abs() <= limit && sum[2].abs() <= limit) {
        return [R::ZERO; 3];
    }
    let k = R::EXPONENT_BIAS - exponent;
    [
        snap(scale_pow2(sum[0], k), R::CANCELLED),
        snap(scale_pow2(sum[1], k), R::CANCELLED),
        snap(scale_pow2(sum[2], k), R::CANCELLED),
    ]
}
