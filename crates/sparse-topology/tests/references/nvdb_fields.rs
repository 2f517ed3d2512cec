//! `.nvdb` files whose fields lie, one field at a time and without a checksum that would give them away: an error that says what is wrong, where, and never a panic.

use sparse_topology::nvdb::{Checksum, Codec, WriteOptions, read, write};
use sparse_topology::{GridBatch, Transform};

/// Start of the grid: header, entry, name with NUL.
const GRID: usize = 16 + 176 + 4;
const TREE: usize = GRID + 672;
const ROOT: usize = TREE + 64;
const TILES: usize = ROOT + 96;
const UPPER: usize = TILES + 2 * 32;
const LOWER: usize = UPPER + 2 * 270_400;
const LEAF: usize = LOWER + 2 * 33_856;

/// Two voxels in two tiles, without checksums.
fn two() -> Vec<u8> {
    let voxels: &[[i32; 3]] = &[[1, 2, 3], [-1, -2, -3]];
    let grid = GridBatch::from_coordinates_cpu(&[voxels], &[Transform::default()]).unwrap();
    write(&grid, &["two"], &WriteOptions { codec: Codec::None, checksum: Checksum::None }).unwrap()
}

/// The error of the file with `value` written at `at`.
#[track_caller]
fn refused(at: usize, value: &[u8]) -> String {
    let mut bytes = two();
    assert_ne!(&bytes[at..at + value.len()], value, "the field already has this value");
    bytes[at..at + value.len()].copy_from_slice(value);
    read(&bytes).expect_err("a field that lies").to_string()
}

fn word(value: i64) -> [u8; 8] {
    value.to_le_bytes()
}

#[test]
fn the_places_of_this_file_are_right() {
    let bytes = two();
    assert_eq!(bytes.len(), LEAF + 2 * 96);
    assert_eq!(&bytes[LEAF + 16 + 7 * 8..LEAF + 16 + 8 * 8], &(1_u64 << 53).to_le_bytes(), "slot 501");
    assert!(read(&bytes).is_ok());
}

#[test]
fn offsets_that_lead_elsewhere() {
    for (name, at) in [("leaf", 0), ("lower", 8), ("upper", 16), ("root", 24)] {
        for value in [i64::MIN, -32, 0, 7, 1 << 40, i64::MAX] {
            let text = refused(TREE + at, &word(value));
            assert!(text.starts_with("byte "), "{name} at {value}: {text}");
        }
    }
    // Children of the root, of an upper and of a lower node.
    let child = |start: usize, table: usize, len: usize| {
        let bytes = two();
        (start + table..start + len).step_by(8).find(|&at| bytes[at..at + 8] != [0; 8]).expect("a child")
    };
    for at in [TILES + 8, child(UPPER, 8256, 270_400), child(LOWER, 1088, 33_856)] {
        for value in [i64::MIN, -1, 0, 33, 1 << 33, i64::MAX] {
            // A tile without a child is one with a value, which is refused by name.
            let text = refused(at, &word(value));
            assert!(value == 0 || text.starts_with("byte "), "child at {at}: {value}: {text}");
        }
    }
}

#[test]
fn counts_that_do_not_fit_the_bytes() {
    for at in [32, 36, 40] {
        for value in [0_u32, 1, 3, u32::MAX] {
            refused(TREE + at, &value.to_le_bytes());
        }
    }
    refused(TREE + 56, &word(3));
    refused(TREE + 56, &word(-1));
    for tiles in [0_u32, 1, 3, 1 << 31] {
        refused(ROOT + 24, &tiles.to_le_bytes());
    }
    for size in [0, 831, 609_599, 609_601, 1 << 62] {
        refused(GRID + 32, &word(size));
    }
}

#[test]
fn tiles_twice_and_in_the_wrong_place() {
    let bytes = two();
    refused(TILES, &bytes[TILES + 32..TILES + 40]);
    refused(TILES, &word(1 << 20));
    refused(TILES + 16, &1_u32.to_le_bytes());
    // The two tiles exchanged are in no order that indices could follow.
    let exchanged = [&bytes[TILES + 32..TILES + 64], &bytes[TILES..TILES + 32]].concat();
    refused(TILES, &exchanged);
}

#[test]
fn boxes_masks_and_indices_that_contradict() {
    // Boxes: of the root, of an upper and a lower node, of a leaf.
    for at in [ROOT, ROOT + 12, UPPER, LOWER + 4, LEAF] {
        for value in [i32::MIN, 100_000, i32::MAX] {
            refused(at, &value.to_le_bytes());
        }
    }
    refused(LEAF + 12, &[3]);
    // A leaf without voxels, one with a voxel more, another first index, another prefix.
    refused(LEAF + 16 + 7 * 8, &word(0));
    refused(LEAF + 16, &word(1));
    refused(LEAF + 80, &word(2));
    refused(LEAF + 96 + 80, &word(1));
    refused(LEAF + 96 + 88, &word(0));
    // A value mask is a tile with a value; a child bit more or less contradicts the counts.
    refused(UPPER + 32, &[1]);
    refused(LOWER + 32, &[1]);
    refused(UPPER + 4128, &[1]);
    refused(LOWER + 544, &[1]);
}

#[test]
fn headers_that_lie() {
    refused(8, &(33_u32 << 21).to_le_bytes());
    refused(GRID + 16, &(31_u32 << 21).to_le_bytes());
    for count in [0_u16, 2, u16::MAX] {
        refused(12, &count.to_le_bytes());
    }
    for codec in [1_u16, 2, 3, u16::MAX] {
        refused(14, &codec.to_le_bytes());
    }
    for name in [0_u32, 3, 5, 256, u32::MAX] {
        refused(16 + 136, &name.to_le_bytes());
    }
    // Sizes in the entry: of the grid, in the file.
    for size in [0, 1, 609_601, i64::MAX, -1] {
        refused(16, &word(size));
        refused(24, &word(size));
    }
    // A map that turns, shears, or has no size.
    for value in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        refused(GRID + 296 + 88, &value.to_le_bytes());
    }
    refused(GRID + 296 + 88 + 8, &0.5_f64.to_le_bytes());
}
