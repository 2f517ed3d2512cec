//! meshoptimizer: every stream, set, cluster file and filter of the corpus.

use std::path::Path;

use mesh_decode::meshopt::{
    Filter, MeshoptEncoded, apply_filter, decode_indices, decode_sequence, decode_vertices, encode_clusters,
    encode_meshlets,
};
use mesh_decode::{Decoded, GridStep, MeshletLimits, Outputs, open};
use serde_json::Value;

use crate::common;
use crate::meshes::{Mesh, awkward, source};

#[test]
fn every_vector_is_exact() {
    for folder in common::folders() {
        let folder = folder.join("meshopt");
        let manifest: Value = serde_json::from_slice(&common::read(&folder.join("manifest.json"))).expect("JSON");
        let mut kinds = std::collections::BTreeMap::new();
        for entry in manifest.as_array().expect("a list") {
            if let Some(kind) = entry["kind"].as_str() {
                check(&folder, entry, kind);
                *kinds.entry(kind.to_owned()).or_insert(0) += 1;
            }
        }
        assert_eq!(kinds.len(), 9, "kinds: {kinds:?}");
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn check(folder: &Path, entry: &Value, kind: &str) {
    let name = entry["file"].as_str().expect("a name");
    let input = common::read(&folder.join(name));
    let number = |key: &str| entry[key].as_u64().map(|n| n as usize);
    let expected = |key: &str| common::read(&folder.join(entry[key].as_str().expect("a name")));
    let count = number("count").unwrap_or(0);
    let filter = |filter: Filter, tolerance: i32| {
        let stride = number("stride").expect("a stride");
        let mut found = input.clone();
        apply_filter(filter, &mut found, stride).expect("a good stride");
        check_filter(&found, &expected("expect"), filter, stride, tolerance, name);
    };
    match kind {
        "vertex" => {
            let found = decode_vertices(&input, count, number("stride").expect("a stride"));
            common::assert_same(&found.unwrap_or_else(|error| panic!("{name}: {error}")), &expected("expect"), &name);
        }
        "index" | "sequence" => {
            let decode = if kind == "index" { decode_indices } else { decode_sequence };
            let found = decode(&input, count, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            common::assert_same(&bytes_of(&found), &expected("expect"), &name);
        }
        "meshlets" => {
            let decoded = open(&input).unwrap_or_else(|error| panic!("{name}: {error}")).decode_cpu(Outputs::ALL);
            decoded.check().unwrap_or_else(|error| panic!("{name}: {error}"));
            common::assert_same(&bytes_of(&decoded.vertex_references), &expected("expect_vertices"), &name);
            common::assert_same(&bytes_of(&decoded.local_triangles()), &expected("expect_triangles"), &name);
        }
        "cluster" => {
            let decoded = open(&input).unwrap_or_else(|error| panic!("{name}: {error}")).decode_cpu(Outputs::ALL);
            assert_eq!(common::compare_arrays(&decoded, folder, name), 2, "{name}");
        }
        "filter-oct" => filter(Filter::Octahedral, 1),
        "filter-quat" => filter(Filter::Quaternion, 1),
        "filter-exp" => filter(Filter::Exponential, 0),
        "filter-color" => filter(Filter::Colour, 1),
        _ => panic!("{name}: kind {kind}"),
    }
}

/// Components of 1, 2 or 4 bytes may differ by the tolerance.
fn check_filter(found: &[u8], expected: &[u8], filter: Filter, stride: usize, tolerance: i32, name: &str) {
    assert_eq!(found.len(), expected.len(), "{name}");
    let unsigned = filter == Filter::Colour;
    let component = |bytes: &[u8]| match bytes {
        [a] if unsigned => i32::from(*a),
        [a] => i32::from(*a as i8),
        [a, b] if unsigned => i32::from(u16::from_le_bytes([*a, *b])),
        [a, b] => i32::from(i16::from_le_bytes([*a, *b])),
        _ => i32::from_le_bytes(bytes.try_into().expect("four bytes")),
    };
    let size = if filter == Filter::Exponential { 4 } else { stride / 4 };
    for (index, (a, b)) in found.chunks(size).zip(expected.chunks(size)).enumerate() {
        let (a, b) = (component(a), component(b));
        assert!(a.abs_diff(b) <= tolerance as u32, "{name}: component {index} is {a}, expected {b}");
    }
}

/// Decodes an encoded mesh and compares its triangles with the source's through the maps.
fn decode_and_compare(mesh: &Mesh, encoded: &MeshoptEncoded) -> Decoded {
    let name = &mesh.name;
    let file = open(&encoded.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let decoded = file.decode_cpu(Outputs::ALL);
    decoded.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut seen = vec![false; mesh.triangles.len()];
    for (triangle, word) in decoded.triangles.iter().zip(&encoded.triangle_sources) {
        let from = mesh.triangles[(word >> 2) as usize];
        let expected = [0, 1, 2].map(|k| from[(k + (word & 3) as usize) % 3]);
        assert_eq!(triangle.map(|v| encoded.vertex_sources[v as usize]), expected, "{name}");
        assert!(!std::mem::replace(&mut seen[(word >> 2) as usize], true), "{name}: triangle {} twice", word >> 2);
    }
    assert_eq!(seen.iter().filter(|seen| !**seen).count(), encoded.degenerate as usize, "{name}");
    decoded
}

fn round_trip(mesh: &Mesh, limits: MeshletLimits, step: GridStep) -> [usize; 2] {
    let set = encode_meshlets(&mesh.positions, &mesh.triangles, limits).expect("a good mesh");
    let decoded = decode_and_compare(mesh, &set);
    assert_eq!(decoded.vertex_references, set.vertex_sources, "{}", mesh.name);
    let clusters = encode_clusters(&mesh.positions, &mesh.triangles, step, limits).expect("a good mesh");
    let decoded = decode_and_compare(mesh, &clusters);
    for (position, vertex) in decoded.positions.iter().zip(&clusters.vertex_sources) {
        for (x, from) in position.iter().zip(mesh.positions[*vertex as usize]) {
            assert_eq!(f64::from(*x), (f64::from(from) / clusters.step).round() * clusters.step, "{}", mesh.name);
        }
    }
    assert!(clusters.max_error <= clusters.step / 2.0, "{}", mesh.name);
    [set.bytes.len(), clusters.bytes.len()]
}

#[test]
fn meshes_come_back() {
    for mesh in awkward() {
        for (vertices, triangles) in [(64, 96), (256, 256), (3, 1)] {
            round_trip(&mesh, MeshletLimits { vertices, triangles }, GridStep::Bits(12));
        }
    }
}

/// Our files against those of the library's own encoder and clusteriser.
#[test]
fn files_are_not_much_larger_than_the_librarys() {
    for folder in common::folders().into_iter().skip(1) {
        for name in ["icosphere4", "torus_64x48", "terrain_65"] {
            let length = |ending: &str| common::read(&folder.join(format!("meshopt/{name}.{ending}"))).len() as f64;
            let limits = MeshletLimits { vertices: 64, triangles: 96 };
            let clusters = common::read(&folder.join(format!("meshopt/{name}.c64_96.mxc")));
            let exponent = i32::from_le_bytes(clusters[24..28].try_into().expect("four bytes"));
            let step = GridStep::Length(f64::from(exponent).exp2());
            let [set, packed] = round_trip(&source(&folder, name), limits, step);
            let (a, b) = (set as f64 / length("m64_96.mml"), packed as f64 / length("c64_96.mxc"));
            println!("{name}: meshlets {a:.3}, clusters {b:.3} of the library's");
            assert!(a < 1.2 && b < 1.2, "{name}: {a}, {b}");
        }
    }
}
