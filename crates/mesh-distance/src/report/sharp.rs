//! Edges at which two triangles fold back on each other.

use rayon::prelude::*;

use super::{cross, dot, length, sub};
use crate::Mesh;
use crate::edges::Edges;
use crate::unit::Unit;

/// How far a coordinate in f32 lies from the vertex, of the longest side of the mesh's box.
const ROUNDED: f64 = 1.0 / 8_388_608.0;
/// How much closer to folded than its rounding an edge is counted.
const MARGIN: f64 = 8.0;

/// Edges of two triangles whose pseudo-normal, the sum of two unit normals, may point to the wrong side once vertices are rounded to f32.
///
/// `triangles` have one index for each position. With e the angle by which rounding turns the normals (the step of f32 over a triangle's least height) the pseudo-normal of an edge of inner angle a turns
/// by e / a. The points whose nearest point lies on the edge are within 90 degrees - a / 2 of it, so their side is safe while e / a < a / 2.
pub(super) fn folded_edges(mesh: &Mesh, triangles: &[[u32; 3]], edges: &Edges) -> usize {
    let bounds = mesh.bounds();
    let unit = Unit::of(bounds);
    let side = bounds.map_or(0.0, |b| {
        let sides = unit.scaled(sub(b.hi, b.lo));
        sides.into_iter().fold(0.0, f64::max)
    });
    // The unit normal, and how far rounding turns it; None without area.
    let normal = |t: usize| {
        let [a, b, c] = mesh.corners(t);
        let [u, v, w] = [sub(b, a), sub(c, b), sub(a, c)].map(|x| unit.scaled(x));
        let n = cross(u, v);
        let area = length(n);
        let longest = [u, v, w].into_iter().map(length).fold(0.0, f64::max);
        (area > 0.0).then(|| (n.map(|x| x / area), ROUNDED * side * longest / area))
    };
    let folded = |edge: usize| {
        let &[first, second] = edges.halves(edge) else { return false };
        // Triangles the wrong way round to each other are counted as such.
        let from = |half: u32| triangles[half as usize / 3][half as usize % 3];
        if from(first) == from(second) {
            return false;
        }
        let (Some((n, e)), Some((m, f))) = (normal(first as usize / 3), normal(second as usize / 3)) else {
            return false;
        };
        let sum: [f64; 3] = std::array::from_fn(|k| n[k] + m[k]);
        dot(sum, sum) < MARGIN * (e + f)
    };
    (0..edges.len()).into_par_iter().filter(|&edge| folded(edge)).count()
}
