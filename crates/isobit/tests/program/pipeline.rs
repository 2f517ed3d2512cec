//! `pipeline`: what it writes on the CPU, what it refuses, and that the steps by hand give the same files.

use crate::support::{Folder, isobit};

/// The f32 of a .npy file behind its head.
fn rows(path: &str) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("a file");
    let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[head..].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

fn torus(folder: &Folder) -> String {
    let mesh = folder.path("torus.stl");
    isobit(&["make", "torus", "--triangles", "800", "--out", &mesh, "-q"]);
    mesh
}

#[test]
fn a_band_is_the_dense_grid_near_the_surface() {
    let folder = Folder::new();
    let (mesh, out, dense) = (torus(&folder), folder.path("band.nvdb"), folder.path("dense.npy"));
    let grid = ["--grid", "20,16,12", "--margin", "0.1"];
    let more = ["--band", "0.2", "--sign", "pseudo-normal", "--coarsen", "2", "--dilate", "1", "--json"];
    let made = isobit(&[&["pipeline", "band", &mesh], &grid[..], &more[..], &["--out", &out]].concat()).json();
    let values = rows(&folder.path("band.npy"));
    assert_eq!(made["topology"]["grids"][0]["voxels"], values.len());
    assert!(values.iter().all(|d| d.abs() <= 0.2) && values.iter().any(|d| *d < 0.0));
    isobit(&[&["sdf", &mesh], &grid[..], &["--sign", "pseudo-normal", "--out", &dense, "-q"]].concat());
    let mut near: Vec<u32> = rows(&dense).iter().filter(|d| d.abs() <= 0.2).map(|d| d.to_bits()).collect();
    let mut found: Vec<u32> = values.iter().map(|d| d.to_bits()).collect();
    near.sort_unstable();
    found.sort_unstable();
    assert_eq!(near, found);
    // By hand: the first grid, coarsened, dilated, is the second.
    let step = |from: &str, words: &[&str], to: &str| {
        let to = folder.path(to);
        let made = isobit(&[&["topology", words[0], from], &words[1..], &["--out", &to, "--json"]].concat()).json();
        (to, made["grids"][0]["sha256"].clone())
    };
    let (first, sha) = step(&out, &["select", "--items", "0"], "first.nvdb");
    assert_eq!(sha, made["topology"]["grids"][0]["sha256"]);
    let (coarse, _) = step(&first, &["coarsen", "--factor", "2"], "coarse.nvdb");
    let (_, sha) = step(&coarse, &["dilate", "--neighbours", "26", "--steps", "1"], "second.nvdb");
    assert_eq!(sha, made["topology"]["grids"][1]["sha256"]);
}

#[test]
fn a_compressed_mesh_is_decoded_on_the_way() {
    let folder = Folder::new();
    let (mesh, packed, plain) = (torus(&folder), folder.path("torus.md1"), folder.path("plain.obj"));
    isobit(&["encode", &mesh, "--format", "md1", "--bits", "14", "--out", &packed, "-q"]);
    isobit(&["decode", &packed, "--out", &plain, "-q"]);
    let band = |from: &str, name: &str| {
        let out = folder.path(name);
        let made = isobit(&["pipeline", "band", from, "--grid", "16", "--out", &out, "--json"]).json();
        (made["topology"]["grids"][0]["sha256"].clone(), made["sign"].clone(), rows(&out.replace("nvdb", "npy")))
    };
    let [a, b] = [band(&packed, "a.nvdb"), band(&plain, "b.nvdb")];
    assert_eq!(a, b);
    // Vertices of neighbouring meshlets are one, so the mesh is closed.
    assert_eq!(a.1, "pseudo-normal");
    let picture = folder.path("packed.png");
    assert_eq!(isobit(&["view", &packed, "--png", &picture, "--json"]).json()["kind"], "mesh");
}

#[test]
fn an_octree_gives_voxels_a_surface_and_its_deviation() {
    let folder = Folder::new();
    let (sphere, out, surface) = (folder.path("sphere.stl"), folder.path("o.nvdb"), folder.path("o.ply"));
    isobit(&["make", "sphere", "--triangles", "5000", "--out", &sphere, "-q"]);
    let scene = ["x^2+y^2+z^2-1", "--bounds", "-1.5,-1.5,-1.5,1.5,1.5,1.5", "--level", "5"];
    let more = ["--surface", &surface, "--against", &sphere, "--out", &out, "--json"];
    let made = isobit(&[&["pipeline", "octree"], &scene[..], &more[..]].concat()).json();
    let by_hand = folder.path("by-hand.ply");
    let cells = isobit(&[&["implicit", "octree"], &scene[..], &["--out", &by_hand, "--json"]].concat()).json();
    assert_eq!(made["topology"]["voxels"], cells["active"][5]);
    assert_eq!(std::fs::read(&surface).expect("a surface"), std::fs::read(&by_hand).expect("a surface"));
    let upper = made["deviation"]["hausdorff"]["upper"].as_f64().expect("a number");
    assert!(upper > 0.0 && upper < 0.05, "{made}");
    assert_eq!(made["deviation"]["reached"], true);
    // Nothing is wrong with the mesh when the expression has no surface.
    let nothing = ["pipeline", "octree", "x^2+y^2+z^2+1", "--level", "3", "--against", &sphere, "--out", &out];
    let run = isobit(&nothing);
    run.refused(1, &["x^2+y^2+z^2+1: no surface in the box", "sphere.stl"]);
    assert!(!run.stderr.contains("sphere.stl:"), "{run:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    let (mesh, out) = (torus(&folder), folder.path("x.nvdb"));
    let band = |words: &[&str]| isobit(&[&["pipeline", "band", &mesh, "--grid", "8"], words].concat());
    band(&["--out", &folder.path("x.vdb")]).refused(2, &["unknown extension (.vdb, allowed: .nvdb)"]);
    band(&["--out", &out, "--coarsen", "0"]).refused(2, &["0"]);
    band(&["--out", &out, "--band", "-1"]).refused(2, &["-1"]);
    let junk = folder.file("junk.bin", "no mesh at all");
    isobit(&["pipeline", "band", &junk, "--grid", "8", "--out", &out]).refused(1, &["junk.bin"]);
    isobit(&["view", &junk, "--png", &folder.path("x.png")]).refused(1, &["extension (.bin, allowed"]);
    isobit(&["pipeline", "octree", "x^2+q", "--out", &out]).refused(1, &["q"]);
    assert!(!std::path::Path::new(&out).exists());
}
