//! Any bytes as a glTF file with or without compressed views: an error, or a plain document that the reader of meshes takes or refuses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mesh_decode::gltf::expand_gltf;
use mesh_distance::{MeshFormat, read_mesh_bytes};

fuzz_target!(|bytes: &[u8]| {
    let Ok(Some(plain)) = expand_gltf(bytes, |uri| Err(format!("{uri}: no file"))) else { return };
    assert!(plain.compressed_views > 0);
    let Ok(mesh) = read_mesh_bytes(&plain.bytes, MeshFormat::Gltf, "plain.glb") else { return };
    assert!(mesh.triangles.iter().flatten().all(|vertex| (*vertex as usize) < mesh.positions.len()));
});
