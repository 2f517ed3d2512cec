//! glTF with whole numbers as positions (KHR_mesh_quantization), with copies (EXT_mesh_gpu_instancing) and without what a mesh does not need.

use crate::common::Folder;
use base64::Engine;
use mesh_distance::MeshFile;
use serde_json::{Value, json};

fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

/// One triangle without indices whose nine numbers are of a component type, rows `stride` bytes apart, from byte `offset` of the view on.
fn document(kind: u64, rows: [[i32; 3]; 3], offset: usize, stride: usize, normalized: bool) -> Value {
    let mut bytes = vec![0xaa; offset];
    for row in rows {
        let start = bytes.len();
        for x in row {
            match kind {
                5120 | 5121 => bytes.push(x as u8),
                5122 | 5123 => bytes.extend((x as u16).to_le_bytes()),
                _ => bytes.extend((x as f32).to_le_bytes()),
            }
        }
        bytes.resize(start + stride, 0x55);
    }
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "byteOffset": offset, "componentType": kind, "normalized": normalized, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len(), "byteStride": stride}],
        "buffers": [{"byteLength": bytes.len(), "uri": uri(&bytes)}]
    })
}

#[test]
fn whole_numbers_of_every_type_strides_and_offsets() {
    let folder = Folder::new("gltf-quantized");
    // Type, smallest and largest value, and what the largest stands for where it is normalized.
    let types = [(5120, -128, 127), (5121, 0, 255), (5122, -32768, 32767), (5123, 0, 65535)];
    for (kind, lo, hi) in types {
        let rows = [[lo, 0, 1], [hi, 3, 2], [5, hi, lo]];
        let size = if kind < 5122 { 1 } else { 2 };
        for (stride, offset) in [(4 * size, 0), (4 * size, 8), (20, 4)] {
            let file = document(kind, rows, offset, stride, false);
            let expected = rows.map(|row| row.map(f64::from));
            assert_eq!(folder.corners("a.gltf", file.to_string()), [expected], "{kind} {stride} {offset}");
            let file = document(kind, rows, offset, stride, true);
            let expected = rows.map(|row| row.map(|x| (f64::from(x) / f64::from(hi)).max(-1.0)));
            assert_eq!(folder.corners("a.gltf", file.to_string()), [expected], "{kind} {stride} {offset}");
        }
    }
}

#[test]
fn a_node_puts_whole_numbers_back_in_f64() {
    let folder = Folder::new("gltf-quantized-node");
    let rows = [[0, 0, 0], [65535, 0, 0], [0, 65535, 1]];
    let mut file = document(5123, rows, 0, 8, false);
    // Neither is a number of 32 bits.
    let (step, x) = (1.0 / 3.0, 100_000.1);
    file["nodes"] = json!([{"mesh": 0, "translation": [x, 0, -1], "scale": [step, step, step]}]);
    let corner = |p: [i32; 3]| [f64::from(p[0]) * step + x, f64::from(p[1]) * step, f64::from(p[2]) * step - 1.0];
    assert_eq!(folder.corners("a.gltf", file.to_string()), [rows.map(corner)]);
    // A quaternion that is not quite a unit turns without stretching: a quarter about z.
    file["nodes"] = json!([{"mesh": 0, "rotation": [0, 0, 0.7, 0.7]}]);
    let turned = folder.corners("a.gltf", file.to_string())[0];
    assert!((turned[1][1] - 65535.0).abs() < 1e-9 && turned[1][0].abs() < 1e-9, "{turned:?}");
    file["nodes"] = json!([{"mesh": 0, "matrix": [1, 0, 0, 0]}]);
    assert_eq!(folder.error("b.gltf", file.to_string()), "b.gltf: node 0: matrix is [1,0,0,0], needed are 16 numbers");
}

#[test]
fn what_is_wrong_names_the_accessor() {
    let folder = Folder::new("gltf-quantized-bad");
    let rows = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    let mut file = document(5123, rows, 0, 8, false);
    file["accessors"][0]["count"] = json!(4);
    let error = folder.error("b.gltf", file.to_string());
    assert_eq!(error, "b.gltf: node 0: accessor 0: 4 values pass the end of their view of 24 bytes");
    file["accessors"][0]["count"] = json!(3);
    file["accessors"][0]["componentType"] = json!(5125);
    let error = folder.error("b.gltf", file.to_string());
    assert_eq!(error, "b.gltf: node 0: accessor 0 holds Vec3 of U32, allowed are Vec3 of [F32, I8, U8, I16, U16]");
}

#[test]
fn copies_are_placed_and_their_attributes_counted() {
    let folder = Folder::new("gltf-copies");
    let rows = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    let mut file = document(5126, rows, 0, 12, false);
    let translations: Vec<u8> = [5f32, 0.0, 0.0, 0.0, 7.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    // A quarter about z, and none, as normalized bytes.
    let rotations: Vec<u8> = [0i8, 0, 90, 90, 0, 0, 0, 127].map(|x| x as u8).to_vec();
    for (k, bytes) in [&translations, &rotations].into_iter().enumerate() {
        file["buffers"].as_array_mut().unwrap().push(json!({"byteLength": bytes.len(), "uri": uri(bytes)}));
        file["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": k + 1, "byteLength": bytes.len()}));
    }
    let accessors = file["accessors"].as_array_mut().unwrap();
    accessors.push(json!({"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}));
    accessors.push(json!({"bufferView": 2, "componentType": 5120, "normalized": true, "count": 2, "type": "VEC4"}));
    file["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    file["nodes"] = json!([{"mesh": 0, "scale": [2, 2, 2], "extensions": {
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1, "ROTATION": 2}}}}]);
    let found = folder.corners("a.gltf", file.to_string());
    // The node scales the copies and their places.
    let expected =
        [[[10.0, 0.0, 0.0], [10.0, 2.0, 0.0], [8.0, 0.0, 0.0]], [[0.0, 14.0, 0.0], [2.0, 14.0, 0.0], [0.0, 16.0, 0.0]]];
    let near = |a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]| {
        a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-12)
    };
    assert!(found.len() == 2 && near(&found[0], &expected[0]) && near(&found[1], &expected[1]), "{found:?}");
    file["accessors"][2]["count"] = json!(1);
    let error = folder.error("b.gltf", file.to_string());
    assert_eq!(
        error,
        "b.gltf: node 0: EXT_mesh_gpu_instancing: attributes of [2, 1] values, allowed are as many of each"
    );
}

#[test]
fn pictures_materials_and_limits_do_not_matter_and_what_is_left_out_is_said() {
    let folder = Folder::new("gltf-rest");
    let mut file = document(5126, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], 0, 12, false);
    file["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 9}}}]);
    file["extensionsRequired"] = json!(["KHR_texture_basisu"]);
    file["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 7}}}]);
    file["skins"] = json!([{"joints": []}]);
    let triangle = json!({"attributes": {"POSITION": 0, "_WEIRD": 12}, "material": 99, "targets": [{"POSITION": 3}]});
    let primitives = [
        json!({"attributes": {"POSITION": 0}, "mode": 0}),
        json!({"attributes": {"POSITION": 0}, "mode": 3}),
        json!({"attributes": {"NORMAL": 0}}),
        triangle,
    ];
    file["meshes"] = json!([{"primitives": primitives, "weights": [1]}]);
    let read = MeshFile::read(folder.file("a.gltf", file.to_string())).unwrap();
    assert_eq!(read.mesh.triangles.len(), 1);
    assert_eq!(
        read.notes,
        [
            "2 primitives of points or lines are left out",
            "1 primitive without positions is left out",
            "1 primitive with morph targets, which are not applied"
        ]
    );
    file["meshes"][0]["primitives"].as_array_mut().unwrap().truncate(2);
    let error = folder.error("b.gltf", file.to_string());
    assert!(
        error.ends_with("0 triangles, at least 1 is needed; 2 primitives of points or lines are left out"),
        "{error}"
    );
}

#[test]
fn scenes_nodes_and_buffers_in_every_arrangement() {
    let folder = Folder::new("gltf-arrangement");
    let rows = [[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    let at = |x: f64| rows.map(|p| [f64::from(p[0]) + x, f64::from(p[1]), f64::from(p[2])]);
    let mut file = document(5126, rows, 0, 12, false);
    file["nodes"] =
        json!([{"mesh": 0, "translation": [3, 0, 0]}, {"translation": [1, 0, 0], "children": [0]}, {"mesh": 0}]);
    file["scenes"] = json!([{"nodes": [1]}, {"nodes": [2]}]);
    for (scene, x) in [(0, 4.0), (1, 0.0)] {
        file["scene"] = json!(scene);
        assert_eq!(folder.corners("a.gltf", file.to_string()), [at(x)]);
        let read = MeshFile::read(folder.file("a.gltf", file.to_string())).unwrap();
        assert_eq!(read.notes, [format!("scene {scene} of 2 is read")]);
    }
    // Without scenes: what is no child. Without nodes: the meshes.
    let object = file.as_object_mut().unwrap();
    object.remove("scene");
    object.remove("scenes");
    assert_eq!(folder.corners("a.gltf", file.to_string()), [at(4.0), at(0.0)]);
    file.as_object_mut().unwrap().remove("nodes");
    assert_eq!(folder.corners("a.gltf", file.to_string()), [at(0.0)]);
    // Base64 without its padding, and a file named by ./ and %20.
    let whole = file["buffers"][0]["uri"].as_str().unwrap().to_owned();
    file["buffers"][0]["uri"] = json!(whole.trim_end_matches('='));
    assert_eq!(folder.corners("a.gltf", file.to_string()), [at(0.0)]);
    let bytes = base64::engine::general_purpose::STANDARD.decode(whole.split_once(',').unwrap().1).unwrap();
    folder.file("two words.bin", bytes);
    file["buffers"][0]["uri"] = json!("./two%20words.bin");
    assert_eq!(folder.corners("a.gltf", file.to_string()), [at(0.0)]);
}
