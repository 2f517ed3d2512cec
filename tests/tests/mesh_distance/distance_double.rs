//! mesh-distance in f64 on every adapter that has it, in both strict forms, against the CPU references as words.
//!
//! Kernels: `distance_first`, `distance_packet`, `point_keys`, `query_answers`.

use std::ops::ControlFlow;

use conformance::adapters::{contexts, has_f64, open_all};
use conformance::meshes;
use gpu_runtime::{Context, ContextOptions, NumericsChoice};
use mesh_distance::kernels::real::Real;
use mesh_distance::{
    Answers, Closest, DeviceSurface, Error, Grid, MaxDistance, Mesh, Outputs, Question, Sign, Surface, make, read_mesh,
};

const SIGNS: [Sign; 2] = [Sign::None, Sign::PseudoNormal];
const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

/// Words of numbers.
fn words(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
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
    let mut near = |i: usize, k: usize, lo: f64, hi: f64| match i % 16 {
        0 => mesh.positions[i * 31 % mesh.positions.len()][k],
        1 => lo + 1e9 * (random(&mut state) - 0.5) * (hi - lo),
        _ => lo + (2.0 * random(&mut state) - 0.5) * (hi - lo),
    };
    (0..count).map(|i| std::array::from_fn(|k| near(i, k, bounds.lo[k], bounds.hi[k]))).collect()
}

/// Triangles without order, some of them needles and some without area.
fn soup(seed: u64, count: usize) -> Mesh {
    let mut state = seed;
    let mut corner = || std::array::from_fn::<f64, 3, _>(|_| random(&mut state));
    let mut corners = Vec::new();
    for i in 0..count {
        let (a, b) = (corner(), corner());
        let thin = 0.1_f64.powi(i as i32 % 20);
        let c = std::array::from_fn(|k| 0.5 * (a[k] + b[k]) + thin * (corner()[k] - 0.5));
        corners.extend(if i % 11 == 0 { [a, b, a] } else { [a, b, c] });
    }
    let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(corners, triangles).expect("a mesh")
}

fn moved(mesh: &Mesh, offset: [f64; 3]) -> Mesh {
    let positions = mesh.positions.iter().map(|p| std::array::from_fn(|k| p[k] + offset[k])).collect();
    Mesh::new(positions, mesh.triangles.clone()).expect("a mesh")
}

/// Meshes with a name: made ones, also far from the origin, and the optional real ones.
fn all_meshes() -> Vec<(String, Mesh)> {
    let mut all = vec![
        ("sphere".to_owned(), make::sphere(2_000)),
        ("knot".to_owned(), make::knot(3_000)),
        ("knot far away".to_owned(), moved(&make::knot(3_000), [1e5, 1e5, 3.5e3])),
        ("one triangle".to_owned(), soup(2, 1)),
        ("soup".to_owned(), soup(3, 300)),
        ("another soup".to_owned(), moved(&soup(4, 300), [-1e5, 0.25, 1e5])),
        ("a point".to_owned(), Mesh::new(vec![[5.0; 3]; 3], vec![[0, 1, 2]]).expect("a mesh")),
    ];
    for path in meshes::shared_folder().iter().flat_map(|folder| meshes::files(folder)) {
        let mesh = read_mesh(&path).unwrap_or_else(|e| panic!("{e}"));
        all.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), mesh));
    }
    all
}

/// The contexts of devices with f64.
fn doubles() -> impl Iterator<Item = &'static Context> {
    contexts().iter().filter(|context| has_f64(context))
}

/// Distance, point, barycentric coordinates, triangle and feature of each answer.
fn closest_words(values: &[Closest<f64>]) -> Vec<[u64; 8]> {
    let of = |c: &Closest<f64>| {
        let ([x, y, z], [u, v]) = (c.point.map(f64::to_bits), c.uv.map(f64::to_bits));
        [c.distance.to_bits(), x, y, z, u, v, c.triangle.into(), c.feature.code() as u64]
    };
    values.iter().map(of).collect()
}

/// Compares distances and closest points of one device with the CPU's.
fn compare(context: &Context, name: &str, mesh: &Mesh) {
    let surface = Surface::build_double(mesh).unwrap();
    let device = DeviceSurface::upload(context, &surface).unwrap();
    let listed = points(mesh, 300);
    let grid = Grid::around(&mesh.bounds().unwrap(), [9, 7, 6], 0.25).unwrap();
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
    doubles().for_each(|context| all.iter().for_each(|(name, mesh)| compare(context, name, mesh)));
}

#[test]
fn devices_without_subgroups_give_the_same_words() {
    let options = ContextOptions { subgroups: false, ..ContextOptions::default() };
    for context in open_all(&options, &[NumericsChoice::Auto]).iter().filter(|context| has_f64(context)) {
        assert!(context.subgroups().is_none());
        compare(context, "knot", &make::knot(3_000));
    }
}

/// Every entry of the answers as words.
fn answer_words(a: &Answers<f64>) -> Vec<u64> {
    let numbers = a.distance.iter().chain(&a.squared).chain(a.uv.as_flattened()).chain(a.point.as_flattened());
    let numbers = numbers.chain(a.normal.as_flattened()).chain(a.gradient.as_flattened());
    let codes = a.feature.iter().map(|f| f.code() as u64).chain(a.triangle.iter().map(|&t| u64::from(t)));
    numbers.map(|x| x.to_bits()).chain(codes).chain(a.inside.iter().map(|&i| u64::from(i))).collect()
}

#[test]
fn chosen_outputs_are_the_cpus() {
    let mesh = make::knot(2_000);
    let surface = Surface::build_double(&mesh).unwrap();
    let listed = points(&mesh, 200);
    let each: Vec<f64> = (0..listed.len()).map(|i| 0.01 * i as f64).collect();
    let grid = Grid::around(&mesh.bounds().unwrap(), [6, 5, 4], 0.25).unwrap();
    let few = Outputs { squared: true, feature: true, point: true, ..Outputs::default() };
    for context in doubles() {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        for (outputs, sign, max_distance) in [
            (Outputs::ALL, Sign::PseudoNormal, MaxDistance::Unlimited),
            (Outputs::ALL, Sign::PseudoNormal, MaxDistance::All(0.3)),
            (few, Sign::None, MaxDistance::Each(&each)),
            (Outputs::ALL, Sign::Winding, MaxDistance::Each(&each)),
            (few, Sign::SolidAngle, MaxDistance::Unlimited),
        ] {
            let question = Question { outputs, sign, max_distance, motion: None };
            let expected = answer_words(&surface.query_cpu(&listed, &question).unwrap());
            assert_eq!(answer_words(&device.query(&listed, &question).unwrap()), expected, "{max_distance:?}");
            if !matches!(max_distance, MaxDistance::Each(_)) {
                let expected = answer_words(&surface.query_grid_cpu(&grid, &question, GO_ON).unwrap());
                let got = answer_words(&device.query_grid(&grid, &question, GO_ON).unwrap());
                assert_eq!(got, expected, "grid, {max_distance:?}");
            }
        }
    }
}

#[test]
fn grids_and_points_that_stay_and_grids_in_pieces_give_the_same_words() {
    let mesh = make::torus(800);
    let surface = Surface::build_double(&mesh).unwrap();
    let grid = Grid::around(&mesh.bounds().unwrap(), [33, 31, 19], 0.25).unwrap();
    let expected = words(&surface.grid_distance_cpu(&grid, Sign::PseudoNormal, false, GO_ON).unwrap());
    let listed = points(&mesh, 3_000);
    let of_points = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, true).unwrap());
    // 128 KiB bindings: the tree still fits, the grid comes in pieces.
    let small = ContextOptions { max_binding_bytes: Some(1 << 17), ..ContextOptions::default() };
    for context in open_all(&small, &[NumericsChoice::Auto]).iter().filter(|context| has_f64(context)) {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        assert!(words(&device.grid_distance(&grid, Sign::PseudoNormal, false, GO_ON).unwrap()) == expected);
        let error = device.grid_distance_on(&grid, Sign::None, false).unwrap_err().to_string();
        assert!(error.contains("needs 155496 bytes a binding, the device allows 131072"), "{error}");
    }
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Auto]).iter().filter(|c| has_f64(c)) {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        let on = device.grid_distance_on(&grid, Sign::PseudoNormal, false).unwrap();
        assert!(words(&on.download().unwrap()) == expected);
        let query = device.point_query(&listed, Sign::PseudoNormal, true).unwrap();
        query.run(gpu_runtime::Timestamps::None).unwrap();
        assert!(words(&query.download().unwrap()) == of_points);
    }
}

#[test]
fn a_moved_surface_is_outdated_until_it_is_updated() {
    let mesh = make::knot(1_000);
    let listed = points(&mesh, 100);
    for context in doubles() {
        let mut surface = Surface::build_double(&mesh).unwrap();
        let mut device = DeviceSurface::upload(context, &surface).unwrap();
        surface.update_positions(&moved(&mesh, [0.1, 0.0, -0.3]).positions).unwrap();
        assert!(matches!(device.distance(&listed, Sign::None, false), Err(Error::Outdated { .. })));
        device.update(&surface).unwrap();
        let expected = words(&surface.distance_cpu(&listed, Sign::PseudoNormal, false).unwrap());
        assert_eq!(words(&device.distance(&listed, Sign::PseudoNormal, false).unwrap()), expected);
    }
}

/// Exact distances to the unit cube from points whose coordinates are multiples of 2^-20: integers decide.
#[test]
fn a_cube_is_measured_to_the_last_digits() {
    let surface = Surface::build_double(&make::cube(12)).unwrap();
    let mut state = 9;
    let listed: Vec<[f64; 3]> = (0..2_000)
        .map(|_| std::array::from_fn(|_| ((random(&mut state) * 3.0 - 1.0) * 1_048_576.0).floor() / 1_048_576.0))
        .collect();
    for context in doubles() {
        let device = DeviceSurface::upload(context, &surface).unwrap();
        let got = device.distance(&listed, Sign::PseudoNormal, false).unwrap();
        for (p, d) in listed.iter().zip(got) {
            let gaps = p.map(|x| (-x).max(x - 1.0)); // oracle: exact multiples of 2^-20
            let inside = gaps.iter().all(|&g| g < 0.0);
            let outside: u64 = gaps.iter().map(|&g| (g.max(0.0) * 1_048_576.0) as u64).map(|g| g * g).sum(); // oracle: exact
            let nearest = gaps.iter().fold(f64::NEG_INFINITY, |m, &g| if g > m { g } else { m });
            let exact = if inside { nearest } else { (outside as f64).sqrt() / 1_048_576.0 };
            // 12 * 2^-53 of (half extent + distance from the centre), as docs/mesh-distance.md says.
            let reach = 1.0 + p.iter().map(|x| (x - 0.5) * (x - 0.5)).sum::<f64>().sqrt();
            assert!((d - exact).abs() <= 12.0 * reach * 2f64.powi(-53), "{p:?}: {d:e}, exact {exact:e}"); // oracle: integers
        }
    }
}

#[test]
fn a_device_without_f64_says_so_with_numbers() {
    let surface = Surface::build_double(&make::cube(12)).unwrap();
    for context in contexts().iter().filter(|context| !has_f64(context)) {
        let error = DeviceSurface::upload(context, &surface).unwrap_err();
        assert!(matches!(error, Error::Device(gpu_runtime::Error::Limit { needed: 64, allowed: 32, .. })), "{error}");
        assert!(error.to_string().contains("distances in f64 on"), "{error}");
    }
    assert_eq!((f32::WORDS, f64::WORDS), (1, 2));
}
