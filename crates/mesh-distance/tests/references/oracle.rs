//! The search equals brute force, word for word, on ordinary, damaged and hostile meshes.

use crate::common::{Random, add, points, shared_meshes};
use mesh_distance::{Bounds, Grid, Mesh, Sign, Surface, brute_force, make};
use std::ops::ControlFlow;

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Compares every kind of answer with brute force, and signed with unsigned.
fn compare(name: &str, mesh: &Mesh, count: usize) {
    let surface = Surface::build(mesh).unwrap();
    let points = points(mesh, count, 1);
    let expected = brute_force::closest(&surface, &points, Sign::PseudoNormal).unwrap();
    let got = surface.closest_cpu(&points, Sign::PseudoNormal).unwrap();
    for ((point, e), g) in points.iter().zip(&expected).zip(&got) {
        assert_eq!(e, g, "{name}: {point:?}");
        assert_eq!(e.distance.to_bits(), g.distance.to_bits(), "{name}: {point:?}");
    }
    let signed = bits(&surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap());
    assert!(signed.iter().copied().eq(expected.iter().map(|e| e.distance.to_bits())), "{name}");
    let magnitude = |words: &[u32]| words.iter().map(|w| w & 0x7fff_ffff).collect::<Vec<_>>();
    let unsigned = bits(&surface.distance_cpu(&points, Sign::None, false).unwrap());
    assert_eq!(magnitude(&signed), unsigned, "{name}");
    let squared = surface.distance_cpu(&points, Sign::PseudoNormal, true).unwrap();
    assert_eq!(magnitude(&bits(&squared)), bits(&surface.distance_cpu(&points, Sign::None, true).unwrap()), "{name}");
    for (square, word) in squared.iter().zip(&signed) {
        assert!(*square == 0.0 || square.is_infinite() || (*square < 0.0) == (f32::from_bits(*word) < 0.0), "{name}");
    }
}

#[test]
fn shared_meshes_equal_brute_force() {
    for (name, mesh) in shared_meshes() {
        compare(&name, &mesh, 2_000);
    }
}

#[test]
fn made_meshes_equal_brute_force() {
    let meshes = [
        ("knot", make::knot(6_000)),
        ("sphere", make::sphere(2_000)),
        ("torus", make::torus(2_000)),
        ("cube", make::cube(300)),
        ("terrain", make::terrain(2_000)),
    ];
    for (name, mesh) in meshes {
        compare(name, &mesh, 3_000);
    }
}

fn soup(triangles: impl Iterator<Item = [[f64; 3]; 3]>) -> Mesh {
    let positions: Vec<[f64; 3]> = triangles.flatten().collect();
    let indices = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(positions, indices).unwrap()
}

/// Random triangles whose corners are scaled by `shape` and scattered by `spread`.
fn random_soup(count: usize, seed: u64, spread: f64, shape: impl Fn(usize) -> [f64; 3]) -> Mesh {
    let mut random = Random::new(seed);
    soup((0..count).map(|t| {
        let (origin, shape) = (random.vector(), shape(t));
        [(); 3].map(|()| {
            let v = random.vector();
            std::array::from_fn(|k| spread * origin[k] + shape[k] * v[k])
        })
    }))
}

#[test]
fn hostile_meshes_equal_brute_force() {
    let single = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.7, 0.1]];
    let point = [[3.0, 4.0, 5.0]; 3];
    let mut copies = make::cube(48);
    copies.triangles.extend(copies.triangles.clone().into_iter().map(|[a, b, c]| [b, a, c]));
    let line = |t: usize| {
        let x = t as f64;
        [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x + 0.5, 0.0, 0.0]]
    };
    let shrinking = |t: usize| {
        let s = 0.98f64.powi(t as i32);
        [[s, 0.0, 0.0], [s, s, 0.1 * s], [s, 0.3 * s, s]]
    };
    let meshes = [
        ("one triangle", soup([single].into_iter())),
        ("one point", soup([point].into_iter())),
        ("two points", soup([point, [[3.0, 4.0, 6.0]; 3]].into_iter())),
        ("one segment", soup([[single[0], single[1], single[1]]].into_iter())),
        ("copies", copies),
        ("ordinary soup", random_soup(1_000, 1, 1.0, |_| [0.1; 3])),
        ("large overlapping", random_soup(400, 2, 0.3, |_| [1.0; 3])),
        ("slivers", random_soup(1_000, 3, 1.0, |t| [0.5, 10f64.powi(-((t % 9) as i32)), 0.1])),
        ("needles", random_soup(1_000, 4, 1.0, |t| [1.0, 1e-6 * (t % 3) as f64, 1e-6])),
        ("specks", random_soup(1_000, 5, 1.0, |t| [10f64.powi(-((t % 13) as i32)); 3])),
        ("segments", random_soup(500, 6, 1.0, |_| [0.3, 0.0, 0.0])),
        ("points", random_soup(500, 7, 1.0, |_| [0.0; 3])),
        ("flat", random_soup(500, 8, 1.0, |_| [0.1, 0.1, 0.0])),
        ("all at one place", soup((0..10_000).map(|_| single))),
        ("all one point", soup((0..10_000).map(|_| point))),
        ("a line", soup((0..10_000).map(line))),
        ("shrinking", soup((0..2_000).map(shrinking))),
    ];
    for (name, mesh) in meshes {
        compare(name, &mesh, if mesh.triangles.len() > 5_000 { 500 } else { 2_000 });
    }
}

#[test]
fn scale_and_offset_do_not_matter() {
    let base = random_soup(500, 9, 1.0, |_| [0.1; 3]);
    for (scale, offset) in [(1e-15, 0.0), (1e15, 0.0), (1.0, 1e5), (1.0, 1e7), (1e-3, 1e3)] {
        let mut mesh = base.clone();
        mesh.positions.iter_mut().for_each(|p| *p = p.map(|x| x * scale + offset));
        compare(&format!("scale {scale:e} offset {offset:e}"), &mesh, 1_000);
    }
}

#[test]
fn grids_equal_brute_force() {
    let knot = make::knot(3_000);
    let surface = Surface::build(&knot).unwrap();
    let bounds = knot.bounds().unwrap();
    let far = Bounds { lo: [1e6, 1e6, -3e6], hi: [2e6, 1.5e6, -1e6] };
    let inside = Bounds { lo: [-0.1; 3], hi: [0.1; 3] };
    let flat = Bounds { lo: [-1.0, 0.0, -1.0], hi: [1.0, 0.0, 1.0] };
    for (bounds, counts) in [
        (bounds, [17, 9, 13]),
        (bounds, [1, 1, 1]),
        (bounds, [50, 1, 3]),
        (far, [5, 6, 7]),
        (inside, [8, 8, 8]),
        (flat, [9, 2, 9]),
    ] {
        let grid = Grid::around(&bounds, counts, 0.25).unwrap();
        for (sign, squared) in [(Sign::None, false), (Sign::PseudoNormal, false), (Sign::PseudoNormal, true)] {
            let got = surface.grid_distance_cpu(&grid, sign, squared, &|_, _| ControlFlow::Continue(())).unwrap();
            assert_eq!(
                bits(&got),
                bits(&brute_force::grid_distance(&surface, &grid, sign, squared).unwrap()),
                "{counts:?}"
            );
        }
    }
}

#[test]
fn threads_and_repetition_change_nothing() {
    let mesh = make::knot(20_000);
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let surface = Surface::build(&mesh).unwrap();
            let grid = Grid::around(&mesh.bounds().unwrap(), [12, 11, 10], 0.25).unwrap();
            let values =
                surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, &|_, _| ControlFlow::Continue(())).unwrap();
            (surface, bits(&values))
        })
    };
    let (one, one_values) = build(1);
    let (four, four_values) = build(4);
    assert_eq!(one.records(), four.records());
    assert_eq!(one.normals(), four.normals());
    assert_eq!(one.tree(), four.tree());
    assert_eq!(one_values, four_values);
}

#[test]
fn work_can_be_interrupted_and_reports_progress() {
    let mesh = make::sphere(200);
    let surface = Surface::build(&mesh).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), [80, 80, 80], 0.0).unwrap();
    let stop = |done: usize, _| if done > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let error = surface.grid_distance_cpu(&grid, Sign::None, false, &stop).unwrap_err().to_string();
    assert!(error.starts_with("interrupted after ") && error.ends_with(" of 512000"), "{error}");
    let seen = std::cell::Cell::new((0, 0));
    let watch = |done, total| {
        assert!(done >= seen.get().0);
        seen.set((done, total));
        ControlFlow::Continue(())
    };
    surface.grid_distance_cpu(&grid, Sign::None, false, &watch).unwrap();
    assert_eq!(seen.get(), (512_000, 512_000));
}

#[test]
fn far_and_wrong_points_are_errors_with_numbers() {
    let surface = Surface::build(&make::cube(12)).unwrap();
    let mut points = vec![[0.0; 3]; 5];
    points[3][1] = f64::NAN;
    let error = surface.distance_cpu(&points, Sign::None, false).unwrap_err().to_string();
    assert_eq!(error, "point 3: coordinate y is NaN, allowed are finite numbers");
    points[3] = add([0.5; 3], [0.0, 0.0, 1.0], 1e18);
    let error = surface.closest_cpu(&points, Sign::None).unwrap_err().to_string();
    assert!(error.contains("point 3: coordinate z = 1e18 is too far"), "{error}");
    points[3][2] = 1e17;
    assert_eq!(surface.distance_cpu(&points, Sign::None, false).unwrap()[3], 1e17);
    let empty = Mesh::new(vec![], vec![]).unwrap();
    assert_eq!(Surface::build(&empty).unwrap_err().to_string(), "the mesh has 0 triangles, at least 1 is needed");
}
