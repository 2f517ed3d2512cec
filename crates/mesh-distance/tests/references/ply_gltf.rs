//! PLY and glTF: what is written reads back, and what is wrong is named.

use crate::common::Folder;
use mesh_distance::{Mesh, make, read_mesh, write_mesh};

fn corners(mesh: &Mesh) -> Vec<[[f64; 3]; 3]> {
    (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect()
}

const TETRAHEDRON: &str = "ply\nformat ascii 1.0\ncomment four faces\nelement vertex 4\nproperty float x\nproperty double y\n\
    property float z\nproperty uchar red\nelement face 3\nproperty list uchar int vertex_indices\nproperty float area\nend_header\n\
    0 0 0 1\n1 0 0 2\n0 0.1 0 3\n0 0 1 4\n3 0 2 1 0.5\n4 0 1 2 3 1\n3 1 2 3 0\n";

#[test]
fn ply_reads_back_to_the_same_numbers_in_every_encoding() {
    let folder = Folder::new("ply");
    let mut mesh = make::knot(500);
    mesh.positions.iter_mut().for_each(|p| *p = p.map(|x| x / 3.0 + 1e5));
    let path = folder.path("knot.ply");
    write_mesh(&path, &mesh).unwrap();
    let back = read_mesh(&path).unwrap();
    assert!(back.positions == mesh.positions && back.triangles == mesh.triangles);
    // Polygons become fans; other properties are skipped; doubles keep their bits.
    let text = read_mesh(folder.file("a.ply", TETRAHEDRON)).unwrap();
    assert_eq!(text.triangles, [[0, 2, 1], [0, 1, 2], [0, 2, 3], [1, 2, 3]]);
    assert_eq!(text.positions[2], [0.0, 0.1, 0.0]);
    let mut big =
        b"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short x\nproperty float y\nproperty double z\n\
        element face 1\nproperty list uint ushort vertex_index\nend_header\n"
            .to_vec();
    for (x, y, z) in [(0i16, 0f32, 0f64), (-2, 0.5, 0.25), (7, 1.0, 1e-9)] {
        big.extend(x.to_be_bytes().iter().chain(&y.to_be_bytes()).chain(&z.to_be_bytes()));
    }
    big.extend([0, 0, 0, 3, 0, 2, 0, 1, 0, 0]);
    let mesh = read_mesh(folder.file("b.ply", &big)).unwrap();
    assert_eq!((mesh.positions[1], mesh.triangles), ([-2.0, 0.5, 0.25], vec![[2, 1, 0]]));
    assert!(folder.error("cut.ply", &big[..big.len() - 1]).contains("cut.ply: face 0: the file ends before it"));
}

#[test]
fn bad_ply_files_are_errors_with_numbers() {
    let folder = Folder::new("bad-ply");
    let with = |from: &str, to: &str| TETRAHEDRON.replace(from, to);
    assert!(
        folder
            .error("a.ply", with("3 1 2 3 0\n", "3 1 2 4 0\n"))
            .contains("face 2: vertex index 4, allowed are 0 to 3")
    );
    assert!(folder.error("a.ply", with("3 1 2 3 0\n", "3 -1 2 3 0\n")).contains("face 2: vertex index -1"));
    assert!(folder.error("a.ply", with("3 1 2 3 0\n", "2 1 2 0\n")).contains("face 2: 2 corners"));
    assert!(folder.error("a.ply", with("1 0 0 2\n", "nan 0 0 2\n")).contains("vertex 1: coordinate NaN"));
    assert!(folder.error("a.ply", with("property double y\n", "property double w\n")).contains("no property y"));
    assert!(
        folder
            .error("a.ply", with("element face 3", "element face 4000000000"))
            .contains("face 3: the file ends before it")
    );
    assert!(folder.error("a.ply", with("element face 3", "element face 0")).contains("0 triangles"));
    for bad in ["", "ply\n", "solid x", "ply\nformat ascii 1.0\nend_header\n"] {
        assert!(folder.error("a.ply", bad).contains("a.ply"), "{bad}");
    }
}

/// A text glTF of one triangle, moved by a node; its buffer as base64.
const TRIANGLE: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"children":[1],"translation":[1,2,3]},{"mesh":0,"scale":[2,2,2]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
"buffers":[{"byteLength":42,"uri":"URI"}]}"#;

fn buffer() -> Vec<u8> {
    let positions = [[0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bytes: Vec<u8> = positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

const BASE64: &str = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA";

#[test]
fn gltf_as_text_as_binary_and_with_a_file_beside_it() {
    let folder = Folder::new("gltf");
    let expected = vec![[[1.0, 2.0, 3.0], [3.0, 2.0, 3.0], [1.0, 4.0, 3.0]]];
    let text = TRIANGLE.replace("URI", BASE64);
    assert_eq!(corners(&read_mesh(folder.file("a.gltf", &text)).unwrap()), expected);
    folder.file("my data.bin", buffer());
    let beside = TRIANGLE.replace("URI", "my%20data.bin");
    assert_eq!(corners(&read_mesh(folder.file("b.gltf", &beside)).unwrap()), expected);
    let mut json = TRIANGLE.replace(r#","uri":"URI""#, "").into_bytes();
    while !json.len().is_multiple_of(4) {
        json.push(b' ');
    }
    let mut data = buffer();
    while !data.len().is_multiple_of(4) {
        data.push(0);
    }
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + json.len() as u32 + data.len() as u32).to_le_bytes());
    glb.extend((json.len() as u32).to_le_bytes().iter().chain(b"JSON").chain(&json));
    glb.extend((data.len() as u32).to_le_bytes().iter().chain(b"BIN\0").chain(&data));
    assert_eq!(corners(&read_mesh(folder.file("c.glb", &glb)).unwrap()), expected);
    for keep in [0, 11, 20, glb.len() - 8] {
        assert!(folder.error("cut.glb", &glb[..keep]).contains("cut.glb"), "{keep}");
    }
    for (at, word, what) in
        [(8, 5, "5 bytes"), (8, 100_000, "100000 bytes"), (4, 1, "version 1"), (12, 4_000_000_000, "byte 12")]
    {
        let mut bytes = glb.clone();
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
        let error = folder.error("bad.glb", &bytes);
        assert!(error.contains(what), "{error}");
    }
    // A strip of four corners: two triangles, the second turned round.
    let strip = text.replace(r#""indices":1}"#, r#""indices":1,"mode":5}"#);
    assert_eq!(corners(&read_mesh(folder.file("d.gltf", &strip)).unwrap()), expected);
}

#[test]
fn bad_gltf_files_are_errors_with_numbers() {
    let folder = Folder::new("bad-gltf");
    let text = TRIANGLE.replace("URI", BASE64);
    let error = |from: &str, to: &str| folder.error("a.gltf", text.replace(from, to));
    assert!(text.contains(r#""count":3,"type":"SCALAR""#));
    let count = error(r#""count":3,"type":"SCALAR""#, r#""count":4000000000,"type":"SCALAR""#);
    assert!(count.contains("accessor 1: 4000000000 values pass the end"), "{count}");
    assert!(error(r#""count":3,"type":"SCALAR""#, r#""count":0,"type":"SCALAR""#).contains("a.gltf"));
    assert!(error(r#""byteOffset":36"#, r#""byteOffset":4000"#).contains("a.gltf"));
    assert!(error(BASE64, "../secret.bin").contains("no file beside"));
    assert!(error(BASE64, "none.bin").contains("none.bin"));
    assert!(error(r#""byteLength":42"#, r#""byteLength":43"#).contains("42 bytes, the file promises 43"));
    assert!(error(r#""componentType":5123"#, r#""componentType":5126"#).contains("a.gltf"));
    assert!(error(r#""children":[1]"#, r#""children":[0]"#).contains("a.gltf"));
    assert!(error(r#""POSITION":0"#, r#""POSITION":7"#).contains("accessor 7, the file has 2"));
    assert!(error("AAABAAIA", "AAABAAkA").contains("vertex index 9, allowed are 0 to 2"));
    assert!(folder.error("a.gltf", "{}").contains("a.gltf"));
}
