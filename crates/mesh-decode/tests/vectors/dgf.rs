//! DGF: every vector of the corpus, word for word.

use crate::common;
use crate::meshes::{Mesh, awkward, source};

use mesh_decode::{DgfAttributes, DgfOptions, Error, Format, GridStep, Outputs, encode_dgf, encode_dgf_with, open};

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

/// Encodes, decodes and compares with the source through the source maps.
fn round_trip(mesh: &Mesh, step: GridStep) {
    let name = &mesh.name;
    let options = DgfOptions { step, geometry_id: 300, opaque: false, user_word: None };
    let encoded =
        encode_dgf(&mesh.positions, &mesh.triangles, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let file = open(&encoded.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let decoded = file.decode_cpu(Outputs::ALL);
    decoded.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(decoded.positions.len(), encoded.vertex_sources.len(), "{name}");
    for (position, vertex) in decoded.positions.iter().zip(&encoded.vertex_sources) {
        for (x, from) in position.iter().zip(mesh.positions[*vertex as usize]) {
            assert_eq!(f64::from(*x), (f64::from(from) / encoded.step).round() * encoded.step, "{name}");
        }
    }
    assert!(encoded.max_error <= encoded.step / 2.0, "{name}");
    let mut seen = vec![false; mesh.triangles.len()];
    for (triangle, word) in decoded.triangles.iter().zip(&encoded.triangle_sources) {
        let from = mesh.triangles[(word >> 2) as usize];
        let expected = [0, 1, 2].map(|k| from[(k + (word & 3) as usize) % 3]);
        assert_eq!(triangle.map(|v| encoded.vertex_sources[v as usize]), expected, "{name}");
        assert!(!std::mem::replace(&mut seen[(word >> 2) as usize], true), "{name}: triangle {} twice", word >> 2);
    }
    assert_eq!(seen.iter().filter(|seen| !**seen).count(), encoded.degenerate as usize, "{name}");
    assert!(decoded.geometry_ids.iter().all(|id| *id == 300) && decoded.opaque.iter().all(|flag| *flag == 0), "{name}");
    assert!(decoded.primitive_ids.iter().zip(0..).all(|(id, expected)| *id == expected), "{name}");
}

#[test]
fn meshes_come_back() {
    for mesh in awkward() {
        for step in [GridStep::Bits(6), GridStep::Bits(12), GridStep::Bits(16)] {
            round_trip(&mesh, step);
        }
    }
}

/// Geometry ids and opacity of each triangle come back by the source map: few ids in patches, many, and ids of 24 bits.
#[test]
fn attributes_come_back() {
    type Ids = (&'static str, fn(u32) -> u32);
    let all: [Ids; 5] = [
        ("one large", |_| 0xff_ffff),
        ("patches", |t| 500 + t / 40),
        ("alternating", |t| (t % 2) * 0x80_0001),
        ("one each", |t| t),
        ("scattered", |t| t.wrapping_mul(2_654_435_761) >> 8),
    ];
    for mesh in awkward() {
        for (name, id_of) in all {
            let name = format!("{}, {name}", mesh.name);
            let ids: Vec<u32> = (0..mesh.triangles.len() as u32).map(id_of).collect();
            let opaque: Vec<u8> = (0..ids.len()).map(|t| u8::from(t % 3 == 0)).collect();
            for (user_word, opaque) in [(Some(0xc0de_0001), &opaque[..]), (None, &[][..])] {
                let options = DgfOptions { user_word, ..DgfOptions::default() };
                let attributes = DgfAttributes { geometry_ids: &ids, opaque };
                let encoded = encode_dgf_with(&mesh.positions, &mesh.triangles, &options, &attributes).expect(&name);
                let decoded = open(&encoded.bytes).expect(&name).decode_cpu(Outputs::ALL);
                decoded.check().expect(&name);
                assert_eq!(decoded.triangles.len(), encoded.triangle_sources.len(), "{name}");
                for (place, word) in encoded.triangle_sources.iter().enumerate() {
                    let source = (word >> 2) as usize;
                    let flag = opaque.get(source).copied().unwrap_or(1);
                    assert_eq!((decoded.geometry_ids[place], decoded.opaque[place]), (ids[source], flag), "{name}");
                }
                assert!(decoded.user_words.iter().all(|word| *word == user_word.unwrap_or(0)), "{name}");
                assert!(decoded.primitive_ids.iter().zip(0..).all(|(id, expected)| *id == expected), "{name}");
            }
        }
    }
}

#[test]
fn attributes_that_do_not_fit_are_refused() {
    let mesh = &awkward().into_iter().find(|mesh| mesh.triangles.len() > 9).expect("meshes");
    let encode = |options: &DgfOptions, geometry_ids: &[u32], opaque: &[u8]| {
        let attributes = DgfAttributes { geometry_ids, opaque };
        encode_dgf_with(&mesh.positions, &mesh.triangles, options, &attributes).expect_err("wrong attributes")
    };
    let count = mesh.triangles.len();
    let options = DgfOptions::default();
    let input = |error: &Error| matches!(error, Error::Input { what: "geometry ids" | "geometry id" | "opacity", .. });
    for error in [
        encode(&options, &vec![0; count + 1], &[]),
        encode(&options, &vec![1 << 24; count], &[]),
        encode(&options, &[], &vec![2; count]),
        encode(&DgfOptions { geometry_id: 1 << 24, ..options }, &[], &[]),
    ] {
        assert!(input(&error), "{error}");
    }
}

/// Strips branch: BACKTRACK is written, and blocks hold more for it.
#[test]
fn strips_of_blocks_branch() {
    let mesh = awkward().into_iter().max_by_key(|mesh| mesh.triangles.len()).expect("meshes");
    let bytes = encode_dgf(&mesh.positions, &mesh.triangles, &DgfOptions::default()).expect("a good mesh").bytes;
    let blocks = open(&bytes).expect("a good file").unit_count() as usize;
    let block = |k: usize| &bytes[32 + 128 * k..][..128];
    let code = |block: &[u8], triangle: usize| {
        let at = 1024 - 2 * triangle;
        (block[at / 8] >> (at % 8)) & 3
    };
    let triangles = |block: &[u8]| 1 + (block[2] & 63) as usize;
    let codes = (0..blocks).flat_map(|k| (1..triangles(block(k))).map(move |t| code(block(k), t)));
    let mut counts = [0; 4];
    codes.for_each(|code| counts[usize::from(code)] += 1);
    println!("{}: RESTART, EDGE1, EDGE2, BACKTRACK {counts:?}", mesh.name);
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

/// Our blocks against those of AMD's packer at its own grid step.
#[test]
fn blocks_are_well_filled() {
    for folder in common::folders().into_iter().skip(1) {
        for name in ["icosphere4", "torus_64x48", "terrain_65", "terrain_257"] {
            let theirs = common::read(&folder.join(format!("dgf/{name}.dgfblob")));
            let step = GridStep::Length((f64::from(theirs[32 + 4]) - 127.0).exp2());
            let mesh = source(&folder, name);
            round_trip(&mesh, step);
            let options = DgfOptions { step, ..DgfOptions::default() };
            let ours = encode_dgf(&mesh.positions, &mesh.triangles, &options).expect("a good mesh");
            let ratio = ours.bytes.len() as f64 / theirs.len() as f64;
            println!("{name}: {} bytes, {ratio:.3} of the SDK's", ours.bytes.len());
            assert!(ratio < 1.15, "{name}: {ratio}");
        }
    }
}
