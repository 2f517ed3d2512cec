//! Everything about a query's closest point: twin of `query_answer.wgsl`.

use super::Vec3;
use super::pseudo_normal::unit_vector;
use super::real::{Real, scale_pow2, snap, sqrt_rn};
use super::triangle_distance::{ClosestFeature, FACE};
use super::triangle_record::dt;
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `strict_float`, `triangle_distance` and `pseudo_normal`.
pub const QUERY_ANSWER: WgslModule = WgslModule { name: "query_answer", source: include_str!("query_answer.wgsl") };

/// Triangle of a miss.
pub const NO_FACET: u32 = u32::MAX;

/// Bit above the feature: the point is inside by the sign asked for.
pub const INSIDE: u32 = 8;

/// An answer: distance and its square (negative inside, the caller's unit), triangle, feature and [`INSIDE`], barycentric coordinates
/// of the second and third corner, closest point (working coordinates), unit pseudo-normal of the feature (0 where it has none), unit
/// gradient of the distance. Each entry is the two words of a number ([`Real::words`]), or one word and 0.
pub type AnswerWords = [[u32; 2]; 15];

/// Direction in which the distance grows fastest.
///
/// Away from edges and vertices it is the triangle's normal, on the side of the point, which is exact however near the surface is; at
/// edges and vertices and far away it is the direction from the closest point. On the surface itself it is the pseudo-normal. Inside it
/// is turned round, since there the signed distance is negative.
pub fn gradient<R: Real>(closest: &ClosestFeature<R>, normal: Vec3<R>, inside: bool) -> Vec3<R> {
    // [1] the side of the point; 0 on the surface
    let near = dt(closest.e, closest.e) < R::OUTSIDE;
    let side = dt(normal, closest.e);
    let flat = closest.feature == FACE && near && dt(normal, normal) > R::ZERO;
    // [2] from the surface to the point
    let mut outward = closest.e;
    if flat || closest.d2 == R::ZERO {
        outward = normal;
    }
    let u = unit_vector(outward);
    // [3] turned once for the far side of a face, once inside
    if (flat && side < R::ZERO) != inside {
        return [snap(-u[0], R::TINY), snap(-u[1], R::TINY), snap(-u[2], R::TINY)];
    }
    u
}

/// The answer for a closest feature, its pseudo-normal and the side of the point.
pub fn query_answer<R: Real>(
    c: &ClosestFeature<R>,
    facet: u32,
    normal: Vec3<R>,
    inside: bool,
    exponent: i32,
) -> AnswerWords {
    // [1] magnitudes, then the sign
    let distance = scale_pow2(sqrt_rn(c.d2), exponent).with_sign(inside);
    let squared = scale_pow2(c.d2, 2 * exponent).with_sign(inside);
    let flags = c.feature + if inside { INSIDE } else { 0 };
    // [2] vectors
    let [u, v] = c.uv.map(words_of);
    let [x, y, z] = c.q.map(words_of);
    let [nx, ny, nz] = unit_vector(normal).map(words_of);
    let [gx, gy, gz] = gradient(c, normal, inside).map(words_of);
    [words_of(distance), words_of(squared), [facet, 0], [flags, 0], u, v, x, y, z, nx, ny, nz, gx, gy, gz]
}

/// The answer of a query whose surface is farther than its limit.
pub fn query_miss<R: Real>() -> AnswerWords {
    let (far, none) = (R::FAR, [0, 0]);
    [far, far, [NO_FACET, 0], none, none, none, far, far, far, none, none, none, none, none, none]
}

fn words_of<R: Real>(x: R) -> [u32; 2] {
    x.words()
}
