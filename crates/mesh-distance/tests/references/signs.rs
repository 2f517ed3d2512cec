//! Signs and distances in the cases that other libraries were reported to get wrong.

use crate::common;
use crate::common::{Random, add};
use mesh_distance::{Feature, Grid, Mesh, Sign, Surface, make};
use std::ops::ControlFlow;

fn mesh(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(positions.to_vec(), triangles.to_vec()).unwrap()
}

fn distances(mesh: &Mesh, points: &[[f64; 3]]) -> Vec<f32> {
    Surface::build(mesh).unwrap().distance_cpu(points, Sign::PseudoNormal, false).unwrap()
}

/// Outward half-space distances of a convex closed mesh: the largest is negative inside.
fn outside_by(mesh: &Mesh, p: [f64; 3]) -> f64 {
    (0..mesh.triangles.len()).fold(f64::NEG_INFINITY, |most, t| {
        let [a, b, c] = mesh.corners(t);
        let (u, v, w) = (add(b, a, -1.0), add(c, a, -1.0), add(p, a, -1.0));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        most.max((n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) / length)
    })
}

/// Checks the sign of points round a convex mesh, many of them nearest to its edges and vertices, some very far away.
fn check_convex(name: &str, mesh: &Mesh) {
    // Edges that could fold when rounded are a doubt; these do not.
    let mut report = mesh.report();
    report.folded_edges = 0;
    assert!(report.trust(Sign::PseudoNormal).reliable, "{name}: {report:?}");
    let points = common::points(mesh, 20_000, 3);
    for (p, d) in points.iter().zip(distances(mesh, &points)) {
        let side = outside_by(mesh, *p);
        let size = p.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        if side.abs() > 1e-6 * size {
            assert_eq!(d < 0.0, side < 0.0, "{name}: {p:?} distance {d}, outside by {side}");
        }
    }
}

fn prism(angle: f64, length: f64) -> Mesh {
    let (s, c) = angle.to_radians().sin_cos();
    let section = [[0.0, 0.0], [1.0, 0.0], [c, s]];
    let positions: Vec<[f64; 3]> =
        (0..6).map(|i| [section[i % 3][0], section[i % 3][1], (i / 3) as f64 * length]).collect();
    mesh(&positions, &[[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]])
}

#[test]
fn corner_tetrahedron_on_a_wide_grid() {
    let tetrahedron = mesh(
        &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    );
    check_convex("tetrahedron", &tetrahedron);
    let grid = Grid { lo: [-2.0; 3], cell: [5.0 / 40.0; 3], counts: [40; 3] };
    let surface = Surface::build(&tetrahedron).unwrap();
    let values =
        surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, &|_, _| ControlFlow::Continue(())).unwrap();
    for (cell, d) in values.iter().enumerate() {
        let p = grid.centre([cell % 40, cell / 40 % 40, cell / 1600].map(|i| i as u32));
        let inside = p.iter().all(|x| *x > 0.0) && p[0] + p[1] + p[2] < 1.0;
        assert_eq!(*d < 0.0, inside, "{p:?}: {d}");
    }
}

#[test]
fn cubes_and_sharp_wedges() {
    check_convex("cube", &make::cube(48));
    for angle in [90.0, 10.0, 1.0, 0.1] {
        check_convex(&format!("wedge of {angle} degrees"), &prism(angle, 1.0));
    }
}

#[test]
fn triangles_of_very_different_area_at_a_sharp_edge() {
    // The edge from 0 to 1 has a large triangle on one side and, by a vertex 1e-6 away from it, a tiny one on the other.
    let (a, b, high) = ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.17, 0.5]);
    let (near, low) = ([1e-6, 0.0, 0.5], [1.0, 0.0, 0.5]);
    let fin = mesh(&[a, b, high, near, low], &[[0, 2, 1], [0, 1, 3], [0, 3, 4], [3, 1, 4], [4, 2, 0], [4, 1, 2]]);
    let turned = Mesh::new(fin.positions.clone(), fin.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect()).unwrap();
    let fin = if fin.report().volume > 0.0 { fin } else { turned };
    check_convex("fin", &fin);
}

#[test]
fn points_on_the_surface_get_plus_zero() {
    let cube = make::cube(12);
    let mut points = cube.positions.clone();
    points.extend([[0.0, 0.5, 0.5], [0.5, 0.0, 0.0], [1.0, 1.0, 0.25], [0.375, 0.75, 1.0], [0.5, 0.5, 0.0]]);
    for (p, d) in points.iter().zip(distances(&cube, &points)) {
        assert_eq!(d.to_bits(), 0, "{p:?}: {d}");
    }
}

#[test]
fn coplanar_and_collinear_points_beside_a_triangle() {
    let mut large = make::cube(12);
    large.positions.iter_mut().for_each(|p| *p = p.map(|x| 2.0 * x));
    assert_eq!(distances(&large, &[[3.0, 2.0, 2.0]]), [1.0]);
    let triangle = mesh(&[[2.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], &[[0, 1, 2]]);
    assert_eq!(distances(&triangle, &[[1.5, 1.0, 0.0], [3.0, 1.0, 0.0], [-0.5, 1.0, 0.0]]), [0.0, 1.0, 0.5]);
    assert!(distances(&triangle, &[[1.4, 1.0, 0.0]])[0] <= 1e-7);
}

#[test]
fn degenerate_triangles_are_segments_and_points() {
    let (a, b, c) = ([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let query = [[1.0, 3.0, 4.0], [-3.0, 4.0, 0.0], [2.0, 0.0, 0.5], [0.25, 0.0, 0.0]];
    for corners in [[a, b, c], [c, a, b], [b, c, a], [a, b, b], [a, a, b], [b, a, b]] {
        let surface = Surface::build(&mesh(&corners, &[[0, 1, 2]])).unwrap();
        for sign in [Sign::None, Sign::PseudoNormal] {
            assert_eq!(surface.distance_cpu(&query, sign, false).unwrap(), [5.0, 5.0, 0.5, 0.0], "{corners:?}");
        }
        assert!(surface.closest_cpu(&query, Sign::None).unwrap().iter().all(|hit| hit.feature != Feature::Face));
    }
    assert_eq!(distances(&mesh(&[c; 3], &[[0, 1, 2]]), &[[4.0, 0.0, 4.0], c]), [5.0, 0.0]);
    let report = mesh(&[a, b, c, a, a], &[[0, 1, 2], [0, 3, 4]]).report();
    assert_eq!((report.zero_area_triangles, report.triangles), (2, 2));
}

#[test]
fn degenerate_triangles_in_a_closed_mesh_change_no_sign() {
    let cube = make::cube(48);
    let mut damaged = cube.clone();
    // A collapsed triangle at every vertex and along an edge of the mesh.
    damaged.triangles.extend((0..26).map(|v| [v, v, v]));
    damaged.triangles.extend(cube.triangles.iter().map(|t| [t[0], t[1], t[1]]));
    let points = common::points(&cube, 5_000, 4);
    assert_eq!(distances(&damaged, &points), distances(&cube, &points));
}

#[test]
fn repeated_faces_change_no_sign() {
    let cube = make::cube(12);
    let points = common::points(&cube, 10_000, 5);
    let expected = distances(&cube, &points);
    for face in 0..12 {
        for order in [[0, 2, 1], [2, 1, 0], [1, 2, 0]] {
            let mut repeated = cube.clone();
            repeated.triangles.push(order.map(|k| cube.triangles[face][k]));
            for ((p, e), d) in points.iter().zip(&expected).zip(distances(&repeated, &points)) {
                // Another order of corners may round differently; a point on the surface may then change its side.
                let same = (e - d).abs() <= 1e-6 * e.abs().max(1.0);
                assert!(same, "face {face} as {order:?}: {p:?} {e} {d}");
            }
        }
    }
}

#[test]
fn a_shell_is_negative_between_its_walls() {
    let outer = make::cube(48);
    let mut shell = outer.clone();
    shell.positions.extend(outer.positions.iter().map(|p| p.map(|x| 0.25 + 0.5 * x)));
    let shift = outer.positions.len() as u32;
    shell.triangles.extend(outer.triangles.iter().map(|&[a, b, c]| [a + shift, c + shift, b + shift]));
    let mut random = Random::new(6);
    let points: Vec<[f64; 3]> = (0..20_000).map(|_| random.vector().map(|x| 0.5 + x)).collect();
    for (p, d) in points.iter().zip(distances(&shell, &points)) {
        let from_centre = p.iter().fold(0.0f64, |m, x| m.max((x - 0.5).abs()));
        if (from_centre - 0.5).abs() > 1e-6 && (from_centre - 0.25).abs() > 1e-6 {
            assert_eq!(d < 0.0, from_centre < 0.5 && from_centre > 0.25, "{p:?}: {d}");
        }
    }
}

#[test]
fn far_from_the_origin_nothing_is_lost() {
    let knot = make::knot(3_000);
    let points = common::points(&knot, 3_000, 7);
    let near: Vec<[f64; 3]> = points.into_iter().filter(|p| p.iter().all(|x| x.abs() < 10.0)).collect();
    let expected = distances(&knot, &near);
    for offset in [[1e5, 1e5, 3.5e3], [1e7, -1e7, 1e7]] {
        let mut moved = knot.clone();
        moved.positions.iter_mut().for_each(|p| *p = add(*p, offset, 1.0));
        let points: Vec<[f64; 3]> = near.iter().map(|p| add(*p, offset, 1.0)).collect();
        for ((p, e), d) in near.iter().zip(&expected).zip(distances(&moved, &points)) {
            assert!((e - d).abs() < 2e-6, "{offset:?} {p:?}: {e} {d}");
        }
    }
}

#[test]
fn unused_vertices_do_not_count() {
    let cube = make::cube(12);
    let mut padded = cube.clone();
    padded.positions.extend([[1e30, 0.0, 0.0], [-7.0; 3]]);
    let points = common::points(&cube, 1_000, 8);
    assert_eq!(distances(&padded, &points), distances(&cube, &points));
}
