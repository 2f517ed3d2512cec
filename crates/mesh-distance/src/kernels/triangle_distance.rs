//! Squared distance of a point to a triangle, and the winner's closest point, feature and sign: twin of `triangle_distance.wgsl`.
//!
//! The distance is the minimum over four candidates, the nearest points of the three edges and, where the projection falls inside, of
//! the plane; each clamped into the triangle's own box. The minimum over all three edges makes slivers and degenerate triangles safe
//! (they are segments or points), and the clamp makes the squared gap to any enclosing box, computed in the same order, a lower bound
//! bit for bit. The error of a distance is at most 8 * 2^-24 of (half extent of the mesh + distance from its centre), whatever the
//! shape of the triangle. Signs after Baerentzen & Aanaes, Signed distance computation using the angle weighted pseudonormal, 2005.

use super::Vec3;
use super::triangle_record::{SMALL, TINY, TriangleRecord, dt, sub};
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
pub struct ClosestFeature {
    /// Squared distance, equal to [`triangle_distance`] bit for bit.
    pub d2: f32,
    /// `FACE` to `CORNER_C`.
    pub feature: u32,
    /// Closest point.
    pub q: Vec3,
    /// Point minus closest point, flushed.
    pub e: Vec3,
    /// Barycentric coordinates: q = a + u ab + v ac before rounding.
    pub uv: [f32; 2],
}

/// `x` limited to [0, 1], and 0 below 2^-40.
#[inline(always)]
pub fn clamp01(x: f32) -> f32 {
    let low = if x < TINY { 0.0 } else { x };
    if low > 1.0 { 1.0 } else { low }
}

/// The smaller of two numbers that are no NaN and no -0.
#[inline(always)]
pub fn smaller(x: f32, y: f32) -> f32 {
    if x < y { x } else { y }
}

/// The larger of two numbers that are no NaN and no -0.
#[inline(always)]
pub fn larger(x: f32, y: f32) -> f32 {
    if x > y { x } else { y }
}

/// `a + u t`.
#[inline(always)]
pub fn along(a: Vec3, u: Vec3, t: f32) -> Vec3 {
    [a[0] + u[0] * t, a[1] + u[1] * t, a[2] + u[2] * t]
}

/// `q` limited to the box, component by component.
#[inline(always)]
pub fn clamp_box(q: Vec3, lo: Vec3, hi: Vec3) -> Vec3 {
    [larger(lo[0], smaller(q[0], hi[0])), larger(lo[1], smaller(q[1], hi[1])), larger(lo[2], smaller(q[2], hi[2]))]
}

/// `x`, or +0 when |x| < 2^-60.
#[inline(always)]
pub fn flush60(x: f32) -> f32 {
    if x.abs() < SMALL { 0.0 } else { x }
}

/// `p - q` with components below 2^-60 set to +0, so that squares and products with pseudo-normals are never subnormal.
#[inline(always)]
pub fn diff(p: Vec3, q: Vec3) -> Vec3 {
    [flush60(p[0] - q[0]), flush60(p[1] - q[1]), flush60(p[2] - q[2])]
}

/// Parameters of the four candidates.
#[derive(Clone, Copy)]
struct Parameters {
    t: Vec3,
    v: f32,
    w: f32,
    inside: bool,
}

/// Parameters of the nearest points of the three edges and of the plane.
#[inline(always)]
fn parameters(r: &TriangleRecord, ab: Vec3, ac: Vec3, bc: Vec3, p: Vec3) -> Parameters {
    // [1] projections
    let ap = sub(p, r.a);
    let bp = sub(p, r.b);
    let d1 = dt(ab, ap);
    let d2 = dt(ac, ap);
    let d3 = dt(bc, bp);
    // [2] edges
    let s = d1 * r.ia;
    let t = [clamp01(s), clamp01(d2 * r.ib), clamp01(d3 * r.ic)];
    // [3] plane: the height over ab, then the place along ab less the apex's share of it; without interior g is 0, so w is 0 too
    let w = clamp01(dt(r.g, ap));
    let v = s - w * (dt(ab, ac) * r.ia);
    let inside = w >= TINY && v >= TINY && w < 1.0 && v + w <= 1.0;
    Parameters { t, v, w, inside }
}

/// Squared distance of the point `p` to the triangle of the record.
///
/// Domain: |p| <= 2^58, multiples of 2^-63. About 130 operations.
#[inline(always)]
pub fn triangle_distance(r: &TriangleRecord, p: Vec3) -> f32 {
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let bc = sub(r.c, r.b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo: Vec3 = std::array::from_fn(|k| smaller(smaller(r.a[k], r.b[k]), r.c[k]));
    let hi: Vec3 = std::array::from_fn(|k| larger(larger(r.a[k], r.b[k]), r.c[k]));
    // [5] candidates
    let e1 = diff(p, clamp_box(along(r.a, ab, s.t[0]), lo, hi));
    let e2 = diff(p, clamp_box(along(r.a, ac, s.t[1]), lo, hi));
    let e3 = diff(p, clamp_box(along(r.b, bc, s.t[2]), lo, hi));
    let edges = smaller(smaller(dt(e1, e1), dt(e2, e2)), dt(e3, e3));
    if s.inside {
        let e0 = diff(p, clamp_box(along(along(r.a, ab, s.v), ac, s.w), lo, hi));
        return smaller(dt(e0, e0), edges);
    }
    edges
}

/// Closest point and feature of the triangle of the record, for the triangle that won.
///
/// The feature is that of the first candidate that attains the minimum, the plane before ab, ac and bc; an edge's parameter of
/// exactly 0 or 1 is its end.
pub fn closest_feature(r: &TriangleRecord, p: Vec3) -> ClosestFeature {
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let bc = sub(r.c, r.b);
    let s = parameters(r, ab, ac, bc, p);
    // [4] the triangle's box
    let lo: Vec3 = std::array::from_fn(|k| smaller(smaller(r.a[k], r.b[k]), r.c[k]));
    let hi: Vec3 = std::array::from_fn(|k| larger(larger(r.a[k], r.b[k]), r.c[k]));
    // [5] candidates, a later one only when it is strictly nearer
    let mut best = edge_candidate(r.a, ab, s.t[0], lo, hi, p, [EDGE_AB, CORNER_A, CORNER_B]);
    best.uv = [s.t[0], 0.0];
    let mut other = edge_candidate(r.a, ac, s.t[1], lo, hi, p, [EDGE_AC, CORNER_A, CORNER_C]);
    if other.d2 < best.d2 {
        other.uv = [0.0, s.t[1]];
        best = other;
    }
    other = edge_candidate(r.b, bc, s.t[2], lo, hi, p, [EDGE_BC, CORNER_B, CORNER_C]);
    if other.d2 < best.d2 {
        other.uv = [1.0 - s.t[2], s.t[2]];
        best = other;
    }
    // [6] the plane wins ties
    if s.inside {
        let q = clamp_box(along(along(r.a, ab, s.v), ac, s.w), lo, hi);
        let e = diff(p, q);
        let d2 = dt(e, e);
        if d2 <= best.d2 {
            best = ClosestFeature { d2, feature: FACE, q, e, uv: [s.v, s.w] };
        }
    }
    best
}

/// Nearest point of the edge a + t u, its feature by the exact parameters 0 and 1.
fn edge_candidate(a: Vec3, u: Vec3, t: f32, lo: Vec3, hi: Vec3, p: Vec3, features: [u32; 3]) -> ClosestFeature {
    let q = clamp_box(along(a, u, t), lo, hi);
    let e = diff(p, q);
    let mut feature = features[0];
    if t == 0.0 {
        feature = features[1];
    }
    if t == 1.0 {
        feature = features[2];
    }
    ClosestFeature { d2: dt(e, e), feature, q, e, uv: [0.0; 2] }
}

/// Squared distance from which every point is outside (2^24: 4096 times the half extent of the mesh).
pub const OUTSIDE: f32 = 16_777_216.0;

/// Whether the point lies inside by the pseudo-normal of the closest feature: their dot product is negative.
///
/// Far away the squared distances to the front and the back of a body round to the same number, and the feature that wins is no
/// longer the closest one; there every point is outside.
pub fn is_negative(normal: Vec3, e: Vec3) -> bool {
    dt(e, e) < OUTSIDE && dt(normal, e) < 0.0
}

/// Squared gap between a point and a box, computed as the distance to a clamped point is: never above [`triangle_distance`] of a
/// triangle in the box, bit for bit.
#[inline(always)]
pub fn box_gap(lo: Vec3, hi: Vec3, p: Vec3) -> f32 {
    let g: Vec3 = std::array::from_fn(|k| flush60(larger(larger(lo[k] - p[k], p[k] - hi[k]), 0.0)));
    dt(g, g)
}

#[cfg(test)]
mod tests {
    use super::super::triangle_record::triangle_record;
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
