//! Faults that peers were reported with and that concern signs, each with its right value and the kind behind it, for every robust sign.

use crate::common::{add, points, shared_meshes};
use mesh_distance::{Grid, Mesh, Sign, Surface, WindingOptions, make};
use std::ops::ControlFlow;

const ROBUST: [Sign; 3] = [Sign::Winding, Sign::Rays, Sign::SolidAngle];

fn mesh(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(positions.to_vec(), triangles.to_vec()).unwrap()
}

fn distances(mesh: &Mesh, points: &[[f64; 3]], sign: Sign) -> Vec<f32> {
    Surface::build(mesh).unwrap().distance_cpu(points, sign, false).unwrap()
}

fn tetrahedron() -> Mesh {
    mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// Fault 1: outside points of a corner tetrahedron called inside.
#[test]
fn corner_tetrahedron_on_a_wide_grid() {
    let surface = Surface::build(&tetrahedron()).unwrap();
    // A quarter between samples: many cells lie exactly on planes of faces, and rays through corners.
    for (lo, cell) in [(-2.0, 5.0 / 40.0), (-2.125, 0.25)] {
        let counts = if cell == 0.25 { [21; 3] } else { [40; 3] };
        let grid = Grid { lo: [lo; 3], cell: [cell; 3], counts };
        for sign in ROBUST {
            let go_on = |_: usize, _: usize| ControlFlow::Continue(());
            let values = surface.grid_distance_cpu(&grid, sign, false, &go_on).unwrap();
            for (at, d) in values.iter().enumerate() {
                let n = counts[0] as usize;
                let p = grid.centre([at % n, at / n % n, at / (n * n)].map(|i| i as u32));
                let inside = p.iter().all(|x| *x > 0.0) && p[0] + p[1] + p[2] < 1.0;
                assert_eq!(*d < 0.0, inside, "{sign:?} {p:?}: {d}");
            }
        }
    }
}

/// Faults 2 and 11: signs near edges and corners, sharp wedges, faces of very different area.
#[test]
fn sharp_wedges_and_fins() {
    for angle in [90.0f64, 10.0, 1.0, 0.1] {
        let (s, c) = angle.to_radians().sin_cos();
        let section = [[0.0, 0.0], [1.0, 0.0], [c, s]];
        let corners: Vec<[f64; 3]> = (0..6).map(|i| [section[i % 3][0], section[i % 3][1], (i / 3) as f64]).collect();
        let wedge =
            mesh(&corners, &[[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]]);
        let points = points(&wedge, 4_000, 21);
        let expected = distances(&wedge, &points, Sign::PseudoNormal);
        for sign in ROBUST {
            for ((p, e), d) in points.iter().zip(&expected).zip(distances(&wedge, &points, sign)) {
                assert!(e.abs() < 2e-6 || (*e < 0.0) == (d < 0.0), "{angle} degrees, {sign:?} {p:?}: {d}, {e}");
            }
        }
    }
}

/// Fault 5: a ray that grazes an edge or corner flips the sign.
#[test]
fn rays_along_edges_diagonals_and_faces() {
    for resolution in [12, 48, 192] {
        let cube = make::cube(resolution);
        let outside = [
            [-1.0, -1.0, 0.0],
            [-1.0, 0.0, 0.0],
            [-1.0, 1.0, 1.0],
            [-0.5, 0.5, 1.0],
            [2.0, 2.0, 2.0],
            [-1.0, -1.0, -1.0],
            [0.5, -0.5, 0.0],
        ];
        let inside = [[0.5, 0.5, 0.5], [0.25, 0.5, 0.75], [0.5, 0.25, 0.25], [0.125, 0.875, 0.5]];
        for sign in ROBUST {
            assert!(distances(&cube, &outside, sign).iter().all(|d| *d > 0.0), "{sign:?} {resolution}");
            assert!(distances(&cube, &inside, sign).iter().all(|d| *d < 0.0), "{sign:?} {resolution}");
        }
    }
}

/// Fault 6: everything outside of an inward or open mesh without a word: the report says so, and rays do not care.
#[test]
fn inward_meshes_are_reported_and_rays_hold() {
    let sphere = make::sphere(500);
    let inward = mesh(&sphere.positions, &sphere.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect::<Vec<_>>());
    let report = inward.report();
    assert!(!report.trust(Sign::Winding).reliable && report.trust(Sign::Rays).reliable);
    let (sign, reason) = report.auto_sign();
    assert!(sign == Sign::Rays && reason.contains("inward"), "{reason}");
    let points = points(&sphere, 500, 22);
    // Another order of corners may round differently.
    for (i, o) in distances(&inward, &points, Sign::Rays).into_iter().zip(distances(&sphere, &points, Sign::Rays)) {
        assert!(o.abs() < 1e-6 || (i < 0.0) == (o < 0.0), "{i} {o}");
    }
    assert!(distances(&inward, &[[0.0; 3]], Sign::Winding)[0] > 0.0);
}

/// Fault 7: degenerate triangles give NaN or change signs.
#[test]
fn degenerate_triangles_change_no_sign() {
    let cube = make::cube(48);
    let mut damaged = cube.clone();
    damaged.triangles.extend((0..26).map(|v| [v, v, v]));
    damaged.triangles.extend(cube.triangles.iter().map(|t| [t[0], t[1], t[1]]));
    // Three vertices on a line, as a sliver on a face.
    damaged.positions.extend([[0.1, 0.5, 0.0], [0.2, 0.5, 0.0], [0.3, 0.5, 0.0]]);
    damaged.triangles.push([26, 27, 28]);
    let points = points(&cube, 2_000, 23);
    for sign in [Sign::Winding, Sign::SolidAngle] {
        let (good, bad) = (distances(&cube, &points, sign), distances(&damaged, &points, sign));
        for ((p, g), b) in points.iter().zip(good).zip(bad) {
            assert!(b.is_finite() && (g.abs() < 1e-6 || (g < 0.0) == (b < 0.0)), "{sign:?} {p:?}: {g} {b}");
        }
    }
}

/// Fault 8: no NaN and no -0 for points exactly on the surface, whatever the sign.
#[test]
fn points_on_the_surface_get_plus_zero() {
    let cube = make::cube(12);
    let mut points = cube.positions.clone();
    points.extend([[0.0, 0.5, 0.5], [0.5, 0.0, 0.0], [1.0, 1.0, 0.25], [0.375, 0.75, 1.0], [0.5, 0.5, 0.0]]);
    for sign in ROBUST {
        assert!(distances(&cube, &points, sign).iter().all(|d| d.to_bits() == 0), "{sign:?}");
    }
    let values = Surface::build(&cube).unwrap().winding_cpu(&points, WindingOptions::EXACT).unwrap();
    assert!((values[0] - 0.125).abs() < 1e-5, "{}", values[0]);
    assert!((values[points.len() - 1] - 0.5).abs() < 1e-5, "{}", values[points.len() - 1]);
}

/// Fault 9: a duplicate face the other way round.
#[test]
fn a_reversed_duplicate_takes_its_original_away_only_near_it() {
    let cube = make::cube(192);
    let points = points(&cube, 2_000, 24);
    let expected = distances(&cube, &points, Sign::Winding);
    let mut doubled = cube.clone();
    doubled.triangles.push([cube.triangles[7][0], cube.triangles[7][2], cube.triangles[7][1]]);
    let at = cube.corners(7)[0];
    for ((p, e), d) in points.iter().zip(expected).zip(distances(&doubled, &points, Sign::Winding)) {
        let near = add(*p, at, -1.0).iter().all(|x| x.abs() < 0.3);
        assert!(near || e.abs() < 1e-6 || (e < 0.0) == (d < 0.0), "{p:?}: {e} {d}");
    }
}

/// Fault 10: multiplying by 1 - 2 w loses accuracy: magnitudes do not depend on the sign, bit for bit.
#[test]
fn magnitudes_do_not_depend_on_the_sign() {
    let knot = make::knot(1_000);
    let points = points(&knot, 1_000, 25);
    let unsigned = distances(&knot, &points, Sign::None);
    for sign in ROBUST {
        for (u, d) in unsigned.iter().zip(distances(&knot, &points, sign)) {
            assert_eq!(u.to_bits(), d.abs().to_bits(), "{sign:?}");
        }
    }
}

/// Fault 14: far from the origin.
#[test]
fn far_from_the_origin_signs_stay() {
    let knot = make::knot(1_000);
    let points = points(&knot, 500, 26);
    for shift in [[1e5, 1e5, 3.5e3], [1e7, -1e7, 1e7]] {
        let moved = mesh(&knot.positions.iter().map(|p| add(*p, shift, 1.0)).collect::<Vec<_>>(), &knot.triangles);
        let there: Vec<[f64; 3]> = points.iter().map(|p| add(*p, shift, 1.0)).collect();
        for sign in [Sign::Winding, Sign::Rays] {
            for (g, d) in distances(&knot, &points, sign).into_iter().zip(distances(&moved, &there, sign)) {
                assert!(g.abs() < 1e-4 || (g < 0.0) == (d < 0.0), "{sign:?}: {g} {d}");
            }
        }
    }
}

/// Nested and overlapping bodies: inside of either is inside, which pseudo-normals cannot tell.
#[test]
fn overlapping_bodies_are_one_for_winding_numbers() {
    let cube = make::cube(48);
    let mut both = cube.clone();
    both.positions.extend(cube.positions.iter().map(|p| add(*p, [0.5, 0.25, 0.125], 1.0)));
    both.triangles.extend(cube.triangles.iter().map(|t| t.map(|v| v + 26)));
    let points = points(&both, 2_000, 27);
    for (p, d) in points.iter().zip(distances(&both, &points, Sign::Winding)) {
        let within = |shift: [f64; 3]| (0..3).all(|k| p[k] > shift[k] && p[k] < shift[k] + 1.0);
        assert!(d.abs() < 1e-6 || (d < 0.0) == (within([0.0; 3]) || within([0.5, 0.25, 0.125])), "{p:?}: {d}");
    }
}

/// The mesh on which a peer's normals call 1,914 of 32^3 cells inside where its winding number says 1,657.
#[test]
fn dragon_fine_has_as_many_cells_inside_as_its_winding_number_says() {
    let Some((_, dragon)) = shared_meshes().into_iter().find(|(name, _)| name == "dragon-fine.stl") else { return };
    let (sign, reason) = dragon.report().auto_sign();
    assert_eq!(sign, Sign::Winding, "{reason}");
    let surface = Surface::build(&dragon).unwrap();
    let grid = Grid::around(&dragon.bounds().unwrap(), [32; 3], 0.25).unwrap();
    let count = |sign| {
        let go_on = |_: usize, _: usize| ControlFlow::Continue(());
        let values = surface.grid_distance_cpu(&grid, sign, false, &go_on).unwrap();
        values.iter().filter(|d| **d < 0.0).count()
    };
    assert_eq!((count(Sign::Winding), count(Sign::Rays)), (1657, 1657));
}
