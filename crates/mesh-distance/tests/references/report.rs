//! Mesh reports against the known facts of made and shared meshes.

use crate::common;
use mesh_distance::{Mesh, Sign, make};

#[test]
fn defects_are_counted() {
    let cube = make::cube(12);
    let report = cube.report();
    assert_eq!((report.triangles, report.vertices, report.component_count), (12, 8, 1));
    assert!((report.volume - 1.0).abs() < 1e-12 && (report.area - 6.0).abs() < 1e-12);
    assert!(report.trust(Sign::PseudoNormal).reliable && report.trust(Sign::None).reliable);

    let mut open = cube.clone();
    open.triangles.pop();
    let report = open.report();
    assert_eq!((report.boundary_edges, report.closed, report.manifold, report.oriented), (3, false, true, true));
    assert!(report.trust(Sign::PseudoNormal).reason.contains("3 boundary edges"));

    let mut flipped = cube.clone();
    flipped.triangles[4].swap(0, 1);
    let report = flipped.report();
    assert_eq!((report.inconsistent_edges, report.oriented, report.closed), (3, false, true));

    let mut inward = cube.clone();
    inward.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let report = inward.report();
    assert_eq!((report.inward_components, report.oriented), (1, true));
    assert!(report.components[0].inward && !report.trust(Sign::PseudoNormal).reliable);

    let mut damaged = cube.clone();
    damaged.triangles.extend([cube.triangles[0], [0, 0, 1], [3, 3, 3]]);
    let report = damaged.report();
    assert_eq!((report.duplicate_triangles, report.zero_area_triangles, report.flat_triangles), (1, 2, 2));
    assert!(report.multiple_edges >= 3 && !report.manifold);

    let mut two = cube.clone();
    two.positions.extend(cube.positions.iter().map(|p| p.map(|x| 3.0 + 2.0 * x)));
    two.triangles.extend(cube.triangles.iter().map(|t| t.map(|v| v + 8)));
    let report = two.report();
    assert_eq!(report.component_count, 2);
    assert!((report.components[1].volume - 8.0).abs() < 1e-12 && report.components[1].first_triangle == 12);
    assert_eq!(Mesh::default().report().triangles, 0);
}

#[test]
fn vertices_of_equal_position_count_as_one() {
    let cube = make::cube(48);
    let positions: Vec<[f64; 3]> = (0..48).flat_map(|t| cube.corners(t)).collect();
    let soup = Mesh::new(positions, (0..48).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap();
    assert_eq!(soup.report(), cube.report());
}

#[test]
fn shared_meshes_have_their_known_defects() {
    for (name, mesh) in common::shared_meshes() {
        let r = mesh.report();
        let found = (r.triangles, r.vertices, r.boundary_edges, r.multiple_edges, r.zero_area_triangles);
        let expected = match name.as_str() {
            "bunny-fcpw.obj" => (28_576, 14_290, 0, 0, 0),
            "cube-01.stl" => (48, 26, 0, 0, 0),
            "cube-02.stl" => (192, 98, 0, 0, 0),
            "cube-inconsistent.stl" => (12, 8, 0, 0, 0),
            "cube.stl" => (12, 8, 0, 0, 0),
            "cube_disconnect.stl" => (12, 10, r.boundary_edges, 0, 0),
            "dragon-fine.stl" => (24_318, 12_165, 0, 3, 3),
            "dragon.stl" => (6_588, 3_288, 0, 61, 0),
            "naca0012-binary.stl" => (188, 129, 72, 0, 0),
            _ => continue,
        };
        assert_eq!(found, expected, "{name}");
        match name.as_str() {
            "dragon-fine.stl" => assert_eq!((r.component_count, r.duplicate_triangles), (8, 3)),
            "cube-inconsistent.stl" => assert!(!r.oriented && r.closed),
            "cube_disconnect.stl" => assert!(!r.closed),
            "bunny-fcpw.obj" => assert!(r.trust(Sign::PseudoNormal).reliable),
            "cube-01.stl" => assert!((r.volume - 1.0).abs() < 1e-9 && (r.area - 6.0).abs() < 1e-9),
            _ => {}
        }
    }
}
