//! Any bytes as a glTF file with or without compressed views: an error, or triangles of vertices that are there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mesh_decode::gltf::read_gltf;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mesh) = read_gltf(bytes, |uri| Err(format!("{uri}: no file"))) else { return };
    assert!(mesh.triangles.iter().flatten().all(|vertex| (*vertex as usize) < mesh.positions.len()));
});
