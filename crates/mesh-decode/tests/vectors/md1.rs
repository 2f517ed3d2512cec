//! MD1: what is encoded comes back, the golden files decode to their arrays, and the sizes hold.

use mesh_decode::{
    Attribute, Format, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, encode_md1, encode_md1_with, open,
};

use crate::common;
use crate::meshes::{Mesh, awkward, source, waves};

/// Encodes, decodes and compares with the source through the source maps: every triangle once, with its winding, every position the nearest grid point.
fn round_trip(mesh: &Mesh, options: &Md1Options) {
    let name = &mesh.name;
    let encoded =
        encode_md1(&mesh.positions, &mesh.triangles, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let file = open(&encoded.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(file.format(), Format::Md1);
    let decoded = file.decode_cpu(Outputs::ALL);
    decoded.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((decoded.positions.len(), file.unit_count()), (encoded.vertices as usize, encoded.meshlets), "{name}");
    let vertices = file.vertex_sources().expect("asked for");
    for (position, source) in decoded.positions.iter().zip(vertices) {
        for (x, from) in position.iter().zip(mesh.positions[*source as usize]) {
            let nearest = (f64::from(from) / encoded.step).round() * encoded.step;
            assert_eq!(f64::from(*x), nearest, "{name}");
            assert!((f64::from(from) - f64::from(*x)).abs() <= encoded.max_error, "{name}");
        }
    }
    assert!(encoded.max_error <= encoded.step / 2.0, "{name}");
    let mut seen = vec![false; mesh.triangles.len()];
    for (triangle, word) in decoded.triangles.iter().zip(file.triangle_sources().expect("asked for")) {
        let source = mesh.triangles[(word >> 2) as usize];
        let expected = [0, 1, 2].map(|k| source[(k + (word & 3) as usize) % 3]);
        assert_eq!(triangle.map(|v| vertices[v as usize]), expected, "{name}");
        assert!(!std::mem::replace(&mut seen[(word >> 2) as usize], true), "{name}: triangle {} twice", word >> 2);
    }
    assert!(seen.iter().all(|seen| *seen), "{name}: a triangle is missing");
    for (unit, [low, high]) in decoded.units.iter().zip(file.grid_boxes().expect("asked for")) {
        let points = &decoded.grid[unit.vertex_offset as usize..][..unit.vertex_count as usize];
        for axis in 0..3 {
            assert_eq!(points.iter().map(|p| p[axis]).min(), Some(low[axis]), "{name}");
            assert_eq!(points.iter().map(|p| p[axis]).max(), Some(high[axis]), "{name}");
        }
    }
}

#[test]
fn meshes_come_back() {
    for mesh in awkward() {
        for mode in [Md1Mode::Predicted, Md1Mode::Offsets, Md1Mode::Fixed] {
            for (step, vertices, triangles) in
                [(GridStep::Bits(12), 256, 256), (GridStep::Bits(16), 64, 126), (GridStep::Length(0.01), 3, 1)]
            {
                let limits = MeshletLimits { vertices, triangles };
                round_trip(&mesh, &Md1Options { step, mode, boxes: true, sources: true, limits });
            }
        }
    }
}

#[test]
fn sources_of_the_corpus_come_back() {
    for folder in common::folders().into_iter().skip(1) {
        for name in
            ["icosphere4", "torus_64x48", "trefoil_256x24", "terrain_65", "soup_300", "bowtie_nonmanifold", "flat17"]
        {
            let options = Md1Options { step: GridStep::Bits(13), sources: true, ..Md1Options::default() };
            round_trip(&source(&folder, name), &options);
        }
    }
}

#[test]
fn attributes_come_back() {
    let mesh = waves(40);
    let count = mesh.positions.len() as i32;
    let attributes = [
        Attribute { name: *b"TEXU", exponent: -12, values: (0..count).map(|k| k % 40 * 100).collect() },
        Attribute {
            name: *b"WIDE",
            exponent: 0,
            values: (0..count).map(|k| [i32::MIN, i32::MAX, k][k as usize % 3]).collect(),
        },
        Attribute { name: *b"SAME", exponent: 3, values: vec![-7; count as usize] },
    ];
    let options = Md1Options { sources: true, ..Md1Options::default() };
    let encoded = encode_md1_with(&mesh.positions, &mesh.triangles, &attributes, &options).expect("a good mesh");
    let file = open(&encoded.bytes).expect("a good file");
    let names: Vec<_> = file.attributes().iter().map(|info| (info.name, info.exponent)).collect();
    assert_eq!(names, [(*b"TEXU", -12), (*b"WIDE", 0), (*b"SAME", 3)]);
    let sources = file.vertex_sources().expect("asked for");
    let all: Vec<u32> = (0..file.unit_count()).collect();
    let odd: Vec<u32> = all.iter().copied().filter(|unit| unit % 2 == 1).collect();
    for (index, attribute) in attributes.iter().enumerate() {
        let found = file.decode_attribute_cpu(index, &all).expect("a good file");
        let expected: Vec<i32> = sources.iter().map(|v| attribute.values[*v as usize]).collect();
        assert_eq!(found, expected);
        let some = file.decode_attribute_cpu(index, &odd).expect("a good file");
        let parts = odd.iter().map(|unit| file.units()[*unit as usize]);
        let expected: Vec<i32> =
            parts.flat_map(|u| found[u.vertex_offset as usize..][..u.vertex_count as usize].to_vec()).collect();
        assert_eq!(some, expected);
    }
    assert!(file.decode_attribute_cpu(3, &all).is_err());
    assert!(file.decode_attribute_cpu(0, &[1, 0]).is_err());
    let short = [Attribute { name: *b"TEXU", exponent: 0, values: vec![1] }];
    assert!(encode_md1_with(&mesh.positions, &mesh.triangles, &short, &options).is_err());
    let width = encoded.bytes.windows(4).position(|w| w == b"TEXU").expect("its descriptor") + 24 + 4 * all.len() + 4;
    let mut bytes = encoded.bytes.clone();
    bytes[width] |= 63;
    let error = open(&bytes).expect("good tables").decode_attribute_cpu(0, &all).expect_err("width 63").to_string();
    assert_eq!(error, "unit 0: bit 32: coding parameter 63, allowed are values up to 32");
}

/// At the grid step of the other file in world units (of STRIDE's, the next power of two below), order maps and boxes off.
#[test]
fn files_are_small() {
    for folder in common::folders().into_iter().skip(1) {
        for name in ["icosphere4", "torus_64x48", "trefoil_256x24", "terrain_65", "terrain_257"] {
            let mesh = source(&folder, name);
            let size = |step: f64| {
                let options = Md1Options { step: GridStep::Length(step), boxes: false, ..Md1Options::default() };
                let encoded = encode_md1(&mesh.positions, &mesh.triangles, &options).expect("a good mesh");
                (encoded.bytes.len(), encoded)
            };
            let (blob, blocks) = (
                common::read(&folder.join(format!("stride/{name}.dprb"))),
                common::read(&folder.join(format!("dgf/{name}.dgfblob"))),
            );
            let (ours, stats) = size(stride_step(&blob));
            let (coarse, _) = size((f64::from(blocks[32 + 4]) - 127.0).exp2());
            let fixed = Md1Options {
                step: GridStep::Length(stride_step(&blob)),
                boxes: false,
                mode: Md1Mode::Fixed,
                ..Md1Options::default()
            };
            let fixed = encode_md1(&mesh.positions, &mesh.triangles, &fixed).expect("a good mesh").bytes.len();
            assert!(10 * fixed <= 9 * blob.len(), "{name}: {fixed} of {}", blob.len());
            let (stride, dgf) = (ours as f64 / blob.len() as f64, coarse as f64 / blocks.len() as f64);
            println!(
                "| STRIDE DPRB 4 | {name}, {} triangles | {stride:.3} |\n| DGF | {name} | {dgf:.3} |\n{} meshlets, {} vertices, {} strips, {:.2} and {:.2} bits a vertex, step {:.3} of STRIDE's",
                mesh.triangles.len(),
                stats.meshlets,
                stats.vertices,
                stats.strips,
                8.0 * ours as f64 / mesh.positions.len() as f64,
                8.0 * coarse as f64 / mesh.positions.len() as f64,
                stats.step / stride_step(&blob),
            );
            assert!(stride <= 0.9 && dgf <= 0.65, "{name}");
        }
    }
}

/// Grid step of a STRIDE blob in world units: the largest of the axes.
fn stride_step(blob: &[u8]) -> f64 {
    let float = |at: usize| f64::from(f32::from_le_bytes(blob[at..at + 4].try_into().expect("four bytes")));
    let bits = |axis: usize| f64::from(blob[76 + 4 * axis]);
    let steps = (0..3).map(|axis| float(64 + 4 * axis) / (bits(axis).exp2() - 1.0) * float(44));
    steps.fold(0.0, f64::max)
}

fn golden_folder() -> std::path::PathBuf {
    common::folders()[0].join("md1")
}

/// Versions 1 and 2 are frozen: these files, which the example `golden` wrote, must decode to these arrays for ever.
#[test]
fn golden_files_decode_to_their_arrays() {
    for name in ["waves40.predicted", "waves40.offsets", "waves40.fixed"] {
        let file = open(&common::read(&golden_folder().join(format!("{name}.md1")))).expect("a golden file");
        let decoded = file.decode_cpu(Outputs::ALL);
        assert_eq!(common::compare_arrays(&decoded, &golden_folder(), name), 3, "{name}: tris, verts.f32, verts.i32");
    }
}

/// Mode 2 belongs to version 2, the others to version 1, and mode 2 has one predictor.
/// A band of 256 vertices that closes: triangles without a new vertex stand behind the last first use. The weights 2, 2, -2 and a shift of 1 are a + b - c by the general predictor.
#[test]
fn predictors_agree_behind_the_last_vertex_of_a_full_meshlet() {
    let turn = |k: u32| std::f64::consts::TAU * f64::from(k / 2) / 128.0;
    let positions: Vec<[f32; 3]> =
        (0..256).map(|k| [turn(k).cos() as f32, turn(k).sin() as f32, (k % 2) as f32]).collect();
    let corner = |k: u32| k % 256;
    let triangles: Vec<[u32; 3]> = (0..256).map(|k| [k, corner(k + 1 + k % 2), corner(k + 2 - k % 2)]).collect();
    let encoded = encode_md1(&positions, &triangles, &Md1Options::default()).expect("a good mesh");
    let file = open(&encoded.bytes).expect("a good file");
    assert_eq!((file.unit_count(), file.vertex_count(), file.triangle_count()), (1, 256, 256));
    let mut bytes = encoded.bytes.clone();
    for axis in 0..3 {
        for (k, weight) in [2i16, 2, -2].into_iter().enumerate() {
            bytes[44 + 6 * axis + 2 * k..][..2].copy_from_slice(&weight.to_le_bytes());
        }
        bytes[62 + axis] = 1;
    }
    let [expected, found] = [&encoded.bytes, &bytes].map(|bytes| {
        let decoded = open(bytes).expect("a good file").decode_cpu(Outputs::ALL);
        decoded.check().expect("a good unit");
        decoded
    });
    assert_eq!((found.grid, found.triangles), (expected.grid, expected.triangles));
}

#[test]
fn versions_have_their_modes() {
    let bytes = common::read(&golden_folder().join("waves40.fixed.md1"));
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        open(&bytes).expect_err("refused").to_string()
    };
    assert_eq!((bytes[4], bytes[43]), (2, 2));
    assert!(changed(4, 1).ends_with("mode is 2, allowed: 0 and 1"), "{}", changed(4, 1));
    assert!(changed(4, 3).contains("version 3, supported are 1 and 2"), "{}", changed(4, 3));
    assert!(changed(43, 0).ends_with("mode is 0, allowed: 2"), "{}", changed(43, 0));
    assert!(changed(46, 2).contains("predictor in mode 2 is 2"), "{}", changed(46, 2));
    assert!(changed(63, 1).contains("predictor in mode 2"), "{}", changed(63, 1));
}

#[test]
fn unusable_input_is_refused() {
    let message = |positions: &[[f32; 3]], triangles: &[[u32; 3]], options: &Md1Options| {
        encode_md1(positions, triangles, options).expect_err("refused").to_string()
    };
    let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let options = Md1Options::default();
    assert_eq!(
        message(&triangle, &[[0, 1, 3]], &options),
        "vertices of triangle 0: [0, 1, 3], allowed: indices below 3"
    );
    assert_eq!(message(&[[f32::INFINITY; 3]], &[], &options), "coordinate of vertex 0: inf, allowed: finite numbers");
    let fine = Md1Options { step: GridStep::Length(1e-6), ..options };
    assert_eq!(
        message(&triangle, &[[0, 1, 2]], &fine),
        "grid step 2^-20: 1048576 grid steps along an axis, allowed are 65535: use 2^-15 = 0.000030517578125 or longer"
    );
    let finest = Md1Options { step: GridStep::Length(0.00004), ..options };
    assert!(encode_md1(&triangle, &[[0, 1, 2]], &finest).is_ok(), "the step that the message names");
    let finer = Md1Options { step: GridStep::Length(0.00002), ..options };
    assert!(message(&triangle, &[[0, 1, 2]], &finer).contains("65536 grid steps"));
    let none = Md1Options { limits: MeshletLimits { vertices: 2, triangles: 1 }, ..options };
    assert!(message(&triangle, &[[0, 1, 2]], &none).starts_with("meshlet limits"));
}
