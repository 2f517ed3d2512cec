//! Any bytes as a mesh file of the format that the first byte chooses: an error, or a mesh that is repaired, built and asked without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mesh_distance::{MeshFormat, Question, RepairOptions, Surface, read_mesh_bytes};

const FORMATS: [MeshFormat; 4] = [MeshFormat::Stl, MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Gltf];

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let format = FORMATS[usize::from(choice) % FORMATS.len()];
    // A folder that is not there: buffers of glTF files lie in the file itself or nowhere.
    let Ok(mesh) = read_mesh_bytes(bytes, format, "no such folder/mesh") else { return };
    assert!(mesh.positions.iter().flatten().all(|x| x.is_finite()));
    assert!(mesh.triangles.iter().flatten().all(|vertex| (*vertex as usize) < mesh.positions.len()));
    // Counts of a small file are small unless a reader believed one that the bytes do not bear out; nodes may show one mesh many times.
    assert!(format == MeshFormat::Gltf || mesh.triangles.len() <= bytes.len());
    if mesh.triangles.len() > 10_000 {
        return;
    }
    let _ = mesh.report();
    if let Ok((sane, _)) = mesh.repair(&RepairOptions::default()) {
        assert!(sane.triangles.len() <= mesh.triangles.len());
    }
    let Ok(surface) = Surface::build(&mesh) else { return };
    // A vertex that no triangle uses may be too far away.
    let _ = surface.query_cpu(&[mesh.positions[0]], &Question::default());
    let used = mesh.triangles[0][0] as usize;
    let answers = surface.query_cpu(&[mesh.positions[used]], &Question::default());
    assert!(answers.is_ok(), "{:?}", answers.err());
});
