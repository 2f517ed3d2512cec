//! Everything about a query's closest point: twin of `query_answer.wgsl`.

use super::Vec3;
use super::pseudo_normal::unit_vector;
use super::triangle_distance::{ClosestFeature, FACE, OUTSIDE};
use super::triangle_record::{TINY, dt};
use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::{scale_pow2, snap, sqrt_rn};

/// WGSL text of this module; needs `strict_float`, `triangle_distance` and `pseudo_normal`.
pub const QUERY_ANSWER: WgslModule = WgslModule { name: "query_answer", source: include_str!("query_answer.wgsl") };

/// Infinity: distance and coordinates of a miss.
pub const FAR: u32 = 0x7f80_0000;

/// Triangle of a miss.
pub const NO_FACET: u32 = u32::MAX;

/// Bit above the feature: the point is inside by the sign asked for.
pub const INSIDE: u32 = 8;

/// An answer: distance and its square (negative inside, the caller's unit), triangle, feature and [`INSIDE`], barycentric coordinates
/// of the second and third corner, closest point (working coordinates), unit pseudo-normal of the feature (0 where it has none), unit
/// gradient of the distance.
pub type AnswerWords = [u32; 15];

/// Direction in which the distance grows fastest.
///
/// Away from edges and vertices it is the triangle's normal, on the side of the point, which is exact however near the surface is; at
/// edges and vertices and far away it is the direction from the closest point. On the surface itself it is the pseudo-normal. Inside it
/// is turned round, since there the signed distance is negative.
pub fn gradient(closest: &ClosestFeature, normal: Vec3, inside: bool) -> Vec3 {
    // [1] the side of the point; 0 on the surface
    let near = dt(closest.e, closest.e) < OUTSIDE;
    let side = dt(normal, closest.e);
    let flat = closest.feature == FACE && near && dt(normal, normal) > 0.0;
    // [2] from the surface to the point
    let mut outward = closest.e;
    if flat || closest.d2 == 0.0 {
        outward = normal;
    }
    let u = unit_vector(outward);
    // [3] turned once for the far side of a face, once inside
    if (flat && side < 0.0) != inside {
        return [snap(-u[0], TINY), snap(-u[1], TINY), snap(-u[2], TINY)];
    }
    u
}

/// The answer for a closest feature, its pseudo-normal and the side of the point.
pub fn query_answer(c: &ClosestFeature, facet: u32, normal: Vec3, inside: bool, exponent: i32) -> AnswerWords {
    // [1] magnitudes, then the sign
    let sign = if inside { 0x8000_0000 } else { 0 };
    let distance = scale_pow2(sqrt_rn(c.d2), exponent).to_bits() | sign;
    let squared = scale_pow2(c.d2, 2 * exponent).to_bits() | sign;
    let flags = c.feature + if inside { INSIDE } else { 0 };
    // [2] vectors
    let [u, v] = c.uv.map(f32::to_bits);
    let [x, y, z] = c.q.map(f32::to_bits);
    let [nx, ny, nz] = unit_vector(normal).map(f32::to_bits);
    let [gx, gy, gz] = gradient(c, normal, inside).map(f32::to_bits);
    [distance, squared, facet, flags, u, v, x, y, z, nx, ny, nz, gx, gy, gz]
}

/// The answer of a query whose surface is farther than its limit.
pub fn query_miss() -> AnswerWords {
    [FAR, FAR, NO_FACET, 0, 0, 0, FAR, FAR, FAR, 0, 0, 0, 0, 0, 0]
}
