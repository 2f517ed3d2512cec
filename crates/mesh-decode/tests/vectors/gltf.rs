//! glTF: plain and compressed documents of the same mesh give the same mesh; what is wrong is named.

use mesh_decode::gltf::{GltfMesh, is_gltf, read_gltf};
use mesh_decode::meshopt::{encode_indices, encode_sequence, encode_vertices};
use serde_json::{Value, json};

use crate::meshes::{Mesh, waves};

/// A .glb file of a document and a binary chunk.
fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + 8 + binary.len();
    let mut out = b"glTF".to_vec();
    out.extend([2_u32, length as u32, text.len() as u32].map(u32::to_le_bytes).as_flattened());
    out.extend(b"JSON");
    out.extend(text);
    out.extend((binary.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(binary);
    out
}

fn none(uri: &str) -> Result<Vec<u8>, String> {
    Err(format!("asked for {uri}"))
}

/// One mesh, moved and scaled by two nodes; the views are given.
fn document(vertices: usize, corners: usize, views: Value, component: u32) -> Value {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [1]}],
        "nodes": [
            {"mesh": 0, "scale": [2.0, 2.0, 2.0]},
            {"children": [0], "translation": [1.0, 0.0, -3.0], "rotation": [0.0, 0.0, half, half]},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}, {"attributes": {"POSITION": 0}, "mode": 0}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3"},
            {"bufferView": 1, "componentType": component, "count": corners, "type": "SCALAR"},
        ],
        "buffers": [{"byteLength": 0}],
        "bufferViews": views,
    })
}

fn bytes_of(mesh: &Mesh) -> (Vec<u8>, Vec<u8>) {
    let positions = mesh.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let corners = mesh.triangles.iter().flatten().flat_map(|v| (*v as u16).to_le_bytes()).collect();
    (positions, corners)
}

fn plain(mesh: &Mesh) -> Vec<u8> {
    let (positions, corners) = bytes_of(mesh);
    let views = json!([
        {"buffer": 0, "byteLength": positions.len()},
        {"buffer": 0, "byteOffset": positions.len(), "byteLength": corners.len()},
    ]);
    let document = document(mesh.positions.len(), corners.len() / 2, views, 5123);
    glb(&document, &[positions, corners].concat())
}

fn compressed(mesh: &Mesh, extension: &str, mode: &str) -> Vec<u8> {
    let (positions, corners) = bytes_of(mesh);
    let version = u8::from(extension.starts_with("KHR"));
    let vertices = encode_vertices(&positions, 12, version).expect("whole vertices");
    let flat = mesh.triangles.as_flattened();
    let stream = if mode == "TRIANGLES" { encode_indices(flat, 1) } else { encode_sequence(flat, 1) }.expect("indices");
    let view = |offset: usize, length: usize, count: usize, stride: usize, mode: &str| {
        let object = json!({"buffer": 0, "byteOffset": offset, "byteLength": length, "byteStride": stride, "count": count, "mode": mode});
        json!({"buffer": 1, "byteLength": count * stride, "extensions": {extension: object}})
    };
    let views = json!([
        view(0, vertices.len(), mesh.positions.len(), 12, "ATTRIBUTES"),
        view(vertices.len(), stream.len(), flat.len(), 2, mode),
    ]);
    let mut document = document(mesh.positions.len(), corners.len() / 2, views, 5123);
    document["buffers"] =
        json!([{"byteLength": 0}, {"byteLength": positions.len(), "extensions": {extension: {"fallback": true}}}]);
    glb(&document, &[vertices, stream].concat())
}

/// Triangles turned so that the smallest index is first: an index stream may rotate them.
fn turned(mesh: &GltfMesh) -> Vec<[u32; 3]> {
    let turn = |t: &[u32; 3]| [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[0], t[1]]].into_iter().min();
    mesh.triangles.iter().filter_map(turn).collect()
}

#[test]
fn compressed_documents_give_the_mesh_of_the_plain_one() {
    let mesh = waves(40);
    let expected = read_gltf(&plain(&mesh), none).expect("a good file");
    assert_eq!((expected.compressed_views, expected.skipped, expected.triangles.len()), (0, 1, mesh.triangles.len()));
    // Scaled by 2, turned by 90 degrees about z, moved.
    for (found, from) in expected.positions.iter().zip(&mesh.positions) {
        let at = [1.0 - 2.0 * from[1], 2.0 * from[0], 2.0 * from[2] - 3.0];
        assert!((0..3).all(|k| (found[k] - at[k]).abs() < 1e-5), "{found:?}, {at:?}");
    }
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        for mode in ["TRIANGLES", "INDICES"] {
            let bytes = compressed(&mesh, extension, mode);
            assert!(is_gltf(&bytes) && bytes.len() < plain(&mesh).len());
            let found = read_gltf(&bytes, none).unwrap_or_else(|error| panic!("{extension}: {error}"));
            assert_eq!((found.compressed_views, &found.positions), (2, &expected.positions), "{extension}");
            assert_eq!(turned(&found), turned(&expected), "{extension}, {mode}");
        }
    }
}

#[test]
fn text_documents_load_their_buffers() {
    let triangle: Vec<u8> = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let text = |uri: &str| {
        json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 36, "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        })
        .to_string()
        .into_bytes()
    };
    let loaded = read_gltf(&text("a.bin"), |uri| if uri == "a.bin" { Ok(triangle.clone()) } else { none(uri) });
    let loaded = loaded.expect("a good file");
    assert_eq!((loaded.positions[1], &loaded.triangles[..]), ([1.0, 0.0, 0.0], &[[0, 1, 2]][..]));
    let data = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    assert_eq!(read_gltf(&text(data), none).as_ref(), Ok(&loaded));
    let missing = read_gltf(&text("b.bin"), none).expect_err("no file").to_string();
    assert_eq!(missing, "gltf: buffers[0]: asked for b.bin");
}

#[test]
fn wrong_documents_are_named() {
    let mesh = waves(10);
    let good = plain(&mesh);
    let refused = |bytes: &[u8], part: &str| {
        let error = read_gltf(bytes, none).expect_err(part).to_string();
        assert!(error.contains(part), "{error}, expected: {part}");
    };
    refused(&good[..good.len() - 1], "length");
    refused(b"glTF", "header");
    refused(b"{", "document");
    refused(b"{\"scene\": 0, \"scenes\": [{\"nodes\": [0]}]}", "nodes[0]: no such node");
    let circle = json!({"scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]}).to_string();
    refused(circle.as_bytes(), "nodes[0]: reached twice");
    let wide = json!({"scenes": [{"nodes": [0]}], "nodes": (0..60).map(|k| json!({"children": [k + 1, k + 1]})).chain([json!({})]).collect::<Vec<_>>()});
    refused(wide.to_string().as_bytes(), "nodes[60]: reached twice");
    let deep = json!({"scenes": [{"nodes": [0]}], "nodes": (0..1100).map(|k| json!({"children": [k + 1]})).chain([json!({})]).collect::<Vec<_>>()});
    refused(deep.to_string().as_bytes(), "below each other");
    let change = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = good.windows(from.len()).position(|w| w == from.as_bytes()).unwrap_or_else(|| panic!("no {from}"));
        let mut bytes = good.clone();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    refused(&change("\"count\":100", "\"count\":999"), "accessors[0]");
    refused(&change("\"VEC3\"", "\"VEC2\""), "VEC2");
    refused(&change("5123", "5122"), "indices of component type 5122");
    let stream = compressed(&mesh, "EXT_meshopt_compression", "TRIANGLES");
    let at = stream.windows(10).position(|w| w == b"ATTRIBUTES").expect("a mode");
    let mut bytes = stream.clone();
    bytes[at] = b'X';
    refused(&bytes, "mode");
    let first = stream.windows(4).position(|w| w == b"BIN\0").expect("a chunk") + 4;
    let mut bytes = stream;
    bytes[first] = 0xa5;
    refused(&bytes, "first byte");
}
