//! Squared distance of a point to a triangle, and the winner's closest point, feature and sign: twin of `triangle_distance.wgsl`.
//!
//! The distance is the minimum over four candidates, the nearest points of the three edges and, where the projection falls inside, of
//! the plane; each clamped into the triangle's own box. The minimum over all three edges makes slivers and degenerate triangles safe
//! (they are segments or points), and the clamp makes the squared gap to any enclosing box, computed in the same order, a lower bound
//! bit for bit. The error of a distance is at most 8 * 2^-24 of (half extent of the mesh + distance from its centre), whatever the
//! shape of the triangle. Signs after Baerentzen & Aanaes, Signed distance computation using the angle weighted pseudonormal, 2005.

use super::Vec3;
use super::real::{Real, Record};
use super::triangle_record::{dt, sub};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `triangle_record`.
pub const TRIANGLE_DISTANCE: WgslModule =
    WgslModule { name: "triangle_distance", source: include_str!("triangle_distance.wgsl") };

/// The part of a triangle that holds its closest point; indexes the seven pseudo-normals of a triangle.
pub const FACE: u32 = 0;
/// Edge from a to b.
pub const EDGE_AB: u32 = 1;
/// Edge from a to c.
pub const EDGE_AC: u32 = 2;
/// Edge from b to c.
pub const EDGE_BC: u32 = 3;
/// Corner a.
pub const CORNER_A: u32 = 4;
/// Corner b.
pub const CORNER_B: u32 = 5;
/// Corner c.
pub const CORNER_C: u32 = 6;

/// What the sign and the outputs need from the winning triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestFeature<R = f32> {
    /// Squared distance, equal to [`triangle_distance`] bit for bit.
    pub d2: R,
    /// `FACE` to `CORNER_C`.
    pub feature: u32,
    /// Closest point.
    pub q: Vec3<R>,
    /// Point minus closest point, flushed.
    pub e: Vec3<R>,
    /// Barycentric coordinates: q = a + u ab + v ac before rounding.
    pub uv: [R; 2],
}

/// `x` limited to [0, 1], and 0 below 2^-40.
#[inline(always)]
pub fn clamp01<R: Real>(x: R) -> R {
    let low = if x < R::TINY { R::ZERO } else { x };
    if low > R::ONE { R::ONE } else { low }
}

/// The smaller of two numbers that are no NaN and no -0.
#[inline(always)]
pub fn smaller<R: Real>(x: R, y: R) -> R {
    if x < y { x } else { y }
}

/// The larger of two numbers that are no NaN and no -0.
#[inline(always)]
pub fn larger<R: Real>(x: R, y: R) -> R {
    if x > y { x } else { y }
}

/// `a + u t`.
#[inline(always)]
pub fn along<R: Real>(a: Vec3<R>, u: Vec3<R>, t: R) -> Vec3<R> {
    [a[0] + u[0] * t, a[1] + u[1] * t, a[2] + u[2] * t]
}

/// `q` limited to the box, component by component.
#[inline(always)]
pub fn clamp_box<R: Real>(q: Vec3<R>, lo: Vec3<R>, hi: Vec3<R>) -> Vec3<R> {
    [larger(lo[0], smaller(q[0], hi[0])), larger(lo[1], smaller(q[1], hi[1])), larger(lo[2], smaller(q[2], hi[2]))]
}

/// `x`, or +0 when |x| < 2^-60.
#[inline(always)]
pub fn flush60<R: Real>(x: R) -> R {
    if x.abs() < R::SMALL { R::ZERO } else { x }
}

/// `p - q` with components below 2^-60 set to +0, so that squares and products with pseudo-normals are never subnormal.
#[inline(always)]
pub fn diff<R: Real>(p: Vec3<R>, q: Vec3<R>) -> Vec3<R> {
    [flush60(p[0] - q[0]), flush60(p[1] - q[1]), flush60(p[2] - q[2])]
}

/// Parameters of the four candidates.
#[derive(Clone, Copy)]
struct Parameters<R> {
    t: Vec3<R>,
    v: R,
    w: R,
    inside: bool,
}

/// Parameters of the nearest points of the three edges and of the plane.
#[inline(always)]
fn parameters<R: Real>(r: &R::Record, ab: Vec3<R>, ac: Vec3<R>, bc: Vec3<R>, p: Vec3<R>) -> Parameters<R> {
    // [1] projections
    let [a, b, _] = r.corners();
    let [ia, ib, ic] = r.reciprocals();
    let ap = sub(p, a);
    let bp = sub(p, b);
    let d1 = dt(ab, ap);
    let d2 = dt(ac, ap);
    let d3 = dt(bc, bp);
    // [2] edges
    let s = d1 * ia;
    let t = [clamp01(s), clamp01(d2 * ib), clamp01(d3 * ic)];
    // [3] plane: the height over ab, then the place along ab less the apex's share of it; without interior g is 0, so w is 0 too
    let w = clamp01(dt(r.gradient(), ap));
    let v = s - w * (dt(ab, ac) * ia);
    let inside = w >= R::TINY && v >= R::TINY && w < R::ONE && v + w <= R::ONE;
    Parameters { t, v, w, inside }
}

/// Squared distance of the point `p` to the triangle of the record.
///
/// Domain: |p| <= 2^58, multiples of 2^-63. About 130 operations.
#[inline(always)]
pub fn triangle_distance<R: Real>(r: &R::Record, p: Vec3<R>) -> R {
    let [a, b, c] = r.corners();
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo: Vec3<R> = std::array::from_fn(|k| smaller(smaller(a[k], b[k]), c[k]));
    let hi: Vec3<R> = std::array::from_fn(|k| larger(larger(a[k], b[k]), c[k]));
    // [5] candidates
    let e1 = diff(p, clamp_box(along(a, ab, s.t[0]), lo, hi));
    let e2 = diff(p, clamp_box(along(a, ac, s.t[1]), lo, hi));
    let e3 = diff(p, clamp_box(along(b, bc, s.t[2]), lo, hi));
    let edges = smaller(smaller(dt(e1, e1), dt(e2, e2)), dt(e3, e3));
    if s.inside {
        let e0 = diff(p, clamp_box(along(along(a, ab, s.v), ac, s.w), lo, hi));
        return smaller(dt(e0, e0), edges);
    }
    edges
}

/// Closest point and feature of the triangle of the record, for the triangle that won.
///
/// The feature is that of the first candidate that attains the minimum, the plane before ab, ac and bc; an edge's parameter of
/// exactly 0 or 1 is its end.
pub fn closest_feature<R: Real>(r: &R::Record, p: Vec3<R>) -> ClosestFeature<R> {
    let [a, b, c] = r.corners();
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo: Vec3<R> = std::array::from_fn(|k| smaller(smaller(a[k], b[k]), c[k]));
    let hi: Vec3<R> = std::array::from_fn(|k| larger(larger(a[k], b[k]), c[k]));
    // [5] candidates, a later one only when it is strictly nearer
    let mut best = edge_candidate(a, ab, s.t[0], lo, hi, p, [EDGE_AB, CORNER_A, CORNER_B]);
    best.uv = [s.t[0], R::ZERO];
    let mut other = edge_candidate(a, ac, s.t[1], lo, hi, p, [EDGE_AC, CORNER_A, CORNER_C]);
    if other.d2 < best.d2 {
        other.uv = [R::ZERO, s.t[1]];
        best = other;
    }
    other = edge_candidate(b, bc, s.t[2], lo, hi, p, [EDGE_BC, CORNER_B, CORNER_C]);
    if other.d2 < best.d2 {
        other.uv = [R::ONE - s.t[2], s.t[2]];
        best = other;
    }
    // [6] the plane wins ties
    if s.inside {
        let q = clamp_box(along(along(a, ab, s.v), ac, s.w), lo, hi);
        let e = diff(p, q);
        let d2 = dt(e, e);
        if d2 <= best.d2 {
            best = ClosestFeature { d2, feature: FACE, q, e, uv: [s.v, s.w] };
        }
    }
    best
}

/// Nearest point of the edge a + t u, its feature by the exact parameters 0 and 1.
fn edge_candidate<R: Real>(
    a: Vec3<R>,
    u: Vec3<R>,
    t: R,
    lo: Vec3<R>,
    hi: Vec3<R>,
    p: Vec3<R>,
    features: [u32; 3],
) -> ClosestFeature<R> {
    let q = clamp_box(along(a, u, t), lo, hi);
    let e = diff(p, q);
    let mut feature = features[0];
    if t == R::ZERO {
        feature = features[1];
    }
    if t == R::ONE {
        feature = features[2];
    }
    ClosestFeature { d2: dt(e, e), feature, q, e, uv: [R::ZERO; 2] }
}

/// [`Real::OUTSIDE`] of f32.
pub const OUTSIDE: f32 = <f32 as Real>::OUTSIDE;

/// Whether the point lies inside by the pseudo-normal of the closest feature: their dot product is negative.
///
/// Far away the squared distances to the front and the back of a body round to the same number, and the feature that wins is no
/// longer the closest one; there every point is outside.
pub fn is_negative<R: Real>(normal: Vec3<R>, e: Vec3<R>) -> bool {
    dt(e, e) < R::OUTSIDE && dt(normal, e) < R::ZERO
}

/// Squared gap between a point and a box, computed as the distance to a clamped point is: never above [`triangle_distance`] of a
/// triangle in the box, bit for bit.
#[inline(always)]
pub fn box_gap<R: Real>(lo: Vec3<R>, hi: Vec3<R>, p: Vec3<R>) -> R {
    let g: Vec3<R> = std::array::from_fn(|k| flush60(larger(larger(lo[k] - p[k], p[k] - hi[k]), R::ZERO)));
    dt(g, g)
}

#[cfg(test)]
mod tests {
    use super::super::triangle_record::{TriangleRecord, triangle_record};
    use super::*;
    use crate::tree::samples::Samples;

    /// The definition without the clamp, as a control.
    fn unclamped(r: &TriangleRecord, p: Vec3) -> f32 {
        let (ab, ac, bc) = (sub(r.b, r.a), sub(r.c, r.a), sub(r.c, r.b));
        let s = parameters(r, ab, ac, bc, p);
        let square = |q: Vec3| {
            let e = diff(p, q);
            dt(e, e)
        };
        let edges =
            square(along(r.a, ab, s.t[0])).min(square(along(r.a, ac, s.t[1]))).min(square(along(r.b, bc, s.t[2])));
        if s.inside { edges.min(square(along(along(r.a, ab, s.v), ac, s.w))) } else { edges }
    }

    #[test]
    fn box_gaps_never_exceed_distances_but_would_without_the_clamp() {
        let (mut with, mut without) = (0, 0);
        Samples::new(1).each(50_000, |triangles, points, _| {
            let records: Vec<_> = triangles.iter().map(|[a, b, c]| triangle_record(*a, *b, *c, 0)).collect();
            let corners = || triangles.iter().flatten();
            let lo: Vec3 = std::array::from_fn(|k| corners().fold(f32::INFINITY, |m, v| m.min(v[k])));
            let hi: Vec3 = std::array::from_fn(|k| corners().fold(f32::NEG_INFINITY, |m, v| m.max(v[k])));
            for &p in points {
                let gap = box_gap(lo, hi, p);
                with += usize::from(records.iter().any(|r| gap > triangle_distance(r, p)));
                without += usize::from(records.iter().any(|r| gap > unclamped(r, p)));
            }
        });
        assert_eq!(with, 0);
        assert!(without > 5, "the control did not fail: {without}");
    }

    #[test]
    fn the_winners_distance_and_the_search_distance_are_one() {
        Samples::new(2).each(5_000, |triangles, points, _| {
            for [a, b, c] in triangles {
                let r = triangle_record(*a, *b, *c, 0);
                for &p in points {
                    let closest = closest_feature(&r, p);
                    assert_eq!(closest.d2.to_bits(), triangle_distance(&r, p).to_bits());
                    assert_eq!(closest.d2.to_bits(), dt(closest.e, closest.e).to_bits());
                }
            }
        });
    }
}
