//! Bad input, bad options and bad places: an exit code, one clear line, nothing written.

use crate::support;
use crate::support::{BOX_OBJ, Folder, finished, isobit, stl, tetrahedron};

/// Runs `sdf` on a file that must be refused as input, and checks that nothing was written.
#[track_caller]
fn refused_mesh(name: &str, bytes: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::new();
    let mesh = folder.file(name, bytes);
    let (out, png) = (folder.path("out.npy"), folder.path("out.png"));
    let run = isobit(&["sdf", &mesh, "--grid", "4", "--out", &out, "--png", &png]);
    run.refused(1, parts);
    assert!(run.stderr.contains(name), "the file is named: {run:?}");
    assert_eq!(folder.names(), [name]);
}

#[test]
fn a_coordinate_that_is_not_a_number() {
    let mut triangles = tetrahedron();
    triangles[2][1][1] = f32::NAN;
    refused_mesh("nan.stl", stl(&triangles), &["NaN"]);
    triangles[2][1][1] = f32::INFINITY;
    refused_mesh("inf.stl", stl(&triangles), &["inf"]);
    refused_mesh("nan.obj", BOX_OBJ.replace("v 1 2 3", "v 1 nan 3"), &[]);
}

#[test]
fn a_truncated_stl_file() {
    let bytes = stl(&tetrahedron());
    for keep in [bytes.len() - 1, bytes.len() - 50, 100, 83] {
        refused_mesh("cut.stl", &bytes[..keep], &[]);
    }
}

#[test]
fn an_empty_file() {
    refused_mesh("empty.stl", b"", &[]);
    refused_mesh("empty.obj", b"", &[]);
}

#[test]
fn a_count_field_that_lies() {
    let mut bytes = stl(&tetrahedron());
    bytes[80..84].copy_from_slice(&4_000_000_000u32.to_le_bytes());
    refused_mesh("lies.stl", &bytes, &["4000000000"]);
    bytes[80..84].copy_from_slice(&3u32.to_le_bytes());
    refused_mesh("lies.stl", &bytes, &[]);
}

#[test]
fn an_obj_index_out_of_range() {
    refused_mesh("index.obj", BOX_OBJ.replace("f 4 5 8", "f 4 5 9"), &["9"]);
}

#[test]
fn no_triangles() {
    refused_mesh("none.stl", stl(&[]), &["0"]);
    refused_mesh("points.obj", "v 0 0 0\nv 1 0 0\n", &["0"]);
}

#[test]
fn a_missing_file_and_an_unknown_kind() {
    isobit(&["sdf", "/no/such/mesh.stl", "--grid", "4"]).refused(1, &["/no/such/mesh.stl"]);
    refused_mesh("mesh.xyz", "what", &["xyz"]);
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    isobit(&["sdf", &mesh, "--grid", "4", "--out", &folder.path("a.raw")]).refused(2, &[".raw", ".npy", ".vti"]);
    isobit(&["sdf", &mesh, "--grid", "4", "--png", &folder.path("a.jpg")]).refused(2, &[".jpg", ".png"]);
    isobit(&["view", &folder.file("a.txt", "x"), "--png", &folder.path("a.png")]).refused(1, &[".txt", ".stl"]);
    isobit(&["make", "box", "--triangles", "12", "--out", &folder.path("a.xyz")]).refused(2, &[".xyz", ".stl"]);
    assert_eq!(folder.names(), ["a.txt", "box.obj"]);
}

#[test]
fn grids_of_no_cells_and_of_too_many() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let out = folder.path("out.npy");
    let run = |grid: &str| isobit(&["sdf", &mesh, "--grid", grid, "--out", &out]);
    run("0").refused(2, &["--grid", "0"]);
    run("4,0,4").refused(2, &["--grid", "0"]);
    run("4,4").refused(2, &["--grid"]);
    run("-4").refused(2, &[]);
    run("100000").refused(4, &["needed", "allowed"]);
    run("8000000").refused(4, &["needed", "allowed"]);
    run("8388609,1,1").refused(4, &["8388609", "8388608"]);
    let voxels = folder.path("out.nvdb");
    let band = ["sdf", &mesh, "--grid", "5000", "--band", "0.0003", "--out", &voxels];
    isobit(&band).refused(4, &["a band over 125000000000 cells, allowed are at most 4294967294"]);
    assert_eq!(folder.names(), ["box.obj"]);
}

#[test]
fn signs_and_options_of_later_versions() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    // Nobody asked for a sign: the mesh is open.
    let open = folder.file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    assert_eq!(isobit(&["sdf", &open, "--grid", "4", "--precision", "f64", "--json"]).json()["sign"], "winding");
    isobit(&["sdf", &mesh, "--grid", "4", "--precision", "f16"]).refused(2, &["f16", "allowed: f32, f64"]);
    let band = |words: &[&str]| isobit(&[&["sdf", &mesh, "--grid", "4"], words].concat());
    band(&["--band", "-0.5"]).refused(2, &["-0.5", "allowed: 0 or more"]);
    band(&["--band", "0.5", "--squared"]).refused(2, &["--band", "--squared"]);
    band(&["--fill", "1"]).refused(2, &["--band"]);
    band(&["--sparse"]).refused(2, &["--band"]);
    band(&["--out", &folder.path("a.csv")]).refused(2, &["a.csv", "needs --band"]);
    band(&["--band", "1", "--sparse", "--out", &folder.path("a.vti")])
        .refused(2, &["a.vti", "allowed: .npy, .csv, .nvdb"]);
    isobit(&["sdf", &mesh, "--grid", "4", "--sign", "magic"]).refused(2, &["magic", "pseudo-normal"]);
}

#[test]
fn a_wrong_command_line() {
    isobit(&["sdf"]).refused(2, &["--grid"]);
    isobit(&["melt", "x"]).refused(2, &["melt"]);
    isobit(&["sdf", "x.stl", "--grid", "4", "--margin", "-1"]).refused(2, &["--margin", "-1"]);
    isobit(&["sdf", "x.stl", "--grid", "4", "--bounds", "0,0,0,1,1"]).refused(2, &["--bounds", "5 numbers"]);
    isobit(&["sdf", "x.stl", "--grid", "4", "--png", "a.png", "--slice", "w:0.5"]).refused(2, &["--slice", "w"]);
    isobit(&["sdf", "x.stl", "--grid", "4", "--slice", "x:0.5"]).refused(2, &["--png"]);
    isobit(&["make", "cone", "--triangles", "9", "--out", "a.stl"]).refused(2, &["cone", "knot"]);
}

#[test]
fn places_that_take_no_files() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    let sdf = |option: &str, path: &str| isobit(&["sdf", &mesh, "--grid", "4", option, path]);
    sdf("--out", &folder.path("none/out.npy")).refused(1, &["none/out.npy", "no folder"]);
    sdf("--png", &folder.path("none/out.png")).refused(1, &["none/out.png", "no folder"]);
    sdf("--out", &folder.path("box.obj/out.npy")).refused(1, &["box.obj/out.npy"]);
    std::fs::create_dir(folder.path("dir.npy")).expect("folder");
    sdf("--out", &folder.path("dir.npy")).refused(1, &["dir.npy", "folder"]);
    assert_eq!(folder.names(), ["box.obj", "dir.npy"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_place() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    // Takes no files, not even from root.
    isobit(&["sdf", &mesh, "--grid", "4", "--out", "/proc/out.npy"]).refused(1, &["/proc/out.npy", "cannot create"]);
    let old = folder.file("old.npy", "old");
    let mut permissions = std::fs::metadata(&old).expect("metadata").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&old, permissions).expect("read-only");
    isobit(&["sdf", &mesh, "--grid", "4", "--out", &old]).refused(1, &["old.npy", "read-only"]);
    assert_eq!(std::fs::read(&old).expect("read"), b"old");
}

#[test]
fn an_unknown_adapter() {
    let folder = Folder::new();
    let mesh = folder.file("box.obj", BOX_OBJ);
    for name in ["no such adapter", "99"] {
        let run = isobit(&["sdf", &mesh, "--grid", "4", "--device", name, "--out", &folder.path("out.npy")]);
        run.refused(3, &[name]);
        let listed = isobit(&["adapters", "--json"]).json();
        for adapter in listed["adapters"].as_array().expect("a list") {
            assert!(run.stderr.contains(adapter["name"].as_str().expect("a name")), "{run:?}");
        }
    }
    assert_eq!(folder.names(), ["box.obj"]);
}

#[test]
fn damaged_volumes() {
    let folder = Folder::new();
    let png = folder.path("a.png");
    for (name, bytes) in [("a.npy", &b"\x93NUMPY"[..]), ("b.npy", b""), ("c.vti", b"<VTKFile/>"), ("d.vti", b"")] {
        isobit(&["view", &folder.file(name, bytes), "--png", &png]).refused(1, &[name]);
    }
    assert!(!folder.names().contains(&"a.png".to_owned()));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = support::command(&["adapters", "--json"]);
    let child = child.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    drop(child.stdout.take());
    let run = finished(child.wait_with_output().expect("ends"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}
