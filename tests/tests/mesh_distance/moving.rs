//! Surfaces that are moved and built on devices, against surfaces built of the same mesh on the CPU, as words; moved ones in f64 too.
//!
//! Kernels: `mesh_bounds`, `frame_vertices`, `refit_triangles`, `refit_edges`, `refit_vertices`, `refit_nodes`, `weld_vertices`,
//! `weld_corners`, `corner_ranges`, `facet_edges`, `facet_keys`, `tree_slots`, `packed_nodes`.

use std::ops::ControlFlow;

use conformance::adapters::{has_f64, on_every_adapter};
use gpu_runtime::{Context, DeviceVec, Timestamps};
use mesh_distance::mark::Cut;
use mesh_distance::ray::Ray;
use mesh_distance::{
    Criterion, DeviceSurface, Error, Grid, Mesh, Outputs, Precision, Question, Sign, Surface, WindingOptions, make,
};

const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

fn words<R: Precision>(values: &[R]) -> Vec<[u32; 2]> {
    values.iter().map(|v| v.words()).collect()
}

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Points in the box grown by half its size, and on vertices.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds().unwrap();
    let mut state = 11;
    let one = |i: usize| match i % 8 {
        0 => mesh.positions[mesh.triangles[i * 31 % mesh.triangles.len()][i % 3] as usize],
        _ => std::array::from_fn(|k| bounds.lo[k] + (2.0 * random(&mut state) - 0.5) * (bounds.hi[k] - bounds.lo[k])),
    };
    (0..count).map(one).collect()
}

/// Compares distances, closest points, features and pseudo-normals with those of a surface built afresh on the CPU.
fn compare<R: Precision>(device: &DeviceSurface<R>, fresh: &Surface<R>, mesh: &Mesh, name: &str) {
    let listed = points(mesh, 300);
    let question = Question { outputs: Outputs::ALL, sign: Sign::PseudoNormal, ..Question::default() };
    let (got, expected) = (device.query(&listed, &question).unwrap(), fresh.query_cpu(&listed, &question).unwrap());
    assert!(got == expected, "{name}");
    assert_eq!(words(&got.distance), words(&expected.distance), "{name}");
}

/// Compares every other kind of question.
fn compare_all<R: Precision>(device: &DeviceSurface<R>, fresh: &Surface<R>, mesh: &Mesh, name: &str) {
    compare(device, fresh, mesh, name);
    let listed = points(mesh, 60);
    for sign in [Sign::None, Sign::Winding, Sign::Rays] {
        let expected = words(&fresh.distance_cpu(&listed, sign, false).unwrap());
        assert_eq!(words(&device.distance(&listed, sign, false).unwrap()), expected, "{name} {sign:?}");
    }
    let rays: Vec<Ray> = listed
        .windows(2)
        .map(|p| Ray::new(p[0], std::array::from_fn(|k| p[1][k] - p[0][k])))
        .filter(|ray| ray.direction != [0.0; 3])
        .collect();
    assert!(device.ray_all(&rays).unwrap() == fresh.ray_all_cpu(&rays).unwrap(), "{name}, rays");
    let grid = Grid::around(&mesh.bounds().unwrap(), [6, 7, 5], 0.25).unwrap();
    let expected = words(&fresh.grid_distance_cpu(&grid, Sign::PseudoNormal, false, GO_ON).unwrap());
    assert_eq!(
        words(&device.grid_distance(&grid, Sign::PseudoNormal, false, GO_ON).unwrap()),
        expected,
        "{name}, grid"
    );
    let marks = fresh.mark_cpu(&grid, Sign::PseudoNormal, Cut::Surface, GO_ON).unwrap();
    assert_eq!(device.mark(&grid, Sign::PseudoNormal, Cut::Surface, GO_ON).unwrap(), marks, "{name}, marks");
    let band = fresh.band_cpu(&grid, grid.half_diagonal(), Sign::PseudoNormal, GO_ON).unwrap();
    assert!(device.band(&grid, grid.half_diagonal(), Sign::PseudoNormal, GO_ON).unwrap() == band, "{name}, band");
    let expected = fresh.winding_cpu(&listed, WindingOptions::EXACT).unwrap();
    assert_eq!(device.winding(&listed, WindingOptions::EXACT).unwrap(), expected, "{name}, winding numbers");
}

/// Bent, twisted and moved away.
fn twisted(mesh: &Mesh, amount: f64, away: f64) -> Mesh {
    let mut moved = mesh.clone();
    for p in &mut moved.positions {
        let (s, c) = (amount * p[2]).sin_cos();
        *p = [c * p[0] - s * p[1] + away, s * p[0] + c * p[1], p[2] * (1.0 + 0.3 * amount) - 0.3 * away];
    }
    moved
}

/// The same rounded to f32.
fn bent(mesh: &Mesh, amount: f64, away: f64) -> Mesh {
    let mut moved = twisted(mesh, amount, away);
    moved.positions.iter_mut().for_each(|p| *p = p.map(|x| f64::from(x as f32)));
    moved
}

fn single(mesh: &Mesh) -> Vec<[f32; 3]> {
    mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect()
}

/// A soup whose triangles share positions but no vertices, with repeated, reversed and degenerate triangles and unused vertices.
fn soup() -> Mesh {
    let smooth = make::knot(400);
    let mut positions: Vec<[f64; 3]> = vec![[77.0, -50.0, 3.0]];
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for t in 0..smooth.triangles.len() {
        let base = positions.len() as u32;
        positions.extend(smooth.corners(t));
        triangles.push([base, base + 1, base + 2]);
        match t % 50 {
            7 => triangles.push([base + 1, base + 2, base]),
            13 => triangles.push([base + 2, base + 1, base]),
            21 => triangles.push([base, base, base + 2]),
            33 => triangles.push([base + 1; 3]),
            _ => {}
        }
    }
    positions.push([-90.0, 8.0, 8.0]);
    Mesh::new(positions, triangles).unwrap()
}

/// Triangles whose corners come from few places: every edge and vertex has many.
fn crowd(count: usize) -> Mesh {
    let mut state = 5;
    let places: Vec<[f64; 3]> = (0..9).map(|_| std::array::from_fn(|_| random(&mut state))).collect();
    let triangles = (0..count).map(|_| std::array::from_fn(|_| (9.0 * random(&mut state)) as u32)).collect();
    Mesh::new(places, triangles).unwrap()
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    let one = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.25, 0.5, 0.0]], vec![[0, 1, 2]]).unwrap();
    vec![("knot", make::knot(700)), ("soup", soup()), ("crowd", crowd(300)), ("cube", make::cube(12)), ("one", one)]
}

#[test]
fn a_surface_moved_on_the_device_answers_as_one_built_of_the_moved_mesh() {
    on_every_adapter(|context| {
        for (name, mesh) in meshes() {
            let surface = Surface::build(&mesh).unwrap();
            let mut device = DeviceSurface::upload_movable(context, &surface).unwrap();
            for (step, (amount, away)) in [(0.3, 0.0), (-1.0, 1e4), (0.0, 0.0)].into_iter().enumerate() {
                let moved = bent(&mesh, amount, away);
                let fresh = Surface::build(&moved).unwrap();
                if step % 2 == 0 {
                    let positions = context.upload("moved", &single(&moved)).unwrap();
                    device.update_positions_on(&positions, Timestamps::None).unwrap();
                } else {
                    device.update_positions(&moved.positions).unwrap();
                }
                compare(&device, &fresh, &moved, &format!("{name} {amount} {away}"));
                if name == "soup" && step == 1 {
                    compare_all(&device, &fresh, &moved, name);
                }
            }
        }
    });
}

#[test]
fn a_surface_of_f64_moved_on_the_device_answers_as_one_built_of_the_moved_mesh() {
    on_every_adapter(|context| {
        if !has_f64(context) {
            return;
        }
        for (name, mesh) in meshes() {
            let mut host = Surface::build_double(&mesh).unwrap();
            let mut device = DeviceSurface::upload_movable(context, &host).unwrap();
            for (amount, away) in [(0.3, 0.0), (-1.0, 1e4 / 3.0)] {
                let moved = twisted(&mesh, amount, away);
                device.update_positions(&moved.positions).unwrap();
                let fresh = Surface::build_double(&moved).unwrap();
                compare(&device, &fresh, &moved, &format!("{name} {amount} {away}"));
                if name == "soup" && away > 0.0 {
                    compare_all(&device, &fresh, &moved, name);
                    // From a buffer, too.
                    let rounded = bent(&mesh, 0.2, away);
                    let positions = context.upload("moved", &single(&rounded)).unwrap();
                    device.update_positions_on(&positions, Timestamps::None).unwrap();
                    compare(&device, &Surface::build_double(&rounded).unwrap(), &rounded, "soup from a buffer");
                    device.update_positions(&moved.positions).unwrap();
                    // By expansions the numbers are those of the tree that was kept.
                    host.update_positions(&moved.positions).unwrap();
                    let listed = points(&moved, 40);
                    let options = WindingOptions::new(2.0, Criterion::Diagonal);
                    let expected = host.winding_cpu(&listed, options).unwrap();
                    assert_eq!(device.winding(&listed, options).unwrap(), expected, "{name}, expansions");
                }
            }
        }
    });
}

/// Vertices and triangles on a device.
fn upload(context: &Context, mesh: &Mesh) -> (DeviceVec<[f32; 3]>, DeviceVec<[u32; 3]>) {
    (context.upload("positions", &single(mesh)).unwrap(), context.upload("triangles", &mesh.triangles).unwrap())
}

#[test]
fn a_surface_built_on_the_device_answers_as_one_built_on_the_host_and_moves() {
    on_every_adapter(|context| {
        for (name, mesh) in meshes() {
            let mesh = bent(&mesh, 0.1, 100.0);
            let (positions, triangles) = upload(context, &mesh);
            let mut device = DeviceSurface::build(&positions, &triangles).unwrap();
            let fresh = Surface::build(&mesh).unwrap();
            compare(&device, &fresh, &mesh, name);
            if name == "soup" {
                compare_all(&device, &fresh, &mesh, name);
            }
            let listed = points(&mesh, 2);
            let error = device.winding(&listed, WindingOptions::default()).unwrap_err().to_string();
            assert!(error.contains("beta 2") && error.contains("EXACT"), "{error}");
            for away in [0.0, -7.0] {
                let moved = bent(&mesh, -0.7, away);
                if away == 0.0 {
                    device.update_positions(&moved.positions).unwrap();
                } else {
                    let positions = context.upload("moved", &single(&moved)).unwrap();
                    device.update_positions_on(&positions, Timestamps::None).unwrap();
                }
                compare(&device, &Surface::build(&moved).unwrap(), &moved, &format!("{name}, moved by {away}"));
            }
        }
    });
}

#[test]
fn a_surface_of_f64_built_on_the_device_answers_as_one_built_on_the_host_and_moves() {
    on_every_adapter(|context| {
        if !has_f64(context) {
            let (positions, triangles) = upload(context, &make::cube(12));
            let error = DeviceSurface::build_double(&positions, &triangles).unwrap_err().to_string();
            assert!(error.contains("64") && error.contains("bits"), "{error}");
            return;
        }
        for (name, mesh) in meshes() {
            let mesh = bent(&mesh, 0.1, 100.0);
            let (positions, triangles) = upload(context, &mesh);
            let device = DeviceSurface::build_double(&positions, &triangles).unwrap();
            let fresh = Surface::build_double(&mesh).unwrap();
            compare(&device, &fresh, &mesh, name);
            if name == "soup" {
                compare_all(&device, &fresh, &mesh, name);
            }
            let moved = bent(&mesh, -0.7, 3.0);
            let positions = context.upload("moved", &single(&moved)).unwrap();
            let mut device = device.rebuild(&positions, &triangles, Timestamps::None).unwrap().0;
            compare(&device, &Surface::build_double(&moved).unwrap(), &moved, &format!("{name}, built again"));
            let moved = twisted(&mesh, 0.4, -7.0);
            device.update_positions(&moved.positions).unwrap();
            compare(&device, &Surface::build_double(&moved).unwrap(), &moved, &format!("{name}, moved"));
        }
    });
}

#[test]
fn ten_thousand_triangles_at_one_place_are_built_on_the_device() {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.0], [0.0, 0.0, 2.0]];
    let mut triangles = vec![[0, 1, 2]; 10_000];
    triangles.push([0, 2, 3]);
    let place = Mesh::new(corners, triangles).unwrap();
    // Needles along a line: centres that no plane separates well.
    let line = (0..10_000).flat_map(|i| [[f64::from(i / 100), 0.0, 0.0], [f64::from(i / 100 + 1), 0.0, 0.0], [0.5; 3]]);
    let line = Mesh::new(line.collect(), (0..10_000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap();
    on_every_adapter(|context| {
        for (name, mesh) in [("place", &place), ("line", &line)] {
            let (positions, triangles) = upload(context, mesh);
            let device = DeviceSurface::build(&positions, &triangles).unwrap();
            let fresh = Surface::build(mesh).unwrap();
            let listed = points(mesh, 40);
            let question = Question { outputs: Outputs::ALL, sign: Sign::PseudoNormal, ..Question::default() };
            assert!(
                device.query(&listed, &question).unwrap() == fresh.query_cpu(&listed, &question).unwrap(),
                "{name}"
            );
        }
    });
}

#[test]
fn faults_of_a_mesh_on_the_device_are_errors_with_numbers_and_change_nothing() {
    let mesh = make::torus(300);
    let surface = Surface::build(&mesh).unwrap();
    let listed = points(&mesh, 50);
    let before = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap());
    on_every_adapter(|context| {
        let (positions, triangles) = upload(context, &mesh);
        let bad_at = |vertex: usize, axis: usize, value: f32| {
            let mut bad = single(&mesh);
            bad[vertex][axis] = value;
            context.upload("bad", &bad).unwrap()
        };
        let error = DeviceSurface::build(&bad_at(7, 2, f32::INFINITY), &triangles).unwrap_err().to_string();
        assert_eq!(error, "vertex 7: coordinate z is inf, allowed are finite numbers");
        let mut wrong = mesh.triangles.clone();
        (wrong[5][1], wrong[9][0]) = (100_000, 200_000);
        let wrong = context.upload("wrong", &wrong).unwrap();
        let error = DeviceSurface::build(&positions, &wrong).unwrap_err();
        assert!(matches!(error, Error::VertexIndex { triangle: 5, index: 100_000, .. }), "{error}");
        let none = context.upload::<[u32; 3]>("none", &[]).unwrap();
        assert!(matches!(DeviceSurface::build(&positions, &none), Err(Error::EmptyMesh)));

        let mut device = DeviceSurface::upload_movable(context, &surface).unwrap();
        let error = device.update_positions_on(&bad_at(0, 1, f32::NAN), Timestamps::None).unwrap_err().to_string();
        assert_eq!(error, "vertex 0: coordinate y is NaN, allowed are finite numbers");
        let short = context.upload("short", &single(&mesh)[1..]).unwrap();
        let error = device.update_positions_on(&short, Timestamps::None).unwrap_err().to_string();
        assert!(error.contains("positions, needed are"), "{error}");
        let huge: Vec<[f64; 3]> = mesh.positions.iter().map(|p| p.map(|x| x * 1e30)).collect();
        assert!(matches!(device.update_positions(&huge), Err(Error::Scale { .. })));
        assert_eq!(words(&device.distance(&listed, Sign::PseudoNormal, false).unwrap()), before);

        let mut fixed = DeviceSurface::upload(context, &surface).unwrap();
        let error = fixed.update_positions(&mesh.positions).unwrap_err().to_string();
        assert!(error.contains("upload_movable"), "{error}");
    });
}

#[test]
fn more_triangles_at_a_vertex_than_one_invocation_adds_up_are_an_error() {
    let count = (1 << 15) + 1;
    let mut positions = vec![[0.0; 3]];
    positions.extend((0..=count).map(|i| [f64::from(i), 1.0, f64::from(i % 7)]));
    let fan = Mesh::new(positions, (0..count).map(|i| [0, i + 1, i + 2]).collect()).unwrap();
    on_every_adapter(|context| {
        let (positions, triangles) = upload(context, &fan);
        let error = DeviceSurface::build(&positions, &triangles).unwrap_err().to_string();
        assert!(error.contains("32769 triangles at one vertex") && error.contains("32768"), "{error}");
    });
}

#[test]
fn a_surface_that_moved_by_itself_is_not_outdated_and_allocates_nothing() {
    let mesh = make::sphere(300);
    let moved = bent(&mesh, 0.5, 2.0);
    let listed = points(&moved, 60);
    on_every_adapter(|context| {
        let mut surface = Surface::build(&mesh).unwrap();
        let mut device = DeviceSurface::upload_movable(context, &surface).unwrap();
        surface.update_positions(&mesh.positions).unwrap();
        let outdated = device.distance(&listed, Sign::None, false).unwrap_err();
        assert!(matches!(outdated, Error::Outdated { .. }), "{outdated}");
        let positions = context.upload("moved", &single(&moved)).unwrap();
        let before = context.allocated_bytes();
        for _ in 0..2 {
            device.update_positions_on(&positions, Timestamps::None).unwrap();
        }
        device.update_positions(&moved.positions).unwrap();
        assert!(context.allocated_bytes() - before <= 8192, "a move allocates nothing but its first small read-back");
        surface.update_positions(&moved.positions).unwrap();
        let expected = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap());
        assert_eq!(words(&device.distance(&listed, Sign::PseudoNormal, false).unwrap()), expected);
        // Taking the host's positions again makes it a copy again.
        device.update(&surface).unwrap();
        surface.update_positions(&mesh.positions).unwrap();
        assert!(matches!(device.distance(&listed, Sign::None, false), Err(Error::Outdated { .. })));
    });
}
