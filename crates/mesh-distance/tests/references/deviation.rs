//! Certified Hausdorff bounds: known distances, sampled ones, and their tolerance.

use crate::common::Random;
use mesh_distance::{Error, Mesh, Sign, Surface, deviation_cpu, deviation_double_cpu, make};
use std::ops::ControlFlow;

const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

fn moved(mesh: &Mesh, by: [f64; 3], scale: f64) -> Mesh {
    let positions = mesh.positions.iter().map(|p| std::array::from_fn(|k| scale * p[k] + by[k])).collect();
    Mesh::new(positions, mesh.triangles.clone()).unwrap()
}

#[test]
fn known_distances_lie_between_the_bounds() {
    let cube = make::cube(12);
    // A face of the moved cube is a quarter away along one axis; both directions alike.
    let cases = [
        (moved(&cube, [0.25, 0.0, 0.0], 1.0), 0.25, 0.25),
        // A cube inside of a twice as large one: from the small to the large half a unit, from a corner of the large sqrt(3)/2.
        (moved(&cube, [-0.5; 3], 2.0), 0.5, 0.75f64.sqrt()),
        (cube.clone(), 0.0, 0.0),
    ];
    for (other, forward, backward) in cases {
        for tolerance in [0.1, 1e-3, 1e-5] {
            let found = deviation_cpu(&cube, &other, tolerance, GO_ON).unwrap();
            for (bounds, truth) in [(&found.forward, forward), (&found.backward, backward)] {
                assert!(bounds.lower <= truth && truth <= bounds.upper, "{truth}: {} {}", bounds.lower, bounds.upper);
                assert!(bounds.upper - bounds.lower <= tolerance.max(1e-5) * 1.01, "{} {}", bounds.lower, bounds.upper);
            }
            let [lower, upper] = found.hausdorff();
            assert!(lower <= forward.max(backward) && forward.max(backward) <= upper);
        }
    }
}

#[test]
fn the_middle_of_a_face_may_be_the_farthest() {
    // All corners of the plate lie on the pyramid's rim; its middle is 1 away from the apex.
    let plate = Mesh::new(vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.5, 0.0]], vec![[0, 1, 2]]).unwrap();
    let rim = Mesh::new(
        vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.5, 0.0], [0.0, -0.9, 0.0]],
        vec![[0, 1, 3], [0, 3, 0], [1, 2, 1], [2, 0, 2]],
    )
    .unwrap();
    let found = deviation_cpu(&plate, &rim, 1e-4, GO_ON).unwrap();
    assert!(found.forward.vertices.iter().all(|&d| d < 1e-6));
    assert!(found.forward.lower > 0.5 && found.forward.upper - found.forward.lower <= 1.01e-4, "{:?}", found.forward);
    assert!(found.backward.upper < 1e-4);
}

#[test]
fn samples_never_exceed_the_upper_bound_and_come_near_it() {
    let (a, b) = (make::sphere(200), make::sphere(2_000));
    let found = deviation_cpu(&a, &b, 1e-4, GO_ON).unwrap();
    let surface = Surface::build(&b).unwrap();
    let mut random = Random::new(41);
    let points: Vec<[f64; 3]> = (0..100_000)
        .map(|_| {
            let [p, q, r] = a.corners(random.below(a.triangles.len()));
            let (u, v) = (0.5 + 0.5 * random.unit(), 0.5 + 0.5 * random.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            std::array::from_fn(|k| p[k] + u * (q[k] - p[k]) + v * (r[k] - p[k]))
        })
        .collect();
    let most = surface.distance_cpu(&points, Sign::None, false).unwrap().into_iter().fold(0.0f32, f32::max);
    assert!(f64::from(most) <= found.forward.upper + 1e-6, "{most} {:?}", found.forward.upper);
    assert!(f64::from(most) > 0.98 * found.forward.lower, "{most} {:?}", found.forward.lower);
}

#[test]
fn bad_questions_are_errors() {
    let cube = make::cube(12);
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(deviation_cpu(&cube, &cube, tolerance, GO_ON), Err(Error::Question { .. })), "{tolerance}");
    }
    assert!(matches!(deviation_cpu(&cube, &Mesh::default(), 0.1, GO_ON), Err(Error::EmptyMesh)));
    let stop = |_: usize, _: usize| ControlFlow::Break(());
    assert!(matches!(deviation_cpu(&cube, &cube, 0.1, &stop), Err(Error::Interrupted { done: 0, .. })));
}

/// Bounds that f32 cannot have: 1e-12 apart round the truth, near and far from the origin.
#[test]
fn in_f64_the_bounds_are_as_near_as_a_trillionth() {
    let cube = make::cube(12);
    for (by, tolerance) in [([0.0; 3], 1e-12), ([1e3, -1e3, 50.0], 1e-10)] {
        let here = moved(&cube, by, 1.0);
        // The width of a step in f64 there: the truth is what is stored.
        let other = moved(&here, [0.25 + 2f64.powi(-20), 0.0, 0.0], 1.0);
        let truth = other.bounds().unwrap().lo[0] - here.bounds().unwrap().lo[0];
        let found = deviation_double_cpu(&here, &other, tolerance, GO_ON).unwrap();
        for bounds in [&found.forward, &found.backward] {
            assert!(bounds.lower <= truth && truth <= bounds.upper, "{truth:e} {:e} {:e}", bounds.lower, bounds.upper);
            assert!(bounds.upper - bounds.lower <= 2.0 * tolerance, "{:e} {:e}", bounds.lower, bounds.upper);
        }
        assert!(found.forward.vertices.iter().any(|d| (d - truth).abs() < 1e-12));
        let single = deviation_cpu(&here, &other, tolerance, GO_ON).unwrap();
        assert!(single.forward.upper - single.forward.lower > 1e-7);
        assert!(single.forward.lower <= truth && truth <= single.forward.upper);
    }
}
