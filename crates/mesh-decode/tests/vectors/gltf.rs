//! glTF: a compressed document becomes the plain one of the same mesh; what is wrong is named.

use mesh_decode::gltf::{expand_gltf, is_gltf};
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

/// The document and the bytes of the views of a .glb file.
fn taken_apart(bytes: &[u8]) -> (Value, Vec<Vec<u8>>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let (length, text) = (word(8), word(12));
    assert_eq!((length, &bytes[16..20]), (bytes.len(), &b"JSON"[..]));
    let document: Value = serde_json::from_slice(&bytes[20..20 + text]).expect("a document");
    let binary = &bytes[20 + text + 8..];
    let number = |view: &Value, name: &str| view[name].as_u64().unwrap_or(0) as usize;
    let views = document["bufferViews"].as_array().expect("views").iter();
    let part = |view: &Value| binary[number(view, "byteOffset")..][..number(view, "byteLength")].to_vec();
    let views = views.map(part).collect();
    (document, views)
}

/// Triangles turned so that the smallest index is first: an index stream may rotate them.
fn turned(corners: &[u8]) -> Vec<[u16; 3]> {
    let corners: Vec<u16> = corners.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
    let turn = |t: &[u16; 3]| [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[0], t[1]]].into_iter().min();
    corners.as_chunks().0.iter().filter_map(turn).collect()
}

#[test]
fn compressed_documents_become_the_plain_one() {
    let mesh = waves(40);
    let plain = plain(&mesh);
    assert_eq!(expand_gltf(&plain, none), Ok(None), "there is nothing to decode");
    let (document, views) = taken_apart(&plain);
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        for mode in ["TRIANGLES", "INDICES"] {
            let bytes = compressed(&mesh, extension, mode);
            assert!(is_gltf(&bytes) && bytes.len() < plain.len());
            let found = expand_gltf(&bytes, none).unwrap_or_else(|error| panic!("{extension}: {error}"));
            let found = found.expect("compressed views");
            assert_eq!(found.compressed_views, 2);
            let (expanded, decoded) = taken_apart(&found.bytes);
            assert_eq!(decoded[0], views[0], "{extension}");
            assert_eq!(turned(&decoded[1]), turned(&views[1]), "{extension}, {mode}");
            for name in ["asset", "scene", "scenes", "nodes", "meshes", "accessors"] {
                assert_eq!(expanded[name], document[name], "{name} is left as it is");
            }
            assert!(!expanded.to_string().contains("meshopt"), "{expanded}");
        }
    }
}

/// A text document with one compressed view.
fn text(uri: &str, stream: &[u8], count: usize) -> Vec<u8> {
    let object =
        json!({"buffer": 0, "byteLength": stream.len(), "byteStride": 12, "count": count, "mode": "ATTRIBUTES"});
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_meshopt_compression", "KHR_materials_unlit"],
        "extensionsRequired": ["EXT_meshopt_compression"],
        "buffers": [{"byteLength": stream.len(), "uri": uri}],
        "bufferViews": [{"buffer": 0, "byteLength": 36, "extensions": {"EXT_meshopt_compression": object}}],
    })
    .to_string()
    .into_bytes()
}

#[test]
fn text_documents_load_their_buffers() {
    let triangle: Vec<u8> = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let stream = encode_vertices(&triangle, 12, 0).expect("whole vertices");
    let mut asked = 0;
    let loaded = expand_gltf(&text("a.bin", &stream, 3), |uri| {
        asked += 1;
        if uri == "a.bin" { Ok(stream.clone()) } else { none(uri) }
    });
    let loaded = loaded.expect("a good file").expect("a compressed view");
    let (document, views) = taken_apart(&loaded.bytes);
    assert_eq!((asked, &views[0]), (1, &triangle));
    assert_eq!(document["extensionsUsed"], json!(["KHR_materials_unlit"]));
    assert!(document.get("extensionsRequired").is_none());
    let data = format!("data:application/octet-stream;base64,{}", base64(&stream));
    assert_eq!(expand_gltf(&text(&data, &stream, 3), none), Ok(Some(loaded)));
    let missing = expand_gltf(&text("b.bin", &stream, 3), none).expect_err("no file").to_string();
    assert_eq!(missing, "gltf: buffers[0]: asked for b.bin");
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for k in 0..4 {
            out.push(if k > chunk.len() { '=' } else { LETTERS[(word >> (18 - 6 * k)) as usize & 63] as char });
        }
    }
    out
}

#[test]
fn wrong_documents_are_named() {
    let mesh = waves(10);
    let refused = |bytes: &[u8], part: &str| {
        let error = expand_gltf(bytes, none).expect_err(part).to_string();
        assert!(error.contains(part), "{error}, expected: {part}");
    };
    // What is no document is for the other reader to name.
    for bytes in [&b"glTF"[..], b"{", b"", &plain(&mesh)[..100]] {
        assert_eq!(expand_gltf(bytes, none), Ok(None));
    }
    let stream = compressed(&mesh, "EXT_meshopt_compression", "TRIANGLES");
    let longer = |bytes: &[u8]| [bytes, &[0; 3]].concat();
    refused(&longer(&stream), &format!("length {}, the file has {}", stream.len(), stream.len() + 3));
    assert_eq!(expand_gltf(&longer(&plain(&mesh)), none), Ok(None));
    let at = stream.windows(10).position(|w| w == b"ATTRIBUTES").expect("a mode");
    let mut bytes = stream.clone();
    bytes[at] = b'X';
    refused(&bytes, "mode XTTRIBUTES");
    let first = stream.windows(4).position(|w| w == b"BIN\0").expect("a chunk") + 4;
    let mut bytes = stream;
    bytes[first] = 0xa5;
    refused(&bytes, "bufferViews[0].EXT_meshopt_compression: meshopt-vertices: byte 0: first byte is 165");
    refused(&text("a", &[0; 8], usize::MAX), "buffers[0]");
    let long = "9".repeat(5000);
    let odd =
        json!({"bufferViews": [{"extensions": {"EXT_meshopt_compression": {}}}], "buffers": [{"byteLength": long}]});
    let said = expand_gltf(odd.to_string().as_bytes(), none).expect_err("no length").to_string();
    assert!(said.contains("byteLength is") && said.len() < 200, "{said}");
}
