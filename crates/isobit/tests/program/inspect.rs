//! `inspect` of files that are not compressed meshes: glTF, STL, OBJ, PLY and voxel grids.

use crate::support::{BOX_OBJ, Folder, isobit, stl, tetrahedron};
use mesh_decode::meshopt::{encode_indices, encode_vertices};
use serde_json::{Value, json};

fn inspected(file: &str) -> Value {
    let answer = isobit(&["inspect", file, "--json"]).json();
    let sections = answer["section_bytes"].as_object().expect("sections");
    assert!(sections.values().all(|bytes| bytes.as_u64() > Some(0)), "{answer}");
    // The same for a person.
    let text = isobit(&["inspect", file]).stdout;
    assert!(sections.keys().all(|name| text.contains(name.as_str())), "{text}");
    answer
}

fn sum(answer: &Value, field: &str) -> u64 {
    answer[field].as_object().expect("an object").values().filter_map(Value::as_u64).sum()
}

#[test]
fn plain_meshes_are_taken_apart() {
    let folder = Folder::new();
    let text = format!("# by hand\n{BOX_OBJ}vn 0 0 1\nf 1 2 3 4\n");
    let obj = folder.file("a.obj", &text);
    let answer = inspected(&obj);
    assert_eq!((answer["format"].as_str(), answer["bytes"].as_u64()), (Some("OBJ"), Some(text.len() as u64)));
    assert_eq!(sum(&answer, "section_bytes"), text.len() as u64, "the sections are the file: {answer}");
    assert_eq!(answer["header"]["first remark"], "by hand");
    for (name, count) in [("vertices", 8), ("normals", 1), ("faces", 13), ("faces of 4 corners", 1)] {
        assert_eq!(answer["counts"][name], count, "{name}: {answer}");
    }
    assert_eq!((&answer["vertices"], &answer["triangles"]), (&json!(8), &json!(14)));
    let mut bytes = stl(&tetrahedron());
    bytes[..5].copy_from_slice(b"hello");
    bytes[84 + 48] = 7;
    let answer = inspected(&folder.file("b.stl", &bytes));
    assert_eq!((answer["header"]["text"].as_str(), answer["counts"]["triangles"].as_u64()), (Some("hello"), Some(4)));
    assert_eq!(
        (answer["counts"]["triangles with attribute bytes"].as_u64(), sum(&answer, "section_bytes")),
        (Some(1), bytes.len() as u64)
    );
    let facet = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let answer = inspected(&folder.file("c.stl", format!("solid a b\n{facet}endsolid\nsolid c\n{facet}endsolid\n")));
    assert_eq!((&answer["header"]["solid"], &answer["counts"]["solids"]), (&json!("a b"), &json!(2)));
    let head = "ply\nformat binary_little_endian 1.0\ncomment made\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
                element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let mut ply = head.as_bytes().to_vec();
    ply.extend([0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    ply.extend([3u8, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    let answer = inspected(&folder.file("d.ply", &ply));
    assert_eq!(answer["header"]["comment"], "made");
    let sections = json!({"header": head.len(), "vertex": 72, "the rest of the body": 13});
    assert_eq!((&answer["section_bytes"], &answer["counts"]["face"]), (&sections, &json!(1)));
    isobit(&["inspect", &obj, "--png", &folder.path("a.png")]).refused(2, &["--png", "no units"]);
    isobit(&["inspect", &folder.file("e.ply", "no")]).refused(1, &["e.ply", "not a PLY file"]);
    // What has the form and not the content is looked at all the same.
    let odd = inspected(&folder.file("f.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n"));
    assert!(odd["unread"].as_str().is_some_and(|why| why.contains("vertex index 9")), "{odd}");
}

#[test]
fn gltf_is_taken_apart_with_its_buffers_and_extensions() {
    let folder = Folder::new();
    let positions: Vec<u8> =
        [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let vertices = encode_vertices(&positions, 12, 0).expect("a stream");
    let indices = encode_indices(&[0, 1, 2], 1).expect("a stream");
    let view = |offset: usize, length: usize, count: usize, stride: usize, mode: &str| {
        let stream = json!({"buffer": 0, "byteOffset": offset, "byteLength": length, "byteStride": stride, "count": count, "mode": mode});
        json!({"buffer": 1, "byteLength": count * stride, "extensions": {"EXT_meshopt_compression": stream}})
    };
    let document = json!({
        "asset": {"version": "2.0", "generator": "by hand"},
        "extensionsUsed": ["KHR_materials_unlit", "EXT_meshopt_compression", "VENDOR_what"],
        "extensionsRequired": ["EXT_meshopt_compression"],
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}, {"attributes": {"POSITION": 0}, "mode": 0}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}
        ],
        "bufferViews": [
            view(0, vertices.len(), 3, 12, "ATTRIBUTES"),
            view(vertices.len(), indices.len(), 3, 2, "TRIANGLES"),
            {"buffer": 0, "byteLength": 5}
        ],
        "buffers": [{"byteLength": vertices.len() + indices.len(), "uri": "a.bin"}, {"byteLength": 42, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}]
    });
    let buffer = [vertices.clone(), indices.clone()].concat();
    folder.file("a.bin", &buffer);
    let answer = inspected(&folder.file("a.gltf", document.to_string()));
    let sections = json!({"document": document.to_string().len(), "buffer 0, a.bin": buffer.len()});
    assert_eq!(answer["section_bytes"], sections);
    assert_eq!(
        answer["content_bytes"],
        json!({"positions": vertices.len(), "indices": indices.len(), "other views": 5})
    );
    assert_eq!(answer["header"], json!({"form": "text", "generator": "by hand", "version": "2.0"}));
    for (name, count) in [
        ("primitives of triangles", 1),
        ("primitives of points", 1),
        ("compressed buffer views", 2),
        ("bufferViews", 3),
    ] {
        assert_eq!(answer["counts"][name], count, "{name}: {answer}");
    }
    let extension = |name: &str, required: bool, kind: &str| json!({"name": name, "required": required, "kind": kind});
    let expected = [
        extension("EXT_meshopt_compression", true, "read"),
        extension("KHR_materials_unlit", false, "no part of a mesh"),
        extension("VENDOR_what", false, "not read"),
    ];
    assert_eq!(answer["extensions"], json!(expected));
    assert_eq!((&answer["vertices"], &answer["triangles"]), (&json!(3), &json!(1)));
    // What needs an extension that is not read can be looked at, but gives no mesh.
    let mut strange = document.clone();
    strange["extensionsRequired"] = json!(["VENDOR_what"]);
    let answer = inspected(&folder.file("b.gltf", strange.to_string()));
    assert!(answer["unread"].as_str().is_some_and(|why| why.contains("VENDOR_what")), "{answer}");
    isobit(&["inspect", &folder.file("c.gltf", "{")]).refused(1, &["c.gltf", "not a readable glTF file"]);
}

#[test]
fn voxel_grids_are_counted_with_packing_and_checksum() {
    let folder = Folder::new();
    let grids = folder.path("g.nvdb");
    let made = ["topology", "from-dense", "--size", "5", "--codec", "zip", "--out", &grids];
    assert_eq!(isobit(&made).code, 0);
    let answer = isobit(&["inspect", &grids, "--json"]).json();
    let length = std::fs::metadata(&grids).expect("the file").len();
    assert_eq!(
        (&answer["format"], &answer["bytes"], &answer["voxels"]),
        (&json!("NanoVDB"), &json!(length), &json!(125))
    );
    assert_eq!((&answer["codecs"], &answer["checksums"]), (&json!(["zip"]), &json!(["full"])));
    let text = isobit(&["inspect", &grids]).stdout;
    assert!(text.contains("packed zip, checksum full") && text.contains("125 voxels"), "{text}");
    isobit(&["inspect", &folder.file("h.nvdb", "no grid")]).refused(1, &["h.nvdb"]);
}
