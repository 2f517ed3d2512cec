//! `sdf` on good input: the volume against an independent formula, the answer, the files, options.

use crate::support::{BOX_OBJ, Folder, isobit, read_npy, stl};

/// Signed distance to the box [-1, 1] x [-2, 2] x [-3, 3], in f64.
fn box_distance(p: [f64; 3]) -> f64 {
    let q = [p[0].abs() - 1.0, p[1].abs() - 2.0, p[2].abs() - 3.0];
    let outside = q.map(|x| x.max(0.0)).iter().map(|x| x * x).sum::<f64>().sqrt();
    outside + q[0].max(q[1]).max(q[2]).min(0.0)
}

/// Centre of cell (i, j, k) of the grid of `n` cells over the box grown by a quarter.
fn centre(n: [usize; 3], ijk: [usize; 3]) -> [f64; 3] {
    let size = [2.0, 4.0, 6.0];
    std::array::from_fn(|a| size[a] * (-0.75 + 1.5 * (ijk[a] as f64 + 0.5) / n[a] as f64))
}

#[test]
fn values_equal_the_distance_of_a_box() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let out = folder.path("box.npy");
    let run = isobit(&["sdf", &mesh, "--grid", "7,8,9", "--out", &out, "--json"]);
    let answer = run.json();
    let (shape, values) = read_npy(&out);
    assert_eq!(shape, [9, 8, 7], "C order, (NZ, NY, NX)");
    for (index, &value) in values.iter().enumerate() {
        let ijk = [index % 7, index / 7 % 8, index / 56];
        let expected = box_distance(centre([7, 8, 9], ijk));
        // Against another formula in another precision; a hundred units in the last place of the largest value.
        assert!((f64::from(value) - expected).abs() < 3e-5, "{ijk:?}: {value}, expected {expected}");
    }
    let half_diagonal = 0.5 * [3.0 / 7.0, 6.0 / 8.0, 9.0 / 9.0f64].iter().map(|x| x * x).sum::<f64>().sqrt();
    let count = |test: &dyn Fn(f64) -> bool| values.iter().filter(|&&v| test(f64::from(v))).count() as u64;
    assert_eq!(answer["cells"], 504);
    assert_eq!(answer["triangles"], 12);
    assert_eq!(answer["cut"], count(&|v| v.abs() <= half_diagonal));
    assert_eq!(answer["inside"], count(&|v| v < -half_diagonal));
    assert_eq!(answer["outside"], count(&|v| v > half_diagonal));
    assert_eq!(answer["inside_by_sign"], count(&|v| v < 0.0));
    assert!(answer["inside"].as_u64() > Some(0) && answer["outside"].as_u64() > Some(0), "{answer}");
    let low = values.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(answer["min"].as_f64(), Some(f64::from(low)), "the number reads back to the same bits");
}

#[test]
fn f64_gives_the_digits_of_f64() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let out = folder.path("box.npy");
    let answer = isobit(&["sdf", &mesh, "--grid", "7,8,9", "--precision", "f64", "--out", &out, "--json"]).json();
    assert_eq!(answer["precision"], "f64");
    let file = std::fs::File::open(&out).expect("the volume");
    let npy = npyz::NpyFile::new(std::io::BufReader::new(file)).expect("a .npy file");
    let values: Vec<f64> = npy.into_vec().expect("float64 values");
    assert_eq!(values.len(), 504);
    for (index, &value) in values.iter().enumerate() {
        let ijk = [index % 7, index / 7 % 8, index / 56];
        let expected = box_distance(centre([7, 8, 9], ijk));
        // Against another formula; units in the last place of the largest value.
        assert!((value - expected).abs() < 1e-14, "{ijk:?}: {value}, expected {expected}");
    }
    assert_eq!(answer["min"].as_f64(), values.iter().copied().reduce(f64::min));
    let vti = folder.path("box.vti");
    assert_eq!(isobit(&["sdf", &mesh, "--grid", "3", "--precision", "f64", "--out", &vti]).code, 0);
    assert!(String::from_utf8_lossy(&std::fs::read(&vti).expect("the volume")).contains("Float64"));
    assert_eq!(isobit(&["sdf", &mesh, "--grid", "3", "--json"]).json()["precision"], "f32");
}

#[test]
fn the_answer_has_every_field_and_stdout_nothing_else() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    // Common options before and after the verb.
    let before = isobit(&["--json", "--device", "cpu", "sdf", &mesh, "--grid", "5"]);
    let after = isobit(&["sdf", &mesh, "--grid", "5", "--json", "--device", "cpu"]);
    for run in [before, after] {
        let answer = run.json();
        assert_eq!(run.stderr, "");
        assert_eq!(answer["isobit"], env!("CARGO_PKG_VERSION"));
        assert_eq!(answer["verb"], "sdf");
        for field in ["name", "type", "backend", "driver", "numerics"] {
            assert!(answer["device"][field].is_string(), "device.{field}: {answer}");
        }
        assert_eq!(answer["device"]["name"], "cpu");
        for phase in ["read", "build", "query"] {
            assert!(answer["seconds"][phase].as_f64() > Some(0.0), "seconds.{phase}: {answer}");
        }
        for field in ["cells", "inside", "outside", "cut", "inside_by_sign", "min", "max", "triangles"] {
            assert!(answer[field].is_number(), "{field}: {answer}");
        }
        assert_eq!(answer["sign"], "pseudo-normal");
        assert!(answer["sign_reason"].is_string());
        assert_eq!(answer["report"]["boundary_edges"], 0);
        assert_eq!(answer["report"]["trust"]["pseudo-normal"]["reliable"], true);
    }
    let summary = isobit(&["sdf", &mesh, "--grid", "5"]);
    assert!(summary.stdout.contains("5 x 5 x 5") && summary.stdout.lines().count() < 8, "{summary:?}");
}

#[test]
fn signs_and_squares_change_nothing_else() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let volume = |name: &str, options: &[&str]| {
        let out = folder.path(name);
        let run = isobit(&[&["sdf", &mesh, "--grid", "6", "--out", &out], options].concat());
        assert_eq!(run.code, 0, "{run:?}");
        read_npy(&out).1
    };
    let signed = volume("a.npy", &[]);
    let unsigned = volume("b.npy", &["--sign", "none"]);
    let squared = volume("c.npy", &["--squared"]);
    assert_eq!(signed, volume("d.npy", &["--sign", "pseudo-normal"]));
    assert!(signed.iter().any(|&v| v < 0.0) && unsigned.iter().all(|&v| v >= 0.0));
    for ((s, u), q) in signed.iter().zip(&unsigned).zip(&squared) {
        assert_eq!(s.abs().to_bits(), u.to_bits());
        assert_eq!(*s < 0.0, *q < 0.0, "the sign of the square");
        assert_eq!(q.abs().sqrt().to_bits(), u.to_bits());
    }
}

#[test]
fn every_sign_finds_the_inside_of_a_box_and_auto_falls_back_on_an_open_one() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let run = |mesh: &str, sign: &str| isobit(&["sdf", mesh, "--grid", "7", "--sign", sign, "--json"]).json();
    let inside = run(&mesh, "pseudo-normal")["inside_by_sign"].clone();
    for sign in ["winding", "rays", "solid-angle", "auto"] {
        assert_eq!(run(&mesh, sign)["inside_by_sign"], inside, "{sign}");
    }
    assert_eq!(run(&mesh, "auto")["sign"], "pseudo-normal");
    // Without its last face the box is open.
    let text = BOX_OBJ.trim_end();
    let open = folder.file("open.obj", &text[..text.rfind('\n').expect("lines") + 1]);
    let answer = run(&open, "auto");
    assert_eq!(answer["sign"], "winding");
    assert!(answer["sign_reason"].as_str().expect("a reason").contains("boundary edges"), "{answer}");
}

#[test]
fn bounds_place_the_grid() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let out = folder.path("a.npy");
    let run = isobit(&["sdf", &mesh, "--grid", "2,1,1", "--bounds", "-4,-1,-1,4,1,1", "--out", &out, "--json"]);
    assert_eq!(run.json()["grid"]["low"], serde_json::json!([-4.0, -1.0, -1.0]));
    assert_eq!(read_npy(&out).1, [1.0, 1.0]);
}

#[test]
fn a_vti_file_holds_the_same_words() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let (npy, vti) = (folder.path("a.npy"), folder.path("a.vti"));
    for out in [&npy, &vti] {
        assert_eq!(isobit(&["sdf", &mesh, "--grid", "4,5,6", "--out", out]).code, 0);
    }
    let words: Vec<u8> = read_npy(&npy).1.iter().flat_map(|v| v.to_le_bytes()).collect();
    let bytes = std::fs::read(&vti).expect("the .vti file");
    assert!(bytes.windows(words.len()).any(|w| w == words), "the values in one piece");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains(r#"WholeExtent="0 3 0 4 0 5""#), "points are cell centres");
    assert!(text.contains(r#"Origin="-1.125 -2.4 -3.75""#), "the centre of the first cell");
    assert!(text.contains(r#"Spacing="0.75 1.2 1.5""#));
    let png = folder.path("a.png");
    for file in [&npy, &vti] {
        let view = isobit(&["view", file, "--png", &png, "--slice", "x:1", "--json"]).json();
        assert_eq!(view["cells"], serde_json::json!([4, 5, 6]));
    }
}

#[test]
fn pictures_of_meshes_and_of_the_smallest_grids() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    for (i, (grid, slice)) in [("1", "z:0.5"), ("1,1,40", "y:0"), ("40,1,1", "x:1"), ("9", "z")].iter().enumerate() {
        let png = folder.path(&format!("{i}.png"));
        let run = isobit(&["sdf", &mesh, "--grid", grid, "--png", &png, "--slice", slice]);
        assert_eq!(run.code, 0, "{run:?}");
        assert_picture(&png);
    }
    let png = folder.path("mesh.png");
    assert_eq!(isobit(&["view", &mesh, "--png", &png, "--json"]).json()["triangles"], 12);
    assert_picture(&png);
}

#[track_caller]
fn assert_picture(path: &str) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("the picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("whole");
    assert!(info.width >= 200 && info.height >= 200, "{} x {}", info.width, info.height);
    let white = bytes.iter().filter(|&&b| b == 255).count();
    assert!(white < bytes.len() && white > bytes.len() / 50, "neither blank nor full: {white} of {}", bytes.len());
}

#[test]
fn a_mesh_of_only_degenerate_triangles_is_answered() {
    let folder = Folder::new();
    // A segment from (0, 0, 0) to (2, 0, 0) and a point at (0, 3, 0).
    let segment = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let mesh = folder.file("thin.stl", stl(&[segment, [[0.0, 3.0, 0.0]; 3]]));
    let out = folder.path("a.npy");
    let options = ["--grid", "1,3,1", "--bounds", "0,-1,-1,2,5,1", "--sign", "none", "--json"];
    let run = isobit(&[&["sdf", &mesh, "--out", &out], &options[..]].concat());
    assert_eq!(run.json()["report"]["zero_area_triangles"], 2);
    assert_eq!(read_npy(&out).1, [0.0, 2f32.sqrt(), 2f32.sqrt()]);
    let png = folder.path("a.png");
    assert_eq!(isobit(&["view", &mesh, "--png", &png]).code, 0);
    assert_picture(&png);
}

#[test]
fn a_sign_that_cannot_be_trusted_is_said_in_one_line() {
    let folder = Folder::new();
    let open = folder.file("open.obj", BOX_OBJ.replace("f 4 5 8\n", ""));
    let run = isobit(&["sdf", &open, "--grid", "4", "--json"]);
    assert_eq!(run.json()["report"]["trust"]["pseudo-normal"]["reliable"], false);
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    assert!(run.stderr.contains("pseudo-normal") && run.stderr.contains("boundary"), "{run:?}");
    for quiet in [&["-q"][..], &["--sign", "none"]] {
        assert_eq!(isobit(&[&["sdf", &open, "--grid", "4"], quiet].concat()).stderr, "");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let folder = Folder::new();
    let mesh = folder.path("torus.stl");
    assert_eq!(isobit(&["make", "torus", "--triangles", "500", "--out", &mesh]).code, 0);
    let bytes = |name: &str| {
        let (out, png) = (folder.path(&format!("{name}.vti")), folder.path(&format!("{name}.png")));
        assert_eq!(isobit(&["sdf", &mesh, "--grid", "20", "--out", &out, "--png", &png]).code, 0);
        (std::fs::read(out).expect("volume"), std::fs::read(png).expect("picture"))
    };
    assert_eq!(bytes("a"), bytes("b"));
}
