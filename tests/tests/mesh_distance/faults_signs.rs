//! Faults of other libraries in signs (docs/mesh-distance.md has the table): the right value from the CPU and from every adapter.

use conformance::engines::{Engine, Random, SIGNS, centres, on_every_engine};
use mesh_distance::{Grid, Mesh, Sign, make};

const ROBUST: [Sign; 3] = [Sign::Winding, Sign::Rays, Sign::SolidAngle];

fn mesh(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(positions.to_vec(), triangles.to_vec()).unwrap()
}

fn plus(p: [f64; 3], q: [f64; 3], t: f64) -> [f64; 3] {
    std::array::from_fn(|k| p[k] + q[k] * t)
}

/// Signed distance to the farthest of the planes of a convex closed mesh: negative inside.
fn outside_by(mesh: &Mesh, p: [f64; 3]) -> f64 {
    (0..mesh.triangles.len()).fold(f64::NEG_INFINITY, |most, t| {
        let [a, b, c] = mesh.corners(t);
        let (u, v, w) = (plus(b, a, -1.0), plus(c, a, -1.0), plus(p, a, -1.0));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        most.max((n[0] * w[0] + n[1] * w[1] + n[2] * w[2]) / length)
    })
}

/// Points near the vertices and edges of a mesh, at several distances in all directions.
fn near_features(mesh: &Mesh, random: &mut Random) -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    for t in 0..mesh.triangles.len() {
        let [a, b, _] = mesh.corners(t);
        for (from, reach) in [(a, 0.01), (a, 0.3), (plus(a, plus(b, a, -1.0), 0.5), 0.01), (b, 2.0)] {
            points.extend((0..6).map(|_| plus(from, random.vector(), reach)));
        }
    }
    points
}

/// Every sign of points near edges and vertices of a convex mesh.
fn check_convex(name: &str, mesh: &Mesh) {
    let points = near_features(mesh, &mut Random::new(7));
    on_every_engine(mesh, |engine| {
        for sign in &SIGNS[1..] {
            let mut inside = 0;
            for (p, d) in points.iter().zip(engine.distance(&points, *sign)) {
                let side = outside_by(mesh, *p);
                inside += usize::from(side < 0.0);
                assert!(
                    side.abs() < 1e-6 || (d < 0.0) == (side < 0.0), // oracle: the shape's formula
                    "{name} {}: {sign:?} {p:?}: {d}",
                    engine.name()
                );
            }
            assert!(inside > 3, "{name}: {inside}");
        }
    });
}

fn wedge(degrees: f64) -> Mesh {
    let (s, c) = degrees.to_radians().sin_cos();
    let section = [[0.0, 0.0], [1.0, 0.0], [c, s]];
    let corners: Vec<[f64; 3]> = (0..6).map(|i| [section[i % 3][0], section[i % 3][1], (i / 3) as f64]).collect();
    mesh(&corners, &[[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]])
}

#[test]
fn fault_01_a_corner_tetrahedron_on_a_wide_grid() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tetrahedron = mesh(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    on_every_engine(&tetrahedron, |engine| {
        // The second grid has centres on the planes of faces, and rays through corners.
        for (lo, cell, n) in [(-2.0, 5.0 / 18.0, 18), (-2.125, 0.25, 21)] {
            let grid = Grid { lo: [lo; 3], cell: [cell; 3], counts: [n; 3] };
            for sign in &SIGNS[1..] {
                for (p, d) in centres(&grid).iter().zip(engine.grid(&grid, *sign)) {
                    let inside = p.iter().all(|x| *x > 0.0) && p[0] + p[1] + p[2] < 1.0;
                    assert_eq!(d < 0.0, inside, "{}: {sign:?} {p:?}: {d}", engine.name());
                }
            }
        }
    });
}

#[test]
fn fault_02_edges_and_vertices_of_cubes_and_sharp_wedges() {
    check_convex("cube", &make::cube(12));
    check_convex("wedge of 10 degrees", &wedge(10.0));
    check_convex("wedge of 1 degree", &wedge(1.0));
}

#[test]
fn fault_05_rays_that_graze_edges_and_corners() {
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
    on_every_engine(&make::cube(48), |engine| {
        for sign in &SIGNS[1..] {
            assert!(engine.distance(&outside, *sign).iter().all(|d| *d > 0.0), "{}: {sign:?}", engine.name());
            assert!(engine.distance(&inside, *sign).iter().all(|d| *d < 0.0), "{}: {sign:?}", engine.name());
        }
    });
    // Lines of wrong signs across a sphere: rays through the poles and along meridians.
    let sphere = make::sphere(700);
    let grid = Grid { lo: [-1.5; 3], cell: [3.0 / 33.0; 3], counts: [33; 3] };
    on_every_engine(&sphere, |engine| {
        let (rays, normals) = (engine.grid(&grid, Sign::Rays), engine.grid(&grid, Sign::PseudoNormal));
        let wrong = rays.iter().zip(&normals).filter(|(r, n)| n.abs() > 1e-6 && (**r < 0.0) != (**n < 0.0)).count(); // oracle: the shape's formula
        assert_eq!(wrong, 0, "{}", engine.name());
    });
}

#[test]
fn fault_06_an_inward_mesh_is_reported_and_rays_hold() {
    let sphere = make::sphere(300);
    let inward = mesh(&sphere.positions, &sphere.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect::<Vec<_>>());
    let report = inward.report();
    assert!(!report.trust(Sign::Winding).reliable && report.trust(Sign::Rays).reliable);
    assert!(report.auto_sign().1.contains("inward"), "{}", report.auto_sign().1);
    let mut random = Random::new(22);
    let points: Vec<[f64; 3]> = (0..200).map(|_| random.vector().map(|x| 1.2 * x)).collect();
    on_every_engine(&inward, |engine| {
        for (p, d) in points.iter().zip(engine.distance(&points, Sign::Rays)) {
            let r = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((0.9..1.01).contains(&r) || (d < 0.0) == (r < 0.9), "{}: {p:?} {d}", engine.name());
        }
        assert!(engine.distance(&[[0.0; 3]], Sign::Winding)[0] > 0.0);
        assert!((engine.winding(&[[0.0; 3]])[0] + 1.0).abs() < 1e-5); // oracle: the shape's formula
    });
}

#[test]
fn fault_09_a_reversed_duplicate_of_a_face() {
    let cube = make::cube(192);
    let mut doubled = cube.clone();
    doubled.triangles.push([cube.triangles[7][0], cube.triangles[7][2], cube.triangles[7][1]]);
    let report = doubled.report();
    assert!(report.duplicate_triangles > 0 || !report.trust(Sign::PseudoNormal).reliable, "{report:?}");
    let at = cube.corners(7)[0];
    let mut random = Random::new(24);
    let points: Vec<[f64; 3]> = (0..300).map(|_| random.vector().map(|x| 0.5 + 0.8 * x)).collect();
    on_every_engine(&doubled, |engine| {
        for sign in [Sign::PseudoNormal, Sign::Winding, Sign::SolidAngle] {
            for (p, d) in points.iter().zip(engine.distance(&points, sign)) {
                // The pair cancels for winding numbers: a hole there. Pseudo-normals count it once.
                let near = sign != Sign::PseudoNormal && plus(*p, at, -1.0).iter().all(|x| x.abs() < 0.3); // oracle: the shape's formula
                let side = p.iter().fold(-1.0f64, |m, x| m.max((x - 0.5).abs() - 0.5));
                assert!(
                    near || side.abs() < 1e-6 || (d < 0.0) == (side < 0.0), // oracle: the shape's formula
                    "{}: {sign:?} {p:?} {d}",
                    engine.name()
                );
            }
        }
    });
}

#[test]
fn fault_11_a_fin_with_an_area_ratio_of_a_million() {
    let (a, b, high) = ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.17, 0.5]);
    let (near, low) = ([1e-6, 0.0, 0.5], [1.0, 0.0, 0.5]);
    let fin = mesh(&[a, b, high, near, low], &[[0, 2, 1], [0, 1, 3], [0, 3, 4], [3, 1, 4], [4, 2, 0], [4, 1, 2]]);
    let turned = mesh(&fin.positions, &fin.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect::<Vec<_>>());
    let fin = if fin.report().volume > 0.0 { fin } else { turned };
    check_convex("fin", &fin);
}

/// Whether a point is near the hole, where a sign may be either.
fn is_near(hole: &[[f64; 3]; 3], p: [f64; 3]) -> bool {
    let square = |q: [f64; 3]| q.iter().map(|x| x * x).sum::<f64>();
    let edge = square(plus(hole[0], hole[1], -1.0)).max(square(plus(hole[1], hole[2], -1.0)));
    hole.iter().any(|v| square(plus(*v, p, -1.0)) < 4.0 * edge)
}

#[test]
fn a_holed_cube_keeps_both_robust_signs() {
    let shared = conformance::meshes::shared_folder().map(|folder| folder.join("cube-02.stl"));
    let whole = shared
        .filter(|path| path.is_file())
        .map_or_else(|| make::cube(192), |path| mesh_distance::read_mesh(&path).unwrap_or_else(|e| panic!("{e}")));
    assert_eq!(whole.report().inward_components, 0);
    let bounds = whole.bounds().unwrap();
    let mut random = Random::new(15);
    let mut around =
        || std::array::from_fn(|k| bounds.lo[k] + (bounds.hi[k] - bounds.lo[k]) * (0.5 + 0.75 * random.unit()));
    let points: Vec<[f64; 3]> = (0..300).map(|_| around()).collect();
    for missing in [0, whole.triangles.len() / 2] {
        let mut holed = whole.clone();
        let hole = holed.corners(missing);
        holed.triangles.remove(missing);
        let right = |engine: &Engine<'_>| {
            for sign in ROBUST {
                let mut kept = 0;
                for (p, d) in points.iter().zip(engine.distance(&points, sign)) {
                    let inside = (0..3).all(|k| p[k] > bounds.lo[k] && p[k] < bounds.hi[k]);
                    kept += usize::from(inside && d < 0.0);
                    let near = is_near(&hole, *p);
                    assert!(near || (d < 0.0) == inside, "{} without {missing}: {sign:?} {p:?} {d}", engine.name());
                }
                assert!(kept > 50, "{sign:?}: {kept}");
            }
        };
        on_every_engine(&holed, right);
    }
}
