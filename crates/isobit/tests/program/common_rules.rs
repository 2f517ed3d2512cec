//! Rules for every verb: the device that is named, outputs that are inputs, negative values, lists of numbers.

use crate::support::{BOX_OBJ, Folder, isobit};

#[test]
fn a_device_that_is_not_there_is_refused_by_every_verb() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let (packed, boxes) = (folder.path("box.md1"), folder.file("b.csv", "1,2\n"));
    assert_eq!(isobit(&["encode", &mesh, "--format", "md1", "--mode", "fixed", "--out", &packed]).code, 0);
    let grids = folder.path("g.nvdb");
    assert_eq!(isobit(&["topology", "from-dense", "--size", "2", "--out", &grids]).code, 0);
    let (png, out, stl) = (folder.path("a.png"), folder.path("o.md1"), folder.path("o.stl"));
    let (list, before) = (folder.path("l.csv"), folder.names());
    for line in [
        &["report", &mesh][..],
        &["view", &mesh, "--png", &png],
        &["encode", &mesh, "--format", "md1", "--out", &out],
        &["inspect", &packed],
        &["make", "box", "--triangles", "12", "--out", &stl],
        &["repair", &mesh, "--out", &stl],
        &["enclose", "x", "--boxes", &boxes],
        &["implicit", "enclose", "x", "--boxes", &boxes],
        &["implicit", "list"],
        &["implicit", "roots", "x", "--bounds", "-1,1"],
        &["implicit", "x", "--png", &png],
        &["topology", "info", &grids],
        &["topology", "list", &grids, "--out", &list],
        &["decode", &packed, "--box", "0,0,0,1,1,1"],
        &["sdf", &mesh, "--grid", "4"],
    ] {
        isobit(&[line, &["--device", "no such adapter"]].concat()).refused(3, &["no such adapter"]);
    }
    assert_eq!(folder.names(), before);
    // The CPU is no device that could be missed.
    for device in ["cpu", "auto"] {
        assert_eq!(isobit(&["report", &mesh, "--device", device]).stderr, "");
    }
}

/// Skipped where there is no adapter.
#[test]
fn a_verb_without_a_device_part_says_so() {
    let adapters = isobit(&["adapters", "--json"]).json();
    if adapters["adapters"].as_array().is_none_or(Vec::is_empty) {
        println!("skipped: no adapter");
        return;
    }
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let run = isobit(&["report", &mesh, "--device", "0", "--json"]);
    assert_eq!(run.json()["device"]["name"], "cpu");
    assert_eq!(run.stderr, "note: computing on the CPU: report has no device part (asked: 0)\n");
    let (png, out) = (folder.path("a.png"), folder.path("a.nvdb"));
    // More symbols than devices have room for: two variables and 32 products.
    let factors: Vec<String> = (1..=33).map(|k| format!("(x+{k}*y)")).collect();
    let expression = &factors.join("*");
    for line in [
        &["implicit", "octree", expression, "--level", "2", "--method", "aa"][..],
        &["pipeline", "octree", expression, "--level", "2", "--method", "aa", "--out", &out],
    ] {
        let run = isobit(&[line, &["--device", "0", "--json"]].concat());
        assert_eq!(run.json()["device"]["name"], "cpu", "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        assert!(run.stderr.contains("34 symbols") && run.stderr.contains("--method affine"), "{run:?}");
    }
    let run = isobit(&["implicit", "x^2-1", "--png", &png, "--device", "0", "--level", "3"]);
    assert!(run.stderr.contains("implicit EXPR --png has no device part"), "{run:?}");
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = Folder::new();
    let (mesh, points) = (folder.file("box.obj", BOX_OBJ), folder.file("p.csv", "0,0,0\n"));
    let packed = folder.path("box.md1");
    assert_eq!(isobit(&["encode", &mesh, "--format", "md1", "--out", &packed]).code, 0);
    let (grids, npy) = (folder.path("g.nvdb"), folder.path("v.npy"));
    assert_eq!(isobit(&["topology", "from-dense", "--size", "2", "--out", &grids]).code, 0);
    assert_eq!(isobit(&["sdf", &mesh, "--grid", "3", "--out", &npy]).code, 0);
    let bytes = |path: &str| std::fs::read(path).expect("a file");
    let before = [&mesh, &points, &packed, &grids, &npy].map(|path| bytes(path));
    isobit(&["query", &mesh, "--points", &points, "--out", &points])
        .refused(2, &["p.csv: would replace", "p.csv, which"]);
    isobit(&["repair", &mesh, "--out", &mesh]).refused(2, &["box.obj"]);
    isobit(&["topology", "dilate", &grids, "--neighbours", "6", "--out", &grids]).refused(2, &["g.nvdb"]);
    isobit(&["encode", &mesh, "--format", "md1", "--out", &mesh]).refused(2, &["box.obj"]);
    isobit(&["enclose", "x", "--boxes", &points, "--out", &points]).refused(2, &["p.csv"]);
    isobit(&["decode", &packed, "--dump-compact", &folder.path("d"), "--launch-csv", &packed]).refused(2, &["box.md1"]);
    isobit(&["topology", "from-points", &npy, "--out", &npy]).refused(2, &["npy"]);
    #[cfg(unix)]
    {
        let link = folder.path("link.csv");
        std::os::unix::fs::symlink(&points, &link).expect("a link");
        isobit(&["query", &mesh, "--points", &points, "--out", &link]).refused(2, &["link.csv", "p.csv"]);
    }
    assert_eq!([&mesh, &points, &packed, &grids, &npy].map(|path| bytes(path)), before);
}

#[test]
fn negative_values_get_the_message_of_their_option() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    for (line, parts) in [
        (&["sdf", &mesh, "--grid", "-1"][..], &["--grid", "not a number of cells", "-1"][..]),
        (&["sdf", &mesh, "--grid", "-1,2,3"], &["--grid", "not a number of cells", "-1"]),
        (&["mark", &mesh, "--grid", "-4"], &["--grid", "not a number of cells"]),
        (&["encode", &mesh, "--format", "md1", "--out", "a.md1", "--step", "-1"], &["--step", "above 0"]),
        (&["encode", &mesh, "--format", "md1", "--out", "a.md1", "--bits", "-1"], &["--bits", "1..=16"]),
        (&["make", "box", "--triangles", "-5", "--out", "a.stl"], &["--triangles", "-5"]),
        (&["topology", "from-dense", "--size", "-1"], &["--size", "1 to 2147483647"]),
        (&["topology", "from-dense", "--size", "2", "--voxel-size", "-1"], &["--voxel-size", "greater than 0"]),
        (&["implicit", "octree", "x", "--level", "-1"], &["--level", "0..=16"]),
        (&["implicit", "render", "x", "--png", "a.png", "--size", "-1,2"], &["--size", "-1"]),
    ] {
        let run = isobit(line);
        run.refused(2, parts);
        assert!(!run.stderr.contains("unexpected argument"), "{run:?}");
    }
    isobit(&["sdf", &mesh, "--grid"]).refused(2, &["--grid"]);
}

#[test]
fn lists_may_have_names_and_remarks() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let plain = folder.file("plain.csv", "0,0,0\n5,0,0\n");
    let dressed = folder.file("dressed.csv", "\u{feff}# two points\nx,y,z\n\n0,0,0\n# far\n5, 0, 0\r\n");
    let answer = |points: &str, name: &str| {
        let out = folder.path(name);
        assert_eq!(isobit(&["query", &mesh, "--points", points, "--out", &out]).code, 0);
        std::fs::read(out).expect("a table")
    };
    assert_eq!(answer(&plain, "a.csv"), answer(&dressed, "b.csv"));
    let late = folder.file("late.csv", "0,0,0\nx,y,z\n");
    isobit(&["query", &mesh, "--points", &late]).refused(1, &["late.csv:2", "x"]);
    let voxels = folder.file("v.csv", "i,j,k\n1,2,3\n");
    assert_eq!(isobit(&["topology", "from-coordinates", &voxels, "--json"]).json()["voxels"], 1);
}
