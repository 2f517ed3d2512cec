//! `encode`, `decode` and `inspect` as a user meets them: good files, selections, damage, wrong input.

use crate::support::{BOX_OBJ, Folder, isobit};
use serde_json::Value;

/// A height field of 2 x 20 x 20 triangles as text of an OBJ file.
fn hills() -> String {
    let mut text = String::new();
    let n = 21;
    for j in 0..n {
        for i in 0..n {
            let (x, y) = (f64::from(i) * 0.1, f64::from(j) * 0.1);
            text += &format!("v {x} {y} {}\n", 0.2 * (5.0 * x).sin() * (4.0 * y).cos());
        }
    }
    for j in 0..n - 1 {
        for i in 0..n - 1 {
            let a = j * n + i + 1;
            text += &format!("f {a} {} {}\nf {a} {} {}\n", a + 1, a + n + 1, a + n + 1, a + n);
        }
    }
    text
}

/// Encodes the hills with `--meshlet 64,64` and returns the file.
fn encoded(folder: &Folder, format: &str) -> String {
    let (mesh, out) = (folder.file("hills.obj", hills()), folder.path(&format!("hills.{format}")));
    let mut line = vec!["encode", &mesh, "--format", format, "--out", &out, "--bits", "10", "--json"];
    if format != "dgf" {
        line.extend(["--meshlet", "64,64"]);
    }
    let answer = isobit(&line).json();
    assert_eq!((answer["triangles"].as_u64(), answer["verb"].as_str()), (Some(800), Some("encode")));
    assert!(
        answer["max_error"].as_f64() <= answer["bound"].as_f64() && answer["step"].as_f64() > Some(0.0),
        "{answer}"
    );
    out
}

const FORMATS: [&str; 4] = ["md1", "dgf", "meshopt", "stride"];

fn words(path: &str) -> Vec<u32> {
    let bytes = std::fs::read(path).expect("the file exists");
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[test]
fn every_format_goes_round() {
    let folder = Folder::new();
    for format in FORMATS {
        let file = encoded(&folder, format);
        for ending in ["obj", "stl", "ply"] {
            let out = folder.path(&format!("back.{ending}"));
            let answer = isobit(&["decode", &file, "--out", &out, "--json"]).json();
            assert_eq!(
                (answer["triangles"].as_u64(), &answer["damaged"]),
                (Some(800), &Value::from(Vec::<u32>::new()))
            );
            assert!(std::fs::metadata(&out).expect("written").len() > 10_000, "{format}, {ending}");
        }
        let report = isobit(&["report", &folder.path("back.stl"), "--json"]).json();
        assert_eq!(report["report"]["triangles"].as_u64().or(report["triangles"].as_u64()), Some(800), "{report}");
    }
}

#[test]
fn dumps_have_the_names_of_the_corpus() {
    let folder = Folder::new();
    let file = encoded(&folder, "dgf");
    isobit(&["decode", &file, "--dump", &folder.path("d"), "--json"]).json();
    for ending in ["tris.u32", "verts.f32", "verts.i32", "geomid.u32", "opaque.u8", "status.u32"] {
        assert!(folder.names().contains(&format!("d.{ending}")), "{ending}: {:?}", folder.names());
    }
    assert_eq!(words(&folder.path("d.tris.u32")).len(), 2400);
}

#[test]
fn blocks_carry_geometry_ids_opacity_and_user_words() {
    let folder = Folder::new();
    let mesh = folder.file("hills.obj", hills());
    let ids: Vec<u32> = (0..800).map(|t| 70_000 + t / 100).collect();
    let ids_file = folder.file("ids.u32", ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>());
    let opaque_file = folder.file("opaque.u8", (0..800).map(|t| u8::from(t % 5 != 0)).collect::<Vec<u8>>());
    let out = folder.path("hills.dgf");
    let line = ["encode", &mesh, "--format", "dgf", "--out", &out, "--geometry-ids", &ids_file, "--json"];
    isobit(&[&line[..], &["--opaque", &opaque_file, "--user-word", "77"]].concat()).json();
    isobit(&["decode", &out, "--dump", &folder.path("d"), "--json"]).json();
    // Triangles come out in another order: each id as often as it went in, and a fifth that is not opaque.
    let mut found = words(&folder.path("d.geomid.u32"));
    found.sort_unstable();
    assert_eq!(found, ids);
    let flags = std::fs::read(folder.path("d.opaque.u8")).expect("written");
    assert_eq!(flags.iter().map(|flag| u32::from(*flag)).sum::<u32>(), 640);
    assert!(words(&folder.path("d.userdata.u32")).iter().all(|word| *word == 77));
    let mut primitives = words(&folder.path("d.primid.u32"));
    primitives.sort_unstable();
    assert_eq!(primitives, (0..800).collect::<Vec<u32>>());
    let short = folder.file("short.u32", [0; 12]);
    let refused = ["encode", &mesh, "--format", "dgf", "--out", &out, "--geometry-ids", &short];
    isobit(&refused).refused(1, &["12 bytes", "3200"]);
    isobit(&["encode", &mesh, "--format", "md1", "--out", &out, "--user-word", "1"]).refused(2, &["only --format dgf"]);
}

#[test]
fn selections_are_compact_and_streaming_changes_nothing() {
    let folder = Folder::new();
    let file = encoded(&folder, "md1");
    let list = folder.file("ids.u32", [1_u32, 3].map(u32::to_le_bytes).concat());
    let batch = folder.file("batch.u32", [2_u32, 1, 3, 0, 1, 0].map(u32::to_le_bytes).concat());
    let (a, b, c) = (folder.path("a"), folder.path("b"), folder.path("c"));
    isobit(&["decode", &file, "--units", "1,3", "--dump-compact", &a, "--json"]).json();
    isobit(&["decode", &file, "--units", &list, "--streamed", "--dump-compact", &b, "--json"]).json();
    let csv = folder.path("t.csv");
    let line =
        ["decode", &file, "--units-batch", &batch, "--dump-compact", &c, "--launch-csv", &csv, "--launches", "3"];
    let answer = isobit(&[&line[..], &["--repeats", "2", "--warmup", "1", "--json"]].concat()).json();
    assert_eq!((answer["selections"].as_u64(), answer["units"].as_u64()), (Some(3), Some(3)));
    for part in ["units", "verts", "tris"] {
        let bytes = |prefix: &str| std::fs::read(format!("{prefix}-0.{part}.bin")).expect("written");
        assert_eq!(bytes(&a), bytes(&b), "{part}");
        assert_eq!(bytes(&a), bytes(&c), "{part}");
        assert!(!bytes(&a).is_empty());
        assert!(std::fs::read(format!("{c}-1.{part}.bin")).expect("written").is_empty(), "an empty selection");
    }
    let units = words(&format!("{a}-0.units.bin"));
    assert_eq!((units.len(), units[0], units[5], units[6]), (10, 1, 3, units[2]));
    let text = std::fs::read_to_string(&csv).expect("written");
    let rows: Vec<&str> = text.lines().collect();
    let columns = "selection,repeat,launch,units,verts,tris,empty,submit_us,decode_us,readback_us,total_us,gather_us,upload_us,upload_bytes";
    assert_eq!((rows.len(), rows[0]), (1 + 3 * 6, columns));
    assert!(rows[1].starts_with("0,0,0,2,") && rows[7].starts_with("1,0,0,0,0,0,1,"), "{text}");
    let empty = folder.file("none.u32", []);
    assert_eq!(isobit(&["decode", &file, "--units", &empty, "--json"]).json()["units"].as_u64(), Some(0));
}

#[test]
fn bad_lists_are_refused() {
    let folder = Folder::new();
    let file = encoded(&folder, "md1");
    let refused =
        |list: &str, code: i32, parts: &[&str]| isobit(&["decode", &file, "--units", list]).refused(code, parts);
    refused("3,1", 1, &["entry 1 is 1 after 3", "strictly increasing"]);
    refused("2,2", 1, &["entry 1 is 2 after 2"]);
    refused("999", 1, &["entry 0 is 999", "below"]);
    refused("1,", 2, &["not a unit"]);
    refused(&folder.path("missing.u32"), 1, &["cannot read"]);
    refused(&folder.file("odd.u32", [1, 2, 3]), 1, &["3 bytes", "multiples of 4"]);
    let short = folder.file("short.u32", [5_u32, 1].map(u32::to_le_bytes).concat());
    isobit(&["decode", &file, "--units-batch", &short]).refused(1, &["record 0 has 5 ids, 1 words are left"]);
    let out = folder.path("x.obj");
    isobit(&["decode", &file, "--units-batch", &short, "--out", &out]).refused(2, &["--units-batch", "--dump-compact"]);
}

#[test]
fn a_damaged_unit_is_named_and_the_rest_is_written() {
    let folder = Folder::new();
    let file = encoded(&folder, "dgf");
    let mut bytes = std::fs::read(&file).expect("written");
    bytes[32 + 2 * 128] = 7;
    let bad = folder.file("bad.dgf", &bytes);
    let run = isobit(&["decode", &bad, "--dump", &folder.path("d"), "--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.starts_with("error: ") && run.stderr.contains("bad.dgf:2: bit 0: magic number 0x7"), "{run:?}");
    let answer: Value = serde_json::from_str(&run.stdout).expect("one JSON object");
    assert_eq!((answer["damaged"][0]["unit"].as_u64(), answer["damaged"][0]["status"].as_u64()), (Some(2), Some(1)));
    let statuses = words(&folder.path("d.status.u32"));
    assert_eq!(statuses.iter().filter(|word| **word != 0).count(), 1);
    assert_eq!(statuses[2], 1);
    let inspected = isobit(&["inspect", &bad, "--json"]).json();
    assert_eq!(inspected["damaged"].as_array().map(Vec::len), Some(1));
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let folder = Folder::new();
    let file = encoded(&folder, "md1");
    let bytes = std::fs::read(&file).expect("written");
    for verb in ["decode", "inspect"] {
        isobit(&[verb, &folder.path("missing.md1")]).refused(1, &["cannot read"]);
        isobit(&[verb, &folder.file("empty.md1", [])]).refused(1, &["no known format", "0 bytes"]);
        isobit(&[verb, &folder.file("text.md1", "hello")]).refused(1, &["no known format", "5 bytes"]);
        for length in [8, 71, bytes.len() - 1] {
            let cut = folder.file("cut.md1", &bytes[..length]);
            isobit(&[verb, &cut]).refused(1, &["cut.md1: md1: ", &length.to_string()]);
        }
        isobit(&[verb, &folder.path("")]).refused(1, &[]);
    }
    isobit(&["decode", &file, "--format", "dgf"]).refused(1, &["the file is md1 (asked: dgf)"]);
    isobit(&["decode", &file, "--format", "zip"]).refused(2, &["unknown format (zip", "md1"]);
    isobit(&["decode", &file, "--out", &folder.path("a.gltf")]).refused(2, &[".gltf", ".obj, .stl, .ply"]);
    isobit(&["decode", &file, "--out", &folder.path("no/a.obj")]).refused(1, &["no folder"]);
}

#[test]
fn encode_refuses_what_it_cannot_do() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let out = folder.path("a.md1");
    let refused = |extra: &[&str], code: i32, parts: &[&str]| {
        isobit(&[&["encode", &mesh, "-o", &out], extra].concat()).refused(code, parts);
    };
    refused(&[], 2, &["--format"]);
    refused(&["--format", "zip"], 2, &["zip"]);
    refused(&["--format", "md1", "--bits", "17"], 2, &["17"]);
    refused(&["--format", "md1", "--bits", "8", "--step", "0.1"], 2, &["--bits", "--step"]);
    refused(&["--format", "md1", "--step", "0"], 2, &["above 0"]);
    refused(&["--format", "md1", "--step", "1e-9"], 4, &["grid steps", "65535", "use 2^-13 = "]);
    refused(&["--format", "md1", "--step", "1e-30"], 4, &["e30 grid steps", "65535", "use 2^-13 = "]);
    refused(&["--format", "stride", "--bits", "16"], 2, &["3 to 15"]);
    refused(&["--format", "dgf", "--sources"], 2, &["--sources", "md1"]);
    refused(&["--format", "md1", "--meshlet", "2,1"], 2, &["3 to 256"]);
    assert_eq!(folder.names(), ["box.obj"], "nothing was written");
}

#[test]
fn streams_need_their_counts() {
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../mesh-decode/tests/data/meshopt/");
    let (stream, set) = (format!("{data}fan200.pos16x4.v0l2.mvb"), format!("{data}fan200.m64_96.mml"));
    isobit(&["decode", &stream]).refused(2, &["meshopt-vertices", "--count"]);
    isobit(&["decode", &stream, "--count", "201"]).refused(2, &["--stride"]);
    isobit(&["decode", &stream, "--count", "300", "--stride", "8"]).refused(1, &["byte"]);
    let prefix = folder.path("v");
    isobit(&["decode", &stream, "--count", "201", "--stride", "8", "--dump", &prefix, "--json"]).json();
    let expected = std::fs::read(format!("{data}fan200.pos16x4.raw")).expect("a vector");
    assert_eq!(std::fs::read(folder.path("v.raw")).expect("written"), expected);
    isobit(&["decode", &stream, "--count", "201", "--stride", "8", "--units", "0"]).refused(1, &["neither units"]);
    isobit(&["decode", &set, "--out", &folder.path("a.obj")]).refused(1, &["connectivity alone"]);
    isobit(&["inspect", &stream]).refused(1, &["does not carry its counts"]);
}

#[test]
fn versions_counts_and_selections_are_said() {
    let folder = Folder::new();
    let (mesh, fixed) = (folder.file("box.obj", BOX_OBJ), folder.path("box.md1"));
    for (mode, version) in [("fixed", "2"), ("predicted", "1"), ("offsets", "1")] {
        assert_eq!(isobit(&["encode", &mesh, "--format", "md1", "--mode", mode, "--out", &fixed]).code, 0);
        assert_eq!(isobit(&["inspect", &fixed, "--json"]).json()["header"]["version"], version, "{mode}");
    }
    for option in ["--count", "--stride"] {
        isobit(&["decode", &fixed, option, "4"]).refused(2, &[option, "md1 carries its counts"]);
    }
    let file = encoded(&folder, "md1");
    let batch = folder.file("batch.u32", [2_u32, 1, 3, 1, 3].map(u32::to_le_bytes).concat());
    let said = isobit(&["decode", &file, "--units-batch", &batch]).stdout;
    assert!(said.contains("2 selections of together 3 units"), "{said}");
    isobit(&["decode", &file, "--out", &folder.path("none")]).refused(2, &["no extension (allowed: .obj"]);
}

#[test]
fn inspect_accounts_for_every_byte() {
    let folder = Folder::new();
    for format in FORMATS {
        let (file, png) = (encoded(&folder, format), folder.path("h.png"));
        let answer = isobit(&["inspect", &file, "--png", &png, "--json"]).json();
        let sum =
            |key: &str| -> u64 { answer[key].as_object().expect("numbers").values().filter_map(Value::as_u64).sum() };
        assert_eq!(Some(sum("section_bytes")), answer["bytes"].as_u64(), "{answer}");
        let body = answer["section_bytes"]["body"].as_u64().expect("a body");
        assert!(sum("body_bits").div_ceil(8) == body, "{format}: {} bits of {body} bytes", sum("body_bits"));
        assert!(std::fs::read(&png).expect("written").starts_with(b"\x89PNG"));
        let text = isobit(&["inspect", &file]);
        assert!(text.stdout.contains("triangles") && text.stdout.contains("body:"), "{text:?}");
    }
}

#[test]
fn a_box_gives_the_triangles_that_meet_it() {
    let folder = Folder::new();
    for format in FORMATS {
        let (file, sidecar, out) = (encoded(&folder, format), folder.path("s.bvh"), folder.path("part.obj"));
        isobit(&["decode", &file, "--write-sidecar", &sidecar, "--json"]).json();
        let part = ["decode", &file, "--box", "0.3,0.3,-1,0.8,0.8,1", "--json"];
        let built = isobit(&part).json();
        let read = isobit(&[&part[..], &["--sidecar", &sidecar, "--out", &out]].concat()).json();
        assert_eq!((&built["triangles"], &built["unit_list"]), (&read["triangles"], &read["unit_list"]), "{format}");
        let count = built["triangles"].as_u64().expect("a number");
        assert!((50..200).contains(&count) && built["units"].as_u64() < built["units_in_file"].as_u64(), "{built}");
        let text = std::fs::read_to_string(&out).expect("written");
        assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count() as u64, count);
        let none = isobit(&["decode", &file, "--box", "5,5,5,6,6,6", "--json"]).json();
        assert_eq!((none["units"].as_u64(), none["triangles"].as_u64()), (Some(0), Some(0)));
        isobit(&["decode", &file, "--box", "0,0,1,1,1,0"]).refused(2, &["low above high along z"]);
        isobit(&["decode", &file, "--sidecar", &sidecar]).refused(2, &["--box"]);
        let other = folder.file("other.bvh", [0; 200]);
        isobit(&["decode", &file, "--box", "0,0,0,1,1,1", "--sidecar", &other]).refused(1, &["other.bvh", "magic"]);
    }
    let (a, b) = (encoded(&folder, "md1"), encoded(&folder, "dgf"));
    let sidecar = folder.path("a.bvh");
    isobit(&["decode", &a, "--write-sidecar", &sidecar, "--json"]).json();
    isobit(&["decode", &b, "--box", "0,0,0,1,1,1", "--sidecar", &sidecar]).refused(1, &["the file it belongs to"]);
}

/// A .gltf document of one triangle with its buffer beside it.
#[test]
fn gltf_is_read_with_its_buffers() {
    let folder = Folder::new();
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    folder.file("a.bin", corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>());
    let text = |uri: &str| {
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": 36, "uri": "{uri}"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
            "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}]}}"#
        )
    };
    let (file, out) = (folder.file("a.gltf", text("a.bin")), folder.path("a.ply"));
    let answer = isobit(&["decode", &file, "--out", &out, "--json"]).json();
    assert_eq!((answer["triangles"].as_u64(), answer["format"].as_str()), (Some(1), Some("gltf")));
    assert!(std::fs::metadata(&out).expect("written").len() > 40);
    for (uri, part) in [("b.bin", "No such file"), ("../a.bin", "no file beside"), ("http://a/b", "no file beside")] {
        isobit(&["decode", &folder.file("b.gltf", text(uri))]).refused(1, &["b.gltf", uri, part]);
    }
    isobit(&["decode", &file, "--units", "0"]).refused(1, &["no units"]);
    isobit(&["decode", &folder.file("c.gltf", "{")]).refused(1, &["c.gltf", "glTF"]);
}
