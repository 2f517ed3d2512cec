//! Rays, ray parity, marks and bands in f64 on every adapter that has it, in both strict forms, against the CPU references as words.
//!
//! Kernels: `ray_walk`, `robust_sign` (rays), `sign_distances`, `query_answers`, `mark_cells`, `distance_packet` (bands), `band_points`.

use std::ops::ControlFlow;

use conformance::adapters::{contexts, has_f64};
use gpu_runtime::Context;
use mesh_distance::mark::Cut;
use mesh_distance::ray::{Ray, RayHit};
use mesh_distance::{DeviceSurface, Grid, MaxDistance, Mesh, Outputs, Question, Sign, Surface, make};

const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Triangles without order, some of them needles and some without area.
fn soup(count: usize) -> Mesh {
    let mut state = 3;
    let mut corner = || std::array::from_fn::<f64, 3, _>(|_| random(&mut state));
    let mut corners = Vec::new();
    for i in 0..count {
        let (a, b, d) = (corner(), corner(), corner());
        let thin = 0.1_f64.powi(i as i32 % 20);
        let c = std::array::from_fn(|k| 0.5 * (a[k] + b[k]) + thin * (d[k] - 0.5));
        corners.extend(if i % 11 == 0 { [a, b, a] } else { [a, b, c] });
    }
    Mesh::new(corners, (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).expect("a mesh")
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    let mut far = make::knot(1_500);
    far.positions.iter_mut().for_each(|p| *p = [p[0] + 1e5, p[1] + 1e5, p[2] + 3.5e3]);
    let point = Mesh::new(vec![[5.0; 3]; 3], vec![[0, 1, 2]]).expect("a mesh");
    vec![
        ("cube", make::cube(48)),
        ("far knot", far),
        ("soup", soup(200)),
        ("sphere", make::sphere(700)),
        ("a point", point),
    ]
}

/// Points in and round the box, and on vertices.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds().expect("vertices");
    let mut state = 5;
    let mut near = |k: usize| bounds.lo[k] + (2.0 * random(&mut state) - 0.5) * (bounds.hi[k] - bounds.lo[k]);
    let one = |i: usize| match i % 8 {
        0 => mesh.positions[i * 31 % mesh.positions.len()],
        _ => std::array::from_fn(&mut near),
    };
    (0..count).map(one).collect()
}

/// Rays between points, along axes, along edges, some with a limit.
fn rays(mesh: &Mesh, count: usize) -> Vec<Ray> {
    let (from, to) = (points(mesh, count), points(mesh, 2 * count));
    let one = |i: usize| {
        let axis = std::array::from_fn(|k| if k == i % 3 { -2.0 } else { 0.0 });
        let other = to[2 * count - 1 - i];
        let way: [f64; 3] = std::array::from_fn(|k| other[k] - from[i][k]);
        let direction = if i % 4 == 1 || way == [0.0; 3] { axis } else { way };
        Ray { origin: from[i], direction, limit: if i % 5 == 4 { 0.7 } else { f64::INFINITY } }
    };
    (0..count).map(one).collect()
}

/// Every number of a hit as a word.
fn words(hit: &RayHit<f64>) -> [u64; 8] {
    let ([u, v], [x, y, z]) = (hit.uv.map(f64::to_bits), hit.point.map(f64::to_bits));
    [hit.t.to_bits(), hit.triangle.into(), u, v, x, y, z, hit.front.into()]
}

fn doubles() -> impl Iterator<Item = &'static Context> {
    contexts().iter().filter(|context| has_f64(context))
}

#[test]
fn rays_are_those_of_the_cpu() {
    for context in doubles() {
        for (name, mesh) in meshes() {
            let surface = Surface::build_double(&mesh).unwrap();
            let device = DeviceSurface::upload(context, &surface).unwrap();
            let rays = rays(&mesh, 200);
            let (all, expected) = (device.ray_all(&rays).unwrap(), surface.ray_all_cpu(&rays).unwrap());
            assert_eq!(all.offsets, expected.offsets, "{name}");
            let hits = |hits: &[RayHit<f64>]| hits.iter().map(words).collect::<Vec<_>>();
            assert_eq!(hits(&all.hits), hits(&expected.hits), "{name}");
            let firsts =
                |hits: Vec<Option<RayHit<f64>>>| hits.iter().map(|hit| hit.as_ref().map(words)).collect::<Vec<_>>();
            assert_eq!(
                firsts(device.ray_first(&rays).unwrap()),
                firsts(surface.ray_first_cpu(&rays).unwrap()),
                "{name}"
            );
            assert_eq!(device.ray_any(&rays).unwrap(), surface.ray_any_cpu(&rays).unwrap(), "{name}");
            assert_eq!(device.ray_count(&rays).unwrap(), surface.ray_count_cpu(&rays).unwrap(), "{name}");
        }
    }
}

#[test]
fn ray_parity_is_that_of_the_cpu_for_points_grids_and_chosen_outputs() {
    for context in doubles() {
        for (name, mesh) in meshes() {
            let surface = Surface::build_double(&mesh).unwrap();
            let device = DeviceSurface::upload(context, &surface).unwrap();
            let listed = points(&mesh, 200);
            let grid = Grid::around(&mesh.bounds().unwrap(), [9, 7, 6], 0.25).unwrap();
            let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            for squared in [false, true] {
                let expected = bits(surface.distance_cpu(&listed, Sign::Rays, squared).unwrap());
                assert_eq!(bits(device.distance(&listed, Sign::Rays, squared).unwrap()), expected, "{name}");
                let expected = bits(surface.grid_distance_cpu(&grid, Sign::Rays, squared, GO_ON).unwrap());
                assert_eq!(bits(device.grid_distance(&grid, Sign::Rays, squared, GO_ON).unwrap()), expected, "{name}");
            }
            let closest = device.closest(&listed, Sign::Rays).unwrap();
            assert_eq!(closest, surface.closest_cpu(&listed, Sign::Rays).unwrap(), "{name}");
            let limits: Vec<f64> = (0..listed.len()).map(|i| 0.01 * (i % 50) as f64).collect();
            for max_distance in [MaxDistance::Unlimited, MaxDistance::All(0.3), MaxDistance::Each(&limits)] {
                let question = Question { outputs: Outputs::ALL, sign: Sign::Rays, max_distance, motion: None };
                let (found, expected) =
                    (device.query(&listed, &question).unwrap(), surface.query_cpu(&listed, &question).unwrap());
                assert_eq!(found, expected, "{name} {max_distance:?}");
                if !matches!(max_distance, MaxDistance::Each(_)) {
                    let found = device.query_grid(&grid, &question, GO_ON).unwrap();
                    assert_eq!(
                        found,
                        surface.query_grid_cpu(&grid, &question, GO_ON).unwrap(),
                        "{name} {max_distance:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn marks_and_bands_are_those_of_the_cpu() {
    for context in doubles() {
        for (name, mesh) in meshes() {
            let surface = Surface::build_double(&mesh).unwrap();
            let device = DeviceSurface::upload(context, &surface).unwrap();
            let bounds = mesh.bounds().unwrap();
            let grid = Grid::around(&bounds, [18, 17, 9], 0.25).unwrap();
            for (sign, cut) in [
                (Sign::PseudoNormal, Cut::Surface),
                (Sign::Rays, Cut::Diagonal),
                (Sign::Rays, Cut::Surface),
                (Sign::Winding, Cut::Diagonal),
                (Sign::SolidAngle, Cut::Surface),
            ] {
                let expected = surface.mark_cpu(&grid, sign, cut, GO_ON).unwrap();
                assert_eq!(device.mark(&grid, sign, cut, GO_ON).unwrap(), expected, "{name} {sign:?} {cut:?}");
            }
            let size = (0..3).fold(0.0_f64, |m, k| m.max(bounds.hi[k] - bounds.lo[k]));
            for (part, sign) in
                [(0.05, Sign::PseudoNormal), (0.1, Sign::Rays), (0.02, Sign::None), (0.1, Sign::Winding)]
            {
                let expected = surface.band_cpu(&grid, part * size, sign, GO_ON).unwrap();
                let found = device.band(&grid, part * size, sign, GO_ON).unwrap();
                let bits =
                    |band: &mesh_distance::Band<f64>| band.distance.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
                assert_eq!((&found.cells, bits(&found)), (&expected.cells, bits(&expected)), "{name} {sign:?}");
                assert!(name == "a point" || !found.cells.is_empty(), "{name} {sign:?}");
            }
        }
    }
}
