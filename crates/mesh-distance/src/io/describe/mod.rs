//! What a mesh file is made of: header, sizes by section, counts and extensions, without making a mesh of it.

mod gltf;
mod obj;
mod ply;
mod stl;

use std::path::Path;

use super::{Malformed, MeshFormat};
use crate::Error;

/// The parts of a mesh file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileParts {
    /// What the file says of itself: names and values, long ones cut.
    pub header: Vec<(String, String)>,
    /// Bytes of the file by section, in its order; together they are the file, and for glTF the files that it names.
    pub sections: Vec<(String, u64)>,
    /// glTF: bytes of buffer views by what they hold, as they are stored (compressed ones compressed).
    pub contents: Vec<(String, u64)>,
    /// How many there are of what, zeros left out.
    pub counts: Vec<(String, u64)>,
    /// glTF: extensions, in the order of their names.
    pub extensions: Vec<Extension>,
}

/// An extension that a glTF file uses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extension {
    /// Its name.
    pub name: String,
    /// Whether the file says that it cannot be read without.
    pub required: bool,
    /// What it means for a mesh.
    pub kind: ExtensionKind,
}

/// What an extension of glTF means for a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionKind {
    /// It changes the mesh and is read.
    Read,
    /// The mesh is the same without it.
    Harmless,
    /// It may change the mesh, and [`crate::read_mesh`] does not read it.
    Unread,
}

impl FileParts {
    /// Takes the bytes of a file apart. `path` is where they came from: errors name it, and files that glTF names are looked at beside it.
    ///
    /// Cost: one pass over a text, else over the header.
    ///
    /// # Errors
    /// [`Error::File`] for what has not the form of its format; numbers are not looked at.
    pub fn of_bytes(bytes: &[u8], format: MeshFormat, path: impl AsRef<Path>) -> Result<FileParts, Error> {
        let path = path.as_ref();
        let parts = match format {
            MeshFormat::Stl => stl::parts(bytes),
            MeshFormat::Obj => obj::parts(bytes),
            MeshFormat::Ply => ply::parts(bytes),
            MeshFormat::Gltf => gltf::parts(bytes, path),
        };
        let mut parts = parts.map_err(|bad: Malformed| bad.of(path))?;
        parts.counts.retain(|(_, count)| *count > 0);
        parts.sections.retain(|(_, bytes)| *bytes > 0);
        parts.contents.retain(|(_, bytes)| *bytes > 0);
        Ok(parts)
    }
}

/// Adds to the entry of a name, a new one at the end.
fn add(list: &mut Vec<(String, u64)>, name: &str, more: u64) {
    match list.iter_mut().find(|(known, _)| known == name) {
        Some((_, sum)) => *sum += more,
        None => list.push((name.to_owned(), more)),
    }
}
