//! Writing meshes, whole or not at all.

use super::{extension, unknown_extension};
use crate::{Error, Mesh};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a mesh as binary STL, OBJ or binary PLY (f64 positions), by the ending.
///
/// The file is written under a temporary name in the same folder and renamed, so that no partial file is ever seen. OBJ and PLY numbers read back
/// to the same f64; STL stores f32, coordinates are rounded.
///
/// # Errors
/// [`Error::Io`]; [`Error::File`] for an unknown ending or a coordinate beyond f32 in STL; [`Error::VertexIndex`] for an index out
/// of range, [`Error::NotFinite`] for a coordinate that is no number.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), Error> {
    let path = path.as_ref();
    mesh.check()?;
    match extension(path).as_deref() {
        Some("stl") => {
            let triangles = stl_triangles(path, mesh)?;
            write_whole(path, |mut out| stl_io::write_stl(&mut out, triangles.iter()))
        }
        Some("ply") => write_whole(path, |out| write_ply(out, mesh)),
        Some("obj") => write_whole(path, |out| write_obj(out, mesh)),
        other => Err(unknown_extension(path, other)),
    }
}

fn stl_triangles(path: &Path, mesh: &Mesh) -> Result<Vec<stl_io::Triangle>, Error> {
    let malformed = |index: usize, what: String| Error::File { path: path.into(), index: Some(index as u64), what };
    if u32::try_from(mesh.triangles.len()).is_err() {
        return Err(malformed(0, format!("{} triangles, STL holds at most {}", mesh.triangles.len(), u32::MAX)));
    }
    let mut triangles = Vec::with_capacity(mesh.triangles.len());
    for t in 0..mesh.triangles.len() {
        let corners = mesh.corners(t);
        if let Some(x) = corners.iter().flatten().find(|x| !(**x as f32).is_finite()) {
            return Err(malformed(t, format!("coordinate {x:e}, STL holds at most {:e}", f32::MAX)));
        }
        let normal = stl_io::Normal::new(unit_normal(&corners));
        triangles
            .push(stl_io::Triangle { normal, vertices: corners.map(|p| stl_io::Vertex::new(p.map(|x| x as f32))) });
    }
    Ok(triangles)
}

/// Unit normal for the file's sake; 0 for a degenerate triangle, as is usual.
fn unit_normal([a, b, c]: &[[f64; 3]; 3]) -> [f32; 3] {
    let u: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
    let v: [f64; 3] = std::array::from_fn(|k| c[k] - a[k]);
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { n.map(|x| (x / length) as f32) } else { [0.0; 3] }
}

fn write_obj(out: &mut dyn Write, mesh: &Mesh) -> std::io::Result<()> {
    for [x, y, z] in &mesh.positions {
        writeln!(out, "v {x:?} {y:?} {z:?}")?;
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(out, "f {} {} {}", u64::from(*a) + 1, u64::from(*b) + 1, u64::from(*c) + 1)?;
    }
    Ok(())
}

fn write_ply(out: &mut dyn Write, mesh: &Mesh) -> std::io::Result<()> {
    write!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}\n", mesh.positions.len())?;
    write!(out, "property double x\nproperty double y\nproperty double z\nelement face {}\n", mesh.triangles.len())?;
    write!(out, "property list uchar uint vertex_indices\nend_header\n")?;
    for position in &mesh.positions {
        out.write_all(position.map(f64::to_le_bytes).as_flattened())?;
    }
    for triangle in &mesh.triangles {
        out.write_all(&[3])?;
        out.write_all(triangle.map(u32::to_le_bytes).as_flattened())?;
    }
    Ok(())
}

/// Writes a file under a temporary name beside it, flushes it to the disk and renames it; removes it when anything fails.
fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Error> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let result = File::create_new(&temporary).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.into_inner()?.sync_all()?;
        std::fs::rename(&temporary, path)
    });
    result.map_err(|source| {
        if source.kind() != std::io::ErrorKind::AlreadyExists {
            // The first error is the one to tell; a file that was never made cannot be removed either.
            let _ = std::fs::remove_file(&temporary);
        }
        Error::Io { path: path.into(), source }
    })
}
