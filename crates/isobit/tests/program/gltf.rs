//! Compressed and quantized glTF through the verbs that take a mesh.

use crate::support::{Folder, isobit};
use mesh_decode::meshopt::{encode_indices, encode_vertices};
use serde_json::{Value, json};

/// A box of 8 corners as u16 positions with a stride of 8 bytes, both views compressed, put back to size by its node.
fn compressed() -> (Value, Vec<u8>) {
    let corner = |k: u16| [k & 1, k >> 1 & 1, k >> 2].map(|bit| bit * 65535);
    let rows = (0..8).flat_map(|k| corner(k).into_iter().chain([0]).flat_map(u16::to_le_bytes));
    let faces = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    let vertices = encode_vertices(&rows.collect::<Vec<u8>>(), 8, 0).expect("a stream");
    let indices = encode_indices(faces.as_flattened(), 1).expect("a stream");
    let stream = |offset: usize, length: usize, count: usize, stride: usize, mode: &str| json!({"EXT_meshopt_compression": {"buffer": 0, "byteOffset": offset, "byteLength": length, "byteStride": stride, "count": count, "mode": mode}});
    let required = ["EXT_meshopt_compression", "KHR_mesh_quantization"];
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": required,
        "extensionsRequired": required,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "scale": [2, -3, 4], "translation": [10, 0, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "normalized": true, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 1, "byteLength": 64, "byteStride": 8, "extensions": stream(0, vertices.len(), 8, 8, "ATTRIBUTES")},
            {"buffer": 1, "byteOffset": 64, "byteLength": 72, "extensions": stream(vertices.len(), indices.len(), 36, 2, "TRIANGLES")}
        ],
        "buffers": [
            {"byteLength": vertices.len() + indices.len(), "uri": "./box%201.bin"},
            {"byteLength": 136, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}
        ]
    });
    (document, [vertices, indices].concat())
}

#[test]
fn compressed_and_quantized_files_are_meshes_to_every_verb() {
    let folder = Folder::new();
    let (document, data) = compressed();
    folder.file("box 1.bin", &data);
    let file = folder.file("box.gltf", document.to_string());
    let report = isobit(&["report", &file, "--json"]).json();
    assert_eq!(report["report"]["triangles"], 12, "{report}");
    // The node mirrors the box, whose triangles keep facing out.
    let volume = report["report"]["volume"].as_f64().expect("a volume");
    assert!((volume - 24.0).abs() < 1e-9, "{report}");
    let (out, png) = (folder.path("box.npy"), folder.path("box.png"));
    isobit(&["sdf", &file, "--grid", "8", "--out", &out, "--json"]).json();
    isobit(&["view", &file, "--png", &png, "--json"]).json();
    assert!(std::fs::metadata(&png).expect("a picture").len() > 1000 && std::fs::metadata(&out).is_ok());
    // `decode` writes the same triangles.
    let ply = folder.path("box.ply");
    isobit(&["decode", &file, "--out", &ply, "--json"]).json();
    let decoded = isobit(&["report", &ply, "--json"]).json();
    let decoded = decoded["report"]["volume"].as_f64().expect("a volume");
    assert!((decoded - 24.0).abs() < 1e-5, "{decoded}");
    // Copies of a node and turns that are not of unit length are the same in `decode` as elsewhere.
    let mut document = document;
    document["nodes"][0]["rotation"] = json!([0, 0, 2, 2]);
    document["bufferViews"].as_array_mut().expect("views").push(json!({"buffer": 2, "byteLength": 36}));
    let places: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 50.0, 0.0, 0.0, 0.0, 70.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    folder.file("places.bin", &places);
    document["buffers"].as_array_mut().expect("buffers").push(json!({"byteLength": 36, "uri": "places.bin"}));
    let accessor = json!({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"});
    document["accessors"].as_array_mut().expect("accessors").push(accessor);
    document["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2}}});
    for name in ["extensionsUsed", "extensionsRequired"] {
        document[name].as_array_mut().expect("names").push(json!("EXT_mesh_gpu_instancing"));
    }
    let copies = folder.file("copies.gltf", document.to_string());
    isobit(&["decode", &copies, "--out", &ply, "--json"]).json();
    let [read, decoded] = [&copies, &ply].map(|file| isobit(&["report", file, "--json"]).json()["report"].clone());
    assert_eq!((&read["triangles"], &decoded["triangles"]), (&json!(36), &json!(36)), "{read}");
    let volumes = [&read, &decoded].map(|report| report["volume"].as_f64().expect("a volume"));
    assert!(volumes.iter().all(|volume| (volume - 72.0).abs() < 1e-3), "{volumes:?}");
    // Its buffers are inputs as it is: none of them may be written over, whoever reads them.
    let mut plain = document.clone();
    plain["bufferViews"] = json!([{"buffer": 0, "byteLength": 36}]);
    plain["buffers"] = json!([{"byteLength": 36, "uri": "places.bin"}]);
    plain["accessors"] = json!([{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]);
    plain["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": 0}}]}]);
    plain["nodes"] = json!([{"mesh": 0}]);
    for name in ["extensionsUsed", "extensionsRequired"] {
        plain.as_object_mut().expect("a document").remove(name);
    }
    let plain = folder.file("plain.gltf", plain.to_string());
    for (name, file) in [("places.bin", &plain), ("places.bin", &copies), ("box 1.bin", &copies)] {
        let before = std::fs::read(folder.path(name)).expect("a buffer");
        let run = isobit(&["decode", file, "--dump", &folder.path(name)]);
        assert_ne!(run.code, 0, "{run:?}");
        // The link has the ending that the verb asks for.
        let link = folder.path("link.ply");
        std::os::unix::fs::symlink(folder.path(name), &link).expect("a link");
        isobit(&["decode", file, "--out", &link]).refused(2, &["link.ply: would replace", name]);
        isobit(&["repair", file, "--out", &link]).refused(2, &["link.ply: would replace", name]);
        assert_eq!(std::fs::read(folder.path(name)).expect("a buffer"), before);
        std::fs::remove_file(link).expect("the link");
    }
    // A stream cut short is an error that names its view.
    folder.file("box 1.bin", &data[..data.len() - 1]);
    isobit(&["report", &file]).refused(1, &["box.gltf", "buffers[0]"]);
}

#[test]
fn what_is_left_out_of_a_file_is_said() {
    let folder = Folder::new();
    let file = folder.file("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n");
    let run = isobit(&["report", &file]);
    assert!(run.code == 0 && run.stderr.contains("1 statement l is left out"), "{run:?}");
    assert!(!isobit(&["report", &file, "-q"]).stderr.contains("left out"));
}
