//! CPU references of mesh-decode: decoders and encoders of a terrain of a million triangles, and meshoptimizer's streams beside its C++ library.
//!
//! `RAYON_NUM_THREADS=2 cargo bench -p benches --bench mesh_decode`. The library decodes each stream on one thread; so do we, and `both_streams` runs the
//! two streams of a mesh side by side.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mesh_decode::meshopt::{decode_indices, decode_vertices, encode_clusters};
use mesh_decode::{
    DgfOptions, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, StrideOptions, encode_dgf, encode_md1,
    encode_stride, open,
};
use mesh_distance::make;

const STEP: GridStep = GridStep::Bits(12);
const CLUSTER: MeshletLimits = MeshletLimits { vertices: 64, triangles: 96 };

/// Positions and triangles of the terrain.
fn terrain() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let mesh = make::terrain(1_000_000);
    (mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect(), mesh.triangles)
}

fn offsets() -> Md1Options {
    Md1Options { mode: Md1Mode::Offsets, ..Md1Options::default() }
}

fn encoders(criterion: &mut Criterion) {
    let (positions, triangles) = terrain();
    let mut group = criterion.benchmark_group("encode_1m");
    group.sample_size(10).throughput(Throughput::Elements(triangles.len() as u64));
    group.bench_function("md1", |b| b.iter(|| encode_md1(&positions, &triangles, &Md1Options::default()).unwrap()));
    group.bench_function("dgf", |b| b.iter(|| encode_dgf(&positions, &triangles, &DgfOptions::default()).unwrap()));
    group.bench_function("clusters", |b| b.iter(|| encode_clusters(&positions, &triangles, STEP, CLUSTER).unwrap()));
    group.bench_function("stride", |b| {
        b.iter(|| encode_stride(&positions, &triangles, &StrideOptions::default()).unwrap());
    });
    group.finish();
}

fn decoders(criterion: &mut Criterion) {
    let (positions, triangles) = terrain();
    let files = [
        ("dgf", encode_dgf(&positions, &triangles, &DgfOptions::default()).unwrap().bytes),
        ("md1_predicted", encode_md1(&positions, &triangles, &Md1Options::default()).unwrap().bytes),
        ("md1_offsets", encode_md1(&positions, &triangles, &offsets()).unwrap().bytes),
        ("clusters", encode_clusters(&positions, &triangles, STEP, CLUSTER).unwrap().bytes),
        ("stride", encode_stride(&positions, &triangles, &StrideOptions::default()).unwrap().bytes),
    ];
    let mut group = criterion.benchmark_group("decode_1m");
    group.throughput(Throughput::Elements(triangles.len() as u64));
    for (name, bytes) in files {
        let file = open(&bytes).unwrap();
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| file.decode_cpu(Outputs::MESH)));
    }
    group.finish();
}

/// The streams as the library writes them, at its recommended order: 12-bit positions of 8 bytes, and triangles.
struct Streams {
    vertices: [Vec<u8>; 2],
    vertex_count: usize,
    indices: Vec<u8>,
    index_count: usize,
}

fn streams() -> Streams {
    let (positions, triangles) = terrain();
    let flat = triangles.as_flattened();
    let cached = meshopt::optimize_vertex_cache(flat, positions.len());
    let order = meshopt::optimize_vertex_fetch_remap(&cached, positions.len());
    let indices = meshopt::remap_index_buffer(Some(&cached), cached.len(), &order);
    let quantised: Vec<[u16; 4]> = positions
        .iter()
        .map(|p| {
            let q = p.map(|x| ((x + 8.0) * 256.0).clamp(0.0, 4095.0) as u16);
            [q[0], q[1], q[2], 0]
        })
        .collect();
    let vertices = meshopt::remap_vertex_buffer(&quantised, positions.len(), &order);
    let bytes: Vec<u8> = vertices.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let ours = |version| mesh_decode::meshopt::encode_vertices(&bytes, 8, version).unwrap();
    Streams {
        vertices: [ours(0), ours(1)],
        vertex_count: vertices.len(),
        indices: mesh_decode::meshopt::encode_indices(&indices, 1).unwrap(),
        index_count: indices.len(),
    }
}

fn meshopt_streams(criterion: &mut Criterion) {
    let Streams { vertices, vertex_count, indices, index_count } = streams();
    let mut group = criterion.benchmark_group("meshopt_vertices");
    group.throughput(Throughput::Bytes(8 * vertex_count as u64));
    for (version, stream) in vertices.iter().enumerate() {
        group.bench_function(BenchmarkId::new("ours", version), |b| {
            b.iter(|| decode_vertices(stream, vertex_count, 8).unwrap());
        });
        group.bench_function(BenchmarkId::new("library", version), |b| {
            b.iter(|| meshopt::decode_vertex_buffer::<[u16; 4]>(stream, vertex_count).unwrap());
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("meshopt_indices");
    group.throughput(Throughput::Elements(index_count as u64 / 3));
    group.bench_function("ours", |b| b.iter(|| decode_indices(&indices, index_count, None).unwrap()));
    group.bench_function("library", |b| {
        b.iter(|| meshopt::decode_index_buffer::<u32>(&indices, index_count).unwrap());
    });
    group.finish();
    let mut group = criterion.benchmark_group("both_streams");
    group.throughput(Throughput::Elements(index_count as u64 / 3));
    group.bench_function("ours", |b| {
        b.iter(|| {
            rayon::join(
                || decode_vertices(&vertices[1], vertex_count, 8).unwrap(),
                || decode_indices(&indices, index_count, None).unwrap(),
            )
        });
    });
    group.bench_function("library", |b| {
        b.iter(|| {
            let vertices = meshopt::decode_vertex_buffer::<[u16; 4]>(&vertices[1], vertex_count).unwrap();
            (vertices, meshopt::decode_index_buffer::<u32>(&indices, index_count).unwrap())
        });
    });
    group.finish();
}

criterion_group!(benches, encoders, decoders, meshopt_streams);
criterion_main!(benches);
