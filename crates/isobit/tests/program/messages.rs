//! Messages say what is wrong with a file, in a line that can be read, whatever stands in the file.

use crate::support;
use crate::support::{BOX_OBJ, Folder, isobit};

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn text_of_another_code_and_binary_data_are_named() {
    let folder = Folder::new();
    let solid = "solid a\nendsolid a\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 0\nend_header\n";
    for (name, text) in [("a.obj", BOX_OBJ), ("a.stl", solid), ("a.ply", ply), ("a.gltf", "{\"asset\": {}}")] {
        isobit(&["report", &folder.file(name, utf16(text))]).refused(1, &[name, "UTF-16", "UTF-8"]);
    }
    let mesh = folder.file("box.obj", BOX_OBJ);
    let points = folder.file("p.csv", utf16("0,0,0\n"));
    isobit(&["query", &mesh, "--points", &points]).refused(1, &["p.csv", "UTF-16"]);
    let points = folder.file("q.csv", b"0,0,\xff\n");
    isobit(&["query", &mesh, "--points", &points]).refused(1, &["q.csv", "byte 4 is 0xff"]);
    let points = folder.file("r.csv", "0 0 0\n");
    isobit(&["query", &mesh, "--points", &points]).refused(1, &["r.csv:1: 1 number (allowed: 3, with commas"]);
    let binary: Vec<u8> = (0..=255).cycle().take(1024).collect();
    isobit(&["report", &folder.file("b.obj", binary)]).refused(1, &["b.obj", "no text: byte 0 is 0"]);
    isobit(&["report", &folder.file("c.obj", "hello\nworld\n")]).refused(1, &["0 statements v and f in 2 lines"]);
    // What is damaged is named by its own words, not by a guess at another format.
    let broken = folder.file("d.gltf", "x{");
    for verb in ["report", "decode"] {
        isobit(&[verb, &broken]).refused(1, &["d.gltf", "not a readable glTF file", "line 1"]);
    }
    isobit(&["decode", &mesh]).refused(1, &["box.obj", "not compressed"]);
    let facet = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let cut = folder.file("cut.stl", format!("solid a\n{}", facet.repeat(3)));
    isobit(&["report", &cut]).refused(1, &["cut.stl", "without endsolid, after 3 whole facets"]);
}

#[test]
fn what_is_chosen_or_read_in_vain_is_named() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let (grids, none) = (folder.path("a.nvdb"), folder.path("none.nvdb"));
    assert_eq!(isobit(&["topology", "from-dense", "--size", "3", "--out", &grids]).code, 0);
    isobit(&["topology", "select", &grids, "--items", ":0", "--out", &none]).refused(2, &["a.nvdb", "selects", "none"]);
    let ids = folder.file("ids.u32", [0xff; 48]);
    let block = folder.path("box.dgf");
    isobit(&["encode", &mesh, "--format", "dgf", "--geometry-ids", &ids, "--out", &block])
        .refused(1, &["ids.u32:0: geometry id 4294967295"]);
    #[cfg(unix)]
    for line in [&["topology", "info", "/dev/zero"][..], &["decode", "/dev/zero"], &["report", "/dev/zero"]] {
        isobit(line).refused(1, &["/dev/zero: a device"]);
    }
    // Positions of any size, since none is stored.
    let huge = folder.file("huge.obj", "v -3e38 0 0\nv 3e38 0 0\nv 0 3e38 1e37\nf 1 2 3\n");
    let sets = folder.path("huge.mml");
    assert_eq!(isobit(&["encode", &huge, "--format", "meshopt-meshlets", "--out", &sets]).code, 0);
    // Arrays without an entry are there as well.
    let point = folder.file("point.obj", "v 0 0 0\nf 1 1 1\n");
    assert_eq!(isobit(&["encode", &point, "--format", "dgf", "--out", &block]).code, 0);
    assert_eq!(isobit(&["decode", &block, "--dump", &folder.path("point")]).code, 0);
    for ending in [".tris.u32", ".verts.f32", ".verts.i32", ".status.u32"] {
        assert_eq!(std::fs::read(folder.path(&format!("point{ending}"))).expect(ending).len(), 0);
    }
}

#[test]
fn empty_names_are_said_to_be_empty() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let packed = folder.path("box.md1");
    assert_eq!(isobit(&["encode", &mesh, "--format", "md1", "--out", &packed]).code, 0);
    isobit(&["decode", &packed, "--units", ""]).refused(2, &["--units", "empty"]);
    isobit(&["decode", &packed, "--format", ""]).refused(2, &["--format", "empty"]);
    for line in [&["report", &mesh, "--device", ""][..], &["--device", " ", "report", &mesh]] {
        isobit(line).refused(2, &["--device", "no name"]);
    }
    let mut command = support::command(&["report", &mesh]);
    let run = support::finished(command.env("ISOBIT_DEVICE", "").output().expect("the program starts"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "a variable without a value stands for none");
}

#[test]
fn what_is_cut_or_asked_in_vain_is_named() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let (packed, png) = (folder.path("box.md1"), folder.path("a.png"));
    assert_eq!(isobit(&["encode", &mesh, "--format", "md1", "--out", &packed]).code, 0);
    let mut bytes = std::fs::read(&packed).expect("the file");
    bytes.truncate(bytes.len() / 2);
    let run = isobit(&["view", &folder.file("cut.md1", bytes), "--png", &png]);
    assert!(run.code == 1 && !run.stderr.contains("extension"), "it was known: {run:?}");
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nprope";
    isobit(&["report", &folder.file("cut.ply", ply)]).refused(1, &["cut.ply", "ends in its header"]);
    isobit(&["report", &folder.file("cut2.ply", &ply[..34])]).refused(1, &["cut2.ply", "ends in its header"]);
    // Rows of arrays are counted as NumPy counts them, and the message says so.
    let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    let mut array = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    array.extend(format!("{head:<117}\n").bytes());
    array.extend([0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    let points = folder.file("p.npy", array);
    isobit(&["query", &mesh, "--points", &points]).refused(1, &["p.npy: row 1 (the first is 0): y", "NaN"]);
    let points = folder.file("p.csv", "0,0,0\n");
    let query = ["query", &mesh, "--points", &points, "--beta", "3"];
    isobit(&query).refused(2, &["--beta", "--outputs winding"]);
    assert_eq!(isobit(&[&query[..], &["--outputs", "winding"]].concat()).code, 0);
    let query = isobit(&["query", &mesh, "--points", &folder.file("cr.csv", "x,y,z\r1,2,3\r4,5,6\r"), "--json"]);
    assert_eq!(query.json()["points"], 2, "lines may end as any system ends them");
    let early = folder.file("early.obj", "f -4 -3 -2\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    isobit(&["report", &early]).refused(1, &["early.obj:1: vertex index -4, allowed are 1 to 3"]);
    // A point is no body, whatever its edges say.
    let point = folder.file("point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
    let summary = isobit(&["report", &point]).stdout;
    assert!(!summary.contains(" reliable: closed") && summary.contains("no triangle has an area"), "{summary}");
}

/// Every place of a file, an option or an expression that a message repeats.
#[test]
fn long_words_are_cut() {
    let folder = Folder::new();
    let long = "7".repeat(5000) + "x";
    let number = "7".repeat(5000);
    let mesh = folder.file("box.obj", BOX_OBJ);
    let file = |name: &str, text: String| folder.file(name, text);
    let ply = |head: &str, body: &str| format!("ply\nformat ascii 1.0\n{head}end_header\n{body}\n");
    let vertex = "property float x\nproperty float y\nproperty float z\n";
    let lines: Vec<Vec<String>> = [
        file("a.obj", format!("v 0 0 {long}\n")),
        file("b.obj", format!("v 0 0 0\nf 1 1 {long}\n")),
        file("a.stl", format!("solid a\nvertex 0 0 {long}\nendsolid\n")),
        file("b.stl", format!("solid a\nendsolid\n{long}\n")),
        file("a.ply", ply(&format!("element {long} -1\n"), "")),
        file("b.ply", ply(&format!("element vertex {long}\n"), "")),
        file("c.ply", ply(&format!("element vertex 1\nproperty {long} x\n"), "")),
        file("d.ply", ply(&format!("{long}\n"), "")),
        file("e.ply", ply(&format!("element vertex 1\n{vertex}"), &format!("0 0 {long}"))),
        file("a.gltf", format!(r#"{{"asset": {{"version": "2.0"}}, "extensionsRequired": ["{long}"]}}"#)),
        file("b.gltf", format!(r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": 1, "uri": "{long}"}}]}}"#)),
        file("c.gltf", format!(r#"{{"asset": {{"version": "2.0"}}, "accessors": "{long}"}}"#)),
        file("d.gltf", format!(r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": [{{"matrix": [{number}]}}]}}"#)),
    ]
    .into_iter()
    .map(|path| vec!["report".to_owned(), path])
    .chain([
        vec!["query".into(), mesh.clone(), "--points".into(), file("a.csv", format!("0,0,{long}\n"))],
        vec!["enclose".into(), "x".into(), "--boxes".into(), file("b.csv", format!("0,{long}\n"))],
        vec!["topology".into(), "from-coordinates".into(), file("c.csv", format!("0,0,{long}\n"))],
        vec!["topology".into(), "from-points".into(), file("d.csv", format!("0,0,{long}\n"))],
        vec!["view".into(), file("a.vti", format!("<VTKFile type=\"{long}\"/>")), "--png".into(), folder.path("a.png")],
        vec!["implicit".into(), format!("x+1{long}"), "--png".into(), folder.path("a.png")],
        vec!["implicit".into(), format!("x{long}(y)"), "--png".into(), folder.path("a.png")],
    ])
    .collect();
    for line in lines {
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let run = isobit(&line);
        assert_ne!(run.code, 0, "{}: {run:?}", line[..2].join(" "));
        // The path of a temporary folder is part of it.
        assert!(run.stderr.len() < 600, "{}: {} bytes: {}", line[0], run.stderr.len(), &run.stderr[..600]);
    }
    // A 64-bit float has at most 17 digits, not 300.
    let bounds = "-1e300,0,0,1e300,1,1";
    let run = isobit(&["sdf", &mesh, "--grid", "4", "--bounds", &bounds.replace("1e300", "1e308")]);
    assert!(run.code != 0 && run.stderr.contains("e308") && run.stderr.len() < 300, "{run:?}");
    isobit(&["repair", &mesh, "--out", &folder.path("r.stl"), "--weld", "1e300"]).refused(2, &["1e300,"]);
}

#[test]
fn sizes_beyond_64_bit_floats_are_said() {
    let folder = Folder::new();
    let scaled = |unit: &str| {
        let axis = |word: &str| if word.parse::<f64>().is_ok() { format!("{word}{unit}") } else { word.to_owned() };
        let line = |line: &str| match line.starts_with('v') {
            true => line.split(' ').map(axis).collect::<Vec<_>>().join(" "),
            false => line.to_owned(),
        };
        BOX_OBJ.lines().map(line).collect::<Vec<_>>().join("\n")
    };
    let report = |name: &str, unit: &str| {
        let mesh = folder.file(name, scaled(unit));
        let out = folder.path("out.obj");
        let repaired = isobit(&["repair", &mesh, "--out", &out, "--json"]).json();
        assert_eq!(repaired["triangles"], 12, "{unit}: {repaired}");
        isobit(&["report", &mesh, "--json"]).json()["report"].clone()
    };
    let huge = isobit(&["report", &folder.file("huge.obj", scaled("e200"))]).stdout;
    assert!(huge.contains("8.8e401, beyond 64-bit floats") && !huge.contains("inf") && !huge.contains("NaN"), "{huge}");
    // Slivers of a long mesh.
    let long = folder.file("long.obj", BOX_OBJ.replace("v 1 2 3", "v 1e200 2 3"));
    let long = isobit(&["report", &long, "--json"]).json()["report"]["area"].as_f64().expect("an area");
    assert!((1e200..1e202).contains(&long), "{long}");
    let (plain, huge, tiny) = (report("a.obj", ""), report("b.obj", "e200"), report("c.obj", "e-200"));
    assert_eq!((plain["volume"].as_f64(), plain["out_of_range"].as_array().map(Vec::len)), (Some(48.0), Some(0)));
    for (report, area, volume) in [(&huge, "8.8e401", "4.8e601"), (&tiny, "8.8e-399", "4.8e-599")] {
        assert_eq!(report["out_of_range"][0]["value"], area, "{report}");
        assert_eq!(report["out_of_range"][1]["value"], volume, "{report}");
        for field in ["zero_area_triangles", "flat_triangles", "inward_components"] {
            assert_eq!(report[field], plain[field], "{field}: {report}");
        }
    }
}

/// The surfaces of a box of side 1 and of a hollow in it.
fn hollow_box() -> String {
    let corner = |k: usize, lo: f64, hi: f64| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { hi } else { lo });
    let vertices = [(0.0, 1.0), (0.25, 0.75)].map(|(lo, hi)| (0..8).map(move |k| corner(k, lo, hi)));
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let text = vertices.into_iter().flatten().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let outer = quads.map(|[a, b, c, d]| format!("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1));
    let inner = quads.map(|[a, b, c, d]| format!("f {} {} {} {}\n", d + 9, c + 9, b + 9, a + 9));
    text.chain(outer).chain(inner).collect()
}

#[test]
fn hollows_are_named_where_they_are_filled() {
    let folder = Folder::new();
    let mesh = folder.file("hollow.obj", hollow_box());
    let report = isobit(&["report", &mesh]);
    assert!(
        report.stdout.contains("2, 1 inward, 1 of them round a hollow, 2 whose boxes overlap"),
        "{}",
        report.stdout
    );
    assert!(report.stdout.contains("sign auto              winding"), "{}", report.stdout);
    let repaired = isobit(&["repair", &mesh, "-o", &folder.path("solid.obj")]);
    assert_eq!(repaired.code, 0);
    for part in ["1 component turned outward", "1 of these components bounded a hollow of another, which is solid now"]
    {
        assert!(repaired.stderr.contains(part), "{}", repaired.stderr);
    }
}

#[test]
fn points_for_meshes_empty_arrays_and_keywords_in_capitals() {
    let folder = Folder::new();
    let point = folder.file("point.obj", "v 1 2 3\nf 1 1 1\n");
    let deviation = isobit(&["deviation", &point, &point, "--device", "CPU", "--json"]);
    assert_eq!(deviation.code, 0, "{}", deviation.stderr);
    assert_eq!(deviation.json()["hausdorff"]["lower"], 0.0, "{}", deviation.stdout);
    let nothing = folder.file("nothing.npy", "");
    let mesh = folder.file("hollow.obj", hollow_box());
    let queried = isobit(&["query", &mesh, "--points", &nothing, "--out", &folder.path("q.csv")]);
    queried.refused(1, &["nothing.npy: not a .npy file (it ends within its head of 8 bytes or more)"]);
}
