//! Mesh files.

mod obj;
mod stl;
mod write;

use crate::{Error, Mesh};
use std::path::Path;

pub use write::write_mesh;

/// Reads a triangle mesh from an STL (binary or ASCII) or Wavefront OBJ file.
///
/// The ending (`.stl`, `.obj`, any case) says which; whether an STL file is binary or text is decided by its content, since binary headers
/// may begin with "solid". Polygons become fans of triangles, several solids or objects one mesh. Vertices of exactly equal
/// position are merged; nothing is moved. OBJ coordinates are f64, STL coordinates f32 as stored.
///
/// # Errors
/// [`Error::Io`] when the file cannot be read; [`Error::File`] with the line or triangle for anything malformed: an unknown
/// ending, no triangles, a truncated file, a count that disagrees with the size, a number that is none or not finite, an index out of range.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<Mesh, Error> {
    let path = path.as_ref();
    let read: fn(&[u8]) -> Result<Mesh, Malformed> = match extension(path).as_deref() {
        Some("stl") => stl::read,
        Some("obj") => obj::read,
        other => return Err(unknown_extension(path, other)),
    };
    let bytes = std::fs::read(path).map_err(|source| Error::Io { path: path.into(), source })?;
    let file_error = |bad: Malformed| Error::File { path: path.into(), index: bad.index, what: bad.what };
    let mut mesh = read(&bytes).map_err(file_error)?;
    if mesh.triangles.is_empty() {
        return Err(file_error(Malformed::whole("0 triangles, at least 1 is needed")));
    }
    mesh.merge_equal_positions();
    Ok(mesh)
}

/// What is wrong in a file, and at which line or triangle.
#[derive(Debug)]
struct Malformed {
    index: Option<u64>,
    what: String,
}

impl Malformed {
    fn at(index: usize, what: impl Into<String>) -> Malformed {
        Malformed { index: Some(index as u64), what: what.into() }
    }

    fn whole(what: impl Into<String>) -> Malformed {
        Malformed { index: None, what: what.into() }
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

fn unknown_extension(path: &Path, found: Option<&str>) -> Error {
    let found = found.unwrap_or("none");
    Error::File { path: path.into(), index: None, what: format!("file ending {found}, allowed are stl and obj") }
}
