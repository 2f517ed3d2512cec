//! `make`, `report`, `adapters` and the common options.

use crate::support::{BOX_OBJ, Folder, command, finished, isobit};

#[test]
fn every_shape_is_made_and_reads_back() {
    let folder = Folder::new();
    for (shape, closed) in [("knot", true), ("sphere", true), ("torus", true), ("box", true), ("terrain", false)] {
        for extension in ["stl", "obj"] {
            let mesh = folder.path(&format!("{shape}.{extension}"));
            let made = isobit(&["make", shape, "--triangles", "800", "--out", &mesh, "--json"]).json();
            let count = made["triangles"].as_u64().expect("a count");
            assert!((600..=1000).contains(&count), "{shape}: {count}");
            let report = isobit(&["report", &mesh, "--json"]).json();
            assert_eq!(report["report"]["triangles"], count, "{shape}.{extension}");
            assert_eq!(report["report"]["closed"], closed, "{shape}.{extension}");
            assert_eq!(report["report"]["zero_area_triangles"], 0, "{shape}.{extension}");
            assert_eq!(report["report"]["trust"]["pseudo-normal"]["reliable"], closed, "{shape}.{extension}");
        }
    }
}

#[test]
fn a_report_names_the_defects() {
    let folder = Folder::new();
    let mesh = folder.file("open.obj", BOX_OBJ.replace("f 4 5 8\n", "f 4 8 7\n"));
    let answer = isobit(&["report", &mesh, "--json"]).json();
    assert_eq!(answer["verb"], "report");
    assert_eq!(answer["report"]["boundary_edges"], 3);
    assert_eq!(answer["report"]["duplicate_triangles"], 0);
    let summary = isobit(&["report", &mesh]).stdout;
    assert!(summary.contains("boundary edges") && summary.contains("not reliable"), "{summary}");
}

#[test]
fn adapters_are_listed_even_when_there_are_none() {
    let answer = isobit(&["adapters", "--json"]).json();
    for adapter in answer["adapters"].as_array().expect("a list") {
        for field in ["name", "type", "backend", "driver"] {
            assert!(adapter[field].is_string(), "{field}: {adapter}");
        }
        for form in ["decorated", "guarded"] {
            assert!(adapter["self_test"][form].is_string(), "{form}: {adapter}");
        }
        // Of f64 where the device has it.
        let features = &adapter["features"];
        let both = features["f64"] == true && features["int64"] == true;
        let passed = adapter["self_test"]["f64"].as_str().is_some_and(|verdict| verdict.starts_with("passed"));
        assert!(passed == both, "{adapter}");
        assert!(adapter["limits"]["max_binding_bytes"].as_u64() > Some(0), "{adapter}");
    }
    assert!(!isobit(&["adapters"]).stdout.trim().is_empty());
}

#[test]
fn help_and_version_go_to_stdout() {
    for arguments in [&["--help"][..], &["sdf", "--help"], &["--version"]] {
        let run = isobit(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(!run.stdout.is_empty());
    }
    assert_eq!(isobit(&[]).code, 2);
}

#[test]
fn the_environment_names_the_device_and_the_option_wins() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let run = |device: &str, option: &[&str]| {
        let mut command = command(&[&["sdf", &mesh, "--grid", "3"], option].concat());
        finished(command.env("ISOBIT_DEVICE", device).output().expect("the program starts"))
    };
    run("no such adapter", &[]).refused(3, &["no such adapter"]);
    assert_eq!(run("no such adapter", &["--device", "cpu"]).code, 0);
}
