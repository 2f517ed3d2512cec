//! Kinds of hostile files over every format: cut short anywhere, counts near 2^32, units that overlap, and files of no unit, one, and 65,537.

use mesh_decode::meshopt::{encode_clusters, encode_meshlets};
use mesh_decode::{
    DgfOptions, Error, File, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, StrideOptions, UnitBvh, encode_dgf,
    encode_md1, encode_stride, open,
};

use crate::meshes::waves;

type Vertices = Vec<[f32; 3]>;
type Triangles = Vec<[u32; 3]>;

const NAMES: [&str; 6] = ["dgf", "md1", "md1-fixed", "stride", "meshlets", "clusters"];

/// A mesh in a format, cut into meshlets of at most this size where the format has one.
fn encode(name: &str, positions: &[[f32; 3]], triangles: &[[u32; 3]], limits: MeshletLimits) -> Vec<u8> {
    let md1 = |mode| {
        let options = Md1Options { mode, limits, ..Md1Options::default() };
        encode_md1(positions, triangles, &options).map(|file| file.bytes)
    };
    let bytes = match name {
        "dgf" => encode_dgf(positions, triangles, &DgfOptions::default()).map(|file| file.bytes),
        "md1" => md1(Md1Mode::Predicted),
        "md1-fixed" => md1(Md1Mode::Fixed),
        "stride" => encode_stride(positions, triangles, &StrideOptions { bits: 10, limits }).map(|file| file.bytes),
        "meshlets" => encode_meshlets(positions, triangles, limits).map(|file| file.bytes),
        _ => encode_clusters(positions, triangles, GridStep::Bits(10), limits).map(|file| file.bytes),
    };
    bytes.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn small(name: &str) -> Vec<u8> {
    let mesh = waves(8);
    encode(name, &mesh.positions, &mesh.triangles, MeshletLimits { vertices: 24, triangles: 20 })
}

/// Whether the message holds the numbers that it is about.
#[track_caller]
fn assert_says_numbers(error: &Error, what: &str) {
    let said = error.to_string();
    assert!(said.bytes().any(|byte| byte.is_ascii_digit()), "{what}: {said}");
}

/// Everything that may be asked of an opened file ends, and gives arrays of its counts.
fn exercise(file: &File, bytes: &[u8], what: &str) {
    let decoded = file.decode_cpu(Outputs::ALL);
    assert_eq!(decoded.statuses.len(), file.unit_count() as usize, "{what}");
    assert_eq!(decoded.triangles.len(), file.triangle_count() as usize, "{what}");
    assert_eq!(decoded.faults.len(), decoded.statuses.iter().filter(|status| **status != 0).count(), "{what}");
    file.body_parts();
    for unit in [0, file.unit_count().saturating_sub(1)] {
        if let Ok(subset) = file.subset(&[unit]) {
            assert_eq!(subset.decode_cpu(Outputs::MESH).statuses[0], decoded.statuses[unit as usize], "{what}");
        }
    }
    match UnitBvh::build(file, bytes) {
        // A meshlet set has no positions at all.
        Ok(_) | Err(Error::Unsupported { .. }) => {}
        Err(error) => assert_says_numbers(&error, what),
    }
}

#[test]
fn files_cut_short_anywhere_are_refused() {
    for name in NAMES {
        let bytes = small(name);
        for length in 0..bytes.len() {
            match open(&bytes[..length]) {
                Err(error) => assert_says_numbers(&error, &format!("{name}, {length} bytes")),
                // Bare blocks of 128 bytes have neither header nor table.
                Ok(_) => panic!("{name}: {length} of {} bytes open", bytes.len()),
            }
        }
    }
}

#[test]
fn header_and_table_words_near_the_ends_of_their_range_are_refused_or_harmless() {
    for name in NAMES {
        let bytes = small(name);
        // Heads of up to 112 bytes, the tables behind or at the end.
        let places =
            (0..bytes.len().min(200)).step_by(4).chain((bytes.len().saturating_sub(120)..bytes.len() - 3).step_by(4));
        let (mut refused, mut opened) = (0, 0);
        for at in places {
            for value in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, u32::MAX] {
                let mut changed = bytes.clone();
                changed[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
                let what = format!("{name}: {value:#x} at byte {at}");
                match open(&changed) {
                    Err(error) => {
                        assert_says_numbers(&error, &what);
                        refused += 1;
                    }
                    Ok(file) => {
                        exercise(&file, &changed, &what);
                        opened += 1;
                    }
                }
            }
        }
        println!("{name}: {refused} refused, {opened} opened");
        assert!(refused > 40, "{name}: {refused}");
    }
}

/// Every pair of neighbouring words of a table swapped, and every word set to the one before it.
#[test]
fn units_that_overlap_are_refused_or_damaged() {
    for name in NAMES {
        let bytes = small(name);
        let good = open(&bytes).expect(name).decode_cpu(Outputs::ALL);
        let end = bytes.len() - 8;
        for at in (8..end.min(400)).chain(end.saturating_sub(200)..end).step_by(4) {
            let (mut swapped, mut doubled) = (bytes.clone(), bytes.clone());
            (0..4).for_each(|k| swapped.swap(at + k, at + 4 + k));
            doubled.copy_within(at..at + 4, at + 4);
            for (changed, kind) in [(swapped, "swapped"), (doubled, "doubled")] {
                let what = format!("{name}: words {kind} at byte {at}");
                match open(&changed) {
                    Err(error) => assert_says_numbers(&error, &what),
                    Ok(file) => exercise(&file, &changed, &what),
                }
            }
        }
        assert!(good.statuses.iter().all(|status| *status == 0), "{name}");
    }
}

#[test]
fn files_of_no_unit_and_of_one_are_whole() {
    let one: (Vertices, Triangles) = (vec![[0.0; 3], [1.0, 0.0, 0.5], [0.0, 2.0, 1.0]], vec![[0, 1, 2]]);
    let limits = MeshletLimits { vertices: 64, triangles: 64 };
    for name in NAMES {
        let empty = encode(name, &[], &[], limits);
        let file = open(&empty).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((file.unit_count(), file.vertex_count(), file.triangle_count()), (0, 0, 0), "{name}");
        assert!(file.decode_cpu(Outputs::ALL).positions.is_empty(), "{name}");
        assert_eq!(file.subset(&[]).expect(name).unit_count(), 0, "{name}");
        assert_eq!(file.subset(&[0]).expect_err(name), Error::UnitRange { index: 0, unit: 0, units: 0 }, "{name}");
        let bytes = encode(name, &one.0, &one.1, limits);
        let file = open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((file.unit_count(), file.triangle_count()), (1, 1), "{name}");
        exercise(&file, &bytes, name);
        file.decode_cpu(Outputs::ALL).check().expect(name);
    }
}

#[test]
fn files_of_more_units_than_16_bits_count_are_whole() {
    let count = 65_537_u32;
    let side = |k: u32| (k % 256) as f32;
    let positions: Vertices =
        (0..3 * count).map(|v| [side(v), (v / 256) as f32 * 0.25, if v % 3 == 2 { 0.5 } else { 0.0 }]).collect();
    let triangles: Triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    for name in ["md1", "md1-fixed", "meshlets", "clusters"] {
        let bytes = encode(name, &positions, &triangles, MeshletLimits { vertices: 3, triangles: 1 });
        let file = open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((file.unit_count(), file.triangle_count()), (count, count), "{name}");
        let whole = file.decode_cpu(Outputs::MESH);
        whole.check().expect(name);
        let last = file.decode_units_cpu(&[0, 65_535, 65_536], Outputs::MESH).expect(name);
        assert_eq!(last.units.iter().map(|range| range.unit).collect::<Vec<_>>(), [0, 65_535, 65_536], "{name}");
        if name != "meshlets" {
            assert_eq!(last.positions[3..6], whole.positions[3 * 65_535..3 * 65_536], "{name}");
        }
    }
}
