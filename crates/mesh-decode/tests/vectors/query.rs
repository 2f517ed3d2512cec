//! Boxes: units and triangles found through the tree are those that a whole decode has.

use mesh_decode::{Error, GridFrame, Outputs, UnitBvh, open, triangle_meets_box};

use crate::common;
use crate::meshes::waves;

const FILES: [&str; 5] = [
    "dgf/flat17.tb6.dgfblob",
    "stride/flat17.dprb",
    "meshopt/fan200.c64_96.mxc",
    "md1/waves40.predicted.md1",
    "md1/waves40.offsets.md1",
];

/// Boxes between fractions of the mesh's box.
const BOXES: [[f64; 2]; 6] = [[0.0, 1.0], [0.1, 0.3], [0.45, 0.55], [0.999, 2.0], [0.5, 0.5], [1.5, 2.0]];

#[test]
fn answers_are_those_of_a_whole_decode() {
    let mut kept = 0;
    for name in FILES {
        let bytes = common::read(&common::folders()[0].join(name));
        let file = open(&bytes).expect("a good file");
        let bvh = UnitBvh::build(&file, &bytes).expect("a grid");
        assert_eq!(UnitBvh::from_bytes(&bvh.to_bytes(), &bytes).as_ref(), Ok(&bvh), "{name}");
        let whole = file.decode_cpu(Outputs::ALL);
        let ends = |k: usize| {
            let xs = whole.positions.iter().map(|p| f64::from(p[k]));
            (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max))
        };
        for [from, to] in BOXES {
            let at = |t: f64| [0, 1, 2].map(|k| ends(k).0 + t * (ends(k).1 - ends(k).0));
            let closed_box = bvh.frame().grid_box(at(from), at(to)).expect("numbers");
            let answer = file.query_box_cpu(&bvh, &closed_box).expect("its own tree");
            let corners = |t: &[u32; 3]| t.map(|v| whole.grid[v as usize]);
            let expected: Vec<u32> = (0..)
                .zip(&whole.triangles)
                .filter(|(_, t)| triangle_meets_box(corners(t), &closed_box))
                .map(|(k, _)| k)
                .collect();
            assert_eq!(answer.triangles, expected, "{name}, {from} to {to}");
            let found = answer.places.iter().map(|place| answer.decoded.triangles[*place as usize]);
            let positions: Vec<_> = found.map(|t| t.map(|v| answer.decoded.positions[v as usize])).collect();
            let expected = expected.iter().map(|k| whole.triangles[*k as usize].map(|v| whole.positions[v as usize]));
            assert_eq!(positions, expected.collect::<Vec<_>>(), "{name}");
            kept += positions.len();
            if from == 0.0 {
                assert_eq!(answer.triangles.len(), whole.triangles.len(), "{name}: the whole box");
            }
            if from > 1.0 && name != "stride/flat17.dprb" && !name.starts_with("dgf") {
                assert!(answer.decoded.units.is_empty(), "{name}: nothing is there, nothing is decoded");
            }
        }
    }
    assert!(kept > 5000, "{kept}");
}

/// A vertex of the mesh as a box of one point finds every triangle at that vertex.
#[test]
fn a_point_finds_the_triangles_that_touch_it() {
    let mesh = waves(40);
    let encoded = mesh_decode::encode_md1(&mesh.positions, &mesh.triangles, &Default::default()).expect("a good mesh");
    let file = open(&encoded.bytes).expect("a good file");
    let bvh = UnitBvh::build(&file, &encoded.bytes).expect("a grid");
    let whole = file.decode_cpu(Outputs::MESH);
    for vertex in [0, 7, 900] {
        let point = whole.positions[vertex].map(f64::from);
        let closed_box = bvh.frame().grid_box(point, point).expect("numbers");
        let answer = file.query_box_cpu(&bvh, &closed_box).expect("its own tree");
        let touching =
            whole.triangles.iter().filter(|t| t.iter().any(|v| whole.positions[*v as usize].map(f64::from) == point));
        assert_eq!(answer.triangles.len(), touching.count(), "vertex {vertex}");
        assert!(!answer.triangles.is_empty());
    }
}

#[test]
fn a_damaged_unit_is_never_found() {
    let mut bytes = common::read(&common::folders()[0].join(FILES[0]));
    bytes[32 + 128 * 5] = 7;
    let file = open(&bytes).expect("good tables");
    let bvh = UnitBvh::build(&file, &bytes).expect("a grid");
    assert_eq!((bvh.unit_box(5), bvh.unit_box(99)), (None, None));
    let all = bvh.frame().grid_box([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]).expect("numbers");
    let answer = file.query_box_cpu(&bvh, &all).expect("its own tree");
    assert!(answer.decoded.units.iter().all(|unit| unit.unit != 5) && answer.decoded.units.len() == 7);
}

#[test]
fn sidecars_are_checked() {
    let bytes = common::read(&common::folders()[0].join(FILES[0]));
    let file = open(&bytes).expect("a good file");
    let good = UnitBvh::build(&file, &bytes).expect("a grid").to_bytes();
    let refused = |sidecar: &[u8], part: &str| {
        let error = UnitBvh::from_bytes(sidecar, &bytes).expect_err(part).to_string();
        assert!(error.starts_with("sidecar: byte ") && error.contains(part), "{part}: {error}");
    };
    refused(&good[..good.len() - 4], "words of the sidecar");
    refused(&good[..50], "bytes of the sidecar is 50");
    let changed = |place: usize, value: u8| {
        let mut sidecar = good.clone();
        sidecar[place] ^= value;
        sidecar
    };
    refused(&changed(0, 1), "magic number");
    refused(&changed(4, 2), "version is 3");
    refused(&changed(8, 1), "words of the sidecar");
    refused(&changed(16, 1), "bytes of the file it belongs to");
    refused(&changed(30, 1), "hash");
    let mut infinite = good.clone();
    infinite[56 + 6..56 + 8].copy_from_slice(&[0xf0, 0x7f]);
    refused(&infinite, "number of the grid");
    let nodes = 4 * 26 + 24 * 8;
    refused(&changed(nodes, 1), "box of node is 0");
    refused(&changed(nodes + 24, 1), "child of a node");
    // The first units' boxes are part of a node's.
    refused(&changed(4 * 26 + 3, 0x40), "box of node");
    let other = common::read(&common::folders()[0].join(FILES[3]));
    assert!(UnitBvh::from_bytes(&good, &other).is_err());
    let other = open(&other).expect("a good file");
    let bvh = UnitBvh::from_bytes(&good, &bytes).expect("good");
    let all = bvh.frame().grid_box([0.0; 3], [1.0; 3]).expect("numbers");
    assert!(matches!(other.query_box_cpu(&bvh, &all), Err(Error::Input { what: "units of the tree", .. })));
}

#[test]
fn formats_without_one_grid_are_refused() {
    let set = open(&common::read(&common::folders()[0].join("meshopt/fan200.m64_96.mml"))).expect("a good file");
    assert!(GridFrame::of(&set).expect_err("no positions").to_string().contains("holds no positions"));
    let mut bytes = common::read(&common::folders()[0].join(FILES[0]));
    bytes[32 + 128 * 3 + 4] ^= 1;
    let mixed = open(&bytes).expect("good tables");
    assert!(GridFrame::of(&mixed).expect_err("two grids").to_string().contains("blocks of exponents"));
}
