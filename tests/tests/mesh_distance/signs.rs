//! The robust signs of mesh-distance on every adapter, in both strict forms, against the CPU references, as words; in f32, and in f64 where
//! the device has it.
//!
//! Kernels: `robust_sign`, `sign_links`, `sign_cells`, `winding_sum`, `winding_sides`, `winding_value`.

use std::ops::ControlFlow;

use conformance::adapters::{has_f64, on_every_adapter, open_all};
use gpu_runtime::{Context, ContextOptions, NumericsChoice};
use mesh_distance::{Closest, Criterion, DeviceSurface, Grid, Mesh, Precision, Sign, Surface, WindingOptions, make};

const ROBUST: [Sign; 3] = [Sign::Winding, Sign::Rays, Sign::SolidAngle];
const GO_ON: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Continue(());

fn words<R: Precision>(values: &[R]) -> Vec<[u32; 2]> {
    values.iter().map(|v| v.words()).collect()
}

/// The words of an answer's numbers, and the rest of it.
fn closest_words<R: Precision>(values: &[Closest<R>]) -> Vec<([u32; 2], [u64; 3], u32, i8)> {
    values.iter().map(|c| (c.distance.words(), c.point.map(f64::to_bits), c.triangle, c.feature.code())).collect()
}

/// Repeatable points in the box grown by half its size, on vertices and edges, and far away.
fn points(mesh: &Mesh, count: usize) -> Vec<[f64; 3]> {
    let bounds = mesh.bounds().expect("a mesh with vertices");
    let mut state = 5u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut around = |reach: f64| {
        std::array::from_fn(|k| bounds.lo[k] + (0.5 + reach * (random() - 0.5)) * (bounds.hi[k] - bounds.lo[k]))
    };
    (0..count)
        .map(|i| match i % 16 {
            0 => mesh.positions[i * 31 % mesh.positions.len()],
            1 => {
                let [a, b, _] = mesh.corners(i % mesh.triangles.len());
                std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
            }
            2 => around(1e5),
            3 => around(20.0),
            _ => around(2.0),
        })
        .collect()
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    let cube = make::cube(48);
    let part = |range: std::ops::Range<usize>| {
        Mesh::new(cube.positions.clone(), cube.triangles[range].to_vec()).expect("a mesh")
    };
    let mut damaged = make::torus(300);
    damaged.triangles.extend(damaged.triangles[..20].to_vec());
    damaged.triangles.extend((0..9).map(|v| [v, v, v + 1]));
    vec![
        ("knot", make::knot(1_000)),
        ("holed cube", part(1..48)),
        ("one triangle", part(0..1)),
        ("terrain", make::terrain(200)),
        ("damaged torus", damaged),
    ]
}

/// Both precisions that the device has.
fn compare_all(context: &Context, name: &str, mesh: &Mesh) {
    compare(context, name, &Surface::build(mesh).unwrap(), mesh);
    if has_f64(context) {
        compare(context, &format!("{name} in f64"), &Surface::build_double(mesh).unwrap(), mesh);
    }
}

fn compare<R: Precision>(context: &Context, name: &str, surface: &Surface<R>, mesh: &Mesh) {
    let device = DeviceSurface::upload(context, surface).unwrap();
    let listed = points(mesh, 130);
    let grid = Grid::around(&mesh.bounds().unwrap(), [9, 7, 5], 0.25).unwrap();
    for sign in ROBUST {
        for squared in [false, true] {
            let expected = words(&surface.distance_cpu(&listed, sign, squared).unwrap());
            assert_eq!(words(&device.distance(&listed, sign, squared).unwrap()), expected, "{name} {sign:?} {squared}");
        }
        let expected = words(&surface.grid_distance_cpu(&grid, sign, false, GO_ON).unwrap());
        assert_eq!(words(&device.grid_distance(&grid, sign, false, GO_ON).unwrap()), expected, "{name} {sign:?}, grid");
        let expected = closest_words(&surface.closest_cpu(&listed[..50], sign).unwrap());
        assert_eq!(closest_words(&device.closest(&listed[..50], sign).unwrap()), expected, "{name} {sign:?}");
    }
    for (beta, criterion) in
        [(0.0, Criterion::Radius), (2.0, Criterion::Radius), (2.0, Criterion::Diagonal), (5.5, Criterion::Radius)]
    {
        let options = WindingOptions::new(beta, criterion);
        let expected = surface.winding_cpu(&listed, options).unwrap();
        let got = device.winding(&listed, options).unwrap();
        let wrong = got.iter().zip(&expected).position(|(g, e)| g.to_bits() != e.to_bits());
        assert!(wrong.is_none(), "{name} {options:?}: {:?}", wrong.map(|i| (listed[i], got[i], expected[i])));
    }
}

#[test]
fn every_robust_sign_gives_the_words_of_the_cpu() {
    let all = meshes();
    on_every_adapter(|context| {
        all.iter().for_each(|(name, mesh)| compare_all(context, name, mesh));
    });
}

#[test]
fn devices_without_subgroups_give_the_same_words() {
    let options = ContextOptions { subgroups: false, ..ContextOptions::default() };
    for context in open_all(&options, &[NumericsChoice::Auto]) {
        compare_all(&context, "torus", &make::torus(500));
    }
}

/// Points in the hole of an open sphere where the winding number is 1/2 to the last digits, which no expansion tells: the sums over all triangles come in
/// slices where there are few such points, and whole where there are more than slices pay for.
#[test]
fn queries_of_half_a_turn_give_the_words_of_the_cpu() {
    let sphere = make::sphere(1_300);
    let open = |t: &[u32; 3]| t.iter().any(|&v| sphere.positions[v as usize][2] < 0.7);
    let triangles = sphere.triangles.iter().copied().filter(open).collect();
    let mesh = Mesh::new(sphere.positions.clone(), triangles).expect("a sphere without its top");
    let (single, double) =
        (Surface::build(&mesh).expect("a surface"), Surface::build_double(&mesh).expect("a surface"));
    let half = |i: usize| -> [f64; 3] {
        let (x, y) = (0.06 * (i % 8) as f64 - 0.21, 0.05 * (i / 8) as f64 - 0.17);
        let (mut inside, mut outside) = (0.0, 2.0);
        for _ in 0..60 {
            let z = 0.5 * (inside + outside);
            let number = double.winding_cpu(&[[x, y, z]], WindingOptions::EXACT).expect("a number")[0];
            *(if number > 0.5 { &mut inside } else { &mut outside }) = z;
        }
        // The sum in f32 may be a little off: on both sides of it, too.
        [x, y, inside + [0.0, 3e-7, -3e-7][i % 3]]
    };
    let few: Vec<[f64; 3]> = (0..60).map(half).collect();
    let many: Vec<[f64; 3]> = (0..4_300).map(|i| few[i % few.len()]).collect();
    on_every_adapter(|context| {
        for listed in [&few[..1], &few, &many] {
            half_turns(context, &single, listed);
            if has_f64(context) {
                half_turns(context, &double, listed);
            }
        }
    });
}

fn half_turns<R: Precision>(context: &Context, surface: &Surface<R>, listed: &[[f64; 3]]) {
    let device = DeviceSurface::upload(context, surface).expect("a surface on the device");
    let expected = words(&surface.distance_cpu(listed, Sign::Winding, false).expect("the reference"));
    let query = device.point_query(listed, Sign::Winding, false).expect("a query");
    // Twice: what one run leaves the next one finds.
    for _ in 0..2 {
        query.run(gpu_runtime::Timestamps::None).expect("a run");
        assert!(words(&query.download().expect("an answer")) == expected, "{} {} points", R::NAME, listed.len());
    }
}

/// Points beside the middles of edges, so near that no expansion tells their side: the sums over all triangles come in slices where there are few
/// such points, and whole where there are more than slices pay for.
#[test]
fn queries_at_the_surface_give_the_words_of_the_cpu() {
    let mesh = make::knot(2_500);
    let beside = |i: usize| -> [f64; 3] {
        let [a, b, _] = mesh.corners(i % mesh.triangles.len());
        let step = [1e-7, -1e-7, 3e-8][i / mesh.triangles.len()];
        std::array::from_fn(|k| 0.5 * (a[k] + b[k]) + step * (1.0 - 0.7 * k as f64))
    };
    let listed: Vec<[f64; 3]> = (0..4_300).map(beside).collect();
    let (single, double) =
        (Surface::build(&mesh).expect("a surface"), Surface::build_double(&mesh).expect("a surface"));
    on_every_adapter(|context| {
        at_the_surface(context, &single, &listed);
        if has_f64(context) {
            at_the_surface(context, &double, &listed[..200]);
        }
    });
}

fn at_the_surface<R: Precision>(context: &Context, surface: &Surface<R>, listed: &[[f64; 3]]) {
    let device = DeviceSurface::upload(context, surface).expect("a surface on the device");
    for count in [1, 70, listed.len()] {
        let listed = &listed[..count];
        let expected = words(&surface.distance_cpu(listed, Sign::Winding, false).expect("the reference"));
        let query = device.point_query(listed, Sign::Winding, false).expect("a query");
        // Twice: what one run leaves the next one finds.
        for _ in 0..2 {
            query.run(gpu_runtime::Timestamps::None).expect("a run");
            assert!(words(&query.download().expect("an answer")) == expected, "{} {count} points", R::NAME);
        }
    }
}

/// Cells take the side of another one, along links that end at tops of the distance: of closed surfaces anywhere in the grid, of open ones in their block.
/// A flat grid and one of a single row in a slab have long ways with hardly a slope, and ties.
#[test]
fn linked_cells_give_the_words_of_the_cpu() {
    let cube = make::cube(48);
    let holed = Mesh::new(cube.positions.clone(), cube.triangles[1..].to_vec()).unwrap();
    // A rim so short that links go some way: one triangle of many is missing.
    let mut leaking = make::sphere(1_300);
    leaking.triangles.remove(77);
    let mut slab = cube.clone();
    slab.positions.iter_mut().for_each(|p| p[2] *= 0.01);
    // Thinner than cells are wide, of short edges: neighbours on the other side of the surface are farther from it.
    let mut coin = make::sphere(6_000);
    coin.positions.iter_mut().for_each(|p| p[2] *= 0.1);
    let contexts = open_all(&ContextOptions::default(), &[NumericsChoice::Auto]);
    let doubles: Vec<Context> = contexts.iter().filter(|context| has_f64(context)).cloned().collect();
    for (name, mesh, counts) in [
        ("sphere", make::sphere(300), [53, 51, 50]),
        ("holed cube", holed, [53, 51, 50]),
        ("leaking sphere", leaking, [30, 31, 29]),
        ("terrain", make::terrain(200), [53, 51, 50]),
        ("coin", coin, [14, 12, 20]),
        ("slab", slab.clone(), [20, 20, 8]),
        ("slab", slab.clone(), [3000, 3, 1]),
        ("row", slab, [70_000, 1, 1]),
    ] {
        share(&contexts, name, &Surface::build(&mesh).unwrap(), &mesh, counts);
        if !doubles.is_empty() {
            share(&doubles, name, &Surface::build_double(&mesh).unwrap(), &mesh, counts);
        }
    }
}

fn share<R: Precision>(contexts: &[Context], name: &str, surface: &Surface<R>, mesh: &Mesh, counts: [u32; 3]) {
    let squared = name == "sphere";
    let grid = Grid::around(&mesh.bounds().unwrap(), counts, 0.25).unwrap();
    let expected = words(&surface.grid_distance_cpu(&grid, Sign::Winding, squared, GO_ON).unwrap());
    for context in contexts {
        let device = DeviceSurface::upload(context, surface).unwrap();
        let query = device.grid_query(&grid, Sign::Winding, squared).unwrap();
        for _ in 0..2 {
            query.run(gpu_runtime::Timestamps::None).unwrap();
            assert!(words(&query.distances().download().unwrap()) == expected, "{name} {} {counts:?}", R::NAME);
        }
    }
}
