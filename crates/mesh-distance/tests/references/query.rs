//! Queries with chosen outputs, maximum distances and motions: against brute force, closed forms and differences.

use crate::common;
use crate::common::{Random, add, points, shared_meshes};
use mesh_distance::{
    Answers, Closest, Error, Feature, Grid, MaxDistance, Mesh, Outputs, Question, Rigid, Sign, Surface, brute_force,
    is_miss, make,
};
use std::ops::ControlFlow;

const SIGNED: Question<'static> =
    Question { outputs: Outputs::ALL, sign: Sign::PseudoNormal, max_distance: MaxDistance::Unlimited, motion: None };

fn length(v: [f32; 3]) -> f64 {
    v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

fn dot(u: [f32; 3], v: [f32; 3]) -> f64 {
    (0..3).map(|k| f64::from(u[k]) * f64::from(v[k])).sum()
}

#[test]
fn every_output_equals_brute_force_and_the_other_entry_points() {
    let mut meshes = vec![
        ("knot".to_owned(), make::knot(3_000)),
        ("cube".to_owned(), make::cube(12)),
        ("terrain".to_owned(), make::terrain(500)),
    ];
    meshes.extend(shared_meshes().into_iter().filter(|(_, mesh)| mesh.triangles.len() < 10_000));
    for (name, mesh) in meshes {
        let surface = Surface::build(&mesh).unwrap();
        let points = points(&mesh, 400, 3);
        let extent = mesh.bounds().map(|b| (0..3).map(|k| b.hi[k] - b.lo[k]).fold(0.0, f64::max)).unwrap();
        let each: Vec<f64> = (0..points.len()).map(|i| extent * [0.0, 0.01, 0.3, f64::INFINITY][i % 4]).collect();
        for sign in [Sign::None, Sign::PseudoNormal] {
            for max_distance in [MaxDistance::Unlimited, MaxDistance::All(0.1 * extent), MaxDistance::Each(&each)] {
                let question = Question { sign, max_distance, ..SIGNED };
                let got = surface.query_cpu(&points, &question).unwrap();
                assert_eq!(got, brute_force::query(&surface, &points, &question).unwrap(), "{name} {question:?}");
            }
            let got = surface.query_cpu(&points, &Question { sign, ..SIGNED }).unwrap();
            let closest = surface.closest_cpu(&points, sign).unwrap();
            for (i, Closest { distance, point, triangle, uv, feature, .. }) in closest.iter().enumerate() {
                assert_eq!(got.distance[i].to_bits(), distance.to_bits());
                assert_eq!(
                    (got.point[i], got.triangle[i], got.uv[i], got.feature[i]),
                    (*point, *triangle, *uv, *feature)
                );
            }
            let squared = surface.distance_cpu(&points, sign, true).unwrap();
            assert!(got.squared.iter().zip(&squared).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}");
        }
        let inside = surface.inside_cpu(&points, Sign::PseudoNormal).unwrap();
        assert_eq!(surface.query_cpu(&points, &SIGNED).unwrap().inside, inside, "{name}");
    }
}

#[test]
fn only_what_is_chosen_is_returned() {
    let surface = Surface::build(&make::cube(12)).unwrap();
    let points = [[0.5, 0.5, 3.0], [0.5, 0.5, 0.75]];
    let all = surface.query_cpu(&points, &SIGNED).unwrap();
    let nothing = surface.query_cpu(&points, &Question::default()).unwrap();
    assert_eq!(nothing, Answers::default());
    let outputs = Outputs { gradient: true, squared: true, ..Outputs::default() };
    let two = surface.query_cpu(&points, &Question { outputs, ..SIGNED }).unwrap();
    let mut expected = Answers::default();
    (expected.gradient, expected.squared) = (all.gradient, all.squared);
    assert_eq!(two, expected);
}

#[test]
fn a_miss_has_defined_values_and_the_surface_is_never_missed() {
    let surface = Surface::build(&make::cube(12)).unwrap();
    let points = [[0.5, 0.5, 3.0], [0.5, 0.5, 1.0], [0.5, 0.5, 0.75]];
    let question = |max_distance| Question { max_distance, ..SIGNED };
    for limit in [0.0, 0.1, 0.25, 1.999_999_9] {
        let got = surface.query_cpu(&points, &question(MaxDistance::All(limit))).unwrap();
        assert_eq!((got.distance[0], got.squared[0], got.triangle[0]), (f32::INFINITY, f32::INFINITY, u32::MAX));
        assert_eq!((got.point[0], got.uv[0], got.feature[0]), ([f64::INFINITY; 3], [0.0; 2], Feature::Face));
        assert_eq!((got.normal[0], got.gradient[0], got.inside[0]), ([0.0; 3], [0.0; 3], false));
        assert!(is_miss(got.triangle[0]) && !is_miss(got.triangle[1]));
        // Exactly on the surface: +0, with any limit.
        assert_eq!((got.distance[1].to_bits(), got.squared[1].to_bits()), (0, 0));
        assert_eq!((got.point[1], got.normal[1], got.gradient[1]), (points[1], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]));
        assert_eq!(got.distance[2], if limit < 0.25 { f32::INFINITY } else { -0.25 });
    }
    let got = surface.query_cpu(&points, &question(MaxDistance::Each(&[2.0, 0.0, 0.24]))).unwrap();
    assert_eq!(got.distance, [2.0, 0.0, f32::INFINITY]);
    let message = |max_distance| surface.query_cpu(&points, &question(max_distance)).unwrap_err().to_string();
    assert_eq!(message(MaxDistance::All(-1.0)), "maximum distance 0: -1, allowed are numbers from 0");
    assert_eq!(
        message(MaxDistance::Each(&[1.0, f64::NAN, 1.0])),
        "maximum distance 1: NaN, allowed are numbers from 0"
    );
    assert_eq!(message(MaxDistance::Each(&[1.0])), "maximum distance: 1 distances for 3 queries");
}

#[test]
fn inside_without_a_sign_is_an_error() {
    // Parry 379: a forgotten option that makes every point outside must not be silent.
    let surface = Surface::build(&make::cube(12)).unwrap();
    let error = surface.inside_cpu(&[[0.5; 3]], Sign::None).unwrap_err();
    assert!(matches!(error, Error::Question { .. }), "{error}");
    assert_eq!(surface.inside_cpu(&[[0.5; 3], [2.0; 3], [0.0; 3]], Sign::PseudoNormal).unwrap(), [true, false, false]);
}

#[test]
fn gradients_are_unit_and_are_the_derivative() {
    let mut compared = 0;
    for mesh in [make::sphere(2_000), make::cube(12), make::knot(3_000)] {
        let surface = Surface::build(&mesh).unwrap();
        let mut random = Random::new(4);
        let points: Vec<[f64; 3]> = (0..2_000).map(|_| random.vector().map(|x| 2.0 * x)).collect();
        let got = surface.query_cpu(&points, &SIGNED).unwrap();
        let step = 1.0 / 128.0;
        for (i, p) in points.iter().enumerate() {
            let g = got.gradient[i];
            assert!((length(g) - 1.0).abs() < 1e-6 && (length(got.normal[i]) - 1.0).abs() < 1e-6, "{p:?} {g:?}");
            let ahead = [step, -step].map(|t| add(*p, g.map(f64::from), t));
            let [up, down] = surface.distance_cpu(&ahead, Sign::PseudoNormal, false).unwrap()[..] else {
                panic!("two")
            };
            let slope = f64::from(up - down) / (2.0 * step);
            // A distance never grows faster than 1, and along its gradient it does unless the closest triangle changes.
            assert!(slope < 1.0 + 1e-4, "{p:?} {slope}");
            compared += usize::from((slope - 1.0).abs() < 1e-4);
        }
    }
    assert!(compared > 4_500, "{compared}");
}

#[test]
fn gradients_next_to_faces_are_right_at_any_distance() {
    let surface = Surface::build(&make::cube(12)).unwrap();
    for t in [0.0, 1e-12, 1e-7, -1e-7, 1e-3, -1e-3, 1.0, 100.0] {
        let got = surface.query_cpu(&[[0.25, 0.4, 1.0 + t]], &SIGNED).unwrap();
        assert_eq!(got.gradient[0], [0.0, 0.0, 1.0], "{t}");
        let unsigned = surface.query_cpu(&[[0.25, 0.4, 1.0 + t]], &Question { sign: Sign::None, ..SIGNED }).unwrap();
        // Unsigned distances grow away from the surface on both sides.
        assert_eq!(unsigned.gradient[0], [0.0, 0.0, if t <= -1e-7 { -1.0 } else { 1.0 }], "{t}");
    }
}

#[test]
fn a_moved_mesh_answers_as_a_mesh_that_was_moved() {
    let mesh = make::knot(2_000);
    let surface = Surface::build(&mesh).unwrap();
    let (s, c) = 0.7f64.sin_cos();
    let motion = Rigid { rotation: [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], translation: [10.0, -3.0, 0.5] };
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = motion.point(*p));
    let points: Vec<[f64; 3]> = common::points(&mesh, 1_000, 6)
        .iter()
        .filter(|p| p.iter().all(|x| x.abs() < 20.0))
        .map(|p| motion.point(*p))
        .collect();
    let got = surface.query_cpu(&points, &Question { motion: Some(motion), ..SIGNED }).unwrap();
    let expected = Surface::build(&moved).unwrap().query_cpu(&points, &SIGNED).unwrap();
    for (i, p) in points.iter().enumerate() {
        assert!((got.distance[i].abs() - expected.distance[i].abs()).abs() < 1e-5, "{p:?}");
        if got.triangle[i] == expected.triangle[i] && got.feature[i] == expected.feature[i] {
            assert!((0..3).all(|k| (got.point[i][k] - expected.point[i][k]).abs() < 1e-5), "{p:?}");
            assert!(dot(got.normal[i], expected.normal[i]) > 1.0 - 1e-5, "{p:?}");
            assert!(got.distance[i].abs() < 1e-3 || dot(got.gradient[i], expected.gradient[i]) > 1.0 - 1e-5, "{p:?}");
        }
    }
    let same = got.triangle.iter().zip(&expected.triangle).filter(|(a, b)| a == b).count();
    assert!(same * 10 > points.len() * 8, "{same} of {}", points.len());
    let error =
        |motion| surface.query_cpu(&points, &Question { motion: Some(motion), ..SIGNED }).unwrap_err().to_string();
    assert!(
        error(Rigid { rotation: [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ..Rigid::REST })
            .contains("product 4")
    );
    assert!(
        error(Rigid { rotation: [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ..Rigid::REST })
            .contains("determinant")
    );
    assert!(error(Rigid { translation: [f64::NAN, 0.0, 0.0], ..Rigid::REST }).contains("NaN"));
}

#[test]
fn a_mesh_far_from_the_origin_has_the_same_distances() {
    // three-mesh-bvh 112: f32 coordinates far from the origin. Files and arrays keep f64, and the frame subtracts in f64.
    let mut all = shared_meshes();
    all.retain(|(name, _)| name.starts_with("bunny"));
    all.push(("knot".to_owned(), make::knot(5_000)));
    for (name, mesh) in all {
        let points: Vec<[f64; 3]> = {
            let bounds = mesh.bounds().unwrap();
            let mut random = Random::new(8);
            let mut one =
                || std::array::from_fn(|k| bounds.lo[k] + (random.unit() + 0.5) * (bounds.hi[k] - bounds.lo[k]));
            (0..2_000).map(|_| one()).collect()
        };
        let expected = Surface::build(&mesh).unwrap().distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
        let bounds = mesh.bounds().unwrap();
        let extent = (0..3).map(|k| bounds.hi[k] - bounds.lo[k]).fold(0.0, f64::max);
        let offset = [1e5, 1e5, 3.5e3];
        let mut moved = mesh.clone();
        moved.positions.iter_mut().for_each(|p| *p = add(*p, offset, 1.0));
        let path = std::env::temp_dir().join(format!("isobit-{}-{name}.moved.obj", std::process::id()));
        mesh_distance::write_mesh(&path, &moved).unwrap();
        let read = mesh_distance::read_mesh(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let corners = |mesh: &Mesh| (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect::<Vec<_>>();
        assert!(corners(&read) == corners(&moved), "{name}: readers keep f64");
        let surface = Surface::build(&read).unwrap();
        let moved_points: Vec<[f64; 3]> = points.iter().map(|p| add(*p, offset, 1.0)).collect();
        let got = surface.distance_cpu(&moved_points, Sign::PseudoNormal, false).unwrap();
        for ((p, e), g) in points.iter().zip(&expected).zip(&got) {
            assert!(f64::from((e.abs() - g.abs()).abs()) < 1e-6 * extent, "{name} {p:?}: {e} {g}");
            assert!(e.signum() == g.signum() || f64::from(e.abs()) < 1e-6 * extent, "{name} {p:?}: {e} {g}");
        }
    }
}

#[test]
fn cells_of_a_grid_answer_as_listed_points() {
    let mesh = make::torus(800);
    let surface = Surface::build(&mesh).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), [7, 5, 6], 0.25).unwrap();
    let question = Question { max_distance: MaxDistance::All(0.2), ..SIGNED };
    let got = surface.query_grid_cpu(&grid, &question, &|_, _| ControlFlow::Continue(())).unwrap();
    let distances =
        surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, &|_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(got.distance.len(), 210);
    for (i, d) in distances.iter().enumerate() {
        assert_eq!(got.distance[i], if d.abs() > 0.2 { f32::INFINITY } else { *d });
        assert_eq!(is_miss(got.triangle[i]), d.abs() > 0.2);
        assert_eq!(got.gradient[i] == [0.0; 3], d.abs() > 0.2);
    }
    let stop = |_, _| ControlFlow::Break(());
    assert!(matches!(surface.query_grid_cpu(&grid, &SIGNED, &stop), Err(Error::Interrupted { done: 0, total: 210 })));
    let each = Question { max_distance: MaxDistance::Each(&[1.0]), ..SIGNED };
    assert!(surface.query_grid_cpu(&grid, &each, &stop).unwrap_err().to_string().contains("each cell"));
    let mesh = Mesh::new(vec![[0.0; 3]; 3], vec![[0, 1, 2]]).unwrap();
    let point = Surface::build(&mesh).unwrap().query_cpu(&[[0.0; 3], [2.0, 0.0, 0.0]], &SIGNED).unwrap();
    assert_eq!((point.normal, point.gradient), (vec![[0.0; 3]; 2], vec![[0.0; 3], [1.0, 0.0, 0.0]]));
}
