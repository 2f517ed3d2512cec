//! Robust signs with chosen outputs, largest distances and narrow bands of mesh-distance on every adapter, in both strict forms, against the
//! CPU references, as words.
//!
//! Kernels: `sign_distances`, `band_points`, `query_answers` with listed signs, `distance_packet` within a reach.

use std::ops::ControlFlow;

use conformance::adapters::{on_every_adapter, open_all};
use gpu_runtime::{Context, ContextOptions, NumericsChoice};
use mesh_distance::{Answers, DeviceSurface, Grid, MaxDistance, Mesh, Outputs, Question, Sign, Surface, is_miss, make};

const SIGNS: [Sign; 4] = [Sign::PseudoNormal, Sign::Winding, Sign::Rays, Sign::SolidAngle];
const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

fn words(a: &Answers) -> Vec<u64> {
    let f = |v: &[f32]| v.iter().map(|x| u64::from(x.to_bits())).collect::<Vec<_>>();
    let rest = a.triangle.iter().map(|&t| t.into()).chain(a.feature.iter().map(|t| t.code() as u64));
    let mut all: Vec<u64> = rest.chain(a.inside.iter().map(|&t| t.into())).collect();
    all.extend(a.point.as_flattened().iter().map(|x| x.to_bits()));
    [
        all,
        f(&a.distance),
        f(&a.squared),
        f(a.uv.as_flattened()),
        f(a.normal.as_flattened()),
        f(a.gradient.as_flattened()),
    ]
    .concat()
}

fn holed_cube() -> Mesh {
    let cube = make::cube(192);
    Mesh::new(cube.positions.clone(), cube.triangles[1..].to_vec()).unwrap()
}

/// Points in and round the box of a mesh, some on its vertices.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds().unwrap();
    let mut state = 77u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut around = || std::array::from_fn(|k| bounds.lo[k] + (1.6 * random() - 0.3) * (bounds.hi[k] - bounds.lo[k]));
    (0..count).map(|i| if i % 9 == 0 { mesh.positions[i % mesh.positions.len()] } else { around() }).collect()
}

fn compare_points(context: &Context, name: &str, surface: &Surface, listed: &[[f64; 3]]) {
    let device = DeviceSurface::upload(context, surface).unwrap();
    let each: Vec<f64> = (0..listed.len()).map(|i| [0.0, 0.03, 0.2, f64::INFINITY, 1e-30][i % 5]).collect();
    let few = Outputs { triangle: true, ..Outputs::default() };
    for sign in SIGNS {
        for max_distance in [MaxDistance::Unlimited, MaxDistance::All(0.1), MaxDistance::Each(&each)] {
            for outputs in [Outputs::ALL, few] {
                let question = Question { outputs, sign, max_distance, motion: None };
                let expected = surface.query_cpu(listed, &question).unwrap();
                let got = device.query(listed, &question).unwrap();
                assert!(words(&got) == words(&expected), "{name} {question:?}");
            }
        }
    }
}

#[test]
fn every_output_of_listed_points_with_every_sign_and_limit() {
    on_every_adapter(|context| {
        for (name, mesh, count) in [("holed cube", holed_cube(), 200), ("knot", make::knot(1_000), 90)] {
            compare_points(context, name, &Surface::build(&mesh).unwrap(), &points(&mesh, count));
        }
    });
}

#[test]
fn devices_without_subgroups_give_the_same_words() {
    let mesh = holed_cube();
    let surface = Surface::build(&mesh).unwrap();
    for context in open_all(&ContextOptions { subgroups: false, ..Default::default() }, &[NumericsChoice::Auto]) {
        compare_points(&context, "no subgroups", &surface, &points(&mesh, 150));
        compare_bands(&context, &surface, &mesh, [13, 9, 17]);
    }
}

#[test]
fn every_output_of_a_grid_with_every_sign_and_limit_in_any_piece() {
    let mesh = holed_cube();
    let surface = Surface::build(&mesh).unwrap();
    let small = ContextOptions { max_binding_bytes: Some(1 << 16), ..ContextOptions::default() };
    let contexts = open_all(&ContextOptions::default(), &[NumericsChoice::Decorated, NumericsChoice::Guarded]);
    for context in contexts.into_iter().chain(open_all(&small, &[NumericsChoice::Auto])) {
        let device = DeviceSurface::upload(&context, &surface).unwrap();
        let grid = Grid::around(&mesh.bounds().unwrap(), [21, 10, 7], 0.25).unwrap();
        for sign in SIGNS {
            for max_distance in [MaxDistance::Unlimited, MaxDistance::All(0.125), MaxDistance::All(0.0)] {
                let question = Question { outputs: Outputs::ALL, sign, max_distance, motion: None };
                let expected = surface.query_grid_cpu(&grid, &question, GO_ON).unwrap();
                assert!(
                    words(&device.query_grid(&grid, &question, GO_ON).unwrap()) == words(&expected),
                    "{question:?}"
                );
            }
        }
    }
}

/// Cells take the side of others along links; misses have no side and no link.
#[test]
fn linked_cells_with_a_limit() {
    let mesh = holed_cube();
    let surface = Surface::build(&mesh).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), [53, 51, 50], 0.25).unwrap();
    let outputs = Outputs { distance: true, ..Outputs::default() };
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Auto]) {
        let device = DeviceSurface::upload(&context, &surface).unwrap();
        for max_distance in [MaxDistance::Unlimited, MaxDistance::All(0.3)] {
            let question = Question { outputs, sign: Sign::Winding, max_distance, motion: None };
            let expected = surface.query_grid_cpu(&grid, &question, GO_ON).unwrap();
            assert!(
                words(&device.query_grid(&grid, &question, GO_ON).unwrap()) == words(&expected),
                "{max_distance:?}"
            );
            assert!(expected.distance.iter().filter(|d| **d < 0.0).count() > 5_000);
        }
    }
}

/// Cells of the band and their words, with every sign, read back and left on the device.
fn compare_bands(context: &Context, surface: &Surface, mesh: &Mesh, counts: [u32; 3]) {
    let device = DeviceSurface::upload(context, surface).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), counts, 0.25).unwrap();
    let whole = |sign| surface.grid_distance_cpu(&grid, sign, false, GO_ON).unwrap();
    for sign in SIGNS {
        for width in [0.0, 0.11] {
            let band = device.band(&grid, width, sign, GO_ON).unwrap();
            let expected = surface.band_cpu(&grid, width, sign, GO_ON).unwrap();
            let bits = |d: &[f32]| d.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
            assert!(band.cells == expected.cells, "{sign:?} {width}");
            assert!(bits(&band.distance) == bits(&expected.distance), "{sign:?} {width}");
            // The oracle of both: the whole grid.
            let all = whole(sign);
            let near = (0..all.len() as u32).filter(|&i| f64::from(all[i as usize].abs()) <= width);
            assert!(near.eq(band.cells.iter().copied()), "{sign:?} {width}");
            assert!(band.cells.iter().zip(&band.distance).all(|(c, d)| all[*c as usize].to_bits() == d.to_bits()));
            let left = device.band_on(&grid, width, sign, GO_ON).unwrap();
            let mut there = left.distance.download().unwrap();
            let mut here = bits(&band.distance);
            there.sort_unstable();
            here.sort_unstable();
            assert!(there == here, "{sign:?} {width}");
        }
    }
}

#[test]
fn bands_with_every_sign() {
    on_every_adapter(|context| {
        let mesh = holed_cube();
        compare_bands(context, &Surface::build(&mesh).unwrap(), &mesh, [19, 11, 23]);
    });
}

#[test]
fn a_miss_has_its_values_and_the_surface_is_never_missed_on_a_device() {
    let mesh = make::cube(48);
    let surface = Surface::build(&mesh).unwrap();
    let on = [[0.0, 0.0, 0.0], [1.0, 0.5, 0.5], [0.25, 1.0, 0.0], [0.5, 0.0, 1.0]];
    let off = [[0.5; 3], [1.5, 0.5, 0.5], [-0.25, 0.5, 0.5]];
    on_every_adapter(|context| {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        for sign in SIGNS {
            let ask = |points: &[[f64; 3]], limit: f64| {
                let question =
                    Question { outputs: Outputs::ALL, sign, max_distance: MaxDistance::All(limit), motion: None };
                device.query(points, &question).unwrap()
            };
            let zero = ask(&on, 0.0);
            assert!(zero.distance.iter().all(|d| d.to_bits() == 0) && !zero.triangle.iter().any(|t| is_miss(*t)));
            let missed = ask(&off, 0.2499);
            assert!(missed.distance.iter().all(|d| *d == f32::INFINITY) && missed.triangle.iter().all(|t| is_miss(*t)));
            assert!(missed.point.as_flattened().iter().all(|x| *x == f64::INFINITY) && !missed.inside.contains(&true));
            let limits = [0.5, 0.5, 0.25];
            let question =
                Question { outputs: Outputs::ALL, sign, max_distance: MaxDistance::Each(&limits), motion: None };
            // A limit that is met exactly is no miss.
            assert_eq!(device.query(&off, &question).unwrap().distance, [-0.5, 0.5, 0.25], "{sign:?}");
        }
    });
}
