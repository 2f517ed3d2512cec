//! `topology from-points` and `from-mesh` of files far from the world's origin: voxels of the numbers that the file has.

use std::collections::BTreeSet;

use crate::support::{Folder, isobit, npy};

/// UTM coordinates that f32 rounds by up to a quarter.
const ORIGIN: [i64; 3] = [388_096, 3_948_996, 120];

type Voxels = BTreeSet<[i64; 3]>;

/// Offsets from the origin in sixteenths of a unit.
fn offsets() -> Vec<[i64; 3]> {
    (0..400_i64).map(|i| [i * 37 % 161 - 80, i * 53 % 147 - 70, i * 71 % 139 - 60]).collect()
}

/// The same as numbers, moved by 2^-12 on every other point.
fn points() -> Vec<[f64; 3]> {
    let fine = |i: usize| if i.is_multiple_of(2) { 0.0 } else { f64::from(1 << 12).recip() };
    offsets()
        .iter()
        .enumerate()
        .map(|(i, at)| [0, 1, 2].map(|k| ORIGIN[k] as f64 + at[k] as f64 / 16.0 + fine(i)))
        .collect()
}

/// Voxels of half a unit: halves round up, and 2^-12 changes none.
fn expected() -> Voxels {
    offsets().iter().map(|at| at.map(|n| (n + 4).div_euclid(8))).collect()
}

fn csv(rows: &[[f64; 3]]) -> String {
    rows.iter().map(|[x, y, z]| format!("{x},{y},{z}\n")).collect()
}

/// The voxels that an operation finds, at half a unit round the origin, with what it says.
fn voxels(folder: &Folder, operation: &[&str], device: &str) -> (Voxels, String) {
    let (grid, list) = (folder.path("o.nvdb"), folder.path("o.csv"));
    let place = ["--voxel-size", "0.5", "--origin", "388096,3948996,120", "--out", &grid, "--device", device];
    let run = isobit(&[&["topology"], operation, &place].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(isobit(&["topology", "list", &grid, "--out", &list]).code, 0);
    let row = |line: &str| -> [i64; 3] {
        let numbers: Vec<i64> = line.split(',').map(|word| word.parse().expect("a number")).collect();
        numbers.try_into().expect("three")
    };
    (std::fs::read_to_string(&list).expect("a list").lines().map(row).collect(), run.stderr)
}

/// The CPU, and an adapter where there is one.
fn devices() -> Vec<&'static str> {
    let adapters = isobit(&["adapters", "--json"]).json();
    match adapters["adapters"].as_array().is_none_or(Vec::is_empty) {
        true => vec!["cpu"],
        false => vec!["cpu", "gpu"],
    }
}

#[test]
fn points_have_the_voxels_of_their_numbers() {
    let folder = Folder::new();
    let bytes = points().iter().flatten().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let double = folder.file("d.npy", npy("<f8", "(400, 3)", &bytes));
    let text = folder.file("t.csv", csv(&points()));
    let whole: Vec<u8> =
        offsets().iter().flat_map(|at| [0, 1, 2].map(|k| (at[k] + ORIGIN[k]).to_le_bytes())).flatten().collect();
    let integers = folder.file("i.npy", npy("<i8", "(400, 3)", &whole));
    let of_integers: Voxels = offsets().iter().map(|at| at.map(|n| 2 * n)).collect();
    for device in devices() {
        for file in [&double, &text] {
            assert_eq!(voxels(&folder, &["from-points", file], device), (expected(), String::new()), "{file} {device}");
        }
        assert_eq!(
            voxels(&folder, &["from-points", &integers], device),
            (of_integers.clone(), String::new()),
            "{device}"
        );
    }
}

/// Arrays of f32 are computed in f32, and the points that f64 would put elsewhere are counted.
#[test]
fn points_of_f32_say_what_f32_moves() {
    let folder = Folder::new();
    let single: Vec<u8> = points().iter().flatten().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    let file = folder.file("s.npy", npy("<f4", "(400, 3)", &single));
    let at = |size: &str| isobit(&["topology", "from-points", &file, "--voxel-size", size, "--json"]);
    assert!(at("0.5").stderr.is_empty(), "{:?}", at("0.5"));
    let said = at("0.1").stderr;
    assert!(
        said.contains("s.npy: computed in f32") && said.contains(" of 400 points") && said.contains("f64"),
        "{said}"
    );
}

/// A grid is that of its file, whatever the other files are.
#[test]
fn files_of_both_numbers_go_together() {
    let folder = Folder::new();
    let values = [0.05f32, 0.3, 0.7, 1.5, -2.5, 1e6].map(f32::to_le_bytes).concat();
    let single = folder.file("s.npy", npy("<f4", "(2, 3)", &values));
    let text = folder.file("t.csv", csv(&points()));
    for device in devices() {
        for nearest in [&[][..], &["--nearest"]] {
            let run = |files: &[&str]| {
                let place = ["--voxel-size", "0.1", "--json", "--device", device];
                isobit(&[&["topology", "from-points"], files, nearest, &place].concat()).json()["grids"].clone()
            };
            let (both, one, other) = (run(&[&text, &single]), run(&[&text]), run(&[&single]));
            for (k, alone) in [&one[0], &other[0]].into_iter().enumerate() {
                for field in ["voxels", "bbox", "sha256"] {
                    assert!(!alone[field].is_null());
                    assert_eq!(both[k][field], alone[field], "{field} of {k}");
                }
            }
        }
    }
    let bad = folder.file("bad.csv", "0,0,0\n1,1e300,2\n");
    isobit(&["topology", "from-points", &single, &bad]).refused(1, &["bad.csv", "item 1, point 1", "coordinate y"]);
}

/// OBJ, PLY of doubles, and glTF whose node lies far away: the voxels of the triangle in the numbers of the file.
#[test]
fn meshes_have_the_voxels_of_their_numbers() {
    let folder = Folder::new();
    // In sixteenths: a thin triangle in the plane z = 2/16, clear of all faces of voxels.
    let corners = [[-29_i64, -30, 2], [34, -27, 2], [1, 37, 2]];
    let world = corners.map(|c| [0, 1, 2].map(|k| ORIGIN[k] as f64 + c[k] as f64 / 16.0));
    let vertices: String = world.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let obj = folder.file("m.obj", format!("{vertices}f 1 2 3\n"));
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list uchar uint vertex_indices\nend_header\n";
    let values: Vec<u8> = world.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let face = [&[3_u8][..], &[0_u32, 1, 2].map(u32::to_le_bytes).concat()].concat();
    let ply = folder.file("m.ply", [head.as_bytes(), &values, &face].concat());
    let gltf = gltf(&folder, &corners);
    for device in devices() {
        for file in [&obj, &ply, &gltf] {
            assert_eq!(
                voxels(&folder, &["from-mesh", file], device),
                (touched(&corners), String::new()),
                "{file} {device}"
            );
        }
    }
}

/// What a file of f32 does to a mesh far away is said; OBJ and PLY keep f64.
#[test]
fn files_of_f32_say_how_far_vertices_move() {
    let folder = Folder::new();
    let corners = [[-29_i64, -30, 2], [34, -27, 2], [1, 37, 2]];
    let gltf = gltf(&folder, &corners);
    for name in ["d.obj", "d.ply"] {
        let out = folder.path(name);
        let run = isobit(&["decode", &gltf, "--out", &out]);
        assert!(run.code == 0 && run.stderr.is_empty(), "{run:?}");
        assert_eq!(voxels(&folder, &["from-mesh", &out], "cpu").0, touched(&corners), "{name}");
    }
    let (stl, md1) = (folder.path("d.stl"), folder.path("d.md1"));
    for (arguments, format) in [
        (&["decode", &gltf, "--out", &stl][..], "STL"),
        (&["repair", &folder.path("d.obj"), "--out", &stl], "STL"),
        (&["encode", &folder.path("d.obj"), "--format", "md1", "--out", &md1], "md1"),
    ] {
        let run = isobit(arguments);
        // Sixteenths between quarters: half a step of f32 is an eighth.
        let said = format!("{format} stores f32, which moves vertices by up to 0.125 (longest side 4.1875)");
        assert!(run.code == 0 && run.stderr.contains(&said), "{run:?}");
    }
    let near = folder.file("near.obj", "v 0.1 0 0\nv 1.3 0 0\nv 0 1.7 0.3\nf 1 2 3\n");
    for arguments in [&["repair", &near, "--out", &stl][..], &["encode", &near, "--format", "md1", "--out", &md1]] {
        let run = isobit(arguments);
        assert!(run.code == 0 && !run.stderr.contains("f32"), "{run:?}");
    }
}

/// A triangle in sixteenths, moved to the origin by its node.
fn gltf(folder: &Folder, corners: &[[i64; 3]; 3]) -> String {
    let local: Vec<u8> = corners.iter().flatten().flat_map(|n| (*n as f32 / 16.0).to_le_bytes()).collect();
    folder.file("m.bin", local);
    let bound = |pick: fn(i64, i64) -> i64| {
        [0, 1, 2].map(|k| pick(pick(corners[0][k], corners[1][k]), corners[2][k]) as f64 / 16.0)
    };
    let document = serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": ORIGIN}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "buffers": [{"uri": "m.bin", "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": bound(i64::min), "max": bound(i64::max)}],
    });
    folder.file("m.gltf", document.to_string())
}

/// The voxels of the plane z = 0 whose square of 8 sixteenths a flat triangle touches: separating axes of the plane.
fn touched(corners: &[[i64; 3]; 3]) -> Voxels {
    let normals = [0, 1, 2].map(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        [a[1] - b[1], b[0] - a[0]]
    });
    let touches = |x: i64, y: i64| {
        normals.into_iter().chain([[1, 0], [0, 1]]).all(|[a, b]| {
            let at = corners.map(|c| a * (c[0] - 8 * x) + b * (c[1] - 8 * y));
            let reach = 4 * (a.abs() + b.abs());
            at.iter().any(|p| *p <= reach) && at.iter().any(|p| *p >= -reach)
        })
    };
    (-9..9).flat_map(|x| (-9..9).map(move |y| [x, y, 0])).filter(|v| touches(v[0], v[1])).collect()
}
