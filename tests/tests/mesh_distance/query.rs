//! Queries with chosen outputs and rays of mesh-distance on every adapter, in both strict forms, against the CPU references, as words.
//!
//! Kernels: `point_keys`, `query_answers`, `ray_walk`, `mark_cells`, `distance_packet` of bands.

use std::ops::ControlFlow;

use conformance::adapters::{on_every_adapter, open_all};
use gpu_runtime::{ContextOptions, NumericsChoice, Timestamps};
use mesh_distance::mark::Cut;
use mesh_distance::ray::{Ray, RayHit, ray_all_brute_force};
use mesh_distance::{
    Answers, DeviceSurface, Error, Grid, MaxDistance, Mesh, Outputs, Question, Rigid, Sign, Surface, make,
};

const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Points round the mesh, on vertices and edges, and far away.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds().expect("a mesh with vertices");
    let mut state = 11;
    let mut one = |i: usize| {
        let t = &mesh.triangles[i * 37 % mesh.triangles.len()];
        let [a, b] = [t[0], t[1]].map(|v| mesh.positions[v as usize]);
        let grow = if i % 16 == 3 { 1e7 } else { 2.0 };
        match i % 16 {
            0 => a,
            1 => std::array::from_fn(|k| 0.5 * (a[k] + b[k])),
            _ => std::array::from_fn(|k| {
                bounds.lo[k] + (grow * random(&mut state) - 0.5) * (bounds.hi[k] - bounds.lo[k])
            }),
        }
    };
    (0..count).map(&mut one).collect()
}

/// All of an answer as words.
fn words(a: &Answers) -> Vec<u64> {
    let f = |v: &[f32]| v.iter().map(|x| u64::from(x.to_bits())).collect::<Vec<_>>();
    let three = |v: &[[f32; 3]]| f(v.as_flattened());
    [
        f(&a.distance),
        f(&a.squared),
        a.triangle.iter().map(|&t| t.into()).collect(),
        a.feature.iter().map(|t| t.code() as u64).collect(),
        a.inside.iter().map(|&t| t.into()).collect(),
        f(a.uv.as_flattened()),
        a.point.as_flattened().iter().map(|x| x.to_bits()).collect(),
        three(&a.normal),
        three(&a.gradient),
    ]
    .concat()
}

fn some_meshes() -> Vec<(&'static str, Mesh)> {
    let mut thin = make::cube(12);
    thin.positions.push([0.5, 0.5, 4.0]);
    thin.triangles.extend([[0, 8, 0], [8, 8, 8], [1, 1, 8]]);
    let point = Mesh::new(vec![[5.0; 3]; 3], vec![[0, 1, 2]]).expect("a mesh");
    vec![("knot", make::knot(3_000)), ("thin", thin), ("a point", point)]
}

#[test]
fn every_output_of_listed_points_is_the_cpus() {
    let (s, c) = 0.7f64.sin_cos();
    let motion = Rigid { rotation: [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], translation: [0.1, -0.3, 0.5] };
    let two = Outputs { squared: true, gradient: true, ..Outputs::default() };
    on_every_adapter(|context| {
        for (name, mesh) in some_meshes() {
            let surface = Surface::build(&mesh).unwrap();
            let device = DeviceSurface::upload(context, &surface).unwrap();
            let listed = points(&mesh, 300);
            let each: Vec<f64> = (0..listed.len()).map(|i| [0.0, 0.1, 1.0, f64::INFINITY][i % 4]).collect();
            for sign in [Sign::None, Sign::PseudoNormal] {
                for max_distance in [MaxDistance::Unlimited, MaxDistance::Each(&each)] {
                    for (outputs, motion) in [(Outputs::ALL, None), (two, Some(motion))] {
                        let question = Question { outputs, sign, max_distance, motion };
                        let expected = words(&surface.query_cpu(&listed, &question).unwrap());
                        assert!(words(&device.query(&listed, &question).unwrap()) == expected, "{name} {question:?}");
                    }
                }
            }
            let inside = surface.inside_cpu(&listed, Sign::PseudoNormal).unwrap();
            assert_eq!(device.inside(&listed, Sign::PseudoNormal).unwrap(), inside, "{name}");
            assert!(matches!(device.inside(&listed, Sign::None), Err(Error::Question { .. })));
        }
    });
}

#[test]
fn every_output_of_a_grid_is_the_cpus_in_any_piece() {
    let mesh = make::torus(800);
    let surface = Surface::build(&mesh).unwrap();
    let small = ContextOptions { max_binding_bytes: Some(1 << 16), ..ContextOptions::default() };
    let contexts = open_all(&ContextOptions::default(), &[NumericsChoice::Auto]).into_iter();
    for context in contexts.chain(open_all(&small, &[NumericsChoice::Auto])) {
        let device = DeviceSurface::upload(&context, &surface).unwrap();
        for counts in [[1, 1, 1], [9, 30, 3], [70, 13, 11]] {
            let grid = Grid::around(&mesh.bounds().unwrap(), counts, 0.25).unwrap();
            for max_distance in [MaxDistance::Unlimited, MaxDistance::All(0.25)] {
                let question = Question { outputs: Outputs::ALL, sign: Sign::PseudoNormal, max_distance, motion: None };
                let expected = words(&surface.query_grid_cpu(&grid, &question, GO_ON).unwrap());
                assert!(words(&device.query_grid(&grid, &question, GO_ON).unwrap()) == expected, "{counts:?}");
            }
        }
    }
}

#[test]
fn points_sorted_on_the_device_give_the_same_words() {
    let mesh = make::knot(3_000);
    let surface = Surface::build(&mesh).unwrap();
    on_every_adapter(|context| {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        for count in [0, 1, 65, 5_000] {
            let listed = points(&mesh, count);
            let expected = surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap();
            let query = device.point_query(&listed, Sign::PseudoNormal, false).unwrap();
            for _ in 0..2 {
                query.run(Timestamps::None).unwrap();
                let got = query.download().unwrap();
                assert!(got.len() == count && got.iter().zip(&expected).all(|(g, e)| g.to_bits() == e.to_bits()));
            }
        }
    });
}

/// Rays anywhere, at vertices, along edges and axes, of any length, some with limits.
fn rays(mesh: &Mesh, count: usize) -> Vec<Ray> {
    let from = points(mesh, count);
    let mut state = 5;
    let one = |(i, origin): (usize, &[f64; 3])| {
        let [a, b, _] = mesh.corners(i * 29 % mesh.triangles.len());
        let length = 10_f64.powi((i % 9) as i32 - 4);
        let direction: [f64; 3] = match i % 4 {
            0 => [0.0, -length, 0.0],
            1 => std::array::from_fn(|k| length * (a[k] - origin[k])),
            2 => std::array::from_fn(|k| length * (b[k] - a[k])),
            _ => std::array::from_fn(|_| random(&mut state) - 0.5),
        };
        let direction = if direction == [0.0; 3] { [length; 3] } else { direction };
        Ray { origin: *origin, direction, limit: if i % 5 == 2 { 0.6 / length } else { f64::INFINITY } }
    };
    from.iter().enumerate().map(one).collect()
}

fn hit_words(h: &RayHit) -> ([u32; 3], u32, [u64; 3], bool) {
    ([h.t, h.uv[0], h.uv[1]].map(f32::to_bits), h.triangle, h.point.map(f64::to_bits), h.front)
}

#[test]
fn rays_meet_what_they_meet_on_the_cpu() {
    on_every_adapter(|context| {
        for (name, mesh) in some_meshes().into_iter().chain([("cube", make::cube(48))]) {
            let surface = Surface::build(&mesh).unwrap();
            let device = DeviceSurface::upload(context, &surface).unwrap();
            let rays = rays(&mesh, 600);
            let expected = ray_all_brute_force(&surface, &rays).unwrap();
            let all = device.ray_all(&rays).unwrap();
            assert!(all.offsets == expected.offsets, "{name}");
            let pairs = all.hits.iter().zip(&expected.hits);
            assert!(pairs.clone().all(|(a, b)| hit_words(a) == hit_words(b)), "{name}");
            let counts: Vec<u32> = expected.offsets.windows(2).map(|o| o[1] - o[0]).collect();
            assert!(device.ray_count(&rays).unwrap() == counts, "{name}");
            assert!(device.ray_any(&rays).unwrap() == counts.iter().map(|c| *c > 0).collect::<Vec<_>>(), "{name}");
            let firsts: Vec<_> = device.ray_first(&rays).unwrap().iter().map(|h| h.as_ref().map(hit_words)).collect();
            let wanted: Vec<_> =
                surface.ray_first_cpu(&rays).unwrap().iter().map(|h| h.as_ref().map(hit_words)).collect();
            assert!(firsts == wanted, "{name}");
            assert!(name == "a point" || expected.hits.len() > 100, "{name}: {}", expected.hits.len());
        }
    });
}

#[test]
fn marks_and_bands_are_the_cpus() {
    on_every_adapter(|context| {
        for (name, mesh) in some_meshes() {
            let surface = Surface::build(&mesh).unwrap();
            let device = DeviceSurface::upload(context, &surface).unwrap();
            for counts in [[1, 1, 1], [9, 30, 3], [41, 23, 37]] {
                let bounds = mesh.bounds().unwrap();
                let margin = if name == "a point" { 0.0 } else { 0.25 };
                let grid = Grid::around(&bounds, counts, margin).unwrap();
                for cut in [Cut::Diagonal, Cut::Surface] {
                    let expected = surface.mark_cpu(&grid, Sign::PseudoNormal, cut, GO_ON).unwrap();
                    let got = device.mark(&grid, Sign::PseudoNormal, cut, GO_ON).unwrap();
                    assert!(got == expected, "{name} {counts:?} {cut:?}");
                }
                for (width, sign) in [(0.0, Sign::None), (0.05, Sign::PseudoNormal), (0.5, Sign::None)] {
                    let expected = surface.band_cpu(&grid, width, sign, GO_ON).unwrap();
                    let got = device.band(&grid, width, sign, GO_ON).unwrap();
                    assert!(got.cells == expected.cells, "{name} {counts:?} {width}");
                    let same = got.distance.iter().zip(&expected.distance).all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same, "{name} {counts:?} {width}");
                    let left = device.band_on(&grid, width, sign, GO_ON).unwrap();
                    let (places, values) = (left.coordinates.download().unwrap(), left.distance.download().unwrap());
                    let index = |&[i, j, k]: &[i32; 3]| (k as u32 * counts[1] + j as u32) * counts[0] + i as u32;
                    let mut pairs: Vec<(u32, u32)> = places.as_chunks().0.iter().map(index).zip(values).collect();
                    pairs.sort_unstable();
                    let bits = expected.distance.iter().map(|d| d.to_bits());
                    assert!(
                        pairs.into_iter().eq(expected.cells.iter().copied().zip(bits)),
                        "{name} {counts:?} {width}"
                    );
                }
            }
        }
    });
}
