//! meshoptimizer's streams and filters on every adapter against the CPU references, as words: every vector, random damage, wrong counts.
//!
//! Kernels: `decode_vertices`, `decode_indices`, `decode_sequence`, `filter_vertices`.

use std::fs;
use std::path::{Path, PathBuf};

use conformance::adapters::on_every_adapter;
use gpu_runtime::Context;
use mesh_decode::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};
use mesh_decode::{Error, Stream, decode_streams, record_filter};
use serde_json::Value;

/// The small vectors of mesh-decode, and the full corpus beside the workspace where it exists.
fn folders() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = std::env::var_os("ISOBIT_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let all = [workspace.join("crates/mesh-decode/tests/data/meshopt"), shared.join("corpus/mesh-decode/meshopt")];
    all.into_iter().filter(|folder| folder.is_dir()).collect()
}

struct Vector {
    name: String,
    kind: String,
    count: usize,
    stride: usize,
    bytes: Vec<u8>,
}

/// The vectors of at most so many bytes.
fn vectors(limit: usize) -> Vec<Vector> {
    let mut found = Vec::new();
    for folder in folders() {
        let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
        for entry in manifest.as_array().unwrap() {
            let number = |key: &str| entry[key].as_u64().unwrap_or(0) as usize;
            let (Some(name), Some(kind)) = (entry["file"].as_str(), entry["kind"].as_str()) else { continue };
            let bytes = fs::read(folder.join(name)).unwrap();
            let (name, kind) = (name.to_owned(), kind.to_owned());
            found.push(Vector { name, kind, count: number("count"), stride: number("stride"), bytes });
        }
    }
    found.retain(|vector| vector.bytes.len() <= limit);
    assert!(!found.is_empty());
    found
}

fn stream(vector: &Vector) -> Option<Stream<'_>> {
    let Vector { kind, count, stride, bytes, .. } = vector;
    let (count, stride) = (*count, *stride);
    match kind.as_str() {
        "vertex" => Some(Stream::Vertices { bytes, count, stride }),
        "index" => Some(Stream::Indices { bytes, count, vertices: None }),
        "sequence" => Some(Stream::Sequence { bytes, count, vertices: None }),
        _ => None,
    }
}

fn cpu(stream: &Stream<'_>) -> Result<Vec<u32>, Error> {
    match *stream {
        Stream::Vertices { bytes, count, stride } => decode_vertices(bytes, count, stride).map(|bytes| words(&bytes)),
        Stream::Indices { bytes, count, vertices } => decode_indices(bytes, count, vertices),
        Stream::Sequence { bytes, count, vertices } => decode_sequence(bytes, count, vertices),
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect()
}

// lavapipe gives an invocation 65,535 rounds of loops, so long streams are for hardware.
fn limit(context: &Context) -> usize {
    if context.adapter().is_hardware() { usize::MAX } else { 4_000 }
}

#[test]
fn streams_give_the_words_of_the_cpu() {
    on_every_adapter(|context| {
        let all = vectors(limit(context));
        let named: Vec<(&str, Stream<'_>)> =
            all.iter().filter_map(|vector| stream(vector).map(|stream| (vector.name.as_str(), stream))).collect();
        let streams: Vec<Stream<'_>> = named.iter().map(|(_, stream)| *stream).collect();
        let decoded = decode_streams(context, &streams).unwrap();
        let got = decoded.words.download().unwrap();
        for ((name, stream), range) in named.iter().zip(&decoded.ranges) {
            assert!(got[range.clone()] == cpu(stream).unwrap(), "{name}: words differ");
        }
        println!("{} streams", streams.len());
        assert!(decode_streams(context, &[]).unwrap().ranges.is_empty());
    });
}

#[test]
fn damaged_streams_get_the_verdict_of_the_cpu() {
    on_every_adapter(|context| {
        let all = vectors(4_000);
        let mut state = 5_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize
        };
        let (mut good, mut refused) = (0, 0);
        for round in 0..120 {
            let Vector { kind, count, stride, bytes, name } = &all[round % all.len()];
            let mut bytes = bytes.clone();
            for _ in 0..1 + random() % 3 {
                let at = random() % bytes.len();
                bytes[at] ^= 1 << (random() % 8);
            }
            let count = if round % 7 == 0 { count + 3 } else { *count };
            let damaged = Vector { name: name.clone(), kind: kind.clone(), count, stride: *stride, bytes };
            let Some(stream) = stream(&damaged) else { continue };
            let expected = cpu(&stream);
            let got = decode_streams(context, &[stream]).map(|decoded| decoded.words.download().unwrap());
            assert_eq!(got, expected, "{name}, round {round}");
            *(if expected.is_ok() { &mut good } else { &mut refused }) += 1;
        }
        println!("{good} decoded, {refused} refused");
        assert!(good > 0 && refused > 0);
    });
}

#[test]
fn indices_out_of_range_are_refused() {
    let all = vectors(4_000);
    let vector = all.iter().find(|vector| vector.name == "tetra.v1.mib").unwrap();
    on_every_adapter(|context| {
        let of = |vertices| Stream::Indices { bytes: &vector.bytes, count: vector.count, vertices: Some(vertices) };
        assert!(decode_streams(context, &[of(4)]).is_ok());
        let error = decode_streams(context, &[of(4), of(3)]).unwrap_err();
        assert_eq!(error.to_string(), "meshopt-indices: index 5 is 3, allowed are indices below 3");
    });
}

/// Every word that a filter can meet in its parts: random words and the borders.
fn filter_words(stride: usize) -> Vec<u32> {
    let mut state = 17_u32;
    let borders =
        [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff_ffff, 0x8000_8000, 0x7f7f_7f7f, 0x8080_8080, 0x7f80_0001];
    let random = (0..6_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state ^ (state >> 15)
    });
    let mut all: Vec<u32> = borders.into_iter().chain(random).collect();
    all.truncate(all.len() / (stride / 4) * (stride / 4));
    all
}

#[test]
fn filters_give_the_words_of_the_cpu() {
    let forms = [
        (Filter::Octahedral, 4),
        (Filter::Octahedral, 8),
        (Filter::Quaternion, 8),
        (Filter::Exponential, 12),
        (Filter::Colour, 4),
        (Filter::Colour, 8),
    ];
    on_every_adapter(|context| {
        for (filter, stride) in forms {
            let input = filter_words(stride);
            let mut expected: Vec<u8> = input.iter().flat_map(|word| word.to_le_bytes()).collect();
            apply_filter(filter, &mut expected, stride).unwrap();
            let buffer = context.upload("vertices", &input).unwrap();
            let mut recording = context.record("filter");
            record_filter(&mut recording, filter, &buffer, stride).unwrap();
            recording.submit().unwrap();
            let (got, expected) = (buffer.download().unwrap(), words(&expected));
            let differs = (0..got.len()).find(|k| got[*k] != expected[*k]);
            assert_eq!(differs.map(|k| (k, input[k], got[k], expected[k])), None, "{filter:?} {stride}");
            let mut recording = context.record("filter");
            assert!(record_filter(&mut recording, filter, &buffer, 20).is_err() || filter == Filter::Exponential);
        }
    });
}
