//! Random bytes and randomly damaged files: no panic, and a damaged unit is zero.

use std::path::PathBuf;

use mesh_decode::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};
use mesh_decode::{Attribute, Decoded, Md1Options, MeshletLimits, Outputs, encode_md1_with, open};
use proptest::prelude::*;

use crate::common;

/// What holds for every decode: a status a unit, zeros where it is not 0, triangles inside their unit.
fn check_invariants(decoded: &Decoded) {
    assert_eq!(decoded.statuses.len(), decoded.units.len());
    assert_eq!(decoded.statuses.iter().filter(|status| **status != 0).count(), decoded.faults.len());
    for (range, status) in decoded.units.iter().zip(&decoded.statuses) {
        let vertices = range.vertex_offset as usize..(range.vertex_offset + range.vertex_count) as usize;
        let triangles = range.triangle_offset as usize..(range.triangle_offset + range.triangle_count) as usize;
        if *status != 0 {
            assert!(decoded.triangles[triangles].iter().all(|triangle| *triangle == [0; 3]));
            if !decoded.positions.is_empty() {
                assert!(decoded.positions[vertices.clone()].iter().all(|x| x.map(f32::to_bits) == [0; 3]));
                assert!(decoded.grid[vertices].iter().all(|x| *x == [0; 3]));
            }
        } else if range.vertex_count > 0 {
            for corner in decoded.triangles[triangles].iter().flatten() {
                assert!(vertices.contains(&(*corner as usize)), "corner {corner} of unit {}", range.unit);
            }
            let finite =
                decoded.positions.is_empty() || decoded.positions[vertices].iter().flatten().all(|x| !x.is_nan());
            assert!(finite, "unit {}", range.unit);
        }
    }
}

fn open_and_decode(bytes: &[u8]) {
    if let Ok(file) = open(bytes) {
        let decoded = file.decode_cpu(Outputs::ALL);
        check_invariants(&decoded);
        let odd: Vec<u32> = (0..file.unit_count()).filter(|unit| unit % 2 == 1).collect();
        let some = file.decode_units_cpu(&odd, Outputs::ALL).expect("a good list");
        check_invariants(&some);
        let statuses: Vec<u32> = odd.iter().map(|unit| decoded.statuses[*unit as usize]).collect();
        assert_eq!(some.statuses, statuses);
        for index in 0..file.attributes().len() {
            let _ = file.decode_attribute_cpu(index, &odd);
        }
        let _ = (file.grid_boxes(), file.vertex_sources(), file.triangle_sources(), decoded.arrays());
        if let Some(Ok(blob)) = file.stride_blob() {
            open_and_decode_blob(&blob);
        }
    }
}

fn open_and_decode_blob(bytes: &[u8]) {
    let file = open(bytes).expect("a blob that this crate wrote");
    check_invariants(&file.decode_cpu(Outputs::ALL));
}

fn streams(bytes: &[u8], count: usize, stride: usize) {
    if let Ok(mut vertices) = decode_vertices(bytes, count, stride) {
        assert_eq!(vertices.len(), count * stride);
        for filter in [Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Colour] {
            let _ = apply_filter(filter, &mut vertices, stride);
        }
    }
    if let Ok(indices) = decode_indices(bytes, count, Some(1000)) {
        assert!(indices.len() == count && indices.iter().all(|index| *index < 1000));
    }
    if let Ok(indices) = decode_sequence(bytes, count, None) {
        assert_eq!(indices.len(), count);
    }
}

fn unit_files() -> Vec<PathBuf> {
    let own = &common::folders()[0];
    let mut files = common::files(&own.join("dgf"), &["dgfblob"]);
    files.extend(common::files(&own.join("stride"), &["dprb", "dpr4"]));
    files.extend(common::files(&own.join("meshopt"), &["mml", "mxc"]));
    files.extend(common::files(&own.join("md1"), &["md1"]));
    files
}

/// Cases a test: 2,000, or what `PROPTEST_CASES` says.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_behind_each_magic_number(magic in 0usize..7, mut bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        let heads: [&[u8]; 7] = [b"DGFB\x01\0\0\0", b"DPRB\x04\0\0\0", b"DPR4\x03\0", b"MMLT\x01\0\0\0", b"MXC1\x01\0\0\0", b"MD1\0\x01\0\0\0", b"\x06"];
        let length = heads[magic].len().min(bytes.len());
        bytes[..length].copy_from_slice(&heads[magic][..length]);
        if magic == 6 {
            // Bare blocks: whole ones, each with its magic number.
            bytes.truncate(bytes.len() / 128 * 128);
            bytes.iter_mut().step_by(128).for_each(|byte| *byte = 6);
        }
        open_and_decode(&bytes);
    }

    #[test]
    fn files_with_damage(choice in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in prop::option::weighted(0.1, any::<prop::sample::Index>())) {
        let files = unit_files();
        let mut bytes = common::read(&files[choice.index(files.len())]);
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        open_and_decode(&bytes);
    }

    /// Damage to a file with every chunk.
    #[test]
    fn md1_with_damage(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mesh = crate::meshes::waves(12);
        let values = (0..mesh.positions.len() as i32).map(|k| k * k).collect();
        let attributes = [Attribute { name: *b"TEXU", exponent: 0, values }];
        let limits = MeshletLimits { vertices: 64, triangles: 64 };
        let options = Md1Options { sources: true, limits, ..Md1Options::default() };
        let mut bytes = encode_md1_with(&mesh.positions, &mesh.triangles, &attributes, &options).expect("a good mesh").bytes;
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        open_and_decode(&bytes);
    }

    #[test]
    fn random_streams(head in prop::sample::select(vec![0xa0u8, 0xa1, 0xe0, 0xe1, 0xd0, 0xd1]), bytes in prop::collection::vec(prop_oneof![Just(0u8), Just(255u8), any::<u8>()], 0..400), count in 0usize..300, stride in 0usize..9) {
        let mut stream = vec![head];
        stream.extend(bytes);
        streams(&stream, count, 4 * stride);
        streams(&stream, count / 3 * 3, 4);
    }
}

#[test]
fn streams_with_damage() {
    let own = common::folders()[0].join("meshopt");
    let mut state = 1_u32;
    for path in common::files(&own, &["mvb", "mib", "mis"]) {
        let good = common::read(&path);
        let count = if common::stem(&path).starts_with("fan200") { 201 } else { 12 };
        for _ in 0..200 {
            let mut bytes = good.clone();
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = (state >> 8) as usize % bytes.len();
            bytes[place] = state as u8;
            for stride in [8, 12, 20] {
                streams(&bytes, count, stride);
            }
        }
    }
}
