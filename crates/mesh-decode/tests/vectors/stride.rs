//! STRIDE: codes and triangles exact, our floats word for word, the reference's floats within 4 ulp of the largest coordinate.

use mesh_decode::{Outputs, PredictorClass, open};

use crate::common;

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
