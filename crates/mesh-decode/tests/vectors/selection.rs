//! Lists of units: compact outputs equal the parts of a whole decode.

use mesh_decode::{Error, Outputs, open, read_unit_list};

use crate::common;

const FILES: [&str; 5] = [
    "dgf/flat17.tb6.dgfblob",
    "stride/flat17.dprb",
    "meshopt/fan200.m64_96.mml",
    "meshopt/fan200.c64_96.mxc",
    "md1/waves40.predicted.md1",
];

#[test]
fn selected_units_are_compact() {
    for name in FILES {
        let file = open(&common::read(&common::folders()[0].join(name))).expect("a good file");
        let whole = file.decode_cpu(Outputs::ALL);
        let list: Vec<u32> = (0..file.unit_count()).filter(|unit| unit % 3 != 1).collect();
        let some = file.decode_units_cpu(&list, Outputs::ALL).expect("a good list");
        assert_eq!(some.units.iter().map(|range| range.unit).collect::<Vec<_>>(), list);
        for range in &some.units {
            let from = file.units()[range.unit as usize];
            let triangles = |decoded: &mesh_decode::Decoded, r: mesh_decode::UnitRange| -> Vec<[u32; 3]> {
                let all = &decoded.triangles[r.triangle_offset as usize..][..r.triangle_count as usize];
                all.iter().map(|t| t.map(|v| v - r.vertex_offset)).collect()
            };
            assert_eq!(triangles(&some, *range), triangles(&whole, from), "{name}: unit {}", range.unit);
            if !whole.positions.is_empty() {
                let vertices = |decoded: &mesh_decode::Decoded, r: mesh_decode::UnitRange| {
                    decoded.positions[r.vertex_offset as usize..][..r.vertex_count as usize].to_vec()
                };
                assert_eq!(vertices(&some, *range), vertices(&whole, from), "{name}: unit {}", range.unit);
            }
        }
        let last = some.units.last().expect("a unit");
        assert_eq!(some.triangles.len() as u32, last.triangle_offset + last.triangle_count);
        assert_eq!(some.unit_records().len(), 20 * list.len());
    }
}

#[test]
fn arrays_that_were_used_before_hold_nothing_of_it() {
    let own = &common::folders()[0];
    let mut used = mesh_decode::Decoded::default();
    // Largest first, smallest, and again; every byte of a good and of a damaged file is written anew.
    for name in FILES.into_iter().chain(FILES.into_iter().rev()) {
        let mut bytes = common::read(&own.join(name));
        for damage in [false, true] {
            if damage {
                let at = bytes.len() * 3 / 4;
                bytes[at] ^= 0x5a;
            }
            let Ok(file) = open(&bytes) else { continue };
            for outputs in [Outputs::ALL, Outputs::MESH, Outputs::ALL] {
                used.positions.fill([f32::NAN; 3]);
                used.grid.fill([-1; 3]);
                used.triangles.fill([7; 3]);
                for words in [
                    &mut used.vertex_references,
                    &mut used.geometry_ids,
                    &mut used.primitive_ids,
                    &mut used.user_words,
                    &mut used.statuses,
                ] {
                    words.fill(9);
                }
                used.opaque.fill(9);
                file.decode_cpu_into(outputs, &mut used);
                assert_eq!(used, file.decode_cpu(outputs), "{name}");
            }
        }
    }
}

#[test]
fn an_empty_list_selects_nothing_and_bad_lists_are_errors() {
    let file = open(&common::read(&common::folders()[0].join(FILES[0]))).expect("a good file");
    let empty = file.decode_units_cpu(&read_unit_list(&[]).expect("empty"), Outputs::ALL).expect("an empty selection");
    assert!(empty.units.is_empty() && empty.triangles.is_empty() && empty.positions.is_empty());
    let bad = |list: &[u32]| file.decode_units_cpu(list, Outputs::MESH).expect_err("a bad list");
    assert_eq!(bad(&[2, 1]), Error::UnitOrder { index: 1, unit: 1, previous: 2 });
    assert_eq!(bad(&[2, 2]), Error::UnitOrder { index: 1, unit: 2, previous: 2 });
    assert_eq!(bad(&[8]), Error::UnitRange { index: 0, unit: 8, units: 8 });
}

#[test]
fn sections_sum_to_the_file() {
    let own = &common::folders()[0];
    let sizes = |name: &str| {
        let bytes = common::read(&own.join(name));
        let sizes = open(&bytes).expect("a good file").section_sizes();
        assert_eq!(sizes.iter().map(|(_, size)| size).sum::<u64>(), bytes.len() as u64, "{name}");
        sizes.iter().map(|(_, size)| *size).collect::<Vec<_>>()
    };
    assert_eq!(sizes("dgf/flat17.tb6.dgfblob"), [32, 64, 1024, 0]);
    assert_eq!(sizes("stride/flat17.dprb"), [112, 100, 985, 0]);
    assert_eq!(sizes("stride/tetra.dpr4"), [86, 4, 44, 0]);
    let md1 = sizes("md1/waves40.predicted.md1");
    // One chunk of boxes: a head of two words and 12 bytes a meshlet, whose table entries have 8.
    assert_eq!((md1[0], md1[3]), (72, 8 + md1[1] / 8 * 12));
    FILES.iter().for_each(|name| assert_eq!(sizes(name).len(), 4));
}

/// A file of the odd units alone decodes to what a selection of them gives, but for the numbers.
#[test]
fn a_subset_decodes_like_the_selection() {
    let own = &common::folders()[0];
    for name in FILES {
        let bytes = common::read(&own.join(name));
        let file = open(&bytes).expect("a good file");
        for list in [vec![], (0..file.unit_count()).filter(|unit| unit % 2 == 1).collect(), vec![file.unit_count() - 1]]
        {
            let mut expected = file.decode_units_cpu(&list, Outputs::ALL).expect("a good list");
            let subset = file.subset(&list).expect("a good list");
            (0..).zip(&mut expected.units).for_each(|(k, unit)| unit.unit = k);
            assert_eq!(subset.decode_cpu(Outputs::ALL), expected, "{name}");
            let sum: u64 = list.iter().map(|unit| file.unit_bytes(*unit)).map(|r| r.end - r.start).sum();
            assert_eq!(subset.length(), sum, "{name}");
        }
        assert!(file.subset(&[1, 0]).is_err() && file.subset(&[file.unit_count()]).is_err());
    }
}

/// What the bits of the units are used for adds up to the bytes of the units.
#[test]
fn parts_sum_to_the_units() {
    let own = &common::folders()[0];
    for name in FILES {
        let file = open(&common::read(&own.join(name))).expect("a good file");
        let bits: u64 = file.body_parts().iter().map(|(_, bits)| bits).sum();
        let bytes: u64 = (0..file.unit_count()).map(|unit| file.unit_bytes(unit)).map(|r| r.end - r.start).sum();
        // STRIDE's units share bytes.
        let shared = if name.starts_with("stride") { u64::from(file.unit_count()) } else { 0 };
        assert!(bits <= 8 * bytes && 8 * bytes <= bits + 16 * shared, "{name}: {bits} bits, {bytes} bytes");
        assert!(file.unit_bytes(file.unit_count()).is_empty(), "{name}");
    }
}

/// Two entries of a set that name the same bytes decode, but are not copied again and again.
#[test]
fn a_subset_does_not_outgrow_the_file() {
    let entry = |vertices: u32| [0, 64, vertices, 0, 0].map(u32::to_le_bytes).concat();
    let units = 40;
    let mut bytes = [0x544c_4d4d_u32, 1, units, 64].map(u32::to_le_bytes).concat();
    (0..units).for_each(|_| bytes.extend(entry(0)));
    bytes.extend([0; 64]);
    let file = open(&bytes).expect("a good table");
    let all: Vec<u32> = (0..units).collect();
    assert_eq!(
        file.subset(&all).expect_err("they overlap").to_string(),
        "2560 bytes of units that overlap, allowed are 960"
    );
    assert!(file.subset(&all[..3]).is_ok());
}
