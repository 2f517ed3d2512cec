//! Faults of other libraries in distances, memory and bad input (docs/mesh-distance.md has the table): the right value from the CPU and
//! from every adapter.

use std::ops::ControlFlow;

use conformance::adapters::on_every_adapter;
use conformance::engines::{Random, SIGNS, centres, on_every_engine};
use gpu_runtime::Timestamps;
use mesh_distance::{
    DeviceSurface, Error, Feature, Grid, MaxDistance, Mesh, Outputs, Question, Sign, Surface, brute_force, make,
};

fn mesh(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(positions.to_vec(), triangles.to_vec()).unwrap()
}

/// Three corners of its own for each triangle.
fn soup(corners: impl Iterator<Item = [[f64; 3]; 3]>) -> Mesh {
    let positions: Vec<[f64; 3]> = corners.flatten().collect();
    let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(positions, triangles).unwrap()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|d| d.to_bits()).collect()
}

/// Signed distance to a cube by its centre and half size.
fn cube_distance(p: [f64; 3], centre: f64, half: f64) -> f64 {
    let q = p.map(|x| (x - centre).abs() - half);
    let outside = q.iter().map(|x| x.max(0.0).powi(2)).sum::<f64>().sqrt();
    outside + q[0].max(q[1]).max(q[2]).min(0.0)
}

fn cloud(count: usize, seed: u64, reach: f64) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.vector().map(|x| 0.5 + reach * x)).collect()
}

#[test]
fn fault_03_no_triangles_are_an_error_before_any_device_is_asked() {
    for empty in [Mesh::default(), mesh(&[[0.0; 3], [1.0; 3]], &[])] {
        let error = Surface::build(&empty).expect_err("an error");
        assert!(matches!(error, Error::EmptyMesh), "{error}");
        assert_eq!(error.to_string(), "the mesh has 0 triangles, at least 1 is needed");
    }
    on_every_engine(&make::cube(12), |engine| {
        assert!(engine.distance(&[], Sign::Winding).is_empty());
        let none = Grid { lo: [0.0; 3], cell: [1.0; 3], counts: [4, 0, 4] };
        assert!(matches!(engine.try_grid(&none, Sign::None), Err(Error::Grid { .. })));
    });
}

#[test]
fn fault_04_ten_thousand_triangles_at_one_place_and_on_a_line() {
    let single = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let points = [[0.25, 0.25, 2.0], [-3.0, -4.0, 0.0], [0.25, 0.25, 0.0], [1.0, 1.0, 0.5]];
    on_every_engine(&soup((0..10_000).map(|_| single)), |engine| {
        let closest = engine.closest(&points, Sign::None);
        assert_eq!(closest.iter().map(|c| c.distance).collect::<Vec<_>>()[..3], [2.0, 5.0, 0.0], "{}", engine.name());
        assert!(closest.iter().all(|c| c.triangle == 0), "the first of equal triangles");
    });
    let line =
        soup((0..10_000).map(|t| [[t as f64, 0.0, 0.0], [t as f64 + 1.0, 0.0, 0.0], [t as f64 + 0.5, 0.0, 0.0]]));
    let points = [[-3.0, 4.0, 0.0], [5_000.5, 3.0, 4.0], [10_012.0, 0.0, 16.0], [77.25, 0.0, 0.0]];
    on_every_engine(&line, |engine| {
        for sign in [Sign::None, Sign::PseudoNormal, Sign::Winding] {
            for (d, right) in engine.distance(&points, sign).iter().zip([5.0, 5.0, 20.0, 0.0]) {
                assert!((d - right).abs() < 5e-3, "{}: {d} {right}", engine.name()); // oracle: the shape's formula
            }
        }
    });
}

#[test]
fn fault_07_degenerate_triangles_are_segments_and_points() {
    let (a, b, c) = ([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let query = [[1.0, 3.0, 4.0], [-3.0, 4.0, 0.0], [2.0, 0.0, 0.5], [0.25, 0.0, 0.0]];
    for corners in [[a, b, c], [c, a, b], [a, b, b], [b, a, b]] {
        on_every_engine(&mesh(&corners, &[[0, 1, 2]]), |engine| {
            for sign in SIGNS {
                assert_eq!(engine.distance(&query, sign), [5.0, 5.0, 0.5, 0.0], "{} {corners:?}", engine.name());
            }
        });
    }
    on_every_engine(&mesh(&[c; 3], &[[0, 1, 2]]), |engine| {
        assert_eq!(engine.distance(&[[4.0, 0.0, 4.0], c], Sign::Rays), [5.0, 0.0]);
    });
    // In a closed mesh they change no sign.
    let cube = make::cube(48);
    let mut damaged = cube.clone();
    damaged.triangles.extend((0..26).map(|v| [v, v, v]));
    damaged.triangles.extend(cube.triangles.iter().map(|t| [t[0], t[1], t[1]]));
    let points = cloud(200, 23, 0.8);
    on_every_engine(&damaged, |engine| {
        for sign in &SIGNS[1..] {
            for (p, d) in points.iter().zip(engine.distance(&points, *sign)) {
                let right = cube_distance(*p, 0.5, 0.5);
                assert!((f64::from(d) - right).abs() < 1e-6, "{}: {sign:?} {p:?} {d} {right}", engine.name()); // oracle: the shape's formula
            }
        }
    });
}

#[test]
fn fault_08_zero_on_the_surface_with_any_largest_distance() {
    let cube = make::cube(48);
    let mut points = cube.positions.clone();
    points.extend([[0.0, 0.5, 0.5], [0.5, 0.0, 0.0], [1.0, 1.0, 0.25], [0.375, 0.75, 1.0], [0.5, 0.5, 0.0]]);
    on_every_engine(&cube, |engine| {
        for sign in SIGNS {
            assert!(engine.distance(&points, sign).iter().all(|d| d.to_bits() == 0), "{}: {sign:?}", engine.name());
            for limit in [0.0, 1e-40, 0.25, f64::INFINITY] {
                let max_distance = MaxDistance::All(limit);
                let question = Question { outputs: Outputs::ALL, sign, max_distance, motion: None };
                let got = engine.query(&points, &question).unwrap();
                assert!(
                    got.distance.iter().chain(&got.squared).all(|d| d.to_bits() == 0),
                    "{}: {limit}",
                    engine.name()
                );
                assert!(got.inside.iter().all(|inside| !inside));
            }
        }
    });
}

#[test]
fn fault_10_magnitudes_do_not_depend_on_the_sign() {
    let knot = make::knot(600);
    let points = cloud(150, 25, 2.0);
    let grid = Grid::around(&knot.bounds().unwrap(), [9, 8, 7], 0.25).unwrap();
    on_every_engine(&knot, |engine| {
        let unsigned = bits(&engine.distance(&points, Sign::None));
        let cells = bits(&engine.grid(&grid, Sign::None));
        for sign in &SIGNS[1..] {
            let size = |d: Vec<f32>| d.iter().map(|d| d.abs().to_bits()).collect::<Vec<_>>();
            assert!(size(engine.distance(&points, *sign)) == unsigned, "{}: {sign:?}", engine.name());
            assert!(size(engine.grid(&grid, *sign)) == cells, "{}: {sign:?}", engine.name());
        }
    });
}

#[test]
fn fault_12_a_point_in_the_plane_of_a_face() {
    let mut large = make::cube(12);
    large.positions.iter_mut().for_each(|p| *p = p.map(|x| 2.0 * x));
    on_every_engine(&large, |engine| {
        for sign in SIGNS {
            assert_eq!(engine.distance(&[[3.0, 2.0, 2.0], [2.0, -1.5, 0.0]], sign), [1.0, 1.5], "{}", engine.name());
        }
    });
}

/// Largest resident size of this process so far, in bytes; nothing where the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

#[test]
fn fault_13_ten_million_points_take_memory_for_points_alone() {
    let cube = make::cube(12);
    let surface = Surface::build(&cube).unwrap();
    let before = peak_memory();
    let count = 10_000_000;
    let points = cloud(count, 13, 1.0);
    let distances = surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
    let wrong = |(p, d): (&[f64; 3], &f32)| (f64::from(*d) - cube_distance(*p, 0.5, 0.5)).abs() > 1e-6; // oracle: the shape's formula
    assert_eq!(points.iter().zip(&distances).filter(|pair| wrong(*pair)).count(), 0);
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        // 24 bytes a point came in, 4 went out.
        assert!(after - before < 40 * count as u64, "{} bytes for {count} points", after - before);
    }
    // Several chunks on a device.
    let part = &points[..150_000];
    on_every_adapter(|context| {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        let first = device.distance(&part[..1 << 16], Sign::PseudoNormal, false).unwrap();
        let allocated = context.allocated_bytes();
        let got = device.distance(part, Sign::PseudoNormal, false).unwrap();
        assert!(bits(&got) == bits(&distances[..part.len()]) && bits(&first) == bits(&distances[..1 << 16]));
        // All buffers ever made: a few words a point.
        let made = context.allocated_bytes() - allocated;
        assert!(made < 40 * part.len() as u64, "{made} bytes for {} points", part.len());
    });
}

#[test]
fn fault_14_far_from_the_origin() {
    let shared = conformance::meshes::shared_folder().map(|folder| folder.join("bunny-fcpw.obj"));
    let bunny = shared.filter(|path| path.is_file()).map(|path| mesh_distance::read_mesh(path).unwrap());
    for home in [Some(make::knot(1_000)), bunny].into_iter().flatten() {
        let bounds = home.bounds().unwrap();
        let size = (0..3).map(|k| bounds.hi[k] - bounds.lo[k]).fold(0.0, f64::max);
        let mut random = Random::new(26);
        let mut around = || std::array::from_fn(|k| 0.5 * (bounds.lo[k] + bounds.hi[k]) + 0.8 * size * random.unit());
        let points: Vec<[f64; 3]> = (0..100).map(|_| around()).collect();
        let there = Surface::build(&home).unwrap().distance_cpu(&points, Sign::PseudoNormal, false).unwrap();
        for shift in [[1e5, 1e5, 3.5e3], [1e7, -1e7, 1e7]] {
            let by = |p: &[f64; 3]| std::array::from_fn(|k| p[k] + shift[k] * size);
            let moved = mesh(&home.positions.iter().map(by).collect::<Vec<_>>(), &home.triangles);
            let points: Vec<[f64; 3]> = points.iter().map(by).collect();
            on_every_engine(&moved, |engine| {
                for sign in [Sign::PseudoNormal, Sign::Winding] {
                    for (d, right) in engine.distance(&points, sign).iter().zip(&there) {
                        assert!(f64::from((d - right).abs()) < 3e-6 * size, "{}: {sign:?} {d} {right}", engine.name());
                    }
                }
            });
        }
    }
}

#[test]
fn fault_15_a_collinear_point_and_a_forgotten_option() {
    let triangle = mesh(&[[2.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], &[[0, 1, 2]]);
    on_every_engine(&triangle, |engine| {
        let hits = engine.closest(&[[1.5, 1.0, 0.0], [3.0, 1.0, 0.0], [1.4, 1.0, 0.0]], Sign::None);
        assert_eq!((hits[0].distance, hits[1].distance), (0.0, 1.0));
        assert_eq!((hits[0].feature, hits[1].feature), (Feature::Edge(1), Feature::Vertex(1)), "{}", engine.name());
        assert!(hits[2].distance <= 1e-7 && (hits[2].point[0] - 1.4).abs() < 1e-6, "{:?}", hits[2]); // oracle: the shape's formula
    });
    let surface = Surface::build(&triangle).unwrap();
    let forgotten = |error: Error| assert!(error.to_string().contains("the sign is none, needed is one"), "{error}");
    forgotten(surface.inside_cpu(&[[0.0; 3]], Sign::None).unwrap_err());
    on_every_adapter(|context| {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        forgotten(device.inside(&[[0.0; 3]], Sign::None).unwrap_err());
    });
}

#[test]
fn fault_16_grids_inside_partly_outside_and_beside_the_mesh() {
    on_every_engine(&make::cube(48), |engine| {
        for (lo, cell) in [(0.4, 0.2), (0.9, 0.3), (1.5, 0.1), (-2.0, 5.0), (0.5, 0.0)] {
            let grid = Grid { lo: [lo; 3], cell: [cell / 7.0; 3], counts: [7, 5, 3] };
            for sign in [Sign::PseudoNormal, Sign::Winding] {
                for (p, d) in centres(&grid).iter().zip(engine.grid(&grid, sign)) {
                    let right = cube_distance(*p, 0.5, 0.5);
                    assert!((f64::from(d) - right).abs() < 3e-6, "{}: {sign:?} {p:?} {d} {right}", engine.name()); // oracle: the shape's formula
                }
            }
        }
    });
}

#[test]
fn fault_17_nan_vertices_unused_vertices_and_indices_out_of_range() {
    let cube = make::cube(12);
    for bad in [f64::NAN, f64::INFINITY] {
        let mut positions = cube.positions.clone();
        positions[3][1] = bad;
        let error = Mesh::new(positions.clone(), cube.triangles.clone()).unwrap_err();
        assert!(matches!(error, Error::NotFinite { index: 3, axis: 'y', .. }), "{error}");
        // Arrays that were changed after the check are checked again.
        let mut changed = cube.clone();
        changed.positions = positions;
        assert!(matches!(Surface::build(&changed), Err(Error::NotFinite { index: 3, .. })));
    }
    let mut changed = cube.clone();
    changed.triangles[5][2] = 8;
    assert!(matches!(Surface::build(&changed), Err(Error::VertexIndex { triangle: 5, index: 8, vertices: 8 })));
    let mut unused = cube.clone();
    unused.positions.extend([[1e30, 0.0, 0.0], [-7.0; 3]]);
    let points = cloud(100, 8, 1.0);
    on_every_engine(&unused, |engine| {
        for (p, w) in points.iter().zip(engine.winding(&points)) {
            let side = cube_distance(*p, 0.5, 0.5);
            assert!(side.abs() < 1e-3 || (w - f64::from(u8::from(side < 0.0))).abs() < 1e-4, "{p:?} {w}"); // oracle: the shape's formula
        }
        for sign in &SIGNS[1..] {
            for (p, d) in points.iter().zip(engine.distance(&points, *sign)) {
                assert!((f64::from(d) - cube_distance(*p, 0.5, 0.5)).abs() < 1e-6, "{}: {p:?} {d}", engine.name()); // oracle: the shape's formula
            }
        }
        let bad = [[0.0; 3], [0.0, f64::NAN, 0.0]];
        assert!(matches!(engine.try_distance(&bad, Sign::Winding), Err(Error::NotFinite { index: 1, .. })));
    });
}

#[test]
fn fault_18_points_inside_nested_boxes() {
    let halves = [0.5, 0.45, 0.3, 0.11, 0.1];
    let (cube, mut nested) = (make::cube(12), Mesh::default());
    for half in halves {
        let first = nested.positions.len() as u32;
        nested.positions.extend(cube.positions.iter().map(|p| p.map(|x| 0.5 + 2.0 * half * (x - 0.5))));
        nested.triangles.extend(cube.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    let points = cloud(300, 18, 0.7);
    let surface = Surface::build(&nested).unwrap();
    let oracle = brute_force::distance(&surface, &points, Sign::None, false).unwrap();
    on_every_engine(&nested, |engine| {
        assert!(bits(&engine.distance(&points, Sign::None)) == bits(&oracle), "{}", engine.name());
        for ((p, d), w) in points.iter().zip(engine.distance(&points, Sign::Winding)).zip(engine.winding(&points)) {
            let sides = halves.map(|half| cube_distance(*p, 0.5, half));
            let nearest = sides.iter().fold(f64::INFINITY, |m, s| m.min(s.abs()));
            assert!((f64::from(d.abs()) - nearest).abs() < 1e-6, "{}: {p:?} {d} {nearest}", engine.name()); // oracle: the shape's formula
            let around = sides.iter().filter(|s| **s < 0.0).count() as f64;
            assert!(nearest < 1e-3 || ((w - around).abs() < 1e-3 && (d < 0.0) == (around > 0.0)), "{p:?} {w} {around}"); // oracle: the shape's formula
        }
    });
}

/// A call that fails changes nothing that was there: results on a device, the handle, the surface.
#[test]
fn outputs_are_untouched_when_a_call_fails() {
    let torus = make::torus(300);
    let points = cloud(100, 1, 1.5);
    let grid = Grid { lo: [-1.5; 3], cell: [0.5; 3], counts: [6; 3] };
    on_every_adapter(|context| {
        let mut surface = Surface::build(&torus).unwrap();
        let device = DeviceSurface::upload(context, &surface).unwrap();
        let asked = device.point_query(&points, Sign::Winding, false).unwrap();
        let cells = device.grid_query(&grid, Sign::PseudoNormal, false).unwrap();
        asked.run(Timestamps::None).unwrap();
        cells.run(Timestamps::None).unwrap();
        let before = (bits(&asked.download().unwrap()), bits(&cells.distances().download().unwrap()));
        // Questions that fail.
        let nan = [[0.0; 3], [f64::NAN; 3]];
        assert!(device.distance(&nan, Sign::Rays, false).is_err());
        let stop = |_: usize, _: usize| ControlFlow::Break(());
        assert!(matches!(device.band(&grid, 0.1, Sign::Winding, &stop), Err(Error::Interrupted { .. })));
        let each = [1.0, -1.0];
        let question = Question { max_distance: MaxDistance::Each(&each), ..Question::default() };
        assert!(matches!(device.query(&points[..2], &question), Err(Error::Question { index: Some(1), .. })));
        // Positions that are refused, then positions that make the copy old.
        assert!(surface.update_positions(&torus.positions[1..]).is_err());
        device.check_current().unwrap();
        surface.update_positions(&torus.positions.iter().map(|p| p.map(|x| 2.0 * x)).collect::<Vec<_>>()).unwrap();
        assert!(matches!(asked.run(Timestamps::None), Err(Error::Outdated { .. })));
        assert!(matches!(cells.run(Timestamps::None), Err(Error::Outdated { .. })));
        assert!(before == (bits(&asked.download().unwrap()), bits(&cells.distances().download().unwrap())));
    });
}
