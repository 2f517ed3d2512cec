//! `sdf --band`: the cells of the dense volume near the surface, in every kind of file.

use crate::support::{BOX_OBJ, Folder, isobit, read_npy};

/// Rows of f64 of an n x 4 array.
fn list(path: &str) -> Vec<[f64; 4]> {
    let bytes = std::fs::read(path).expect("a file");
    let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let numbers: Vec<f64> = bytes[head..].as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    numbers.as_chunks().0.to_vec()
}

/// The words of an option list after the common ones, and the file.
fn run(folder: &Folder, mesh: &str, name: &str, words: &[&str]) -> String {
    let out = folder.path(name);
    let common = ["sdf", mesh, "--grid", "9,14,11", "--out", &out, "--json"];
    isobit(&[&common[..], words].concat()).json();
    out
}

#[test]
fn every_kind_of_file_holds_the_words_of_the_dense_volume() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    for (device, sign) in [("cpu", "pseudo-normal"), ("gpu", "pseudo-normal"), ("gpu", "winding"), ("cpu", "rays")] {
        if device == "gpu" && isobit(&["adapters", "--json"]).json()["adapters"].as_array().is_none_or(Vec::is_empty) {
            println!("skipped: no adapter on this machine");
            continue;
        }
        let common = ["--device", device, "--sign", sign, "-q"];
        let with = |words: &[&'static str]| [&common[..], words].concat();
        let (_, dense) = read_npy(&run(&folder, &mesh, "dense.npy", &with(&[])));
        let near = |d: f32| d.abs() <= 0.4;
        let kept = dense.iter().filter(|d| near(**d)).count();
        assert!(kept > 100 && kept + 100 < dense.len() && dense.iter().any(|d| near(*d) && *d < 0.0), "{kept}");
        // A volume: NaN unless another value is asked for.
        for (fill, value) in [(None, f32::NAN), (Some("-7.5"), -7.5f32), (Some("inf"), f32::INFINITY)] {
            let mut words = vec!["--band", "0.4"];
            words.extend(fill.iter().flat_map(|fill| ["--fill", fill]));
            let (shape, filled) = read_npy(&run(&folder, &mesh, "band.npy", &with(&words)));
            assert_eq!(shape, [11, 14, 9]);
            let expected = dense.iter().map(|&d| if near(d) { d } else { value });
            assert!(filled.iter().map(|d| d.to_bits()).eq(expected.map(f32::to_bits)), "{fill:?}");
        }
        // Lists.
        let cell = |at: usize| [at % 9, at / 9 % 14, at / 126];
        let cells: Vec<usize> = (0..dense.len()).filter(|&at| near(dense[at])).collect();
        let rows = list(&run(&folder, &mesh, "list.npy", &with(&["--band", "0.4", "--sparse"])));
        let expected: Vec<[f64; 4]> = cells
            .iter()
            .map(|&at| {
                let [i, j, k] = cell(at).map(|i| i as f64);
                [i, j, k, dense[at].into()]
            })
            .collect();
        assert_eq!(rows, expected, "{device} {sign}");
        let text = std::fs::read_to_string(run(&folder, &mesh, "list.csv", &with(&["--band", "0.4"]))).expect("a text");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("i,j,k,distance"));
        for (line, row) in lines.by_ref().zip(&rows) {
            let numbers: Vec<f64> = line.split(',').map(|word| word.parse().expect("a number")).collect();
            // The text has the fewest digits that read back to the f32.
            assert_eq!((&numbers[..3], numbers[3] as f32), (&row[..3], row[3] as f32));
        }
        assert!(lines.next().is_none() && text.lines().count() == rows.len() + 1);
        // Voxels, as `pipeline band` makes them.
        let voxels = run(&folder, &mesh, "voxels.nvdb", &with(&["--band", "0.4"]));
        let other = folder.path("other.nvdb");
        let pipeline = ["pipeline", "band", &mesh, "--grid", "9,14,11", "--band", "0.4", "--out", &other, "--json"];
        isobit(&[&pipeline[..], &common[..]].concat()).json();
        for ending in ["nvdb", "npy"] {
            let bytes = |path: &str| std::fs::read(path.replace("nvdb", ending)).expect("a file");
            assert!(bytes(&voxels) == bytes(&other), "{ending}");
        }
    }
}

#[test]
fn an_empty_band_is_an_answer_and_a_large_grid_needs_no_memory_for_its_cells() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let away = ["--bounds", "5,5,5,6,6,6", "--band", "0.1", "--json"];
    let csv = folder.path("none.csv");
    let answer = isobit(&[&["sdf", &mesh, "--grid", "4", "--out", &csv], &away[..]].concat()).json();
    assert_eq!((&answer["band_cells"], &answer["cells"]), (&0.into(), &64.into()));
    assert!(answer["min"].is_null() && answer["max"].is_null(), "{answer}");
    assert_eq!(std::fs::read_to_string(&csv).expect("a text"), "i,j,k,distance\n");
    let far = ["--grid", "1500", "--bounds", "0,0,0,1000,1000,1000", "--band", "0.5", "--json"];
    let answer = isobit(&[&["sdf", &mesh, "--out", &csv], &far[..]].concat()).json();
    assert_eq!(answer["cells"], 3_375_000_000u64);
    assert!(answer["band_cells"].as_u64() > Some(5), "{answer}");
}

#[test]
fn a_picture_of_a_band_has_grey_where_nothing_is_known() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let png = folder.path("band.png");
    let run = isobit(&["sdf", &mesh, "--grid", "24", "--band", "0.5", "--png", &png]);
    assert_eq!(run.code, 0, "{run:?}");
    let file = std::io::BufReader::new(std::fs::File::open(&png).expect("the picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut bytes).expect("whole");
    let grey = bytes.windows(3).filter(|c| *c == [176, 176, 180]).count();
    assert!(grey > 10_000, "{grey}");
}
