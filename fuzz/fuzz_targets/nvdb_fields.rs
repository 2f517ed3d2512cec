//! A good `.nvdb` file without checksums, some fields of it overwritten: past the checks of the header, into the tree.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use sparse_topology::nvdb::{self, Checksum, Codec, WriteOptions};
use sparse_topology::{GridBatch, Transform};

/// Files of one and of three grids, as they are and packed.
fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let two: &[[i32; 3]] = &[[1, 2, 3], [-1, -2, -3]];
        let row: Vec<[i32; 3]> = (0..100).map(|i| [i, i % 5, i / 3]).collect();
        // Small ones: the speed of a run is what a fuzzer lives on.
        let lists: [&[&[[i32; 3]]]; 3] = [&[&[[0; 3]]], &[two], &[&row, &[], &[[i32::MIN, i32::MAX, 0]]]];
        let mut files = Vec::new();
        for list in lists {
            let grid = GridBatch::from_coordinates_cpu(list, &vec![Transform::default(); list.len()]).expect("a batch");
            for codec in [Codec::None, Codec::Zip, Codec::Blosc] {
                let options = WriteOptions { codec, checksum: Checksum::None };
                files.push(nvdb::write(&grid, &["one", "two", "three"][..list.len()], &options).expect("a file"));
            }
        }
        files
    })
}

/// Where fields are: headers and tree, the first nodes, or the leaves at the end.
fn place(length: usize, choice: u8, at: u16) -> usize {
    let at = usize::from(at);
    match choice & 3 {
        0 => at % 1400,
        1 => (at % 1400) * 8,
        2 => length.saturating_sub(1 + at % 4096),
        _ => length.saturating_mul(at) >> 16,
    }
    .min(length.saturating_sub(1))
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, edits)) = bytes.split_first() else { return };
    let mut file = files()[usize::from(which) % files().len()].clone();
    for edit in edits.chunks_exact(5) {
        let at = place(file.len(), edit[0], u16::from_le_bytes([edit[1], edit[2]]));
        let value =
            if edit[0] & 4 == 0 { [edit[3], edit[4]].to_vec() } else { vec![edit[3]; usize::from(edit[4] & 15)] };
        for (i, byte) in value.into_iter().enumerate() {
            if let Some(place) = file.get_mut(at + i) {
                *place = byte;
            }
        }
    }
    if let Ok(read) = nvdb::read(&file) {
        let names: Vec<&str> = read.names.iter().map(String::as_str).collect();
        let written = nvdb::write(&read.batch, &names, &WriteOptions::default()).expect("what was read can be written");
        assert_eq!(nvdb::read(&written).expect("what was written can be read").batch, read.batch);
    }
});
