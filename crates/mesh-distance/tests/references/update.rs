//! Meshes that move: the same words as a surface built anew.

use crate::common::{add, points};
use mesh_distance::mark::Cut;
use mesh_distance::ray::Ray;
use mesh_distance::{Error, Grid, Mesh, Outputs, Question, Sign, Surface, make};
use std::ops::ControlFlow;

/// Bends and twists a mesh.
fn bent(mesh: &Mesh, amount: f64) -> Mesh {
    let mut moved = mesh.clone();
    for p in &mut moved.positions {
        let (s, c) = (amount * p[2]).sin_cos();
        *p = add([c * p[0] - s * p[1], s * p[0] + c * p[1], p[2] * (1.0 + 0.3 * amount)], [5.0, 0.0, -1.0], amount);
    }
    moved
}

#[test]
fn a_moved_surface_of_f64_answers_as_one_built_of_the_moved_mesh() {
    let mesh = make::knot(2_000);
    let mut surface = Surface::build_double(&mesh).unwrap();
    for amount in [0.3, -1.0, 0.0] {
        let moved = bent(&mesh, amount);
        surface.update_positions(&moved.positions).unwrap();
        let fresh = Surface::build_double(&moved).unwrap();
        let points = points(&moved, 500, 5);
        let words = |surface: &Surface<f64>| {
            let distances = surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
            distances.iter().map(|d| d.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(words(&surface), words(&fresh), "{amount}");
    }
}

#[test]
fn a_moved_surface_answers_as_one_built_of_the_moved_mesh() {
    let mut soup = make::cube(48);
    // Vertices of equal position are one; they move together here.
    let base = soup.positions.len() as u32;
    soup.positions.extend(soup.positions.clone());
    soup.triangles.iter_mut().step_by(2).for_each(|t| *t = t.map(|v| v + base));
    for (name, mesh) in
        [("knot", make::knot(4_000)), ("sphere", make::sphere(600)), ("soup", soup), ("one", make::cube(12))]
    {
        let mut surface = Surface::build(&mesh).unwrap();
        for amount in [0.3, -1.0, 0.0] {
            let moved = bent(&mesh, amount);
            surface.update_positions(&moved.positions).unwrap();
            let fresh = Surface::build(&moved).unwrap();
            let points = points(&moved, 1_000, 5);
            let question = Question { outputs: Outputs::ALL, sign: Sign::PseudoNormal, ..Question::default() };
            let (got, expected) =
                (surface.query_cpu(&points, &question).unwrap(), fresh.query_cpu(&points, &question).unwrap());
            assert!(got == expected, "{name} {amount}");
            let bits = |d: &[f32]| d.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&got.distance), bits(&expected.distance), "{name} {amount}");
            let rays: Vec<Ray> = points.windows(2).map(|p| Ray::new(p[0], add(p[1], p[0], -1.0))).collect();
            let rays: Vec<Ray> = rays.into_iter().filter(|ray| ray.direction != [0.0; 3]).collect();
            assert!(surface.ray_all_cpu(&rays).unwrap() == fresh.ray_all_cpu(&rays).unwrap(), "{name} {amount}");
            let grid = Grid::around(&moved.bounds().unwrap(), [9, 8, 7], 0.25).unwrap();
            let go_on = |_, _| ControlFlow::Continue(());
            let marks = |s: &Surface| s.mark_cpu(&grid, Sign::PseudoNormal, Cut::Surface, &go_on).unwrap();
            assert_eq!(marks(&surface), marks(&fresh), "{name} {amount}");
        }
    }
}

#[test]
fn a_failed_update_changes_nothing() {
    let mesh = make::sphere(200);
    let mut surface = Surface::build(&mesh).unwrap();
    let points = points(&mesh, 200, 6);
    let before = surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
    let mut bad = mesh.positions.clone();
    bad[7][1] = f64::NAN;
    assert!(matches!(surface.update_positions(&bad), Err(Error::NotFinite { index: 7, .. })));
    let error = surface.update_positions(&mesh.positions[1..]).unwrap_err().to_string();
    assert!(error.contains("positions, needed are"), "{error}");
    let huge: Vec<[f64; 3]> = mesh.positions.iter().map(|p| p.map(|x| x * 1e30)).collect();
    assert!(matches!(surface.update_positions(&huge), Err(Error::Scale { .. })));
    assert_eq!(surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap(), before);
}
