//! Bodies that share space, hollows, and surfaces that fold back: what the report says of them, and that the sign it chooses is right.

use crate::common::{Random, shared_meshes};
use mesh_distance::{Mesh, Sign, Surface, make};

type Cuboid = ([f64; 3], [f64; 3]);

/// The surfaces of boxes, those marked facing inward.
fn boxes(all: &[(Cuboid, bool)]) -> Mesh {
    let cube = make::cube(12);
    let mut mesh = Mesh::default();
    for ((lo, hi), inward) in all {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(
            cube.positions
                .iter()
                .map(|p| -> [f64; 3] { std::array::from_fn(|k| if p[k] == 0.0 { lo[k] } else { hi[k] }) }),
        );
        mesh.triangles.extend(cube.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| v + first);
            if *inward { [a, c, b] } else { [a, b, c] }
        }));
    }
    mesh
}

fn cuboid(lo: f64, hi: f64) -> Cuboid {
    ([lo; 3], [hi; 3])
}

/// Overlapping components and cavities, and the sign that is chosen.
fn found(all: &[(Cuboid, bool)]) -> (usize, usize, Sign) {
    let report = boxes(all).report();
    (report.overlapping_components, report.cavities, report.auto_sign().0)
}

#[test]
fn bodies_that_may_share_space_are_counted() {
    let small = ([0.25, 0.5, 0.25], [0.5, 0.75, 0.5]);
    assert_eq!(found(&[(cuboid(0.0, 1.0), false), (cuboid(2.0, 3.0), false)]), (0, 0, Sign::PseudoNormal));
    assert_eq!(found(&[(cuboid(0.0, 1.0), false), (cuboid(0.5, 1.5), false)]), (2, 0, Sign::Winding), "crossing");
    assert_eq!(found(&[(cuboid(0.0, 1.0), false), (small, false)]), (2, 0, Sign::Winding), "one in the other");
    assert_eq!(found(&[(cuboid(0.0, 1.0), false), (small, true)]), (2, 1, Sign::Winding), "a hollow");
    assert_eq!(found(&[(small, true), (cuboid(0.0, 1.0), false)]), (2, 1, Sign::Winding), "in the other order");
    let core = ([0.3, 0.6, 0.3], [0.4, 0.7, 0.4]);
    assert_eq!(found(&[(cuboid(0.0, 1.0), false), (small, true), (core, false)]), (3, 1, Sign::Winding), "with a core");
    assert_eq!(found(&[(cuboid(0.0, 1.0), true), (small, true)]), (2, 0, Sign::Rays), "both inward");
    assert_eq!(found(&[(cuboid(0.0, 1.0), true), (small, false)]), (2, 0, Sign::Rays), "all the wrong way round");
    let beside = ([1.0, 0.25, 0.0], [2.0, 1.25, 1.0]);
    assert_eq!(found(&[(cuboid(0.0, 1.0), false), (beside, false)]), (0, 0, Sign::PseudoNormal), "side by side");
    let open = {
        // an open surface is no body
        let mut mesh = boxes(&[(cuboid(0.0, 1.0), false), (small, false)]);
        mesh.triangles.pop();
        mesh.report()
    };
    assert_eq!((open.overlapping_components, open.boundary_edges), (0, 3));
}

#[test]
fn overlapping_boxes_are_those_of_all_pairs() {
    let mut random = Random::new(41);
    for count in [2, 5, 33, 400] {
        let size = 2.0 / (count as f64).cbrt();
        let all: Vec<(Cuboid, bool)> = (0..count)
            .map(|_| {
                // On a lattice, so that many touch.
                let lo = random.vector().map(|x| (x * 8.0).round() / 8.0);
                let sides = random.vector().map(|x| ((1.0 + x) * 4.0 * size).ceil().max(1.0) / 8.0);
                ((lo, std::array::from_fn(|k| lo[k] + sides[k])), false)
            })
            .collect();
        let report = boxes(&all).report();
        if report.duplicate_triangles > 0 || report.component_count != count {
            continue;
        }
        let meet = |a: &Cuboid, b: &Cuboid| (0..3).all(|k| a.0[k].max(b.0[k]) < a.1[k].min(b.1[k]));
        let expected = (0..count).filter(|&i| (0..count).any(|j| i != j && meet(&all[i].0, &all[j].0))).count();
        assert_eq!(report.overlapping_components, expected, "{count}");
    }
}

/// Pseudo-normals call what lies in two bodies outside.
#[test]
fn the_chosen_sign_is_right_for_bodies_that_share_space() {
    let mut random = Random::new(42);
    let mut wrong = 0;
    for round in 0..12 {
        let outer: Vec<Cuboid> = (0..3)
            .map(|_| {
                let centre = random.vector();
                (centre.map(|x| x - 1.0), centre.map(|x| x + 1.0))
            })
            .collect();
        let hollow = ([-0.125; 3], [0.125; 3]);
        let mut all: Vec<(Cuboid, bool)> = outer.iter().map(|b| (*b, false)).collect();
        let within = |b: &Cuboid, p: &[f64; 3]| (0..3).all(|k| b.0[k] < p[k] && p[k] < b.1[k]);
        let one = outer.iter().filter(|b| within(b, &[0.0; 3])).count() == 1;
        if round % 2 == 1 && one {
            all.push((hollow, true));
        }
        let mesh = boxes(&all);
        let surface = Surface::build(&mesh).unwrap();
        let points: Vec<[f64; 3]> = (0..500).map(|_| random.vector().map(|x| 2.0 * x)).collect();
        let inside = |p: &[f64; 3]| {
            let turns: i32 = all.iter().map(|(b, inward)| i32::from(within(b, p)) * if *inward { -1 } else { 1 }).sum();
            turns > 0
        };
        let chosen = surface.distance_cpu(&points, mesh.report().auto_sign().0, false).unwrap();
        let normals = surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
        for ((p, d), n) in points.iter().zip(chosen).zip(normals) {
            assert_eq!(d < 0.0, inside(p), "{p:?}: {d}");
            wrong += usize::from((n < 0.0) != inside(p));
        }
    }
    assert!(wrong > 100, "{wrong}");
}

/// Tetrahedra with corners nearly in one place, on a line or in a plane: rounding to f32 turns the pseudo-normals of their edges.
#[test]
fn the_chosen_sign_is_right_for_needles_and_slivers() {
    let mut random = Random::new(43);
    let (mut wrong, mut chosen_normals) = (0, 0);
    for round in 0..3_000 {
        let mut corners = [0; 4].map(|_| random.vector());
        let near = 10f64.powf(-1.0 - 5.0 * (0.5 + 0.5 * random.unit()));
        let jitter = random.vector().map(|x| near * x);
        let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (corners[0][k] + corners[1][k]));
        let centre: [f64; 3] = std::array::from_fn(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0);
        let base = [corners[0], middle, centre][round % 3];
        corners[3] = std::array::from_fn(|k| base[k] + jitter[k]);
        // Vertices as a file of f32 has them, so that the tetrahedron itself is exact.
        let corners = corners.map(|p| p.map(|x| f64::from(x as f32)));
        let mut mesh = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).unwrap();
        if mesh.report().volume == 0.0 {
            continue;
        }
        if mesh.report().inward_components > 0 {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let report = mesh.report();
        let sign = report.auto_sign().0;
        let surface = Surface::build(&mesh).unwrap();
        let points: Vec<[f64; 3]> = (0..30).map(|_| random.vector().map(|x| 2.0 * x)).collect();
        let of = |sign| surface.distance_cpu(&points, sign, false).unwrap();
        chosen_normals += usize::from(sign == Sign::PseudoNormal);
        for ((p, d), n) in points.iter().zip(of(sign)).zip(of(Sign::PseudoNormal)) {
            // Random points do not lie in so thin a body; those near it are left out.
            if d.abs() > 1e-3 && near < 1e-3 {
                assert!(d > 0.0, "{sign:?} {corners:?} {p:?}: {d}");
                wrong += usize::from(n < 0.0);
            }
        }
    }
    assert!(wrong > 0 && chosen_normals > 200, "{wrong} {chosen_normals}");
}

#[test]
fn usual_meshes_do_not_fold() {
    for (name, mesh) in [("knot", make::knot(20_000)), ("torus", make::torus(5_000)), ("sphere", make::sphere(5_000))] {
        assert_eq!(mesh.report().folded_edges, 0, "{name}");
    }
    for (name, mesh) in shared_meshes() {
        let report = mesh.report();
        println!("{name}: {} folded, {} overlapping", report.folded_edges, report.overlapping_components);
        assert!(report.folded_edges == 0 || name.starts_with("dragon"), "{name}: {}", report.folded_edges);
    }
}
