//! The CPU references of sparse-topology on the shell of 10 million voxels: `cargo bench -p benches --bench sparse_topology`.

use conformance::voxels::shell;
use criterion::{Criterion, criterion_group, criterion_main};
use sparse_topology::{GridBatch, Neighbours, Transform};

fn operations(criterion: &mut Criterion) {
    let voxels = shell(364, [0; 3]);
    let grid = GridBatch::from_coordinates_cpu(&[&voxels], &[Transform::default()]).expect("a shell");
    let mut group = criterion.benchmark_group("shell 10 M");
    group.sample_size(20);
    group.bench_function("coarsen 2", |b| b.iter(|| grid.coarsen_cpu([2; 3])));
    group.bench_function("coarsen 3", |b| b.iter(|| grid.coarsen_cpu([3; 3])));
    group.bench_function("dilate 26", |b| b.iter(|| grid.dilate_cpu(Neighbours::Vertex, 1)));
    group.bench_function("refine 2", |b| b.iter(|| grid.refine_cpu([2; 3])));
    group.finish();
}

criterion_group!(benches, operations);
criterion_main!(benches);
