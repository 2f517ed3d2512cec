//! STRIDE: codes and triangles exact, our floats word for word, the reference's floats within 4 ulp of the largest coordinate.

use mesh_decode::{Outputs, PredictorClass, StrideOptions, encode_stride, open};

use crate::common;
use crate::meshes::{Mesh, awkward, source};

#[test]
fn every_vector_is_exact() {
    for folder in common::folders() {
        let folder = folder.join("stride");
        for path in common::files(&folder, &["dprb", "dpr4"]) {
            let file = open(&common::read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let decoded = file.decode_cpu(Outputs::ALL);
            let stem = common::stem(&path);
            assert_eq!(common::compare_arrays(&decoded, &folder, &stem), 2, "{stem}: codes and triangles");
            let positions: Vec<u8> = decoded.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
            let ours = folder.join(format!("{stem}.muladd.verts.f32"));
            if ours.is_file() {
                common::assert_same(&positions, &common::read(&ours), &ours.display());
            }
            check_reference(&decoded.positions, &common::read(&folder.join(format!("{stem}.cpu.verts.f32"))), &stem);
        }
    }
}

/// The reference computes in f64 and rounds once: within 4 units in the last place of the largest coordinate.
fn check_reference(positions: &[[f32; 3]], reference: &[u8], stem: &str) {
    let (expected, rest) = reference.as_chunks::<4>();
    assert!(rest.is_empty() && expected.len() == 3 * positions.len(), "{stem}");
    let expected = expected.iter().map(|word| f32::from_le_bytes(*word));
    let largest = positions.iter().flatten().fold(0.0_f32, |m, x| m.max(x.abs()));
    let ulp = f32::from_bits(largest.to_bits() + 1) - largest;
    for (index, (found, expected)) in positions.iter().flatten().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 4.0 * ulp, "{stem}: coordinate {index} is {found}, reference {expected}");
    }
}

#[test]
fn a_container_becomes_the_blob_of_the_reference() {
    for folder in common::folders() {
        let folder = folder.join("stride");
        for path in common::files(&folder, &["dpr4"]) {
            let container = open(&common::read(&path)).expect("a good container");
            let blob = container.stride_blob().expect("STRIDE").expect("a good container");
            let expected = common::read(&path.with_extension("dprb"));
            common::assert_same(&blob, &expected, &path.display());
            let again = open(&expected).expect("a good blob").stride_blob().expect("STRIDE").expect("a good blob");
            common::assert_same(&again, &expected, &path.display());
        }
    }
}

#[test]
fn predictor_classes_are_told_apart() {
    let folder = &common::folders()[0].join("stride");
    let class = |name: &str| open(&common::read(&folder.join(name))).expect("a good file").predictor_class();
    assert_eq!(class("tetra.dprb"), Some(PredictorClass::Canonical));
    let mut bytes = common::read(&folder.join("tetra.dprb"));
    let mut with_weights = |weights: [i16; 3], shift: u8| {
        for axis in 0..3 {
            for (k, weight) in weights.iter().enumerate() {
                bytes[88 + 6 * axis + 2 * k..][..2].copy_from_slice(&weight.to_le_bytes());
            }
            bytes[106 + axis] = shift;
        }
        open(&bytes).expect("a good header").predictor_class()
    };
    assert_eq!(with_weights([32, 32, -32], 5), Some(PredictorClass::Affine));
    assert_eq!(with_weights([32, 31, -32], 5), Some(PredictorClass::Generic));
}

/// Encodes, decodes and compares with the source: the vertices of every triangle (winding is lost), and positions within a grid step.
fn round_trip(mesh: &Mesh, options: &StrideOptions) -> usize {
    let name = &mesh.name;
    let encoded =
        encode_stride(&mesh.positions, &mesh.triangles, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let file = open(&encoded.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let decoded = file.decode_cpu(Outputs::ALL);
    decoded.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    let corners = mesh.triangles.iter().flatten().map(|v| mesh.positions[*v as usize]);
    let size = |k: usize| {
        let ends = corners.clone().fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p[k]), high.max(p[k])));
        ends.1 - ends.0
    };
    let step = (0..3).map(size).fold(0.0, f32::max) / (1_u32 << options.bits) as f32;
    let scale = corners.clone().flatten().fold(0.0_f32, |m, x| m.max(x.abs()));
    for (position, vertex) in decoded.positions.iter().zip(&encoded.vertex_sources) {
        for (x, from) in position.iter().zip(mesh.positions[*vertex as usize]) {
            assert!((x - from).abs() <= 0.5 * step + 4.0 * f32::EPSILON * scale, "{name}: {x} for {from}, step {step}");
        }
    }
    let mut seen = vec![false; mesh.triangles.len()];
    for (triangle, id) in decoded.triangles.iter().zip(&encoded.triangle_sources) {
        let sorted = |mut t: [u32; 3]| {
            t.sort_unstable();
            t
        };
        let found = sorted(triangle.map(|v| encoded.vertex_sources[v as usize]));
        assert_eq!(found, sorted(mesh.triangles[*id as usize]), "{name}");
        assert!(!std::mem::replace(&mut seen[*id as usize], true), "{name}: triangle {id} twice");
    }
    assert!(seen.iter().all(|seen| *seen), "{name}: a triangle is missing");
    encoded.bytes.len()
}

#[test]
fn meshes_come_back() {
    for mesh in awkward() {
        for bits in [4, 12, 15] {
            round_trip(&mesh, &StrideOptions { bits, ..StrideOptions::default() });
        }
    }
}

/// Our blobs against the reference encoder's at its own grid.
#[test]
fn blobs_are_not_larger_than_the_references() {
    for folder in common::folders().into_iter().skip(1) {
        for name in ["icosphere4", "torus_64x48", "terrain_65", "terrain_257"] {
            let theirs = common::read(&folder.join(format!("stride/{name}.dprb"))).len() as f64;
            let ours = round_trip(&source(&folder, name), &StrideOptions::default()) as f64;
            println!("{name}: {ours} bytes, {:.3} of the reference's", ours / theirs);
            assert!(ours < 1.15 * theirs, "{name}");
        }
    }
}
