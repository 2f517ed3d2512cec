//! CPU references of mesh-distance: building a surface, grids, points in random order.
//!
//! `RAYON_NUM_THREADS=1 cargo bench -p benches --bench mesh_distance` gives the figures of one thread. The shared meshes are
//! used when they are there (`ISOBIT_SHARED`, else `../shared`).

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mesh_distance::{Grid, Mesh, Sign, Surface, make, read_mesh};
use std::ops::ControlFlow;
use std::path::PathBuf;

fn meshes() -> Vec<(String, Mesh)> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("ISOBIT_SHARED").map_or(default, PathBuf::from).join("meshes");
    let shared = ["dragon-fine.stl", "bunny-fcpw.obj"].map(|file| (file, read_mesh(folder.join(file))));
    let mut meshes = vec![("knot-25k".to_string(), make::knot(25_000))];
    for (file, mesh) in shared {
        match mesh {
            Ok(mesh) => meshes.push((file.into(), mesh)),
            Err(error) => println!("skipped {file}: {error}"),
        }
    }
    meshes
}

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("surface_build");
    group.sample_size(10);
    for (name, mesh) in meshes().into_iter().chain([("knot-1m".into(), make::knot(1_000_000))]) {
        group.throughput(Throughput::Elements(mesh.triangles.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(&name), |b| b.iter(|| Surface::build(&mesh).unwrap()));
    }
    group.finish();
}

fn grid_distance(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("grid_distance_cpu");
    group.sample_size(10);
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        for n in [32, 48] {
            let grid = Grid::around(&mesh.bounds().unwrap(), [n; 3], 0.25).unwrap();
            group.throughput(Throughput::Elements(u64::from(n).pow(3)));
            for (sign, label) in [(Sign::None, "none"), (Sign::PseudoNormal, "pseudo-normal")] {
                group.bench_function(BenchmarkId::new(format!("{name}/{label}"), n), |b| {
                    b.iter(|| {
                        surface.grid_distance_cpu(&grid, sign, false, &|_, _| ControlFlow::Continue(())).unwrap()
                    });
                });
            }
        }
    }
    group.finish();
}

/// Points in an order without any coherence, the worst case for seeds.
fn random_points(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("distance_cpu");
    group.sample_size(10);
    for (name, mesh) in meshes() {
        let surface = Surface::build(&mesh).unwrap();
        let bounds = mesh.bounds().unwrap();
        let mut state = 1u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        let mut point =
            || std::array::from_fn(|k| bounds.lo[k] + (1.5 * unit() - 0.25) * (bounds.hi[k] - bounds.lo[k]));
        let points: Vec<[f64; 3]> = (0..50_000).map(|_| point()).collect();
        group.throughput(Throughput::Elements(points.len() as u64));
        group.bench_function(BenchmarkId::new(&name, "pseudo-normal"), |b| {
            b.iter(|| surface.distance_cpu(&points, Sign::PseudoNormal, false).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, build, grid_distance, random_points);
criterion_main!(benches);
