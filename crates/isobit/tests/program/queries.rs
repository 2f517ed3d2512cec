//! `query` and `mark` as a user meets them.

use crate::support::{BOX_OBJ, Folder, isobit};

#[test]
fn a_query_answers_in_every_kind_of_file() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    // The box is [0, 1] x [0, 2] x [0, 3] moved by what BOX_OBJ says; ask its report.
    let bounds = isobit(&["report", &mesh, "--json"]).json()["report"]["bounds"].clone();
    let at = |corner: &str, k: usize| bounds[corner][k].as_f64().expect("a number");
    let centre: Vec<f64> = (0..3).map(|k| 0.5 * (at("lo", k) + at("hi", k))).collect();
    let above = [centre[0], centre[1], at("hi", 2) + 0.25];
    let text = format!("{},{},{}\n{},{},{}\n1e3,0,0\n", centre[0], centre[1], centre[2], above[0], above[1], above[2]);
    let points = folder.file("points.csv", text);
    let out = |name: &str| folder.path(name);
    let run = isobit(&["query", &mesh, "--points", &points, "--max-distance", "2", "--out", &out("a.csv"), "--json"]);
    let answer = run.json();
    assert_eq!(
        (&answer["points"], &answer["inside"], &answer["missed"]),
        (&3.into(), &1.into(), &1.into()),
        "{answer}"
    );
    let csv = std::fs::read_to_string(out("a.csv")).expect("the table");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "distance,x,y,z,triangle,u,v,feature");
    assert!(lines[1].starts_with('-'), "{csv}");
    let numbers: Vec<f64> = lines[2].split(',').map(|word| word.parse().expect("a number")).collect();
    assert_eq!((numbers[0], &numbers[1..4]), (0.25, &[centre[0], centre[1], at("hi", 2)][..]));
    assert_eq!(lines[3], "inf,inf,inf,inf,-1,0.0,0.0,0");
    for name in ["a.npy", "a.ply", "a.vtp"] {
        assert_eq!(isobit(&["query", &mesh, "--points", &points, "--out", &out(name)]).code, 0, "{name}");
    }
    let npy = std::fs::read(out("a.npy")).expect("the array");
    assert!(String::from_utf8_lossy(&npy[..100]).contains("'shape': (3,8,)"));
    assert_eq!(npy.len() % 64, 3 * 8 * 8 % 64, "values follow a head of whole blocks");
    let ply = String::from_utf8_lossy(&std::fs::read(out("a.ply")).expect("the cloud")).into_owned();
    assert!(ply.starts_with("ply\nformat binary_little_endian 1.0\nelement vertex 3\n"));
    let vtp = std::fs::read(out("a.vtp")).expect("the cloud");
    let head = String::from_utf8_lossy(&vtp).into_owned();
    assert!(
        head.contains("NumberOfPoints=\"3\"") && head.contains("Name=\"closest\"") && head.ends_with("</VTKFile>\n")
    );
    // A query's points may come back as a file of the same points.
    let again = folder.file("points.npy", {
        let values: Vec<u8> = [centre[0], centre[1], centre[2]].iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut head = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        let text = format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }");
        head.extend(text.bytes());
        head.extend(values);
        head
    });
    assert_eq!(isobit(&["query", &mesh, "--points", &again, "--json"]).json()["inside"], 1);
}

#[test]
fn a_query_in_f64_writes_f64() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    // 3 units above the upper face of [-1, 1] x [-2, 2] x [-3, 3], and a little to the side of a number of f32.
    let points = folder.file("points.csv", "0.1,0.2,6.1\n");
    let out = |name: &str| folder.path(name);
    let ask = |name: &str| {
        isobit(&["query", &mesh, "--points", &points, "--precision", "f64", "--out", &out(name), "--json"])
    };
    assert_eq!(ask("a.csv").json()["precision"], "f64");
    let csv = std::fs::read_to_string(out("a.csv")).expect("the table");
    let numbers: Vec<f64> =
        csv.lines().nth(1).expect("a line").split(',').map(|x| x.parse().expect("a number")).collect();
    assert!((numbers[0] - 3.1).abs() < 1e-14, "{csv}");
    assert!((numbers[1] - 0.1).abs() < 1e-15 && (numbers[2] - 0.2).abs() < 1e-15, "{csv}");
    for (name, kind) in [("a.ply", "property double distance"), ("a.vtp", "type=\"Float64\" Name=\"distance\"")] {
        assert_eq!(ask(name).code, 0, "{name}");
        let head = String::from_utf8_lossy(&std::fs::read(out(name)).expect("the cloud")).into_owned();
        assert!(head.contains(kind), "{name}");
    }
    for sign in ["winding", "solid-angle", "rays"] {
        let words = ["query", &mesh, "--points", &points, "--precision", "f64", "--sign", sign, "--json"];
        assert_eq!(isobit(&words).json()["inside"], 0, "{sign}");
    }
}

#[test]
fn bad_queries_are_refused() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let points = folder.file("points.csv", "0,0,0\n1,nan,0\n");
    isobit(&["query", &mesh, "--points", &points]).refused(1, &["points.csv:2", "y", "nan"]);
    let good = folder.file("good.csv", "0,0,0\n");
    let query = |options: &[&str]| isobit(&[&["query", &mesh, "--points", &good], options].concat());
    query(&["--max-distance", "-1"]).refused(2, &["-1"]);
    query(&["--outputs", "distance,inside", "--sign", "none"]).refused(2, &["--sign none", "inside"]);
    query(&["--out", &folder.path("a.txt")]).refused(2, &[".txt", ".vtp"]);
    isobit(&["query", &mesh]).refused(2, &["--points"]);
    isobit(&["query", &mesh, "--points", &folder.file("p.txt", "0,0,0")]).refused(1, &[".txt", ".npy"]);
    assert_eq!(folder.names(), ["box.obj", "good.csv", "p.txt", "points.csv"]);
}

#[test]
fn marks_count_every_cell_once_and_are_bytes() {
    let folder = Folder::new();
    let mesh = folder.path("sphere.ply");
    assert_eq!(isobit(&["make", "sphere", "--triangles", "400", "--out", &mesh]).code, 0);
    let mut cut = Vec::new();
    for rule in ["diagonal", "surface"] {
        let (npy, vti) = (folder.path("a.npy"), folder.path("a.vti"));
        let run = isobit(&["mark", &mesh, "--grid", "9,8,7", "--cut", rule, "--out", &npy, "--json"]);
        let answer = run.json();
        let count = |name: &str| answer[name].as_u64().expect("a count");
        assert_eq!(count("outside") + count("cut") + count("inside"), 504);
        assert_eq!(answer["rule"], rule);
        let bytes = std::fs::read(&npy).expect("the marks");
        assert!(String::from_utf8_lossy(&bytes[..128]).contains("(7, 8, 9"));
        let marks = &bytes[bytes.len() - 504..];
        let of = |m: u8| marks.iter().filter(|x| **x == m).count() as u64;
        assert_eq!([of(0), of(1), of(2)], ["outside", "cut", "inside"].map(count));
        assert!(count("inside") > 0 && count("outside") > 0);
        cut.push(count("cut"));
        assert_eq!(isobit(&["mark", &mesh, "--grid", "9,8,7", "--cut", rule, "--out", &vti]).code, 0);
        let text = std::fs::read(&vti).expect("the volume");
        assert!(text.windows(504).any(|w| w == marks), "the same marks in one piece");
        assert!(String::from_utf8_lossy(&text).contains(r#"type="UInt8" Name="mark""#));
        for file in [&npy, &vti] {
            let seen = isobit(&["view", file, "--png", &folder.path("a.png"), "--json"]).json();
            assert_eq!(seen["cells"], serde_json::json!([9, 8, 7]));
        }
    }
    assert!(cut[1] < cut[0], "half a diagonal is generous: {cut:?}");
    isobit(&["mark", &mesh, "--grid", "4", "--sign", "none"]).refused(2, &["none"]);
    isobit(&["mark", &mesh, "--grid", "4", "--cut", "twice"]).refused(2, &["twice", "surface"]);
}

#[test]
fn every_device_answers_with_the_bytes_of_the_cpu_whatever_the_sign() {
    let folder = Folder::new();
    let mesh = folder.path("torus.stl");
    assert_eq!(isobit(&["make", "torus", "--triangles", "400", "--out", &mesh]).code, 0);
    let line = |i: u32| {
        format!("{},{},{}\n", f64::from(i % 7) / 3.0 - 1.0, f64::from(i % 5) / 2.0 - 1.0, f64::from(i % 3) / 9.0)
    };
    let points = folder.file("points.csv", (0..105).map(line).collect::<String>());
    let adapters = isobit(&["adapters", "--json"]).json()["adapters"].as_array().map_or(0, Vec::len);
    if adapters == 0 {
        println!("skipped: no adapter on this machine");
    }
    for options in [&["--sign", "winding"][..], &["--sign", "rays", "--max-distance", "0.2"]] {
        let bytes = |device: &str| {
            let out = folder.path("out.npy");
            let common = ["query", &mesh, "--points", &points, "--out", &out, "--device", device, "--json", "-q"];
            let answer = isobit(&[&common[..], options].concat()).json();
            assert!(answer["inside"].as_u64() > Some(0), "{answer}");
            std::fs::read(out).expect("the table")
        };
        let expected = bytes("cpu");
        for index in 0..adapters {
            assert!(bytes(&index.to_string()) == expected, "{options:?} on adapter {index}");
        }
    }
}

#[test]
fn chosen_outputs_are_columns_and_winding_numbers_one_of_them() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let points = folder.file("points.csv", "0,0,0\n9,0,0\n0.5,1.5,-2\n1,2,3\n");
    let out = folder.path("a.csv");
    let ask = |words: &[&str]| isobit(&[&["query", &mesh, "--points", &points, "--out", &out], words].concat());
    assert_eq!(ask(&["--outputs", "winding,inside,square,normal,gradient"]).code, 0);
    let csv = std::fs::read_to_string(&out).expect("the table");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "square,inside,nx,ny,nz,gx,gy,gz,winding");
    let row = |i: usize| lines[i].split(',').map(|x| x.parse::<f64>().expect("a number")).collect::<Vec<_>>();
    assert!((row(1)[8] - 1.0).abs() < 1e-6 && row(1)[1] == 1.0 && row(1)[0] == -1.0, "{csv}");
    assert!(row(2)[8].abs() < 1e-3 && row(2)[..8] == [64.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0], "{csv}");
    // An eighth of the sphere at a corner, by the sum over all triangles.
    assert_eq!(ask(&["--outputs", "winding", "--beta", "0"]).code, 0);
    let csv = std::fs::read_to_string(&out).expect("the table");
    let corner: f64 = csv.lines().nth(4).expect("a line").parse().expect("a number");
    assert!((corner - 0.125).abs() < 1e-6, "{csv}");
    // In f64 with f64's digits.
    assert_eq!(ask(&["--outputs", "winding", "--beta", "0", "--precision", "f64"]).code, 0);
    let csv = std::fs::read_to_string(&out).expect("the table");
    let corner: f64 = csv.lines().nth(4).expect("a line").parse().expect("a number");
    assert!((corner - 0.125).abs() < 1e-15, "{csv}");
    ask(&["--outputs", "colour"]).refused(2, &["colour", "allowed: distance"]);
    ask(&["--beta", "0.5"]).refused(2, &["0.5", "1 to 1024"]);
    for name in ["a.npy", "a.ply", "a.vtp"] {
        let (file, list) = (folder.path(name), "distance,winding,inside,normal");
        assert_eq!(isobit(&["query", &mesh, "--points", &points, "--out", &file, "--outputs", list]).code, 0, "{name}");
    }
    // Devices give the same bytes.
    let adapters = isobit(&["adapters", "--json"]).json()["adapters"].as_array().map_or(0, Vec::len);
    let bytes = |device: &str| {
        let file = folder.path("b.npy");
        let words = [
            "query",
            &mesh,
            "--points",
            &points,
            "--out",
            &file,
            "--outputs",
            "distance,winding,inside",
            "--device",
            device,
        ];
        assert_eq!(isobit(&words).code, 0, "{device}");
        std::fs::read(&file).expect("the table")
    };
    let cpu = bytes("cpu");
    assert_eq!(cpu.len(), 128 + 4 * 3 * 8);
    (0..adapters).for_each(|k| assert!(bytes(&k.to_string()) == cpu, "adapter {k}"));
}

#[test]
fn marks_and_bands_in_f64() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let (single, double) = (folder.path("a.npy"), folder.path("b.npy"));
    let mark = |out: &str, precision: &str| {
        let words = ["mark", &mesh, "--grid", "9", "--cut", "surface", "--sign", "rays", "--out", out, "--json"];
        isobit(&[&words[..], &["--precision", precision]].concat()).json()
    };
    assert_eq!(
        (mark(&single, "f32")["precision"].as_str(), mark(&double, "f64")["precision"].as_str()),
        (Some("f32"), Some("f64"))
    );
    assert!(std::fs::read(&single).expect("marks") == std::fs::read(&double).expect("marks"));
    let band = |precision: &str| {
        let out = folder.path("list.csv");
        let words = ["sdf", &mesh, "--grid", "9", "--band", "0.3", "--out", &out, "--precision", precision];
        assert_eq!(isobit(&words).code, 0);
        std::fs::read_to_string(&out).expect("the list")
    };
    let (a, b) = (band("f32"), band("f64"));
    assert!(a.lines().count() == b.lines().count() && a != b, "{a} {b}");
    for name in ["v.npy", "v.vti", "v.nvdb"] {
        let out = folder.path(name);
        let words = ["sdf", &mesh, "--grid", "9", "--band", "0.3", "--precision", "f64", "--out", &out];
        assert_eq!(isobit(&words).code, 0, "{name}");
    }
    let rows = std::fs::read(folder.path("v.npy")).expect("the volume");
    assert!(String::from_utf8_lossy(&rows[..128]).contains("<f8"));
}
