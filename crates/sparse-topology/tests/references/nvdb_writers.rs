//! `.nvdb` files as other programs write them: fields that several writers fill in different ways.

use sparse_topology::nvdb::{Checksum, Codec, ReadOptions, WriteOptions, read, read_with, write};
use sparse_topology::{GridBatch, Transform};

/// Start of a grid named "two": header, entry, name with NUL.
const GRID: usize = 16 + 176 + 4;
const VOXELS: &[[i32; 3]] = &[[1, 2, 3], [-1, -2, -3], [200, 2, 3]];

fn grid(transform: Transform) -> GridBatch {
    GridBatch::from_coordinates_cpu(&[VOXELS], &[transform]).expect("a grid")
}

fn bytes(transform: Transform, checksum: Checksum) -> Vec<u8> {
    write(&grid(transform), &["two"], &WriteOptions { codec: Codec::None, checksum }).expect("bytes")
}

fn put(bytes: &mut [u8], at: usize, values: &[f64]) {
    for (i, value) in values.iter().enumerate() {
        bytes[at + 8 * i..at + 8 * i + 8].copy_from_slice(&value.to_le_bytes());
    }
}

fn numbers<const N: usize>(bytes: &[u8], at: usize) -> [f64; N] {
    std::array::from_fn(|i| f64::from_le_bytes(bytes[at + 8 * i..at + 8 * i + 8].try_into().expect("8 bytes")))
}

/// The reference measures the voxel size as map(1) - map(0), which loses the digits that the origin has no room for.
#[test]
fn voxel_sizes_are_measured_behind_the_origin() {
    let far = Transform { voxel_size: [0.1, 0.3, 1e-3], origin: [1000.0, -7.7, 4e6] };
    let written = bytes(far, Checksum::Full);
    let measured = [0.100_000_000_000_022_74, 0.299_999_999_999_999_8, 0.001_000_000_163_912_773_1];
    assert_eq!(numbers(&written, GRID + 608), measured);
    assert_eq!(numbers(&written, 16 + 112), measured);
    assert_eq!(numbers::<9>(&written, GRID + 296 + 88)[0], 0.1, "the map has the size itself");
    assert_eq!(read(&written).expect("a file").batch.transforms(), [far]);
    // Others write the size itself.
    let mut exact = bytes(far, Checksum::None);
    put(&mut exact, GRID + 608, &far.voxel_size);
    assert_eq!(read(&exact).expect("a file").batch.transforms(), [far]);
    // What no rounding explains is refused, by any factor of the size.
    for value in [0.1001, 0.2, 0.0, f64::NAN] {
        let mut wrong = bytes(far, Checksum::None);
        put(&mut wrong, GRID + 608, &[value]);
        let text = read(&wrong).expect_err("another size").to_string();
        assert!(text.contains("the voxel size beside the map"), "{text}");
    }
}

/// fVDB writes a grid of three sizes with a map of the first alone, and reads the sizes beside it.
#[test]
fn three_sizes_beside_a_map_of_one() {
    let mut written = bytes(Transform::uniform(0.5, [1.0, 2.0, 3.0]), Checksum::None);
    put(&mut written, GRID + 608, &[0.5, 0.25, 2.0]);
    let found = read(&written).expect("a file").batch;
    assert_eq!(found.transforms(), [Transform { voxel_size: [0.5, 0.25, 2.0], origin: [1.0, 2.0, 3.0] }]);
    for bad in [[0.5, 0.25, 0.0], [0.5, f64::INFINITY, 1.0], [0.25, 0.5, 0.5], [0.5, -0.25, 2.0]] {
        put(&mut written, GRID + 608, &bad);
        assert!(read(&written).is_err(), "{bad:?}");
    }
}

/// fVDB changes names and maps of grids whose checksum is made.
#[test]
fn checksums_that_do_not_fit_can_be_left_alone() {
    let transform = Transform::uniform(0.5, [1.0, 2.0, 3.0]);
    let mut renamed = bytes(transform, Checksum::Full);
    renamed[GRID + 40..GRID + 43].copy_from_slice(b"new");
    let text = read(&renamed).expect_err("a checksum").to_string();
    assert!(text.contains("the checksum of the header") && text.contains("without checksums"), "{text}");
    let file = read_with(&renamed, &ReadOptions { checksums: false }).expect("a file");
    assert_eq!(file.batch, grid(transform));
    // Everything else is compared as before.
    let mut damaged = bytes(transform, Checksum::Full);
    let last = damaged.len() - 16;
    damaged[last] ^= 1;
    let text = read_with(&damaged, &ReadOptions { checksums: false }).expect_err("an index").to_string();
    assert!(text.contains("the leaf's first index"), "{text}");
}

/// Grids that say that they have no bounds have their nodes' origins there.
#[test]
fn grids_without_bounds() {
    let transform = Transform::default();
    let mut plain = bytes(transform, Checksum::None);
    let flags = GRID + 20;
    assert_eq!(plain[flags], 34, "bounds, breadth first");
    let (tiles, lowers, leaves) = (2, 3, 3);
    let upper_at = GRID + 832 + 32 * tiles;
    let lower_at = upper_at + 270_400 * tiles;
    let leaf_at = lower_at + 33_856 * lowers;
    assert_eq!(plain.len(), leaf_at + 96 * leaves);
    let nodes: Vec<(usize, i32)> = (0..tiles)
        .map(|i| (upper_at + 270_400 * i, 4095))
        .chain((0..lowers).map(|i| (lower_at + 33_856 * i, 127)))
        .chain((0..leaves).map(|i| (leaf_at + 96 * i, 7)))
        .collect();
    for &(at, inside) in &nodes {
        for k in 0..3 {
            let field = at + 4 * k..at + 4 * k + 4;
            let low = i32::from_le_bytes(plain[field.clone()].try_into().expect("4 bytes"));
            plain[field].copy_from_slice(&(low & !inside).to_le_bytes());
        }
        plain[at + 12..at + if inside == 7 { 15 } else { 24 }].fill(0);
    }
    assert!(read(&plain).is_err(), "with the flag these are wrong bounds");
    plain[flags] = 32;
    assert_eq!(read(&plain).expect("a file").batch, grid(transform));
    // An origin elsewhere is wrong even then.
    for &(at, _) in &nodes {
        let mut moved = plain.clone();
        moved[at + 1] ^= 0x20;
        let text = read(&moved).expect_err("another origin").to_string();
        assert!(text.contains("the origin of") || text.contains("the leaf"), "{text}");
    }
}

/// Whatever an empty grid has as its bounds.
#[test]
fn empty_grids_have_any_bounds() {
    let empty = GridBatch::empty(&[Transform::default()]);
    let options = WriteOptions { codec: Codec::None, checksum: Checksum::None };
    let mut written = write(&empty, &["two"], &options).expect("bytes");
    for at in [16 + 88, GRID + 736] {
        written[at..at + 24].fill(0);
    }
    assert_eq!(read(&written).expect("a file").batch, empty);
}

/// The longest name there is, and the shortest.
#[test]
fn names_up_to_the_limit() {
    let batch = grid(Transform::default());
    for codec in [Codec::None, Codec::Zip, Codec::Blosc] {
        let options = WriteOptions { codec, checksum: Checksum::Full };
        for name in ["x".repeat(255), "\u{fc}".repeat(127), String::new()] {
            let file = read(&write(&batch, &[&name], &options).expect("bytes")).expect("a file");
            assert_eq!(file.names, [name]);
        }
        assert!(write(&batch, &[&"x".repeat(256)], &options).is_err());
    }
}

/// Voxels at both ends of `i32`, in every codec.
#[test]
fn voxels_at_the_ends_of_the_range() {
    let ends = [i32::MIN, -1, 0, i32::MAX];
    let voxels: Vec<[i32; 3]> = ends.iter().flat_map(|&x| ends.map(|y| [x, y, ends[(x & 3) as usize]])).collect();
    let transforms = [Transform { voxel_size: [1e-300, 1.0, 1e300], origin: [0.0, -1e300, 1e-300] }];
    let batch = GridBatch::from_coordinates_cpu(&[&voxels], &transforms).expect("a grid");
    for codec in [Codec::None, Codec::Zip, Codec::Blosc] {
        let written = write(&batch, &[""], &WriteOptions { codec, checksum: Checksum::Full }).expect("bytes");
        assert_eq!(read(&written).expect("a file").batch, batch);
    }
}
