//! Hostile files: a clean error that names what is wrong, with its numbers.

use mesh_decode::meshopt::{decode_indices, decode_vertices};
use mesh_decode::{Error, Outputs, open};
use serde_json::Value;

use crate::common;

/// The error of a file of units: of the file itself, or of its first damaged unit.
fn unit_error(bytes: &[u8]) -> Result<(), Error> {
    open(bytes)?.decode_cpu(Outputs::ALL).check()
}

#[test]
fn the_hostile_corpus_is_refused() {
    for folder in common::folders().into_iter().skip(1) {
        let folder = folder.join("hostile");
        let manifest: Value = serde_json::from_slice(&common::read(&folder.join("manifest.json"))).expect("JSON");
        for entry in manifest.as_array().expect("a list") {
            let name = entry["file"].as_str().expect("a name");
            let bytes = common::read(&folder.join(name));
            let result = match name {
                "meshopt_issue1035.mvb" => {
                    assert_eq!(decode_vertices(&bytes, 16, 4), Ok(vec![0; 64]), "one verdict: the scalar one");
                    continue;
                }
                "meshopt_oob.mib" => decode_indices(&bytes, 24576, Some(4225)).map(|_| ()),
                _ if name.ends_with(".mvb") => decode_vertices(&bytes, 4225, 20).map(|_| ()),
                _ => unit_error(&bytes),
            };
            let error = result.err().unwrap_or_else(|| panic!("{name} was decoded: {}", entry["why"])).to_string();
            assert!(error.chars().any(|c| c.is_ascii_digit()), "{name}: no number in `{error}`");
            println!("{name}: {error}");
        }
    }
}

/// A file of `tests/data` with some bytes replaced.
fn mutated(name: &str, changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = common::read(&common::folders()[0].join(name));
    for (at, with) in changes {
        bytes[*at..at + with.len()].copy_from_slice(with);
    }
    bytes
}

#[track_caller]
fn refused(name: &str, changes: &[(usize, &[u8])], message: &str) {
    let error = unit_error(&mutated(name, changes)).expect_err(name).to_string();
    assert_eq!(error, message, "{name}");
}

#[test]
fn damaged_dgf_files_say_where() {
    let name = "dgf/flat17.tb6.dgfblob";
    refused(name, &[(0, b"XGFB")], "no known format: 1120 bytes, the first are [58, 47, 46, 42, 01, 00, 00, 00]");
    refused(name, &[(4, &[2])], "dgfb: version 2, supported is 1");
    refused(name, &[(8, &[0, 0, 0, 4])], "dgfb: a file of this many blocks needs 9126805536 bytes, the file has 1120");
    refused(name, &[(12, &[9])], "dgfb: byte 12: total of vertices is 265, allowed: 408");
    refused(name, &[(28, &[1])], "dgfb: byte 28: reserved word is 1, allowed: 0");
    refused(name, &[(32 + 8 * 128 + 4, &[50])], "dgfb: byte 1060 (unit 1): vertex offset is 50, allowed: 51");
    refused(name, &[(32 + 4, &[255])], "unit 0: bit 32: exponent 255, allowed are 1 to 232");
    refused(name, &[(32 + 19, &[0xc0])], "unit 0: bit 158: reserved bits 0x3, expected 0x0");
    refused(name, &[(32 + 12, &[0x30])], "unit 0: bit 100: 3 opacity micromap descriptors, supported are 0");
    // The control codes of triangles 1 to 3 are the last byte, from its top: BACKTRACK at triangle 1.
    refused(
        name,
        &[(32 + 127, &[0xc0])],
        "unit 0: bit 1022: connectivity code 3 is illegal here, allowed are codes below 3",
    );
}

#[test]
fn damaged_stride_files_say_where() {
    let name = "stride/bowtie_nonmanifold.dprb";
    refused(name, &[(4, &[3])], "stride-dprb: blob version 3, supported is 4");
    for version in [16, 17, 20] {
        let message = format!("stride-dprb: blob version {version}: its layout has not been published; supported is 4");
        refused(name, &[(4, &[version])], &message);
    }
    refused(
        name,
        &[(8, &[0, 0, 0, 0x80])],
        "stride-dprb: header, body and tables of this many meshlets needs 107374182597 bytes, the file has 297",
    );
    refused(name, &[(76, &[40])], "stride-dprb: byte 76: bits of a code is 40, allowed: 1 to 16");
    refused(name, &[(106, &[40])], "stride-dprb: byte 106: predictor shift is 40, allowed: 0 to 14");
    refused(
        name,
        &[(44, &f32::NAN.to_le_bytes())],
        "stride-dprb: byte 44: float of the frame (its bits) is 2143289344, allowed: finite, magnitude up to 2^60",
    );
    // The first strip's length follows the three counts.
    refused(name, &[(112 + 6, &[255, 255])], "unit 0: bit 64: a count is 65535, expected 1");
    // Behind it stands the first vertex token: a place on the empty list.
    refused(name, &[(112 + 8, &[0])], "unit 0: bit 70: place 0 of the list of recent vertices, which is empty here");
    let container = "stride/tetra.dpr4";
    refused(container, &[(4, &[4])], "stride-dpr4: container version 4, supported is 3");
    refused(
        container,
        &[(86, &[0, 0, 0, 1])],
        "stride-dpr4: byte 86 (unit 0): bit offset is 1, allowed: 720 to 1072 and up to the next one",
    );
}

#[test]
fn damaged_meshopt_files_say_where() {
    let name = "meshopt/fan200.m64_96.mml";
    refused(name, &[(16 + 4, &[8])], "unit 0: bit 0: 376 bits are needed, the unit has 64");
    refused(name, &[(16 + 8, &[1, 1])], "meshopt-meshlets: byte 24 (unit 0): vertices is 257, allowed: up to 256");
    refused(name, &[(16 + 16, &[7])], "meshopt-meshlets: byte 32 (unit 0): output offset is 7, allowed: 0");
    // All codes 15: three extra bytes a triangle.
    refused(name, &[(96 + 80, &[255; 31])], "unit 0: bit 512: 536 bits are needed, the unit has 512");
    let clusters = "meshopt/tetra.c64_96.mxc";
    refused(clusters, &[(36 + 4, &[0])], "unit 0: bit 32: exponent 0, allowed are 1 to 232");
    refused(clusters, &[(12, &[5])], "meshopt-clusters: byte 12: total of vertices is 5, allowed: 4");
    let stream = mutated("meshopt/tetra.v1.mib", &[]);
    assert_eq!(
        decode_indices(&stream, 12, Some(3)).expect_err("4 vertices").to_string(),
        "meshopt-indices: index 5 is 3, allowed are indices below 3"
    );
    assert_eq!(
        open(&stream).expect_err("no count").to_string(),
        "meshopt-indices does not carry its counts: give count"
    );
}
