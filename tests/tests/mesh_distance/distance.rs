//! mesh-distance on every adapter, in both strict forms, against the CPU references and brute force, as words.
//!
//! Kernels: `distance_first`, `distance_packet`.

use std::ops::ControlFlow;

use conformance::adapters::{on_every_adapter, open_all};
use conformance::meshes;
use gpu_runtime::{Context, ContextOptions, NumericsChoice};
use mesh_distance::{Closest, DeviceSurface, Error, Grid, Mesh, Sign, Surface, make, read_mesh};

const SIGNS: [Sign; 2] = [Sign::None, Sign::PseudoNormal];
const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

fn words(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

/// Distance, point, triangle, barycentric coordinates and feature of an answer.
type ClosestWords = (u32, [u64; 3], u32, [u32; 2], i8);

fn closest_words(values: &[Closest]) -> Vec<ClosestWords> {
    let of = |c: &Closest| {
        (c.distance.to_bits(), c.point.map(f64::to_bits), c.triangle, c.uv.map(f32::to_bits), c.feature.code())
    };
    values.iter().map(of).collect()
}

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Points in the box grown by half its size, on vertices, and far away.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds().expect("a mesh with vertices");
    let mut state = 7;
    (0..count)
        .map(|i| match i % 16 {
            0 => mesh.positions[i * 31 % mesh.positions.len()],
            1 => {
                std::array::from_fn(|k| bounds.lo[k] + 1e6 * (random(&mut state) - 0.5) * (bounds.hi[k] - bounds.lo[k]))
            }
            _ => {
                std::array::from_fn(|k| bounds.lo[k] + (2.0 * random(&mut state) - 0.5) * (bounds.hi[k] - bounds.lo[k]))
            }
        })
        .collect()
}

/// Meshes with a name: made ones, and the optional real ones.
fn all_meshes() -> Vec<(String, Mesh)> {
    let mut all = vec![
        ("sphere".to_owned(), make::sphere(2_000)),
        ("knot".to_owned(), make::knot(3_000)),
        ("one triangle".to_owned(), triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.0]])),
        ("a segment".to_owned(), triangles(&[[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.5, 1.0, 1.5]])),
        ("a point".to_owned(), triangles(&[[5.0; 3]; 3])),
        ("needles".to_owned(), needles()),
    ];
    for path in meshes::shared_folder().iter().flat_map(|folder| meshes::files(folder)) {
        let mesh = read_mesh(&path).unwrap_or_else(|e| panic!("{e}"));
        all.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), mesh));
    }
    all
}

fn triangles(corners: &[[f64; 3]]) -> Mesh {
    let triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(corners.to_vec(), triangles).expect("a mesh")
}

fn needles() -> Mesh {
    let mut state = 3;
    let mut corner = || std::array::from_fn::<f64, 3, _>(|_| random(&mut state));
    let mut corners = Vec::new();
    for i in 0..200 {
        let (a, b) = (corner(), corner());
        let thin = 0.1_f64.powi(i % 12);
        let c = std::array::from_fn(|k| 0.5 * (a[k] + b[k]) + thin * (corner()[k] - 0.5));
        corners.extend([a, b, c]);
    }
    triangles(&corners)
}

/// Compares every face of the query on one device with the CPU's.
fn compare(context: &Context, name: &str, mesh: &Mesh) {
    let surface = Surface::build(mesh).unwrap();
    let device = DeviceSurface::upload(context, &surface).unwrap();
    let listed = points(mesh, 500);
    let grid = Grid::around(&mesh.bounds().unwrap(), [13, 9, 11], 0.25).unwrap();
    for sign in SIGNS {
        for squared in [false, true] {
            let expected = words(&surface.distance_cpu(&listed, sign, squared).unwrap());
            assert_eq!(words(&device.distance(&listed, sign, squared).unwrap()), expected, "{name} {sign:?} {squared}");
            let expected = words(&surface.grid_distance_cpu(&grid, sign, squared, GO_ON).unwrap());
            let got = words(&device.grid_distance(&grid, sign, squared, GO_ON).unwrap());
            assert_eq!(got, expected, "{name}, grid, {sign:?} {squared}");
        }
        let expected = closest_words(&surface.closest_cpu(&listed, sign).unwrap());
        assert_eq!(closest_words(&device.closest(&listed, sign).unwrap()), expected, "{name} {sign:?}");
    }
}

#[test]
fn every_mesh_gives_the_words_of_the_cpu() {
    let all = all_meshes();
    on_every_adapter(|context| all.iter().for_each(|(name, mesh)| compare(context, name, mesh)));
}

#[test]
fn devices_without_subgroups_give_the_same_words() {
    let options = ContextOptions { subgroups: false, ..ContextOptions::default() };
    for context in open_all(&options, &[NumericsChoice::Auto]) {
        assert!(context.subgroups().is_none());
        compare(&context, "knot", &make::knot(3_000));
    }
}

#[test]
fn grids_of_any_shape_and_any_piece_give_the_same_words() {
    let mesh = make::torus(800);
    let surface = Surface::build(&mesh).unwrap();
    // 64 KiB bindings: the tree still fits, grids above 16,384 cells come in pieces.
    let small = ContextOptions { max_binding_bytes: Some(1 << 16), ..ContextOptions::default() };
    let contexts = open_all(&ContextOptions::default(), &[NumericsChoice::Auto]).into_iter();
    for context in contexts.chain(open_all(&small, &[NumericsChoice::Auto])) {
        let device = DeviceSurface::upload(&context, &surface).unwrap();
        for counts in [[1, 1, 1], [1, 1, 70], [70, 1, 1], [5, 64, 3], [33, 31, 29], [200, 100, 1]] {
            let grid = Grid::around(&mesh.bounds().unwrap(), counts, 0.25).unwrap();
            let expected = words(&surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, GO_ON).unwrap());
            let got = words(&device.grid_distance(&grid, Sign::PseudoNormal, false, GO_ON).unwrap());
            assert!(got == expected, "{counts:?}");
            if counts.iter().product::<u32>() * 4 <= 1 << 16 {
                let on = device.grid_distance_on(&grid, Sign::PseudoNormal, false).unwrap();
                assert_eq!(words(&on.download().unwrap()), expected, "{counts:?}");
            }
        }
    }
}

/// Seeds closer together, second seeds at the end of a way down: with triangles that are one as near as the other, on and off the axes.
#[test]
fn many_triangles_a_cell_give_the_same_words() {
    for mesh in [make::knot(30_000), make::sphere(30_000)] {
        let surface = Surface::build(&mesh).unwrap();
        on_every_adapter(|context| {
            let device = DeviceSurface::upload(context, &surface).unwrap();
            for (counts, sign) in
                [([9, 7, 11], Sign::PseudoNormal), ([16, 1, 3], Sign::None), ([24, 24, 24], Sign::Winding)]
            {
                let grid = Grid::around(&mesh.bounds().unwrap(), counts, 0.25).unwrap();
                let expected = words(&surface.grid_distance_cpu(&grid, sign, false, GO_ON).unwrap());
                assert!(
                    words(&device.grid_distance(&grid, sign, false, GO_ON).unwrap()) == expected,
                    "{counts:?} {sign:?}"
                );
            }
        });
    }
}

#[test]
fn no_points_one_point_and_many_points() {
    let mesh = make::sphere(500);
    let surface = Surface::build(&mesh).unwrap();
    on_every_adapter(|context| {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        for count in [0, 1, 2, 63, 64, 65, 4096, 5000] {
            let listed = points(&mesh, count);
            let expected = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap());
            assert!(words(&device.distance(&listed, Sign::PseudoNormal, false).unwrap()) == expected, "{count}");
        }
        let bad = [[0.0; 3], [f64::NAN, 0.0, 0.0]];
        assert!(matches!(device.distance(&bad, Sign::None, false), Err(Error::NotFinite { index: 1, .. })));
    });
}

#[test]
fn a_grid_can_be_interrupted_and_a_limit_is_an_error() {
    let mesh = make::sphere(500);
    let surface = Surface::build(&mesh).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), [64; 3], 0.25).unwrap();
    let small = ContextOptions { max_binding_bytes: Some(1 << 17), ..ContextOptions::default() };
    for context in open_all(&small, &[NumericsChoice::Auto]) {
        let device = DeviceSurface::upload(&context, &surface).unwrap();
        let stop = |done: usize, _| if done > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let error = device.grid_distance(&grid, Sign::None, false, &stop).unwrap_err();
        assert!(matches!(error, Error::Interrupted { done, total: 262_144 } if done > 0 && done < 262_144), "{error}");
        let error = device.grid_distance_on(&grid, Sign::None, false).unwrap_err().to_string();
        assert!(error.contains("needs 1048576 bytes a binding, the device allows 131072"), "{error}");
        let large = Surface::build(&make::sphere(20_000)).unwrap();
        let error = DeviceSurface::upload(&context, &large).unwrap_err().to_string();
        assert!(error.contains("of a surface of") && error.contains("131072"), "{error}");
    }
}

/// Shows that the comparisons above can fail: without a strict form some device gives other words. Which devices do is
/// the compilers' affair, so only those known to are asked.
#[test]
fn without_a_strict_form_hardware_gives_other_words() {
    let mesh = make::knot(3_000);
    let surface = Surface::build(&mesh).unwrap();
    let listed = points(&mesh, 4000);
    let expected = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap());
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Off]) {
        let device = DeviceSurface::upload(&context, &surface).unwrap();
        let got = words(&device.distance(&listed, Sign::PseudoNormal, false).unwrap());
        let wrong = got.iter().zip(&expected).filter(|(g, e)| g != e).count();
        println!("{}: {wrong} of {} distances differ without a strict form", context.adapter().name, got.len());
        if context.adapter().name.contains("NVIDIA") {
            assert!(wrong > 0, "plain WGSL is strict on this driver: the control has lost its meaning");
        }
    }
}
