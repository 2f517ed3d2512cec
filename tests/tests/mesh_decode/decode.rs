//! mesh-decode on every adapter, in both strict forms, against the CPU references, as words: every vector of the corpus, hostile
//! files, random damage, lists of units, batches, streamed uploads.
//!
//! Kernels: `decode_dgf`, `attributes_dgf`, `decode_md1`, `chain_md1`, `dequantize_md1`, `decode_stride`, `residuals_stride`, `expand_stride`, `chain_stride`,
//! `dequantize_stride`, `decode_meshlets`, `decode_clusters`.

use std::fs;
use std::path::{Path, PathBuf};

use conformance::adapters::on_every_adapter;
use gpu_runtime::Context;
use mesh_decode::{
    DeviceFile, DeviceMesh, Error, File, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, Selection,
    VertexOutput, encode_md1, open,
};
use mesh_distance::make;

/// The small vectors of mesh-decode, and the full corpus beside the workspace where it exists.
fn folders() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = std::env::var_os("ISOBIT_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let mut folders = vec![workspace.join("crates/mesh-decode/tests/data")];
    let full = shared.join("corpus/mesh-decode");
    if full.is_dir() {
        folders.push(full);
    } else {
        println!("skipped: the full corpus, no folder {}", full.display());
    }
    folders
}

/// The files of units that open, small ones first.
fn files(endings: &[&str]) -> Vec<(String, Vec<u8>, File)> {
    let mut found = Vec::new();
    for folder in folders() {
        for part in ["dgf", "stride", "meshopt", "md1", "hostile"] {
            let Ok(entries) = fs::read_dir(folder.join(part)) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                if !path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
                    continue;
                }
                let bytes = fs::read(&path).unwrap();
                if let Ok(file) = open(&bytes) {
                    let name = format!("{part}/{}", path.file_name().unwrap().to_string_lossy());
                    found.push((name, bytes, file));
                }
            }
        }
    }
    found.sort_by_key(|(name, bytes, _)| (bytes.len(), name.clone()));
    assert!(!found.is_empty());
    found
}

/// Everything that a decode leaves, as words: vertices, triangles, statuses.
fn device_words(mesh: &DeviceMesh) -> [Vec<u32>; 3] {
    let floats = mesh.positions.download().unwrap().into_iter().flatten().map(f32::to_bits);
    let grid = mesh.grid.download().unwrap().into_iter().flatten().map(|x| x as u32);
    let vertices = floats.chain(grid).chain(mesh.references.download().unwrap()).collect();
    let triangles = mesh.triangles.download().unwrap().into_iter().flatten().collect();
    [vertices, triangles, mesh.statuses.download().unwrap()]
}

/// The same of the CPU reference.
fn cpu_words(file: &File, list: &[u32], output: VertexOutput) -> [Vec<u32>; 3] {
    let decoded = file.decode_units_cpu(list, Outputs::ALL).unwrap();
    let vertices = match output {
        _ if !decoded.vertex_references.is_empty() => decoded.vertex_references,
        VertexOutput::Positions => decoded.positions.into_iter().flatten().map(f32::to_bits).collect(),
        VertexOutput::Grid => decoded.grid.into_iter().flatten().map(|x| x as u32).collect(),
    };
    [vertices, decoded.triangles.into_iter().flatten().collect(), decoded.statuses]
}

#[track_caller]
fn assert_words(got: &[Vec<u32>; 3], expected: &[Vec<u32>; 3], what: &str) {
    for (k, part) in ["vertices", "triangles", "statuses"].into_iter().enumerate().rev() {
        let (got, expected) = (&got[k], &expected[k]);
        assert_eq!(got.len(), expected.len(), "{what}: {part}");
        if let Some(at) = (0..got.len()).find(|at| got[*at] != expected[*at]) {
            panic!("{what}: word {at} of {} {part} is {:#x}, expected {:#x}", got.len(), got[at], expected[at]);
        }
    }
}

/// Geometry ids, opacity, primitive ids and user words of both.
fn compare_attributes(device: &DeviceFile, selection: &Selection, file: &File, list: &[u32], what: &str) {
    let mesh = device.decode(selection, VertexOutput::Positions).unwrap();
    let got = device.attributes(selection, &mesh).unwrap();
    let expected = file.decode_units_cpu(list, Outputs::ALL).unwrap();
    let opaque: Vec<u32> = expected.opaque.iter().map(|flag| u32::from(*flag)).collect();
    assert_eq!(got.geometry_ids.download().unwrap(), expected.geometry_ids, "{what}: geometry ids");
    assert_eq!(got.opaque.download().unwrap(), opaque, "{what}: opaque");
    assert_eq!(got.primitive_ids.download().unwrap(), expected.primitive_ids, "{what}: primitive ids");
    assert_eq!(got.user_words.download().unwrap(), expected.user_words, "{what}: user words");
}

const OUTPUTS: [VertexOutput; 2] = [VertexOutput::Positions, VertexOutput::Grid];

pub(super) fn compare(context: &Context, name: &str, file: &File) {
    let device = DeviceFile::upload(context, file).unwrap();
    let all = device.select_all().unwrap();
    let list: Vec<u32> = (0..file.unit_count()).collect();
    for output in OUTPUTS {
        let mesh = device.decode(&all, output).unwrap();
        assert_words(&device_words(&mesh), &cpu_words(file, &list, output), &format!("{name} {output:?}"));
    }
    compare_attributes(&device, &all, file, &list, name);
}

/// Files above this are left to hardware: a software device needs seconds for them.
const SOFTWARE_BYTES: usize = 300_000;

fn compare_all(context: &Context, endings: &[&str]) {
    let mut compared = 0;
    for (name, bytes, file) in files(endings) {
        if context.adapter().is_hardware() || bytes.len() <= SOFTWARE_BYTES {
            compare(context, &name, &file);
            compared += 1;
        }
    }
    println!("{compared} files");
}

#[test]
fn dgf_vectors_give_the_words_of_the_cpu() {
    on_every_adapter(|context| compare_all(context, &["dgfblob"]));
}

/// The next of a repeatable sequence of numbers.
fn random(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

/// A file with a few bits of its body turned over; `None` when its header or tables no longer hold.
fn damaged(bytes: &[u8], from: usize, state: &mut u32) -> Option<File> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random(state) % 12 {
        let at = from + random(state) as usize % (bytes.len() - from);
        bytes[at] ^= 1 << (random(state) % 8);
    }
    open(&bytes).ok()
}

/// Damages each of the files many times; `from`: the bytes of the header.
fn compare_damaged(files: &[(String, Vec<u8>, File)], from: usize, rounds: usize) {
    let small: Vec<_> = files.iter().filter(|(_, bytes, _)| (300..20_000).contains(&bytes.len())).collect();
    assert!(!small.is_empty(), "no file of 300 to 20,000 bytes");
    on_every_adapter(|context| {
        let mut state = 5;
        let mut statuses = [0_usize; 16];
        for round in 0..rounds {
            let (name, bytes, _) = small[round % small.len()];
            let Some(file) = damaged(bytes, from, &mut state) else { continue };
            compare(context, &format!("{name}, round {round}"), &file);
            for word in file.decode_cpu(Outputs::MESH).statuses {
                statuses[word as usize] += 1;
            }
        }
        println!("units by status: {statuses:?}");
        assert!(statuses[1..].iter().sum::<usize>() > 0);
    });
}

#[test]
fn damaged_dgf_blocks_give_the_statuses_of_the_cpu() {
    compare_damaged(&files(&["dgfblob"]), 32, 60);
}

/// MD1 files of our own encoder: both modes, small and full meshlets, degenerate and unconnected triangles.
fn md1_files() -> Vec<(String, Vec<u8>, File)> {
    let mut found = Vec::new();
    for (name, positions, triangles) in meshes() {
        for mode in [Md1Mode::Predicted, Md1Mode::Offsets, Md1Mode::Fixed] {
            for (bits, count) in [(6, 24), (12, 256), (13, 256), (16, 256)] {
                let limits = MeshletLimits { vertices: count, triangles: count };
                let options = Md1Options { step: GridStep::Bits(bits), mode, limits, ..Md1Options::default() };
                let bytes = encode_md1(&positions, &triangles, &options).unwrap().bytes;
                let file = open(&bytes).unwrap();
                found.push((format!("{name} {mode:?} {bits} {count}"), bytes, file));
            }
        }
    }
    found
}

type Source = (&'static str, Vec<[f32; 3]>, Vec<[u32; 3]>);

/// Meshes that stress connectivity: a sphere, a terrain, a fan, triangles alone, triangles that use a vertex twice.
fn meshes() -> Vec<Source> {
    let of = |mesh: mesh_distance::Mesh| (mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect(), mesh.triangles);
    let (sphere, sphere_triangles) = of(make::sphere(3_000));
    let (terrain, terrain_triangles) = of(make::terrain(2_000));
    let fan: Vec<[f32; 3]> = (0..300)
        .map(|k| if k == 0 { [0.0; 3] } else { [(k as f32 * 0.02).cos(), (k as f32 * 0.02).sin(), 0.1] })
        .collect();
    let fan_triangles = (1..299).map(|k| [0, k, k + 1]).collect();
    let mut state = 11;
    let soup: Vec<[f32; 3]> = (0..900).map(|_| [0, 1, 2].map(|_| random(&mut state) as f32 / 1e6)).collect();
    let soup_triangles = (0..300).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let degenerate = (0..200).map(|k| [k, k + 1, if k % 3 == 0 { k } else { k + 2 }]).collect();
    vec![
        ("sphere", sphere, sphere_triangles),
        ("terrain", terrain, terrain_triangles),
        ("fan", fan, fan_triangles),
        ("soup", soup.clone(), soup_triangles),
        ("degenerate", soup, degenerate),
    ]
}

#[test]
fn md1_files_give_the_words_of_the_cpu() {
    on_every_adapter(|context| {
        compare_all(context, &["md1"]);
        md1_files().iter().for_each(|(name, _, file)| compare(context, name, file));
    });
}

#[test]
fn damaged_md1_meshlets_give_the_statuses_of_the_cpu() {
    compare_damaged(&md1_files(), 72, 240);
}

/// An MD1 file of version 2 with one strip of two triangles; all four vertices are 0 0 0 but for the residual of the last one. Codes have 12 bits.
fn last_residual(residual: [i32; 3]) -> File {
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |value: u32, width: u32| bits.extend((0..width).map(|k| (value >> k) & 1 == 1));
    // Widths of distances, deltas and residuals; the anchor; edges; first uses; the residuals.
    for (value, width) in [(0, 4), (0, 15), (18, 5), (18, 5), (18, 5), (0, 18), (0, 18), (0, 2), (15, 4)] {
        put(value, width);
    }
    for r in residual {
        put(((r << 1) ^ (r >> 31)) as u32, 18);
    }
    let word = |chunk: &[bool]| chunk.iter().rev().fold(0_u32, |word, bit| word << 1 | u32::from(*bit));
    let body: Vec<u32> = bits.chunks(32).map(word).collect();
    let weights = |pair: u32| [0x0001_0001, 0x0001_ffff, 0xffff_0001][pair as usize % 3];
    let mut words = vec![0x0031_444d, 2, 1, 4, 2, body.len() as u32, 0, 0, 0, 0, 0x020c_0c0c];
    words.extend((0..4).map(weights));
    words.extend([0x0000_ffff, 0, 0, 0, 3 | 1 << 8]);
    words.extend(body);
    open(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()).unwrap()
}

/// Where codes of 13 bits and less are summed two in a word, a residual may neither go round 2^16 nor reach the other axis.
#[test]
fn codes_that_leave_their_range_are_found_on_every_axis() {
    let wide = [1 << 12, 1 << 14, (1 << 14) + 1, 1 << 15, 1 << 16, (1 << 17) - 1];
    let far =
        wide.iter().flat_map(|r| [*r, -r]).flat_map(|r| [[r, 0, 0], [0, r, 0], [0, 0, r], [r, -1, 1], [-1, r, r]]);
    let files: Vec<_> = far.map(|residual| (residual, last_residual(residual))).collect();
    for (residual, file) in &files {
        assert_eq!(file.decode_cpu(Outputs::MESH).statuses, [mesh_decode::Status::Range as u32], "{residual:?}");
    }
    assert_eq!(last_residual([4095, 1, 0]).decode_cpu(Outputs::ALL).grid[3], [4095, 1, 0]);
    on_every_adapter(|context| {
        compare(context, "4095 1 0", &last_residual([4095, 1, 0]));
        files.iter().for_each(|(residual, file)| compare(context, &format!("{residual:?}"), file));
    });
}

#[test]
fn stride_vectors_give_the_words_of_the_cpu() {
    on_every_adapter(|context| compare_all(context, &["dprb", "dpr4"]));
}

/// A scale so small that some coordinates count as +0: kernels that flush nothing may not take this file.
#[test]
fn stride_positions_that_count_as_zero() {
    let (_, mut bytes, _) = files(&["dprb"]).into_iter().find(|(.., file)| file.vertex_count() > 200).unwrap();
    bytes[32..44].fill(0);
    bytes[44..48].copy_from_slice(&2.0_f32.powi(-123).to_le_bytes());
    let file = open(&bytes).unwrap();
    let [words, ..] = cpu_words(&file, &[0], VertexOutput::Positions);
    assert!(words.contains(&0) && words.iter().any(|word| *word != 0), "{words:x?}");
    on_every_adapter(|context| compare(context, "a scale of 2^-123", &file));
}

#[test]
fn damaged_stride_meshlets_give_the_statuses_of_the_cpu() {
    compare_damaged(&files(&["dprb"]), 112, 120);
    compare_damaged(&files(&["dpr4"]), 86, 60);
}

#[test]
fn meshlet_sets_and_clusters_give_the_words_of_the_cpu() {
    on_every_adapter(|context| compare_all(context, &["mml", "mxc"]));
}

#[test]
fn damaged_meshlets_and_clusters_give_the_statuses_of_the_cpu() {
    compare_damaged(&files(&["mml"]), 16, 100);
    compare_damaged(&files(&["mxc"]), 32, 100);
}

fn flat17() -> File {
    let path = folders()[0].join("dgf/flat17.tb6.dgfblob");
    open(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn lists_batches_and_streamed_uploads_give_the_words_of_the_cpu() {
    let file = flat17();
    let lists: [&[u32]; 5] = [&[], &[0], &[1, 3, 4, 7], &[], &[2, 3]];
    on_every_adapter(|context| {
        let device = DeviceFile::upload(context, &file).unwrap();
        for list in lists {
            let mesh = device.decode(&device.select(list).unwrap(), VertexOutput::Positions).unwrap();
            let expected = cpu_words(&file, list, VertexOutput::Positions);
            assert_words(&device_words(&mesh), &expected, &format!("list {list:?}"));
            let streamed = DeviceFile::upload_units(context, &file, list).unwrap();
            let mesh = streamed.decode(&streamed.select_all().unwrap(), VertexOutput::Positions).unwrap();
            assert_words(&device_words(&mesh), &expected, &format!("streamed {list:?}"));
        }
        let batch = device.select_batch(&lists).unwrap();
        let mesh = device.decode(&batch, VertexOutput::Positions).unwrap();
        let mut expected: [Vec<u32>; 3] = Default::default();
        for list in lists {
            for (all, part) in expected.iter_mut().zip(cpu_words(&file, list, VertexOutput::Positions)) {
                all.extend(part);
            }
        }
        assert_words(&device_words(&mesh), &expected, "batch");
        assert_eq!(batch.units().len(), 7);
    });
}

#[test]
fn wrong_lists_and_small_buffers_are_refused() {
    let file = flat17();
    on_every_adapter(|context| {
        let device = DeviceFile::upload(context, &file).unwrap();
        let units = file.unit_count();
        assert_eq!(device.select(&[3, 3]).unwrap_err(), Error::UnitOrder { index: 1, unit: 3, previous: 3 });
        assert_eq!(device.select(&[units]).unwrap_err(), Error::UnitRange { index: 0, unit: units, units });
        let small = device.allocate(&device.select(&[0]).unwrap(), VertexOutput::Positions).unwrap();
        let mut recording = context.record("test");
        let error = device.record(&mut recording, &device.select_all().unwrap(), &small).unwrap_err();
        assert!(error.to_string().contains("values needed"), "{error}");
    });
}

#[test]
fn jobs_made_elsewhere_may_leave_places_out() {
    let file = flat17();
    on_every_adapter(|context| {
        let device = DeviceFile::upload(context, &file).unwrap();
        let whole = device.select_all().unwrap();
        let picked = [2_u32, 5];
        let expected = cpu_words(&file, &picked, VertexOutput::Positions);
        let mut jobs = device.select(&picked).unwrap().jobs().download().unwrap();
        jobs.resize(9, [mesh_decode::NO_UNIT; 4]);
        let selection = Selection::from_device(
            context.upload("jobs", &jobs).unwrap(),
            whole.vertex_count(),
            whole.triangle_count(),
        );
        let mut got = device_words(&device.decode(&selection, VertexOutput::Positions).unwrap());
        // The rest of the buffers was never written.
        for (words, expected) in got.iter_mut().zip(&expected) {
            assert!(words.drain(expected.len()..).all(|word| word == 0));
        }
        assert_words(&got, &expected, "two of nine jobs");
    });
}

/// One workgroup a unit and more units than a dimension has workgroups.
#[test]
fn more_units_than_workgroups_of_a_dimension() {
    let count = 65_537_u32;
    let positions: Vec<[f32; 3]> =
        (0..3 * count).map(|v| [(v % 256) as f32, (v / 256) as f32, (v % 3) as f32]).collect();
    let triangles: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let limits = MeshletLimits { vertices: 3, triangles: 1 };
    let options = Md1Options { mode: Md1Mode::Fixed, limits, ..Md1Options::default() };
    let file = open(&encode_md1(&positions, &triangles, &options).unwrap().bytes).unwrap();
    assert_eq!(file.unit_count(), count);
    on_every_adapter(|context| compare(context, "65,537 meshlets", &file));
}
