//! Sanitizing meshes: each step, its count, and that a second repair changes nothing.

use crate::common::{Random, shared_meshes};
use mesh_distance::{Mesh, RepairOptions, Repaired, Sign, make};

fn repair(mesh: &Mesh) -> (Mesh, Repaired) {
    let (once, done) = mesh.repair(&RepairOptions::default()).unwrap();
    let (twice, again) = once.repair(&RepairOptions::default()).unwrap();
    assert!(again.nothing() && twice == once, "not idempotent: {done:?}, then {again:?}");
    (once, done)
}

#[test]
fn a_good_mesh_stays_as_it_is() {
    for mesh in [make::sphere(500), make::cube(48), make::torus(300), make::knot(900)] {
        let (repaired, done) = repair(&mesh);
        assert!(done.nothing() && repaired == mesh, "{done:?}");
    }
}

#[test]
fn every_defect_is_counted_and_gone() {
    let good = make::cube(48);
    let mut random = Random::new(31);
    let mut bad = good.clone();
    // A soup whose corners are a little apart.
    bad.positions = good
        .triangles
        .iter()
        .flatten()
        .map(|&v| good.positions[v as usize].map(|x| x + 1e-8 * random.unit()))
        .collect();
    bad.triangles = (0..48).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    for t in [3, 17, 40] {
        bad.triangles[t].swap(0, 1);
    }
    bad.triangles.push([0, 2, 1]);
    bad.triangles.push([5, 5, 7]);
    bad.positions.push([9.0; 3]);
    let (repaired, done) = repair(&bad);
    assert_eq!(done.degenerate_triangles_removed, 1, "{done:?}");
    assert_eq!(done.duplicate_triangles_removed, 1, "{done:?}");
    assert_eq!(done.vertices_welded, 3 * 48 - 26, "{done:?}");
    assert_eq!(done.triangles_turned, 3, "{done:?}");
    assert_eq!((done.components_turned, done.boundary_edges_left), (0, 0), "{done:?}");
    assert_eq!((repaired.positions.len(), repaired.triangles.len()), (26, 48));
    assert!(repaired.report().trust(Sign::PseudoNormal).reliable);
}

#[test]
fn inward_components_turn_each_for_itself_and_open_ones_do_not() {
    let cube = make::cube(12);
    let part = |shift: f64, turned: bool, from: usize| {
        let positions: Vec<_> = cube.positions.iter().map(|p| [p[0] + shift, p[1], p[2]]).collect();
        let order = |&[a, b, c]: &[u32; 3]| if turned { [a, c, b] } else { [a, b, c] };
        (positions, cube.triangles[from..].iter().map(order).collect::<Vec<_>>())
    };
    let mut mesh = Mesh::default();
    for (positions, triangles) in [part(0.0, false, 0), part(3.0, true, 0), part(6.0, true, 1)] {
        let base = mesh.positions.len() as u32;
        mesh.positions.extend(positions);
        mesh.triangles.extend(triangles.into_iter().map(|t| t.map(|v| v + base)));
    }
    let (repaired, done) = repair(&mesh);
    assert_eq!((done.components_turned, done.triangles_turned, done.boundary_edges_left), (1, 0, 3));
    assert_eq!(repaired.report().inward_components, 0);
    assert!((repaired.triangles[12..24] != mesh.triangles[12..24]) && repaired.triangles[24..] == mesh.triangles[24..]);
}

#[test]
fn a_moebius_strip_is_left_and_counted() {
    let n = 12u32;
    let positions: Vec<[f64; 3]> = (0..2 * n)
        .map(|i| {
            let t = f64::from(i / 2) / f64::from(n) * std::f64::consts::TAU;
            let w = if i % 2 == 0 { -0.3 } else { 0.3 };
            [(1.0 + w * (t / 2.0).cos()) * t.cos(), (1.0 + w * (t / 2.0).cos()) * t.sin(), w * (t / 2.0).sin()]
        })
        .collect();
    let quad = |i: u32| {
        let (a, b) = (2 * i, 2 * i + 1);
        // The last quad closes the strip with its sides changed.
        let (c, d) = if i + 1 < n { (a + 2, a + 3) } else { (1, 0) };
        [[a, b, d], [a, d, c]]
    };
    let strip = Mesh::new(positions, (0..n).flat_map(quad).collect()).unwrap();
    let (_, done) = repair(&strip);
    assert_eq!((done.unorientable_components, done.components_turned), (1, 0), "{done:?}");
}

#[test]
fn shared_meshes_become_trustworthy_or_stay_open() {
    for (name, mesh) in shared_meshes().into_iter().filter(|(_, mesh)| mesh.triangles.len() < 30_000) {
        let (repaired, done) = repair(&mesh);
        let report = repaired.report();
        println!("{name}: {done:?}");
        assert_eq!((report.duplicate_triangles, report.zero_area_triangles), (0, 0), "{name}");
        assert_eq!(report.inward_components, 0, "{name}");
        if name.starts_with("cube-inconsistent") {
            assert!(done.triangles_turned > 0 && report.trust(Sign::PseudoNormal).reliable, "{name}: {done:?}");
        }
    }
}

#[test]
fn tolerances_outside_their_range_are_errors() {
    for (area, weld) in [(-1.0, 0.0), (0.0, 2.0), (f64::NAN, 0.0)] {
        let error = RepairOptions::new(area, weld).unwrap_err().to_string();
        assert!(error.contains("allowed are numbers from 0 to 1"), "{error}");
    }
}
