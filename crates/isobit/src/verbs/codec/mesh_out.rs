//! Decoded meshes as .obj, .stl or .ply; the numbers read back to the same f32, or f64 where a mesh has them.

use std::io::Write;
use std::path::Path;

use mesh_decode::Decoded;
use mesh_distance::{Mesh, write_mesh};

use crate::failure::Failure;
use crate::options::extension;
use crate::output::OutputFile;

/// Writes the mesh of a decode.
pub(super) fn write(path: &Path, decoded: &Decoded) -> Result<(), Failure> {
    write_arrays(path, &decoded.positions, &decoded.triangles)
}

/// Writes a mesh: in f32 where that holds all of its positions, else in f64 as far as the format has it.
pub(super) fn write_mesh_of(path: &Path, mesh: &Mesh) -> Result<(), Failure> {
    let (positions, same) = crate::single::positions(mesh);
    if same {
        return write_arrays(path, &positions, &mesh.triangles);
    }
    let file = OutputFile::check(path)?;
    file.write_at(|temporary| write_mesh(temporary, mesh).map_err(|e| Failure::file(path, e)))
}

/// Writes a mesh.
fn write_arrays(path: &Path, positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<(), Failure> {
    let file = OutputFile::check(path)?;
    if extension(path) == "ply" {
        return file.write(|out| write_ply(out, positions, triangles));
    }
    let positions = positions.iter().map(|p| p.map(f64::from)).collect();
    let mesh = Mesh::new(positions, triangles.to_vec()).map_err(|e| Failure::file(path, e))?;
    file.write_at(|temporary| write_mesh(temporary, &mesh).map_err(|e| Failure::file(path, e)))
}

/// Binary little-endian PLY: f32 positions, u32 vertex indices.
fn write_ply(out: &mut dyn Write, positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> std::io::Result<()> {
    write!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}\n", positions.len())?;
    write!(out, "property float x\nproperty float y\nproperty float z\n")?;
    write!(out, "element face {}\nproperty list uchar uint vertex_indices\nend_header\n", triangles.len())?;
    for position in positions {
        out.write_all(position.map(f32::to_le_bytes).as_flattened())?;
    }
    for triangle in triangles {
        out.write_all(&[3])?;
        out.write_all(triangle.map(u32::to_le_bytes).as_flattened())?;
    }
    Ok(())
}
