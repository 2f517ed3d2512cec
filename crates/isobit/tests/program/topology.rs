//! `topology` and `view` of grids: every operation, what it writes, and what it refuses.

use crate::support::{BOX_OBJ, Folder, isobit, npy};

/// The values of a .npy file of 8-byte or 4-byte integers, after its head.
fn integers(path: &str, size: usize) -> Vec<i64> {
    let bytes = std::fs::read(path).expect("a file");
    let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(head % 64, 0, "values are aligned");
    let value = |b: &[u8]| {
        if size == 8 {
            i64::from_le_bytes(b.try_into().expect("8"))
        } else {
            i32::from_le_bytes(b.try_into().expect("4")).into()
        }
    };
    bytes[head..].chunks_exact(size).map(value).collect()
}

/// Three voxels in two grids.
fn scene(folder: &Folder) -> String {
    let (a, b) = (folder.file("a.csv", "1,2,3\n-1,-2,-3\n1,2,3\n"), folder.file("b.csv", "7, 0, 0\n"));
    let out = folder.path("scene.nvdb");
    let made = isobit(&[
        "topology",
        "from-coordinates",
        &a,
        &b,
        "--voxel-size",
        "0.5",
        "--origin",
        "1,2,3",
        "--out",
        &out,
        "--json",
    ])
    .json();
    assert_eq!(made["voxels"], 3, "{made}");
    assert_eq!(made["grids"][0]["name"], "a.csv");
    out
}

#[test]
fn grids_are_described() {
    let folder = Folder::new();
    let info = isobit(&["topology", "info", &scene(&folder), "--json"]).json();
    assert_eq!((&info["verb"], &info["operation"]), (&"topology".into(), &"info".into()));
    let grid = &info["grids"][0];
    assert_eq!(
        (&grid["voxels"], &grid["leaves"], &grid["lower"], &grid["upper"]),
        (&2.into(), &2.into(), &2.into(), &2.into())
    );
    assert_eq!(grid["bbox"], serde_json::json!([[-1, -2, -3], [1, 2, 3]]));
    assert_eq!(grid["voxel_size"], serde_json::json!([0.5, 0.5, 0.5]));
    assert_eq!(info["grids"][1]["name"], "b.csv");
    assert!(isobit(&["topology", "info", &scene(&folder)]).stdout.contains("3 voxels in 3 leaves"));
}

#[test]
fn every_operation_counts_right() {
    let folder = Folder::new();
    let (scene, out) = (scene(&folder), folder.path("out.nvdb"));
    for (operation, voxels, size, origin) in [
        ("coarsen --factor 2", 3, 1.0, 1.25),
        ("subsample --factor 7,1,1", 1, 3.5, 1.0),
        ("refine --factor 2", 24, 0.25, 0.875),
        ("conv --kernel 3", 81, 0.5, 1.0),
        ("conv-transpose --kernel 2 --stride 2", 24, 0.25, 1.0),
        ("dilate --neighbours 6", 21, 0.5, 1.0),
        ("dilate --neighbours 18 --steps 0", 3, 0.5, 1.0),
        ("erode --neighbours 26", 0, 0.5, 1.0),
        ("pad --min 0 --max 1,0,0", 6, 0.5, 1.0),
        ("dual", 24, 0.5, 0.75),
        ("dual --exclude-border", 0, 0.5, 0.75),
        ("clip --min -5 --max 1", 1, 0.5, 1.0),
        ("select --items ::-1", 3, 0.5, 1.0),
        ("select --items 1", 1, 0.5, 1.0),
    ] {
        let words: Vec<&str> = operation.split(' ').collect();
        let arguments =
            [&["topology", words[0], &scene][..], &words[1..], &["--out", &out, "--json", "--codec", "zip"]].concat();
        let made = isobit(&arguments).json();
        assert_eq!(made["voxels"], voxels, "{operation}");
        let grid = &made["grids"][0];
        assert_eq!(
            (grid["voxel_size"][0].as_f64(), grid["origin"][0].as_f64()),
            (Some(size), Some(origin)),
            "{operation}"
        );
        let read = isobit(&["topology", "info", &out, "--json"]).json();
        assert_eq!(read["grids"], made["grids"], "{operation}: what was written");
        assert_eq!(read["codecs"][0], "zip");
    }
    for (operation, voxels) in [("merge", 3), ("intersect", 3), ("difference", 0)] {
        assert_eq!(isobit(&["topology", operation, &scene, &scene, "--json"]).json()["voxels"], voxels, "{operation}");
    }
}

#[test]
fn pairs_lists_and_features_are_rows() {
    let folder = Folder::new();
    let scene = scene(&folder);
    let (pairs, list) = (folder.path("pairs.npy"), folder.path("list.npy"));
    assert_eq!(
        isobit(&["topology", "coarsen", &scene, "--factor", "2", "--pairs", &pairs, "--json"]).json()["pairs"],
        3
    );
    // -1,-2,-3 is at place (1, 0, 1) of its block, 1,2,3 at (1, 0, 1), 7,0,0 at (1, 0, 0).
    assert_eq!(integers(&pairs, 8), [4, 2, 2, 5, 0, 0, 5, 1, 1]);
    assert_eq!(isobit(&["topology", "list", &scene, "--out", &list]).code, 0);
    assert_eq!(integers(&list, 4), [-1, -2, -3, 1, 2, 3]);
    let csv = folder.path("list.csv");
    assert_eq!(isobit(&["topology", "list", &scene, "--item", "-1", "--out", &csv]).code, 0);
    assert_eq!(std::fs::read_to_string(csv).expect("a list"), "7,0,0\n");
    let features = folder.file("f.npy", npy("<i4", "(3, 2)", &[1, 2, 3, 4, 5, 6].map(i32::to_le_bytes).concat()));
    let mask = folder.file("m.npy", npy("|b1", "(3,)", &[0, 1, 1]));
    let out = folder.path("pruned.nvdb");
    assert_eq!(isobit(&["topology", "prune", &scene, "--mask", &mask, "--features", &features, "--out", &out]).code, 0);
    assert_eq!(integers(&folder.path("pruned.npy"), 4), [3, 4, 5, 6]);
    let (fine, reversed) = (folder.path("fine.nvdb"), folder.path("reversed.nvdb"));
    assert_eq!(
        isobit(&["topology", "refine", &scene, "--factor", "1,1,2", "--features", &features, "--out", &fine]).code,
        0
    );
    assert_eq!(integers(&folder.path("fine.npy"), 4), [1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6]);
    assert_eq!(
        isobit(&["topology", "select", &scene, "--items", "1,0", "--features", &features, "--out", &reversed]).code,
        0
    );
    assert_eq!(integers(&folder.path("reversed.npy"), 4), [5, 6, 1, 2, 3, 4]);
    let padded = folder.path("padded.nvdb");
    assert_eq!(
        isobit(&["topology", "pad", &scene, "--min", "0", "--max", "0,0,1", "--features", &features, "--out", &padded])
            .code,
        0
    );
    assert_eq!(integers(&folder.path("padded.npy"), 4), [1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0]);
}

#[test]
fn grids_are_built_from_points_meshes_and_arrays() {
    let folder = Folder::new();
    let points = folder.file("p.csv", "0.25,0,0\n0.24,0,0\n-9,1e3,0\n");
    assert_eq!(isobit(&["topology", "from-points", &points, "--voxel-size", "0.5", "--json"]).json()["voxels"], 3);
    assert_eq!(
        isobit(&["topology", "from-points", &points, "--voxel-size", "0.5", "--nearest", "--json"]).json()["voxels"],
        16
    );
    let mesh = folder.file("box.obj", BOX_OBJ);
    assert!(
        isobit(&["topology", "from-mesh", &mesh, "--voxel-size", "0.1", "--json"]).json()["voxels"].as_u64()
            > Some(100)
    );
    assert_eq!(
        isobit(&["topology", "from-dense", "--size", "2,3,4", "--min", "-1", "--json"]).json()["grids"][0]["bbox"],
        serde_json::json!([[-1, -1, -1], [0, 1, 2]])
    );
    let values = [1.0f32, -1.0, 0.0, f32::NAN, -2.0, 3.0].map(f32::to_le_bytes).concat();
    let dense = folder.file("d.npy", npy("<f4", "(1, 2, 3)", &values));
    let below = isobit(&["topology", "from-dense", &dense, "--axes", "zyx", "--below", "0", "--json"]).json();
    assert_eq!(below["grids"][0]["bbox"], serde_json::json!([[1, 0, 0], [1, 1, 0]]));
    assert_eq!(isobit(&["topology", "from-dense", &dense, "--json"]).json()["voxels"], 5);
}

#[test]
fn pictures_are_drawn() {
    let folder = Folder::new();
    let (scene, png) = (scene(&folder), folder.path("scene.png"));
    let answer = isobit(&["view", &scene, "--png", &png, "--json"]).json();
    assert_eq!((&answer["kind"], &answer["block"]), (&"grids".into(), &1.into()));
    assert!(std::fs::metadata(&png).expect("a picture").len() > 5000);
    let far = folder.file("far.csv", "-2147483648,0,0\n2147483647,5,5\n");
    let nvdb = folder.path("far.nvdb");
    assert_eq!(isobit(&["topology", "from-coordinates", &far, "--out", &nvdb]).code, 0);
    assert_eq!(isobit(&["view", &nvdb, "--png", &png]).code, 0);
    let none = folder.path("none.nvdb");
    assert_eq!(isobit(&["topology", "clip", &nvdb, "--min", "1", "--max", "0", "--out", &none]).code, 0);
    isobit(&["view", &none, "--png", &png]).refused(1, &["none.nvdb", "0 voxels"]);
}

#[test]
fn bad_input_is_refused_and_leaves_nothing() {
    let folder = Folder::new();
    let scene = scene(&folder);
    let before = folder.names();
    let file = |name: &str, text: &str| folder.file(name, text);
    let t = |arguments: &[&str]| isobit(&[&["topology"], arguments].concat());
    t(&["info", "/no/such.nvdb"]).refused(1, &["/no/such.nvdb"]);
    t(&["info", &file("text.nvdb", "not a grid at all, only text")]).refused(1, &["text.nvdb", "byte 0"]);
    t(&["coarsen", &scene, "--factor", "0"]).refused(2, &["0", "1 to 2147483647"]);
    t(&["coarsen", &scene, "--factor", "1,2"]).refused(2, &["2 numbers"]);
    t(&["dilate", &scene, "--neighbours", "7"]).refused(2, &["7", "26"]);
    t(&["pad", &scene, "--min", "1", "--max", "0"]).refused(2, &["min along x is 1"]);
    t(&["refine", &scene, "--factor", "2000000000,1,1"]).refused(1, &["item 0", "allowed are coordinates"]);
    t(&["refine", &scene, "--factor", "100000"]).refused(4, &["bytes"]);
    t(&["clip", &scene, "--min", "x", "--max", "0"]).refused(2, &["not a whole number"]);
    t(&["select", &scene, "--items", "2"]).refused(1, &["item 2", "0 to 1"]);
    t(&["list", &scene, "--item", "9", "--out", &folder.path("l.csv")]).refused(1, &["item 9"]);
    t(&["list", &scene, "--item", "-3", "--out", &folder.path("l.csv")]).refused(1, &["item -3"]);
    t(&["list", &scene, "--out", &folder.path("l.txt")]).refused(2, &[".txt", ".npy", ".csv"]);
    t(&["coarsen", &scene, "--factor", "2", "--out", &folder.path("o.vdb")]).refused(2, &[".vdb", ".nvdb"]);
    t(&["coarsen", &scene, "--factor", "2", "--out", "/no/such/o.nvdb"]).refused(1, &["/no/such"]);
    t(&["merge", &scene]).refused(2, &[]);
    t(&["from-dense"]).refused(2, &["--size"]);
    t(&["from-coordinates", &file("c.csv", "1,2,3\n1,2\n")]).refused(1, &["c.csv:2", "2 numbers"]);
    t(&["from-coordinates", &file("c.csv", "1,2,2147483648\n")]).refused(1, &["c.csv:1", "z", "2147483648"]);
    t(&["from-points", &file("c.csv", "1,2,3\n1,nan,3\n")]).refused(1, &["c.csv", "point 1", "coordinate y"]);
    t(&["prune", &scene, "--mask", &folder.file("m.npy", npy("|b1", "(2,)", &[1, 1]))])
        .refused(1, &["m.npy", "[2]", "[3]"]);
    t(&["prune", &scene, "--mask", &folder.file("m.npy", npy("|b1", "(9,)", &[1, 1]))])
        .refused(1, &["m.npy", "9", "2"]);
    t(&["coarsen", &scene, "--factor", "2", "--device", "no such adapter"]).refused(3, &["no such adapter"]);
    for name in ["text.nvdb", "c.csv", "m.npy"] {
        std::fs::remove_file(folder.path(name)).expect("a file of this test");
    }
    assert_eq!(folder.names(), before);
}

/// The same answer whatever computes; skipped where there is no adapter.
#[test]
fn devices_give_the_same_grids() {
    let adapters = isobit(&["adapters", "--json"]).json();
    if adapters["adapters"].as_array().is_none_or(Vec::is_empty) {
        println!("skipped: no adapter");
        return;
    }
    let folder = Folder::new();
    let (scene, points) = (scene(&folder), folder.file("p.csv", "0.25,0,0\n0.24,0,0\n-9,1e3,0\n"));
    let mask = folder.file("m.npy", npy("|b1", "(3,)", &[0, 1, 1]));
    let mesh = folder.file("box.obj", BOX_OBJ);
    let values = [1.0f32, -1.0, 0.0, f32::NAN, -2.0, 3.0].map(f32::to_le_bytes).concat();
    let dense = folder.file("d.npy", npy("<f4", "(1, 2, 3)", &values));
    let (pairs, again) = (folder.path("a.npy"), folder.path("b.npy"));
    let conv = ["conv", &scene, "--kernel", "3", "--stride", "2", "--pairs"];
    for arguments in [
        &["coarsen", &scene, "--factor", "3"][..],
        &["dilate", &scene, "--neighbours", "18", "--steps", "2"],
        &["prune", &scene, "--mask", &mask],
        &["difference", &scene, &scene],
        &["select", &scene, "--items", "1,0"],
        &["subsample", &scene, "--factor", "1,2,1"],
        &["refine", &scene, "--factor", "2,1,3"],
        &["conv-transpose", &scene, "--kernel", "3", "--stride", "2"],
        &["erode", &scene, "--neighbours", "6"],
        &["pad", &scene, "--min", "-1", "--max", "2"],
        &["clip", &scene, "--min", "0", "--max", "9"],
        &["dual", &scene],
        &["dual", &scene, "--exclude-border"],
        &["merge", &scene, &scene],
        &["intersect", &scene, &scene],
        &["from-points", &points, "--nearest"],
        &["from-mesh", &mesh, &mesh, "--voxel-size", "0.1"],
        &["from-dense", "--size", "2,3,40", "--min", "-1"],
        &["from-dense", "--size", "600000,1,1"],
        &["from-dense", &dense, "--axes", "zyx", "--below", "0"],
    ] {
        let run = |device: &str| isobit(&[&["topology"], arguments, &["--json", "--device", device]].concat()).json();
        let (cpu, gpu) = (run("cpu"), run("gpu"));
        assert_eq!(cpu["grids"], gpu["grids"], "{arguments:?}");
        assert_ne!(cpu["device"], gpu["device"], "{arguments:?}");
    }
    assert_eq!(isobit(&[&["topology"], &conv[..], &[&pairs, "--device", "cpu"]].concat()).code, 0);
    assert_eq!(isobit(&[&["topology"], &conv[..], &[&again, "--device", "gpu"]].concat()).code, 0);
    assert_eq!(integers(&pairs, 8).len(), 30, "ten pairs");
    assert_eq!(integers(&pairs, 8), integers(&again, 8));
    for looks in [&["info", &scene][..], &["list", &scene, "--out", &pairs]] {
        let run = isobit(&[&["topology"], looks, &["--device", "gpu"]].concat());
        assert!(run.code == 0 && run.stderr.contains(looks[0]) && run.stderr.contains("on the CPU"), "{run:?}");
    }
}

/// Grids of other voxel sizes are joined by coordinate, which is said.
#[test]
fn other_voxel_sizes_are_noted() {
    let folder = Folder::new();
    let fine = scene(&folder);
    let coarse = folder.path("coarse.nvdb");
    isobit(&["topology", "coarsen", &fine, "--factor", "2", "--out", &coarse, "--json"]).json();
    let merged = isobit(&["topology", "merge", &fine, &coarse]);
    let note = "coarse.nvdb: grid 0 has voxels of [1.0, 1.0, 1.0] from [1.25, 2.25, 3.25] on";
    assert!(merged.code == 0 && merged.stderr.contains(note), "{merged:?}");
    let same = isobit(&["topology", "merge", &fine, &fine]);
    assert!(same.code == 0 && !same.stderr.contains("has voxels of"), "{same:?}");
}

/// A grid that got another name after its checksum was made, as fVDB does.
#[test]
fn checksums_can_be_left_alone() {
    let folder = Folder::new();
    let path = scene(&folder);
    let mut bytes = std::fs::read(&path).expect("a file");
    let name = bytes.windows(6).rposition(|w| w == b"a.csv\0").expect("the grid's name");
    bytes[name] = b'x';
    std::fs::write(&path, bytes).expect("a file");
    isobit(&["topology", "info", &path]).refused(1, &["the checksum of the header"]);
    let mended = folder.path("mended.nvdb");
    isobit(&["topology", "select", &path, "--items", ":", "--out", &mended, "--ignore-checksums", "--json"]).json();
    assert_eq!(isobit(&["topology", "info", &mended, "--json"]).json()["voxels"], 3);
}
