//! `.nvdb` files: round trips, and bytes that lie.

use std::path::Path;

use crate::support::{Set, any_sets, batch};
use proptest::prelude::*;
use sparse_topology::nvdb::{Checksum, Codec, WriteOptions, read, write};
use sparse_topology::{Error, GridBatch, Transform};

const RAW: WriteOptions = WriteOptions { codec: Codec::None, checksum: Checksum::Full };

/// The worked example of the format: two voxels in two tiles.
fn two() -> Vec<u8> {
    let voxels: &[[i32; 3]] = &[[1, 2, 3], [-1, -2, -3]];
    let grid = GridBatch::from_coordinates_cpu(&[voxels], &[Transform::uniform(0.5, [1.0, 2.0, 3.0])]).unwrap();
    write(&grid, &["two"], &RAW).unwrap()
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Start of the grid in `two()`: header, entry, name with NUL.
const GRID: usize = 16 + 176 + 4;

#[test]
fn the_worked_example_has_its_bytes() {
    let bytes = two();
    assert_eq!(bytes.len(), GRID + 609_600);
    assert_eq!(word(&bytes, 16 + 16), 528_808);
    let tree = GRID + 672;
    assert_eq!([0, 8, 16, 24].map(|i| word(&bytes, tree + i)), [608_736, 541_024, 224, 64]);
    assert_eq!([0, 8, 32, 40].map(|i| word(&bytes, GRID + 832 + i)), [4_611_683_819_403_083_775, 160, 0, 270_560]);
    let leaf = tree + 608_736;
    assert_eq!((word(&bytes, leaf + 80), word(&bytes, leaf + 88)), (1, 0));
    assert_eq!((word(&bytes, leaf + 96 + 80), word(&bytes, leaf + 96 + 88)), (2, 18_049_651_735_527_936));
    let bounds: Vec<f64> = (0..6).map(|i| f64::from_bits(word(&bytes, GRID + 560 + 8 * i))).collect();
    assert_eq!(bounds, [0.5, 1.0, 1.5, 2.0, 3.5, 5.0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(sets in any_sets(), zip: bool, checksum in 0..3_usize) {
        let sets: Vec<Set> = sets.into_iter().map(|s| s.into_iter().take(12).collect()).collect();
        let grid = batch(&sets);
        let names: Vec<String> = (0..sets.len()).map(|i| format!("grid {i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let codec = if zip { Codec::Zip } else { Codec::None };
        let checksum = [Checksum::None, Checksum::Half, Checksum::Full][checksum];
        let bytes = write(&grid, &names, &WriteOptions { codec, checksum }).unwrap();
        if sets.is_empty() {
            prop_assert!(bytes.is_empty() && read(&bytes).is_err());
            return Ok(());
        }
        let file = read(&bytes).unwrap();
        prop_assert_eq!(&file.batch, &grid);
        prop_assert_eq!(file.names, names);
        prop_assert!(file.codecs.iter().all(|&c| c == codec) && file.checksums.iter().all(|&c| c == checksum));
        // Two segments one behind the other are one file.
        let twice = read(&[bytes.clone(), bytes].concat()).unwrap();
        prop_assert_eq!(twice.batch, GridBatch::concatenate(&[&grid, &grid]).unwrap());
    }
}

/// Any single byte that lies in a field of the headers or nodes is an error, never a panic, and never another grid: names, padding and the unused halves of the map aside.
#[test]
fn every_changed_byte_is_noticed_or_harmless() {
    let good = two();
    let expected = read(&good).unwrap();
    let nodes = GRID + 832..good.len();
    let all = (0..GRID + 832 + 64).chain(nodes.step_by(397)).chain(good.len() - 192..good.len());
    for at in all {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            if let Ok(file) = read(&bytes) {
                // The checksum does not cover the magic number, and NanoVDB0 is one too.
                assert!(at < GRID || at == GRID + 7, "byte {at} of a grid with a checksum was changed unnoticed");
                assert_eq!(file.batch, expected.batch, "byte {at}");
            }
        }
    }
}

/// The same without checksums, where only the meaning of a field can betray it.
#[test]
fn changed_bytes_without_a_checksum_never_panic() {
    let grid = batch(&[Set::from([[1, 2, 3], [-1, -2, -3], [200, 2, 3]])]);
    let good = write(&grid, &["two"], &WriteOptions { codec: Codec::None, checksum: Checksum::None }).unwrap();
    let mut noticed = 0;
    for at in (0..GRID + 832 + 64).chain((GRID + 832..good.len()).step_by(1021)).chain(good.len() - 288..good.len()) {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            noticed += usize::from(read(&bytes).is_err());
        }
    }
    assert!(noticed > 1200, "{noticed}");
}

#[test]
fn cut_files_are_errors() {
    for bytes in [
        two(),
        std::fs::read(data("batch-3-zip.nvdb")).unwrap(),
        std::fs::read(data("empty-zip.nvdb")).unwrap(),
        std::fs::read(data("batch-3-blosc.nvdb")).unwrap(),
    ] {
        let ends = (0..bytes.len().min(1400)).chain((1400..bytes.len()).step_by(7919)).chain([bytes.len() - 1]);
        for end in ends {
            assert!(read(&bytes[..end]).is_err(), "cut at {end} of {}", bytes.len());
        }
    }
}

#[test]
fn lying_sizes_take_no_memory() {
    let mut zip = std::fs::read(data("empty-zip.nvdb")).unwrap();
    zip[16..24].copy_from_slice(&(1_u64 << 50).to_le_bytes());
    assert!(matches!(read(&zip), Err(Error::Nvdb { at: 16, .. })));
    let mut raw = two();
    raw[16 + 140..16 + 152].fill(0xff);
    assert!(matches!(read(&raw), Err(Error::Nvdb { at: 16, .. })));
    let mut name = two();
    name[16 + 136..16 + 140].fill(0xff);
    assert!(read(&name).unwrap_err().to_string().contains("the grid's name needs 4294967295 bytes"));
}

#[test]
fn other_grids_are_refused_by_name() {
    let refuse = |at: usize, value: &[u8]| {
        let mut bytes = two();
        bytes[at..at + value.len()].copy_from_slice(value);
        read(&bytes).unwrap_err().to_string()
    };
    assert_eq!(refuse(16 + 32, &1_u32.to_le_bytes()), "grid type Float is not supported, only OnIndex (ValueOnIndex)");
    assert_eq!(
        refuse(16 + 32, &99_u32.to_le_bytes()),
        "grid type number 99 is not supported, only OnIndex (ValueOnIndex)"
    );
    assert!(refuse(0, b"VDB ").contains("the magic number"));
    let mut blosc = two();
    blosc[14] = 2;
    blosc[16 + 168] = 2;
    assert!(matches!(read(&blosc), Err(Error::Nvdb { .. })));
    let mut bits = std::fs::read(data("batch-3-blosc.nvdb")).unwrap();
    let frame = bits.windows(3).position(|w| w[..2] == [2, 1] && w[2] >> 5 == 1).unwrap();
    bits[frame + 2] ^= 4;
    assert!(matches!(read(&bits), Err(Error::Unsupported { .. })));
    bits[frame + 2] ^= 4 | 0x60;
    assert!(matches!(read(&bits), Err(Error::Unsupported { .. })));
    assert!(refuse(GRID - 1, b"x").contains("does not end with NUL"));
}

/// A raw grid without a file header, as it lies in memory.
#[test]
fn raw_grids_are_read() {
    let bytes = two();
    let raw = read(&bytes[GRID..]).unwrap();
    assert_eq!(raw, read(&bytes).unwrap());
    let mut nameless = bytes[GRID..].to_vec();
    nameless[40..296].fill(b'x');
    assert!(read(&nameless).unwrap_err().to_string().contains("no NUL"));
}

fn data(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}
