//! Pieces of triangles with their bounds, in f64.

use crate::Mesh;

/// A point that was asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) point: [f64; 3],
    /// The triangle of the other mesh that is closest to it by the f32 search.
    pub(super) triangle: u32,
}

/// A triangle or a quarter of a quarter of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) corners: [Corner; 3],
    /// No point of it is farther from the other mesh.
    pub(super) upper: f64,
}

/// Relative rounding of the f64 bounds.
const SLACK: f64 = 1.0 + 1e-12;

impl Patch {
    pub(super) fn new(corners: [Corner; 3], other: &Mesh) -> Patch {
        let reach = |i: usize| corners.iter().fold(0.0f64, |m, c| m.max(length(sub(c.point, corners[i].point))));
        let upper = (0..3).fold(f64::INFINITY, |least, i| {
            let triangle = other.corners(corners[i].triangle as usize);
            // All corners to one triangle: its distance is convex.
            let distances = corners.map(|c| distance(triangle, c.point));
            let convex = distances.iter().fold(0.0f64, |m, &d| m.max(d));
            least.min(convex).min(distances[i] + reach(i))
        });
        Patch { corners, upper: upper * SLACK }
    }

    /// The middles of the edges ab, bc, ca.
    pub(super) fn middles(&self) -> [[f64; 3]; 3] {
        let middle = |i: usize, j: usize| {
            let (p, q) = (self.corners[i].point, self.corners[j].point);
            std::array::from_fn(|k| 0.5 * p[k] + 0.5 * q[k])
        };
        [middle(0, 1), middle(1, 2), middle(2, 0)]
    }

    /// The four quarters, given the middles' answers.
    pub(super) fn quarters(&self, middles: [Corner; 3], other: &Mesh) -> [Patch; 4] {
        let ([a, b, c], [ab, bc, ca]) = (self.corners, middles);
        let quarter = |corners| {
            let patch = Patch::new(corners, other);
            // What holds for the whole holds for the part.
            Patch { upper: patch.upper.min(self.upper), ..patch }
        };
        [quarter([a, ab, ca]), quarter([ab, b, bc]), quarter([ca, bc, c]), quarter([ab, bc, ca])]
    }
}

/// Distance of a point from a triangle, at most a few 1e-16 of the coordinates below the true one: the least over points of it.
pub(super) fn distance([a, b, c]: [[f64; 3]; 3], p: [f64; 3]) -> f64 {
    let edges = segment(a, b, p).min(segment(b, c, p)).min(segment(c, a, p));
    let (u, v, w) = (sub(b, a), sub(c, a), sub(p, a));
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let determinant = uu * vv - uv * uv;
    if determinant.is_nan() || determinant <= 1e-12 * uu * vv {
        return edges;
    }
    let s = (vv * dot(u, w) - uv * dot(v, w)) / determinant;
    let t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    if s < 0.0 || t < 0.0 || s + t > 1.0 {
        return edges;
    }
    edges.min(length(std::array::from_fn(|k| w[k] - (s * u[k] + t * v[k]))))
}

fn segment(a: [f64; 3], b: [f64; 3], p: [f64; 3]) -> f64 {
    let (u, w) = (sub(b, a), sub(p, a));
    let square = dot(u, u);
    let t = if square > 0.0 { (dot(u, w) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(std::array::from_fn(|k| w[k] - t * u[k]))
}

fn sub(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| u[k] - v[k])
}

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

pub(super) fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}
