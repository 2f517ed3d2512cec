//! meshoptimizer: every stream, set, cluster file and filter of the corpus.

use std::path::Path;

use mesh_decode::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};
use mesh_decode::{Outputs, open};
use serde_json::Value;

use crate::common;

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
