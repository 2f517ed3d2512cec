//! Skins of glTF: vertices where the joints put them, as the nodes stand in the file.

use crate::common::Folder;
use base64::Engine;
use mesh_distance::MeshFile;
use serde_json::{Value, json};

/// A triangle of whole numbers in 16 bits with a skin of two joints, in the manner of programs that quantize: the inverse bind matrices divide by 100 and move.
///
/// Vertex 0 hangs on joint 0, vertex 1 on joint 1, vertex 2 on both by halves. Joint 1 is a child of joint 0.
fn document() -> Value {
    let positions: Vec<u8> =
        [0u16, 0, 0, 0, 200, 0, 0, 0, 0, 400, 100, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let joints = [0u8, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
    let weights = [255u8, 0, 0, 0, 255, 0, 0, 0, 100, 100, 0, 0];
    let scaled = |x: f32| [0.01, 0.0, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0, 0.01, 0.0, x, 0.0, 0.0, 1.0];
    let inverse: Vec<u8> =
        [scaled(0.0), scaled(-3.0)].as_flattened().iter().flat_map(|x: &f32| x.to_le_bytes()).collect();
    let parts = [&positions[..], &joints, &weights, &inverse];
    let views: Vec<Value> = (0..4).map(|k| json!({"buffer": k, "byteLength": parts[k].len()})).collect();
    let buffers: Vec<Value> = parts
        .iter()
        .map(|bytes| {
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            json!({"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{text}")})
        })
        .collect();
    let mut document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"mesh": 0, "skin": 0, "translation": [1000, 0, 0]},
            {"translation": [10, 0, 0], "children": [2]},
            {"translation": [0, 20, 0]}
        ],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"},
            {"bufferView": 3, "componentType": 5126, "count": 2, "type": "MAT4"}
        ],
        "bufferViews": views,
        "buffers": buffers
    });
    document["bufferViews"][0]["byteStride"] = json!(8);
    document
}

#[test]
fn joints_put_vertices_where_they_stand() {
    let folder = Folder::new("gltf-skins");
    let file = MeshFile::read(folder.file("a.gltf", document().to_string())).expect("a good file");
    assert!(file.notes.is_empty(), "{:?}", file.notes);
    // Joint 0 at (10, 0, 0), joint 1 at (10, 20, 0) over a bind pose at (3, 0, 0). The place of the mesh's node does not count, nor that halves are 100 of 255
    let expected = [[10.0, 0.0, 0.0], [9.0, 20.0, 0.0], [8.5, 14.0, 1.0]];
    for (found, expected) in file.mesh.positions.iter().zip(expected) {
        assert!((0..3).all(|k| (found[k] - expected[k]).abs() < 1e-6), "{found:?}, expected {expected:?}");
    }
    // Without joints a primitive stands where its node does; without matrices the joints stand at their bind pose
    let mut plain = document();
    let attributes = plain["meshes"][0]["primitives"][0]["attributes"].as_object_mut().expect("attributes");
    attributes.remove("JOINTS_0");
    assert_eq!(folder.corners("b.gltf", plain.to_string())[0][1], [1200.0, 0.0, 0.0]);
    let mut plain = document();
    plain["skins"][0].as_object_mut().expect("a skin").remove("inverseBindMatrices");
    assert_eq!(folder.corners("b.gltf", plain.to_string())[0][..2], [[10.0, 0.0, 0.0], [210.0, 20.0, 0.0]]);
    // Mirrored by its joints, it keeps its outside: the corners turn round
    let mut mirrored = document();
    mirrored["nodes"][1]["scale"] = json!([-1, 1, 1]);
    let corners = folder.corners("b.gltf", mirrored.to_string())[0];
    assert!((corners[2][0] - 11.0).abs() < 1e-6 && (corners[2][1] - 20.0).abs() < 1e-6, "{corners:?}");
}

#[test]
fn damaged_skins_are_named() {
    let folder = Folder::new("gltf-skins-bad");
    let refused = |change: &dyn Fn(&mut Value), message: &str| {
        let mut file = document();
        change(&mut file);
        assert_eq!(folder.error("b.gltf", file.to_string()), format!("b.gltf: {message}"));
    };
    refused(&|file| file["nodes"][0]["skin"] = json!(1), "node 0: skin 1, the file has 1");
    refused(&|file| file["skins"][0]["joints"][1] = json!(7), "skin 0: joint 7, which is no node of a tree");
    refused(&|file| file["nodes"][2]["children"] = json!([1]), "skin 0: joint 1, which is no node of a tree");
    refused(&|file| file["skins"][0]["joints"] = json!([1]), "node 0: accessor 1: joint 1, the skin has 1");
    refused(&|file| file["skins"][0]["joints"] = json!([1, 2, 2]), "skin 0: 2 inverse bind matrices, it has 3 joints");
    refused(
        &|file| file["skins"][0]["inverseBindMatrices"] = json!(9),
        "skin 0: inverseBindMatrices is accessor 9, there is none",
    );
    refused(
        &|file| file["skins"][0]["inverseBindMatrices"] = json!(2),
        "skin 0: accessor 2 holds Vec4 of U8, allowed are Mat4 of [F32]",
    );
    refused(
        &|file| file["accessors"][1]["count"] = json!(2),
        "node 0: accessor 1: joints or weights of 2 vertices, there are 3",
    );
    refused(
        &|file| {
            file["meshes"][0]["primitives"][0]["attributes"].as_object_mut().expect("attributes").remove("WEIGHTS_0");
        },
        "node 0: JOINTS_0 without WEIGHTS_0",
    );
}
