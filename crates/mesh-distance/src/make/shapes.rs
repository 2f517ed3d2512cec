//! The shapes.

use super::patches::{Wrap, patch, round, sides};
use crate::Mesh;
use std::f64::consts::TAU;

/// A tube round a (2, 3) torus knot, closed.
///
/// Centre line (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t), radius 0.45 + 0.02 sin(60 t) sin(12 v), 12.5 times as many quads along t as
/// round v; 1,000,000 triangles give 2,500 × 200 quads. An even number from 18 with a suitable divisor is met exactly.
pub fn knot(triangles: usize) -> Mesh {
    let (u, v) = sides(triangles / 2, 12.5, 3);
    patch(u, v, Wrap { u: true, v: true }, |i, j| {
        let t = TAU * i as f64 / u as f64;
        let around = TAU * j as f64 / v as f64;
        let centre = [t.sin() + 2.0 * (2.0 * t).sin(), t.cos() - 2.0 * (2.0 * t).cos(), -(3.0 * t).sin()];
        let tangent = unit([t.cos() + 4.0 * (2.0 * t).cos(), 4.0 * (2.0 * t).sin() - t.sin(), -3.0 * (3.0 * t).cos()]);
        let side = unit(cross([0.0, 0.0, 1.0], tangent));
        let up = cross(side, tangent);
        let radius = 0.45 + 0.02 * (60.0 * t).sin() * (12.0 * around).sin();
        let (s, c) = around.sin_cos();
        std::array::from_fn(|k| centre[k] + radius * (c * side[k] + s * up[k]))
    })
}

/// A torus round the z axis, radii 1 and 0.4, closed.
///
/// 2.5 times as many quads along the large circle; an even number from 18 with a suitable divisor is met exactly.
pub fn torus(triangles: usize) -> Mesh {
    let (u, v) = sides(triangles / 2, 2.5, 3);
    patch(u, v, Wrap { u: true, v: true }, |i, j| {
        let (su, cu) = (TAU * i as f64 / u as f64).sin_cos();
        let (sv, cv) = (TAU * j as f64 / v as f64).sin_cos();
        let from_axis = 1.0 + 0.4 * cv;
        [from_axis * cu, from_axis * su, 0.4 * sv]
    })
}

/// A height field over [-1, 1]^2, open: z = 0.25 sin(3x + 1) cos(4y) + 0.08 sin(11x + 5y) + 0.02 sin(37x) sin(41y).
///
/// An even number with two similar divisors is met exactly.
pub fn terrain(triangles: usize) -> Mesh {
    let (u, v) = sides(triangles / 2, 1.0, 1);
    patch(u, v, Wrap { u: false, v: false }, |i, j| {
        let (x, y) = (2.0 * i as f64 / u as f64 - 1.0, 2.0 * j as f64 / v as f64 - 1.0);
        let hills = 0.25 * (3.0 * x + 1.0).sin() * (4.0 * y).cos() + 0.08 * (11.0 * x + 5.0 * y).sin();
        [x, y, hills + 0.02 * (37.0 * x).sin() * (41.0 * y).sin()]
    })
}

/// The unit cube [0, 1]^3, closed: 12 n^2 triangles, the nearest to the number asked for.
pub fn cube(triangles: usize) -> Mesh {
    let n = nearest_square(triangles, 12);
    // Origin and the two directions of each face; their cross product points outward.
    let faces: [[[f64; 3]; 3]; 6] = [
        [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ];
    let parts = faces.iter().map(|[origin, u, v]| {
        patch(n, n, Wrap { u: false, v: false }, |i, j| {
            let (s, t) = (i as f64 / n as f64, j as f64 / n as f64);
            std::array::from_fn(|k| origin[k] + s * u[k] + t * v[k])
        })
    });
    joined(parts)
}

/// The unit sphere round the origin, closed: a subdivided octahedron of 8 n^2 triangles, the nearest to the number asked for.
pub fn sphere(triangles: usize) -> Mesh {
    let n = nearest_square(triangles, 8);
    let octants = (0..8u32).map(|octant| {
        let sign = |bit: u32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let mirrored = octant.count_ones() % 2 == 1;
        subdivided([[sign(0), 0.0, 0.0], [0.0, sign(1), 0.0], [0.0, 0.0, sign(2)]], n, mirrored)
    });
    joined(octants)
}

/// A triangle of the octahedron cut into n^2, projected onto the unit sphere.
fn subdivided(corners: [[f64; 3]; 3], n: usize, mirrored: bool) -> Mesh {
    let row_start = |i: usize| i * (i + 1) / 2;
    let mut positions = Vec::new();
    for i in 0..=n {
        for j in 0..=i {
            // Integer weights: points on shared sides come out equal in both triangles.
            let (a, b, c) = ((n - i) as f64, (i - j) as f64, j as f64);
            let p = std::array::from_fn(|k| a * corners[0][k] + b * corners[1][k] + c * corners[2][k]);
            positions.push(round(unit(p)));
        }
    }
    let mut triangles = Vec::new();
    let mut push = |t: [usize; 3]| {
        let [a, b, c] = t.map(|x| x as u32);
        triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
    };
    for i in 0..n {
        for j in 0..=i {
            let (a, b) = (row_start(i) + j, row_start(i + 1) + j);
            push([a, b, b + 1]);
            if j < i {
                push([a, b + 1, a + 1]);
            }
        }
    }
    Mesh { positions, triangles }
}

/// One mesh of several, vertices of equal position merged.
fn joined(parts: impl Iterator<Item = Mesh>) -> Mesh {
    let mut mesh = Mesh::default();
    for part in parts {
        let base = mesh.positions.len() as u32;
        mesh.positions.extend(part.positions);
        mesh.triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + base)));
    }
    mesh.merge_equal_positions();
    mesh
}

/// The n >= 1 whose `factor * n^2` is nearest to `count`.
fn nearest_square(count: usize, factor: usize) -> usize {
    let n = ((count as f64 / factor as f64).sqrt() as usize).max(1);
    let miss = |n: usize| (factor * n * n).abs_diff(count);
    if miss(n + 1) < miss(n) { n + 1 } else { n }
}

fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|x| x / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_shapes_are_closed_outward_and_of_the_right_volume() {
        let cases: [(&str, Mesh, usize, f64, f64); 4] = [
            ("sphere", sphere(20_000), 20_000, 4.0 / 3.0 * std::f64::consts::PI, 0.01),
            ("torus", torus(20_000), 20_000, 2.0 * std::f64::consts::PI.powi(2) * 0.16, 0.01),
            ("cube", cube(4_800), 4_800, 1.0, 1e-6),
            ("knot", knot(20_000), 20_000, 0.0, f64::INFINITY),
        ];
        for (name, mesh, count, volume, tolerance) in cases {
            let report = mesh.report();
            assert_eq!(mesh.triangles.len(), count, "{name}");
            assert!(report.closed && report.manifold && report.oriented, "{name}: {report:?}");
            assert_eq!((report.component_count, report.inward_components), (1, 0), "{name}");
            assert_eq!((report.flat_triangles, report.duplicate_triangles), (0, 0), "{name}");
            assert!((report.volume / volume.max(1e-9) - 1.0).abs() < tolerance, "{name}: {}", report.volume);
        }
    }

    #[test]
    fn counts_are_exact_or_nearest() {
        assert_eq!(knot(1_000_000).triangles.len(), 1_000_000);
        assert_eq!(terrain(20_000).triangles.len(), 20_000);
        assert_eq!(cube(13).triangles.len(), 12);
        assert_eq!(sphere(1).triangles.len(), 8);
        assert_eq!(torus(0).triangles.len(), 18);
        assert!(terrain(20_000).report().boundary_edges == 400);
    }
}
