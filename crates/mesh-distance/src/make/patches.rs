//! Rectangular patches of quads, each cut into two triangles.

use crate::Mesh;

/// Whether the two directions of a patch close on themselves.
#[derive(Clone, Copy)]
pub(super) struct Wrap {
    pub(super) u: bool,
    pub(super) v: bool,
}

/// Number of quads along u and v whose product is nearest to `quads`, with about `ratio` times as many along u.
///
/// Of products equally near, the one with the better ratio. Both are at least `least`.
pub(super) fn sides(quads: usize, ratio: f64, least: usize) -> (usize, usize) {
    let ideal = (quads.max(1) as f64 / ratio).sqrt();
    let from = ((ideal * 0.7) as usize).max(least);
    let to = ((ideal * 1.4) as usize).max(from);
    let mut best = (usize::MAX, f64::INFINITY, (least, least));
    for v in from..=to {
        let u = ((quads + v / 2) / v).max(least);
        let miss = (u * v).abs_diff(quads);
        let skew = (u as f64 / (v as f64 * ratio)).ln().abs();
        if (miss, skew) < (best.0, best.1) {
            best = (miss, skew, (u, v));
        }
    }
    best.2
}

/// The patch of u × v quads with the points `at(i, j)`.
///
/// Triangles are counter-clockwise where the direction of growing i, crossed with that of growing j, points outward.
pub(super) fn patch(u: usize, v: usize, wrap: Wrap, at: impl Fn(usize, usize) -> [f64; 3]) -> Mesh {
    let columns = if wrap.u { u } else { u + 1 };
    let rows = if wrap.v { v } else { v + 1 };
    let positions = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))).map(|(i, j)| round(at(i, j))).collect();
    let index = |i: usize, j: usize| ((j % rows) * columns + i % columns) as u32;
    let mut triangles = Vec::with_capacity(2 * u * v);
    for j in 0..v {
        for i in 0..u {
            let (a, b, c, d) = (index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1));
            triangles.push([a, b, c]);
            triangles.push([a, c, d]);
        }
    }
    Mesh { positions, triangles }
}

/// Coordinates rounded to f32.
pub(super) fn round(point: [f64; 3]) -> [f64; 3] {
    point.map(|x| f64::from(x as f32))
}
