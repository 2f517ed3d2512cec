//! Where a ray meets a triangle, watertight: twin of `ray_triangle.wgsl`.
//!
//! The triangle is sheared along the ray so that the ray becomes the axis z (after Woop, Benthin and Wald, Watertight ray/triangle
//! intersection, 2013). A sheared vertex depends on the ray and the vertex alone, and the side of the ray on which an edge passes is
//! the exact sign of an exact determinant: triangles that share an edge always agree on it.
//!
//! **Edges and vertices that are met exactly** are decided as if the ray were moved, in its sheared plane, by (e, e^2) for an
//! infinitesimal e > 0. So of the triangles round an edge or vertex those are met that the moved ray meets: one at an edge that passes
//! through the surface, none or two where the ray only grazes it. Every count along a ray is one of a ray in general position, and on
//! a closed surface its parity tells inside from outside with no jitter and no second ray.
//!
//! A triangle seen exactly edge-on, or without area, is never met.

use super::Vec3;
use super::real::{Real, div_rn, scale_pow2, snap, two_prod};
use super::triangle_distance::{along, clamp_box, larger, smaller};
use super::triangle_record::sub;
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `strict_float` and `real_single` or `strict_double` and `real_double`, `triangle_record` and
/// `triangle_distance`.
pub const RAY_TRIANGLE: WgslModule = WgslModule { name: "ray_triangle", source: include_str!("ray_triangle.wgsl") };

/// A ray made ready: what all triangles need of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaySetup<R = f32> {
    /// Origin, working coordinates.
    pub origin: Vec3<R>,
    /// Axis of the direction's largest component, which becomes z; the next two axes, in turn, become x and y.
    pub axis: u32,
    /// x and y of the direction over its z.
    pub shear: [R; 2],
    /// Whether the direction's z is negative.
    pub backward: bool,
    /// |z| of the direction: a depth over it is the ray's parameter.
    pub scale: R,
}

/// Where a triangle is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayMeeting<R = f32> {
    /// Whether it is, in front of the origin or at it.
    pub met: bool,
    /// Depth along the axis, +0 or more; orders the triangles along the ray.
    pub depth: R,
    /// Barycentric coordinates of the second and third corner.
    pub uv: [R; 2],
    /// Whether the ray comes from the side that the normal points to.
    pub front: bool,
}

/// The ray from `origin` along `direction`.
///
/// Domain: |origin| <= 2^58, 0 or at least [`Real::TINY`]; the direction's largest component in [1, 2], others 0 or at least that.
pub fn ray_setup<R: Real>(origin: Vec3<R>, direction: Vec3<R>) -> RaySetup<R> {
    // [1] the axis of the largest component, the first of equals
    let [x, y, z] = direction.map(R::abs);
    let axis = if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    let d = turned(direction, axis);
    // [2] what moves a point back along the ray
    let shear = [snap(div_rn(d[0], d[2]), R::TINY), snap(div_rn(d[1], d[2]), R::TINY)];
    RaySetup { origin, axis, shear, backward: d[2] < R::ZERO, scale: d[2].abs() }
}

/// The components in turn, so that `axis` comes last.
#[inline(always)]
pub fn turned<R: Real>(v: Vec3<R>, axis: u32) -> Vec3<R> {
    match axis {
        0 => [v[1], v[2], v[0]],
        1 => [v[2], v[0], v[1]],
        _ => v,
    }
}

/// A point in the ray's coordinates: the ray is the axis z from 0.
///
/// Each operation is monotone in each coordinate of `p`, so that `sheared_box` of a box bounds the points in it exactly.
#[inline(always)]
pub fn sheared<R: Real>(ray: &RaySetup<R>, p: Vec3<R>) -> Vec3<R> {
    let r = turned(sub(p, ray.origin), ray.axis);
    let x = snap(r[0] - r[2] * ray.shear[0], R::TINY);
    let y = snap(r[1] - r[2] * ray.shear[1], R::TINY);
    let z = snap(if ray.backward { -r[2] } else { r[2] }, R::SMALL);
    [x, y, z]
}

/// The side of the origin on which an edge passes, and twice the area of its triangle with the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeSide<R = f32> {
    /// 1 when the moved origin lies to the left of the edge, -1 to the right, 0 for an edge without length.
    pub side: i32,
    /// bx cy - by cx, rounded.
    pub area: R,
}

/// The edge from `b` to `c` in the sheared plane. Domain: components 0 or [`Real::TINY`] to 2^60.
#[inline(always)]
pub fn edge_side<R: Real>(b: Vec3<R>, c: Vec3<R>) -> EdgeSide<R> {
    // [1] both products with their errors
    let (p, p_error) = two_prod(b[0], c[1]);
    let (q, q_error) = two_prod(b[1], c[0]);
    let area = (p - q) + (p_error - q_error);
    // [2] the exact sign of their difference
    if p > q || (p == q && p_error > q_error) {
        return EdgeSide { side: 1, area };
    }
    if p < q || (p == q && p_error < q_error) {
        return EdgeSide { side: -1, area };
    }
    // [3] on the line: as if the origin were moved by (e, e^2)
    if b[1] != c[1] {
        return EdgeSide { side: if b[1] > c[1] { 1 } else { -1 }, area };
    }
    if b[0] != c[0] {
        return EdgeSide { side: if c[0] > b[0] { 1 } else { -1 }, area };
    }
    EdgeSide { side: 0, area }
}

/// Where the ray meets the triangle a, b, c.
///
/// `depth` is interpolated and clamped into the corners' depths. Cost: about 110 operations for a triangle that is missed, three
/// divisions more for one that is met.
#[inline(always)]
pub fn ray_triangle<R: Real>(ray: &RaySetup<R>, a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> RayMeeting<R> {
    let missed = RayMeeting { met: false, depth: R::ZERO, uv: [R::ZERO; 2], front: false };
    // [1] the ray's coordinates
    let sa = sheared(ray, a);
    let sb = sheared(ray, b);
    let sc = sheared(ray, c);
    // [2] the sides of the three edges, each by the corner it faces
    let ea = edge_side(sb, sc);
    let eb = edge_side(sc, sa);
    let ec = edge_side(sa, sb);
    if ea.side == 0 || ea.side != eb.side || ea.side != ec.side {
        return missed;
    }
    // [3] barycentric coordinates
    let sum = (ea.area.abs() + eb.area.abs()) + ec.area.abs();
    let mut u = R::ZERO;
    let mut v = R::ZERO;
    if sum > R::ZERO {
        u = snap(div_rn(eb.area.abs(), sum), R::TINY);
        v = snap(div_rn(ec.area.abs(), sum), R::TINY);
    }
    // [4] depth
    let z = (sa[2] + (sb[2] - sa[2]) * u) + (sc[2] - sa[2]) * v;
    let lo = smaller(smaller(sa[2], sb[2]), sc[2]);
    let hi = larger(larger(sa[2], sb[2]), sc[2]);
    let depth = larger(lo, smaller(z, hi));
    if depth < R::ZERO {
        return missed;
    }
    RayMeeting { met: true, depth, uv: [u, v], front: (ea.side > 0) == ray.backward }
}

/// Whether triangles in the box may be met, with a depth of at most `limit`; never false for a triangle that is.
#[inline(always)]
pub fn ray_meets_box<R: Real>(ray: &RaySetup<R>, lo: Vec3<R>, hi: Vec3<R>, limit: R) -> bool {
    let near = sheared_low(ray, lo, hi);
    let far = sheared_high(ray, lo, hi);
    near[0] <= R::ZERO
        && far[0] >= R::ZERO
        && near[1] <= R::ZERO
        && far[1] >= R::ZERO
        && far[2] >= R::ZERO
        && near[2] <= limit
}

/// The smallest [`sheared`] coordinates of points in the box, by the same operations.
#[inline(always)]
pub fn sheared_low<R: Real>(ray: &RaySetup<R>, lo: Vec3<R>, hi: Vec3<R>) -> Vec3<R> {
    let low = turned(sub(lo, ray.origin), ray.axis);
    let high = turned(sub(hi, ray.origin), ray.axis);
    let x = low[0] - (if ray.shear[0] > R::ZERO { high[2] } else { low[2] }) * ray.shear[0];
    let y = low[1] - (if ray.shear[1] > R::ZERO { high[2] } else { low[2] }) * ray.shear[1];
    let z = if ray.backward { -high[2] } else { low[2] };
    [snap(x, R::TINY), snap(y, R::TINY), snap(z, R::SMALL)]
}

/// The largest [`sheared`] coordinates of points in the box.
#[inline(always)]
pub fn sheared_high<R: Real>(ray: &RaySetup<R>, lo: Vec3<R>, hi: Vec3<R>) -> Vec3<R> {
    let low = turned(sub(lo, ray.origin), ray.axis);
    let high = turned(sub(hi, ray.origin), ray.axis);
    let x = high[0] - (if ray.shear[0] > R::ZERO { low[2] } else { high[2] }) * ray.shear[0];
    let y = high[1] - (if ray.shear[1] > R::ZERO { low[2] } else { high[2] }) * ray.shear[1];
    let z = if ray.backward { -low[2] } else { high[2] };
    [snap(x, R::TINY), snap(y, R::TINY), snap(z, R::SMALL)]
}

/// The ray's parameter at a depth, in units of the caller's direction: depth / scale * 2^exponent.
pub fn ray_parameter<R: Real>(ray: &RaySetup<R>, depth: R, exponent: i32) -> R {
    scale_pow2(div_rn(depth, ray.scale), exponent)
}

/// The point of a triangle with these coordinates, clamped into its box.
pub fn ray_point<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>, uv: [R; 2]) -> Vec3<R> {
    let lo: Vec3<R> = std::array::from_fn(|k| smaller(smaller(a[k], b[k]), c[k]));
    let hi: Vec3<R> = std::array::from_fn(|k| larger(larger(a[k], b[k]), c[k]));
    clamp_box(along(along(a, sub(b, a), uv[0]), sub(c, a), uv[1]), lo, hi)
}
