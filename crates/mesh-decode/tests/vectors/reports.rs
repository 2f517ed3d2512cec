//! What users of other codecs reported, each as the small input that shows it.
//!
//! | report | test |
//! |---|---|
//! | google/draco#713, #1098: cracks between parts | [`two_halves_meet_without_a_crack`] |
//! | google/draco#638, #87, #703, #722: order lost | [`a_soup_has_a_map_back_to_its_source`] |
//! | google/draco#634, CesiumGS/cesium#7475: too slow at run time | [`a_thousand_small_meshes_decode_in_one_call`] |
//! | google/draco#505: flat arrays are the slow part | [`arrays_are_flat`] |
//! | google/draco#1102, #1103: memory errors by crafted files | `hostile`: `the_hostile_corpus_is_refused`; `random` |
//! | google/filament#10193: indices not compared with the vertices | [`an_index_without_a_vertex_is_refused`] |
//! | zeux/meshoptimizer#1035: two paths, two verdicts | `hostile`: `meshopt_issue1035.mvb`; on devices `decode_streams` of the conformance tests |
//! | zeux/meshoptimizer#1084, #466: one grid over parts far apart | [`parts_far_apart_have_the_error_that_was_said`] |
//! | GPUOpen-LibrariesAndSDKs/DGF-SDK#1: Linux and Vulkan | `decode` of the conformance tests: every Vulkan adapter |
//! | google/draco#20: partial decode | [`a_selection_does_not_read_its_neighbours`] |
//! | google/draco#933: decoded and encoded again | [`encoding_a_decoded_mesh_again_is_stable`] |
//! | bevyengine/bevy#11518: meshlets at run time | the example `decode_on_device` |

use std::collections::BTreeMap;

use mesh_decode::meshopt::{decode_indices, encode_indices};
use mesh_decode::{Error, Format, GridStep, Md1Options, MeshletLimits, Outputs, encode_md1, open};

use crate::common;
use crate::meshes::waves;

const SMALL: MeshletLimits = MeshletLimits { vertices: 64, triangles: 64 };

fn options(step: GridStep) -> Md1Options {
    Md1Options { step, sources: true, limits: SMALL, ..Md1Options::default() }
}

/// google/draco#713, #1098: no cracks between parts that were coded on their own with one grid step.
#[test]
fn two_halves_meet_without_a_crack() {
    let mesh = waves(40);
    let halves = mesh.triangles.split_at(mesh.triangles.len() / 2);
    let decoded = [halves.0, halves.1].map(|triangles| {
        let encoded = encode_md1(&mesh.positions, triangles, &options(GridStep::Length(0.01))).expect("a good mesh");
        let positions = open(&encoded.bytes).expect("a good file").decode_cpu(Outputs::MESH).positions;
        let bits = positions.iter().map(|p| p.map(f32::to_bits));
        encoded.vertex_sources.iter().copied().zip(bits).collect::<BTreeMap<u32, [u32; 3]>>()
    });
    let border: Vec<u32> = decoded[0].keys().filter(|v| decoded[1].contains_key(v)).copied().collect();
    assert!(border.len() >= 40, "{} vertices on the border", border.len());
    assert!(border.iter().all(|v| decoded[0][v] == decoded[1][v]));
}

/// google/draco#638: triangles without a shared edge, whose order the encoder changes: every output says which source it is.
#[test]
fn a_soup_has_a_map_back_to_its_source() {
    let scattered = |k: u32| k.wrapping_mul(2_654_435_761) >> 16;
    let positions: Vec<[f32; 3]> = (0..900).map(|k| [0, 900, 1800].map(|j| (scattered(k + j) % 512) as f32)).collect();
    let triangles: Vec<[u32; 3]> = (0..300).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let encoded = encode_md1(&positions, &triangles, &options(GridStep::Length(1.0))).expect("a good soup");
    let file = open(&encoded.bytes).expect("a good file");
    let decoded = file.decode_cpu(Outputs::MESH);
    let sources = file.triangle_sources().expect("asked for");
    let mut order: Vec<u32> = sources.iter().map(|word| word >> 2).collect();
    for (triangle, word) in decoded.triangles.iter().zip(sources) {
        let source = triangles[(word >> 2) as usize];
        for k in 0..3 {
            let expected = positions[source[(k + (word & 3) as usize) % 3] as usize];
            assert_eq!(decoded.positions[triangle[k] as usize], expected, "triangle {}", word >> 2);
        }
    }
    assert!(!order.is_sorted(), "an order to be mapped back");
    order.sort_unstable();
    assert!(order.into_iter().eq(0..300), "every triangle once");
}

/// google/filament#10193: a stream of indices is compared with the number of vertices, and the place is said.
#[test]
fn an_index_without_a_vertex_is_refused() {
    let stream = encode_indices(&[0, 1, 2, 2, 1, 7], 1).expect("triangles");
    assert_eq!(decode_indices(&stream, 6, Some(8)).expect("vertices for all").iter().max(), Some(&7));
    let error = decode_indices(&stream, 6, Some(7)).expect_err("vertex 7 of 7");
    assert!(matches!(error, Error::Index { format: Format::MeshoptIndices, index: 7, vertices: 7, .. }), "{error}");
}

/// google/draco#634, CesiumGS/cesium#7475: many small meshes need not be many calls: a thousand in one file, each its own units.
#[test]
fn a_thousand_small_meshes_decode_in_one_call() {
    let tetrahedron = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let corner = |mesh: u32, k: u32| [(mesh % 32 * 4 + k % 2) as f32, (mesh / 32 * 4 + k / 2) as f32, k as f32 * 0.5];
    let positions: Vec<[f32; 3]> = (0..4000).map(|v| corner(v / 4, v % 4)).collect();
    let triangles: Vec<[u32; 3]> = (0..1000).flat_map(|mesh| tetrahedron.map(|t| t.map(|v| 4 * mesh + v))).collect();
    let encoded = encode_md1(&positions, &triangles, &options(GridStep::Length(0.5))).expect("good meshes");
    let decoded = open(&encoded.bytes).expect("a good file").decode_cpu(Outputs::MESH);
    decoded.check().expect("good units");
    assert_eq!((decoded.positions.len(), decoded.triangles.len()), (4000, 4000), "no vertex is shared or repeated");
    assert!(decoded.units.len() >= 4000 / 64, "{} units", decoded.units.len());
    let exact = decoded.positions.iter().zip(&encoded.vertex_sources).all(|(p, v)| *p == positions[*v as usize]);
    assert!(exact && encoded.max_error == 0.0);
}

/// zeux/meshoptimizer#1084, #466: parts far apart on one grid lose precision; step and error are said, and a step that does not fit is refused.
#[test]
fn parts_far_apart_have_the_error_that_was_said() {
    let near = waves(10);
    let count = near.positions.len() as u32;
    let positions: Vec<[f32; 3]> =
        near.positions.iter().copied().chain(near.positions.iter().map(|p| [p[0] + 1e5, p[1], p[2]])).collect();
    let triangles: Vec<[u32; 3]> =
        near.triangles.iter().copied().chain(near.triangles.iter().map(|t| t.map(|v| v + count))).collect();
    let encoded = encode_md1(&positions, &triangles, &options(GridStep::Bits(16))).expect("a good mesh");
    assert_eq!(encoded.step, 2.0, "16 bits over 100,000 units");
    let decoded = open(&encoded.bytes).expect("a good file").decode_cpu(Outputs::MESH);
    let pairs = decoded.positions.iter().zip(&encoded.vertex_sources);
    let error = |(p, v): (&[f32; 3], &u32)| {
        (0..3).map(|k| (f64::from(p[k]) - f64::from(positions[*v as usize][k])).abs()).fold(0.0, f64::max)
    };
    assert_eq!(pairs.map(error).fold(0.0, f64::max), encoded.max_error, "measured");
    assert!(encoded.max_error <= encoded.step / 2.0 && encoded.max_error > 0.5, "{}", encoded.max_error);
    let refused = encode_md1(&positions, &triangles, &options(GridStep::Length(0.01))).expect_err("too fine");
    assert!(
        refused.to_string().contains("grid steps along an axis, allowed are 65535: use 2^1 = 2 or longer"),
        "{refused}"
    );
}

/// google/draco#20: a partial decode reads the bytes of its units alone.
#[test]
fn a_selection_does_not_read_its_neighbours() {
    let mesh = waves(40);
    let encoded = encode_md1(&mesh.positions, &mesh.triangles, &options(GridStep::Bits(12))).expect("a good mesh");
    let file = open(&encoded.bytes).expect("a good file");
    let list: Vec<u32> = (10..20).collect();
    let expected = file.decode_units_cpu(&list, Outputs::ALL).expect("a good list");
    let mut bytes = encoded.bytes.clone();
    for unit in (0..file.unit_count()).filter(|unit| !list.contains(unit)) {
        let range = file.unit_bytes(unit);
        bytes[range.start as usize..range.end as usize].fill(0xff);
    }
    assert_ne!(bytes, encoded.bytes);
    let found = open(&bytes).expect("good tables").decode_units_cpu(&list, Outputs::ALL).expect("a good list");
    assert_eq!(found, expected);
    // And those bytes are all that a streamed decode copies.
    let copied: u64 = list.iter().map(|unit| file.unit_bytes(*unit)).map(|range| range.end - range.start).sum();
    assert_eq!(file.subset(&list).expect("a good list").length(), copied);
    assert!(copied < encoded.bytes.len() as u64 / 3);
}

/// google/draco#933: decoding and encoding again changes nothing: the grid points stay, and so do the bytes of a second round.
#[test]
fn encoding_a_decoded_mesh_again_is_stable() {
    let mesh = waves(40);
    let round = |positions: &[[f32; 3]], triangles: &[[u32; 3]]| {
        let encoded = encode_md1(positions, triangles, &options(GridStep::Length(1.0 / 64.0))).expect("a good mesh");
        let decoded = open(&encoded.bytes).expect("a good file").decode_cpu(Outputs::MESH);
        (encoded, decoded)
    };
    let (_, first) = round(&mesh.positions, &mesh.triangles);
    let (second, again) = round(&first.positions, &first.triangles);
    assert_eq!(second.max_error, 0.0);
    for (position, source) in again.positions.iter().zip(&second.vertex_sources) {
        assert_eq!(position.map(f32::to_bits), first.positions[*source as usize].map(f32::to_bits));
    }
}

/// google/draco#505: the arrays come out flat, in the layout of `--dump`, without a copy for each vertex by the caller.
#[test]
fn arrays_are_flat() {
    let own = &common::folders()[0];
    let file = open(&common::read(&own.join("dgf/flat17.dgfblob"))).expect("a good file");
    let decoded = file.decode_cpu(Outputs::MESH);
    assert_eq!(decoded.positions.as_flattened().len(), 3 * file.vertex_count() as usize);
    assert_eq!(decoded.triangles.as_flattened().len(), 3 * file.triangle_count() as usize);
}
