//! DGF: every vector of the corpus, word for word.

use crate::common;

use mesh_decode::{Format, Outputs, open};

#[test]
fn every_vector_is_exact() {
    for folder in common::folders() {
        let folder = folder.join("dgf");
        for path in common::files(&folder, &["dgfblob"]) {
            let file = open(&common::read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(file.format(), Format::Dgfb);
            let decoded = file.decode_cpu(Outputs::ALL);
            let stem = common::stem(&path);
            let compared = common::compare_arrays(&decoded, &folder, &stem);
            let with_ids = stem.contains(".pal") || stem.contains(".const");
            assert!(compared >= if with_ids { 4 } else { 2 }, "{stem}: {compared} arrays compared");
            if stem.ends_with("ud") {
                let words: Vec<u32> = (0..file.unit_count()).map(|block| 0xc0de_0000 + block).collect();
                assert_eq!(decoded.user_words, words, "{stem}");
            }
        }
    }
}

#[test]
fn bare_blocks_decode_like_the_file() {
    let folder = &common::folders()[0].join("dgf");
    let bytes = common::read(&folder.join("flat17.tb6.dgfblob"));
    let whole = open(&bytes).expect("a good file");
    let blocks = open(&bytes[32..32 + 128 * whole.unit_count() as usize]).expect("good blocks");
    assert_eq!(blocks.format(), Format::DgfBlocks);
    let (a, b) = (whole.decode_cpu(Outputs::ALL), blocks.decode_cpu(Outputs::ALL));
    assert_eq!((a.positions, a.triangles), (b.positions, b.triangles));
    assert_eq!(a.units.iter().map(|unit| unit.triangle_count).max(), Some(64), "the case of 64 triangles");
}

#[test]
fn a_damaged_block_leaves_its_neighbours_whole() {
    let folder = &common::folders()[0].join("dgf");
    let mut bytes = common::read(&folder.join("flat17.tb6.dgfblob"));
    let good = open(&bytes).expect("a good file").decode_cpu(Outputs::ALL);
    bytes[32 + 128 * 5] = 7;
    let file = open(&bytes).expect("good tables");
    let bad = file.decode_cpu(Outputs::ALL);
    assert_eq!(bad.check().expect_err("block 5").to_string(), "unit 5: bit 0: magic number 0x7, expected 0x6");
    assert_eq!(bad.statuses.iter().filter(|status| **status != 0).count(), 1);
    for (index, unit) in good.units.iter().enumerate() {
        let vertices = unit.vertex_offset as usize..(unit.vertex_offset + unit.vertex_count) as usize;
        let triangles = unit.triangle_offset as usize..(unit.triangle_offset + unit.triangle_count) as usize;
        if index == 5 {
            assert!(bad.positions[vertices].iter().all(|position| *position == [0.0; 3]));
            assert!(bad.triangles[triangles].iter().all(|triangle| *triangle == [0; 3]));
        } else {
            assert_eq!(bad.positions[vertices.clone()], good.positions[vertices]);
            assert_eq!(bad.triangles[triangles.clone()], good.triangles[triangles]);
        }
    }
}
