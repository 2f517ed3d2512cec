//! Whether a triangle meets a cell: twin of `cell_triangle.wgsl`.
//!
//! Separating axes (Akenine-Moeller, Fast 3D triangle-box overlap testing, 2001), with margins for the rounding of each axis: a triangle
//! that meets the closed cell is never missed, and one that is reported lies within 2^-15 (f64: 2^-44) of (its size + the cell's) of it.

use super::Vec3;
use super::real::{Real, snap};
use super::triangle_distance::{larger, smaller};
use super::triangle_record::{cross_compensated, dt, largest_exponent, scale_vector, sub};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `strict_float` and `real_single` or `strict_double` and `real_double`, `triangle_record`
/// and `triangle_distance`.
pub const CELL_TRIANGLE: WgslModule = WgslModule { name: "cell_triangle", source: include_str!("cell_triangle.wgsl") };

/// Lower corner of the cell `index`, which is the upper corner of its neighbour: real(index) * h + lo, snapped to +0 below [`Real::TINY`].
///
/// Domain: index <= 2^23; |h|, |lo| <= 2^58.
pub fn cell_corner<R: Real>(index: [u32; 3], lo: Vec3<R>, h: Vec3<R>) -> Vec3<R> {
    std::array::from_fn(|k| snap(R::from_f64(f64::from(index[k])) * h[k] + lo[k], R::TINY))
}

/// Whether two closed boxes meet.
#[inline(always)]
pub fn boxes_meet<R: Real>(lo: Vec3<R>, hi: Vec3<R>, other_lo: Vec3<R>, other_hi: Vec3<R>) -> bool {
    let x = lo[0] <= other_hi[0] && other_lo[0] <= hi[0];
    let y = lo[1] <= other_hi[1] && other_lo[1] <= hi[1];
    let z = lo[2] <= other_hi[2] && other_lo[2] <= hi[2];
    x && y && z
}

/// Whether the axis across an edge separates, in the plane of two coordinates: the edge (eu, ev), a corner of it (pu, pv), the third
/// corner (cu, cv), the cell [0, du] x [0, dv].
#[inline(always)]
fn edge_separates<R: Real>(e: [R; 2], p: [R; 2], c: [R; 2], d: [R; 2]) -> bool {
    // [1] both corners and the cell on the axis (-ev, eu)
    let a = p[1] * e[0] - p[0] * e[1];
    let b = c[1] * e[0] - c[0] * e[1];
    let f = d[1] * e[0];
    let g = -(d[0] * e[1]);
    let cell_lo = smaller(f, R::ZERO) + smaller(g, R::ZERO);
    let cell_hi = larger(f, R::ZERO) + larger(g, R::ZERO);
    // [2] apart by more than the rounding
    let along = e[0].abs() * ((p[1].abs() + c[1].abs()) + d[1]);
    let across = e[1].abs() * ((p[0].abs() + c[0].abs()) + d[0]);
    let margin = snap((along + across) * R::MARGIN, R::NO_MARGIN);
    smaller(a, b) > cell_hi + margin || larger(a, b) + margin < cell_lo
}

/// Whether one of the three axes across an edge separates.
#[inline(always)]
fn edge_axes_separate<R: Real>(e: Vec3<R>, p: Vec3<R>, c: Vec3<R>, d: Vec3<R>) -> bool {
    let yz = edge_separates([e[1], e[2]], [p[1], p[2]], [c[1], c[2]], [d[1], d[2]]);
    let zx = edge_separates([e[2], e[0]], [p[2], p[0]], [c[2], c[0]], [d[2], d[0]]);
    let xy = edge_separates([e[0], e[1]], [p[0], p[1]], [c[0], c[1]], [d[0], d[1]]);
    yz || zx || xy
}

/// Whether the plane of the triangle passes beside the cell.
#[inline(always)]
fn plane_separates<R: Real>(ab: Vec3<R>, ac: Vec3<R>, p: Vec3<R>, d: Vec3<R>) -> bool {
    // [1] the normal, largest component in [1, 2)
    let k = R::EXPONENT_BIAS - largest_exponent(ab).max(largest_exponent(ac));
    let n = cross_compensated(scale_vector(ab, k), scale_vector(ac, k));
    if larger(larger(n[0].abs(), n[1].abs()), n[2].abs()) < R::THIN {
        return false;
    }
    let m = scale_vector(n, R::EXPONENT_BIAS - largest_exponent(n));
    // [2] the cell along it
    let x = m[0] * d[0];
    let y = m[1] * d[1];
    let z = m[2] * d[2];
    let cell_lo = (smaller(x, R::ZERO) + smaller(y, R::ZERO)) + smaller(z, R::ZERO);
    let cell_hi = (larger(x, R::ZERO) + larger(y, R::ZERO)) + larger(z, R::ZERO);
    // [3] apart by more than the rounding
    let reach: Vec3<R> = std::array::from_fn(|k| (p[k].abs() + d[k]) + (ab[k].abs() + ac[k].abs()));
    let margin = snap(dt(m.map(R::abs), reach) * R::MARGIN, R::NO_MARGIN);
    let v = dt(m, p);
    v > cell_hi + margin || v + margin < cell_lo
}

/// Whether the triangle a, b, c meets the closed cell [lo, hi].
///
/// Domain: working coordinates of the triangle, |lo|, |hi| <= 2^58. Cost: about 200 operations where the boxes meet.
pub fn cell_meets_triangle<R: Real>(lo: Vec3<R>, hi: Vec3<R>, a: Vec3<R>, b: Vec3<R>, c: Vec3<R>) -> bool {
    // [1] the boxes
    let low: Vec3<R> = std::array::from_fn(|k| smaller(smaller(a[k], b[k]), c[k]));
    let high: Vec3<R> = std::array::from_fn(|k| larger(larger(a[k], b[k]), c[k]));
    if !boxes_meet(lo, hi, low, high) {
        return false;
    }
    // [2] from the cell's lower corner
    let d = sub(hi, lo);
    let pa = sub(a, lo);
    let pb = sub(b, lo);
    let pc = sub(c, lo);
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    // [3] the other ten axes
    if edge_axes_separate(ab, pa, pc, d) || edge_axes_separate(ac, pa, pb, d) || edge_axes_separate(bc, pb, pa, d) {
        return false;
    }
    !plane_separates(ab, ac, pa, d)
}

/// Numbers of a mark: outside, cut, inside.
pub const OUTSIDE_CELL: u32 = 0;
/// The surface is in the cell.
pub const CUT_CELL: u32 = 1;
/// Inside and not cut.
pub const INSIDE_CELL: u32 = 2;

/// The mark of a cell from whether it is cut and the bits of its centre's distance, of f64 the upper word.
pub fn cell_mark(cut: bool, distance: u32) -> u32 {
    if cut {
        return CUT_CELL;
    }
    if distance >= 0x8000_0000 { INSIDE_CELL } else { OUTSIDE_CELL }
}
