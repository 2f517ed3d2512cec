//! glTF as other programs write it: mirrored parts, sparse accessors, extensions, and trees that are none.

use crate::common::{Folder, Random};
use base64::Engine;
use mesh_distance::{Sign, Surface, make, read_mesh};
use serde_json::{Value, json};

/// A file with one buffer, whose first accessor has `positions` and whose second has u16 `indices`.
fn document(positions: &[[f32; 3]], indices: &[u16]) -> Value {
    let mut bytes: Vec<u8> = positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let first = bytes.len();
    bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": positions.len(), "type": "VEC3", "min": [-9, -9, -9], "max": [9, 9, 9]},
            {"bufferView": 1, "componentType": 5123, "count": indices.len(), "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": first},
            {"buffer": 0, "byteOffset": first, "byteLength": bytes.len() - first}
        ],
        "buffers": [{"byteLength": bytes.len(), "uri": uri(&bytes)}]
    })
}

fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn at(index: usize) -> [f64; 3] {
    CORNERS[index].map(f64::from)
}

#[test]
fn a_mirrored_part_keeps_its_inside() {
    let folder = Folder::new("gltf-mirror");
    let cube = make::cube(12);
    let positions: Vec<[f32; 3]> = cube.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let indices: Vec<u16> = cube.triangles.iter().flatten().map(|v| *v as u16).collect();
    let mut file = document(&positions, &indices);
    for (scale, mirrored) in [([-1.0, 1.0, 1.0], true), ([-2.0, -1.0, 1.0], false), ([-1.0, -1.0, -3.0], true)] {
        file["nodes"] = json!([{"scale": scale, "children": [1]}, {"mesh": 0, "translation": [0, 0, 1]}]);
        let mesh = read_mesh(folder.file("a.gltf", file.to_string())).unwrap();
        assert!(mesh.report().volume > 0.0 && mesh.report().inward_components == 0, "{scale:?}");
        let middle = [[0.5 * scale[0], 0.5 * scale[1], 1.5 * scale[2]]];
        let surface = Surface::build(&mesh).unwrap();
        for sign in [Sign::PseudoNormal, Sign::Winding] {
            assert!(surface.distance_cpu(&middle, sign, false).unwrap()[0] < 0.0, "{scale:?} {mirrored}");
        }
    }
}

#[test]
fn sparse_accessors_move_the_corners_that_they_name() {
    let folder = Folder::new("gltf-sparse");
    let mut file = document(&CORNERS, &[0, 1, 2]);
    // Corner 2 becomes (0, 5, 0).
    let bytes: Vec<u8> = [&2u32.to_le_bytes()[..], [0f32, 5.0, 0.0].map(f32::to_le_bytes).as_flattened()].concat();
    file["buffers"].as_array_mut().unwrap().push(json!({"byteLength": 16, "uri": uri(&bytes)}));
    let views = file["bufferViews"].as_array_mut().unwrap();
    views.push(json!({"buffer": 1, "byteOffset": 0, "byteLength": 4}));
    views.push(json!({"buffer": 1, "byteOffset": 4, "byteLength": 12}));
    file["accessors"][0]["sparse"] = json!({
        "count": 1, "indices": {"bufferView": 2, "componentType": 5125}, "values": {"bufferView": 3}
    });
    assert_eq!(folder.corners("a.gltf", file.to_string()), [[at(0), at(1), [0.0, 5.0, 0.0]]]);
    // Without a view of its own every other corner is the origin.
    file["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(folder.corners("a.gltf", file.to_string()), [[at(0), at(0), [0.0, 5.0, 0.0]]]);
    file["accessors"][0]["count"] = json!(1u64 << 40);
    let error = folder.error("b.gltf", file.to_string());
    assert!(
        error.starts_with("b.gltf: node 0: 1099511627776 vertices in 26388279066660 bytes, allowed are"),
        "{error}"
    );
    file["accessors"][0]["count"] = json!(4);
    file["accessors"][0]["sparse"]["count"] = json!(2);
    let error = folder.error("b.gltf", file.to_string());
    assert_eq!(error, "b.gltf: node 0: accessor 0: 2 sparse indices pass the end of their view of 4 bytes");
}

#[test]
fn extensions_that_leave_meshes_alone_are_read_and_others_named() {
    let folder = Folder::new("gltf-extensions");
    let mut file = document(&CORNERS, &[0, 1, 2]);
    file["extensionsUsed"] = json!(["KHR_texture_transform", "KHR_materials_unlit"]);
    file["extensionsRequired"] = json!(["KHR_texture_transform", "KHR_materials_unlit"]);
    assert_eq!(folder.corners("a.gltf", file.to_string()).len(), 1);
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression"] {
        file["extensionsRequired"] = json!(["KHR_texture_transform", name]);
        let error = folder.error("b.gltf", file.to_string());
        assert_eq!(error, format!("b.gltf: needs the extension {name}, which is not read"));
    }
    // Used without being required: the accessor has no data of its own.
    file.as_object_mut().unwrap().remove("extensionsRequired");
    file["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    file["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    let error = folder.error("b.gltf", file.to_string());
    assert!(error.contains("accessors[0].bufferView: Missing data"), "{error}");
    assert!(error.ends_with("; it uses KHR_draco_mesh_compression, which is not read"), "{error}");
}

#[test]
fn a_scene_may_be_without_nodes() {
    let folder = Folder::new("gltf-scenes");
    let mut file = document(&CORNERS[..3], &[0, 1, 2]);
    file["scenes"] = json!([{"name": "nothing"}, {"nodes": [0]}]);
    file["scene"] = json!(1);
    assert_eq!(folder.corners("a.gltf", file.to_string()), [[0, 1, 2].map(at)]);
    file["scene"] = json!(0);
    let error = folder.error("b.gltf", file.to_string());
    assert!(error.starts_with("b.gltf: 0 triangles, at least 1 is needed"), "{error}");
}

#[test]
fn strips_fans_and_lists_with_and_without_indices_of_every_size() {
    let folder = Folder::new("gltf-modes");
    let mut file = document(&CORNERS, &[0, 1, 2, 3]);
    for (mode, expected) in [(5, [[0, 1, 2], [1, 3, 2]]), (6, [[0, 1, 2], [0, 2, 3]])] {
        file["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        assert_eq!(folder.corners("a.gltf", file.to_string()), expected.map(|t| t.map(at)), "{mode}");
    }
    file["meshes"][0]["primitives"][0]["mode"] = json!(4);
    let error = folder.error("b.gltf", file.to_string());
    assert_eq!(error, "b.gltf: node 0: 4 corners of triangles, allowed are multiples of 3");
    // Points and lines have no surface.
    file["meshes"][0]["primitives"][0]["mode"] = json!(1);
    assert_eq!(
        folder.error("b.gltf", file.to_string()),
        "b.gltf: 0 triangles, at least 1 is needed; 1 primitive of points or lines is left out"
    );
    // Without indices; then with those of 8 and 32 bits in a buffer of their own.
    let mut file = document(&CORNERS[..3], &[0, 1, 2]);
    let indices = file["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices").unwrap();
    assert_eq!(folder.corners("a.gltf", file.to_string()), [[0, 1, 2].map(at)]);
    file["meshes"][0]["primitives"][0]["indices"] = indices;
    for (kind, bytes) in [(5121, vec![2, 0, 1]), (5125, [2u32, 0, 1].map(u32::to_le_bytes).as_flattened().to_vec())] {
        file["buffers"] = json!([file["buffers"][0], {"byteLength": bytes.len(), "uri": uri(&bytes)}]);
        file["bufferViews"][1] = json!({"buffer": 1, "byteLength": bytes.len()});
        file["accessors"][1]["componentType"] = json!(kind);
        assert_eq!(folder.corners("a.gltf", file.to_string()), [[2, 0, 1].map(at)], "{kind}");
    }
}

#[test]
fn nodes_that_are_reached_twice_and_names_with_other_letters() {
    let folder = Folder::new("gltf-nodes");
    let mut file = document(&CORNERS, &[0, 1, 2]);
    // Two to the power of 60 ways to the mesh.
    let mut nodes: Vec<Value> = (1..=60).map(|child| json!({"children": [child, child]})).collect();
    nodes.push(json!({"mesh": 0}));
    file["nodes"] = json!(nodes);
    let error = folder.error("b.gltf", file.to_string());
    assert!(error.contains("is reached twice, allowed are trees of nodes"), "{error}");
    let mut bad = document(&CORNERS, &[0, 1, 2]);
    bad["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(2);
    assert_eq!(folder.error("b.gltf", bad.to_string()), "b.gltf: an attribute of accessor 2, the file has 2 accessors");
    file["nodes"] = json!([{"children": [1]}, {"children": [0], "mesh": 0}]);
    assert_eq!(folder.error("b.gltf", file.to_string()), "b.gltf: node 0 is reached twice, allowed are trees of nodes");
    let mut file = document(&CORNERS, &[0, 1, 2]);
    let data = file["buffers"][0]["uri"].as_str().unwrap().split_once(',').unwrap().1.to_owned();
    folder.file("m\u{e4}rz 1.bin", base64::engine::general_purpose::STANDARD.decode(data).unwrap());
    file["buffers"][0]["uri"] = json!("m%C3%A4rz%201.bin");
    assert_eq!(folder.corners("a.gltf", file.to_string()), [[0, 1, 2].map(at)]);
    for bad in ["m%C3", "m%zz.bin", "m%+1.bin", "%2e%2e/x.bin", "/etc/hostname"] {
        file["buffers"][0]["uri"] = json!(bad);
        assert!(folder.error("b.gltf", file.to_string()).starts_with("b.gltf: buffer 0: "), "{bad}");
    }
}

/// Numbers and words of a good file changed at random.
#[test]
fn damaged_gltf_files_are_errors_or_meshes() {
    let folder = Folder::new("gltf-damage");
    let mut random = Random::new(3);
    let text = document(&CORNERS, &[0, 1, 2, 0, 2, 3]).to_string();
    let mut glb = Vec::new();
    let padded = format!("{text}{}", " ".repeat(text.len().wrapping_neg() % 4));
    glb.extend(b"glTF\x02\0\0\0");
    glb.extend((20 + padded.len() as u32).to_le_bytes());
    glb.extend((padded.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(padded.as_bytes());
    assert_eq!(folder.corners("a.glb", &glb).len(), 2);
    let mut good = 0;
    for (name, bytes) in [("a.gltf", text.into_bytes()), ("b.glb", glb)] {
        let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
        for round in 0..500 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(3) {
                let at = digits[random.below(digits.len())];
                match round % 3 {
                    0 => bytes[at] = b'0' + random.below(10) as u8,
                    1 => {
                        let any = random.below(bytes.len());
                        bytes[any] = random.word() as u8;
                    }
                    _ => bytes.splice(at..=at, *b"4000000000").for_each(drop),
                }
            }
            match read_mesh(folder.file(name, bytes)) {
                Ok(mesh) => {
                    mesh.check().unwrap();
                    good += 1;
                }
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
            }
        }
    }
    assert!(good > 20, "{good}");
}
