//! Small meshes of any shape: what every encoder writes decodes, with the triangles of the source.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mesh_decode::meshopt::encode_clusters;
use mesh_decode::{DgfOptions, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, encode_dgf, encode_md1, open};

/// Decodes and compares every triangle with the source through the maps.
fn compare(bytes: &[u8], triangles: &[[u32; 3]], vertex_sources: &[u32], triangle_sources: &[u32]) {
    let decoded = open(bytes).expect("what was written opens").decode_cpu(Outputs::ALL);
    decoded.check().expect("what was written decodes");
    assert_eq!(decoded.triangles.len(), triangle_sources.len());
    for (triangle, word) in decoded.triangles.iter().zip(triangle_sources) {
        let from = triangles[(word >> 2) as usize];
        let expected = [0, 1, 2].map(|k| from[(k + (word & 3) as usize) % 3]);
        assert_eq!(triangle.map(|v| vertex_sources[v as usize]), expected);
    }
}

fuzz_target!(|input: (u8, Vec<[u16; 3]>, Vec<[u8; 3]>)| {
    let (choice, positions, triangles) = input;
    if positions.is_empty() {
        return;
    }
    let positions: Vec<[f32; 3]> = positions.iter().map(|p| p.map(|x| f32::from(x) * 0.25 - 100.0)).collect();
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| u32::from(v) % positions.len() as u32)).collect();
    let limits = [(256, 256), (64, 96), (3, 1), (16, 200)].map(|(v, t)| MeshletLimits { vertices: v, triangles: t });
    let (limits, step) = (limits[usize::from(choice & 3)], GridStep::Bits(u32::from(choice >> 4) + 1));
    for mode in [Md1Mode::Predicted, Md1Mode::Offsets, Md1Mode::Fixed] {
        let options = Md1Options { step, mode, boxes: true, sources: true, limits };
        let encoded = encode_md1(&positions, &triangles, &options).expect("a good mesh");
        assert_eq!(encoded.triangle_sources.len(), triangles.len());
        compare(&encoded.bytes, &triangles, &encoded.vertex_sources, &encoded.triangle_sources);
    }
    let encoded =
        encode_dgf(&positions, &triangles, &DgfOptions { step, ..DgfOptions::default() }).expect("a good mesh");
    compare(&encoded.bytes, &triangles, &encoded.vertex_sources, &encoded.triangle_sources);
    let encoded = encode_clusters(&positions, &triangles, step, limits).expect("a good mesh");
    compare(&encoded.bytes, &triangles, &encoded.vertex_sources, &encoded.triangle_sources);
});
