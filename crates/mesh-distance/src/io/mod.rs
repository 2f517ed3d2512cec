//! Mesh files.

mod content;
mod describe;
mod gltf;
mod obj;
mod ply;
mod polygon;
mod stl;
mod stl_text;
mod write;

use crate::{Error, Mesh};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub use self::gltf::read_gltf_buffer;
pub use describe::{Extension, ExtensionKind, FileParts};
pub use write::write_mesh;

/// Reads a triangle mesh from an STL (binary or ASCII), Wavefront OBJ, PLY (ASCII or binary) or glTF 2.0 file.
///
/// The ending (`.stl`, `.obj`, `.ply`, `.gltf`, `.glb`, any case) says which; whether an STL file is binary or text is decided by its content, since binary headers
/// may begin with "solid". Polygons become triangles: fans where they are convex, ears in their plane where a corner turns back; several solids or objects one mesh. Vertices of exactly equal
/// position are merged; nothing is moved. OBJ and PLY coordinates are f64, STL and glTF coordinates f32 as stored (those of
/// glTF then moved by its nodes, in f64).
///
/// # Errors
/// [`Error::Io`] when the file cannot be read; [`Error::File`] with the line or triangle for anything malformed: an unknown
/// ending, no triangles, a truncated file, a count that disagrees with the size, a number that is none or not finite, an index out of range.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<Mesh, Error> {
    Ok(MeshFile::read(path)?.mesh)
}

/// A mesh file that was read.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshFile {
    /// Its triangles.
    pub mesh: Mesh,
    /// What of the file is not in the mesh, in a line each: points and lines, other scenes, morph targets.
    pub notes: Vec<String>,
    /// The other files that it names and that were read: buffers of glTF.
    pub beside: Vec<PathBuf>,
}

impl MeshFile {
    /// Reads a file as [`read_mesh`] does, and says what is left out.
    ///
    /// # Errors
    /// Those of [`read_mesh`].
    pub fn read(path: impl AsRef<Path>) -> Result<MeshFile, Error> {
        let path = path.as_ref();
        // An unknown ending is said before the file is looked for.
        let format = MeshFormat::of(path)?;
        let bytes = std::fs::read(path).map_err(|source| Error::Io { path: path.into(), source })?;
        Self::of_bytes(&bytes, format, path)
    }

    /// Reads the bytes of a file as [`read_mesh_bytes`] does, and says what is left out.
    ///
    /// # Errors
    /// Those of [`read_mesh`].
    pub fn of_bytes(bytes: &[u8], format: MeshFormat, path: impl AsRef<Path>) -> Result<MeshFile, Error> {
        let path = path.as_ref();
        let read = match format {
            MeshFormat::Stl => stl::read(bytes).map(MeshFile::whole),
            MeshFormat::Obj => obj::read(bytes),
            MeshFormat::Ply => ply::read(bytes),
            MeshFormat::Gltf => gltf::read(bytes, path),
        };
        let mut file = read.map_err(|bad| bad.of(path))?;
        if file.mesh.triangles.is_empty() {
            let notes: String = file.notes.iter().map(|note| format!("; {note}")).collect();
            return Err(Malformed::whole(format!("0 triangles, at least 1 is needed{notes}")).of(path));
        }
        file.mesh.merge_equal_positions();
        Ok(file)
    }

    fn whole(mesh: Mesh) -> MeshFile {
        MeshFile { mesh, ..MeshFile::default() }
    }
}

/// Formats of mesh files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFormat {
    /// STL, binary or ASCII.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// PLY, ASCII or binary.
    Ply,
    /// glTF 2.0, text or binary.
    Gltf,
}

impl MeshFormat {
    /// The format that a file's ending names, any case.
    ///
    /// # Errors
    /// [`Error::File`] for any other ending.
    pub fn of(path: impl AsRef<Path>) -> Result<MeshFormat, Error> {
        let path = path.as_ref();
        match extension(path).as_deref() {
            Some("stl") => Ok(MeshFormat::Stl),
            Some("obj") => Ok(MeshFormat::Obj),
            Some("ply") => Ok(MeshFormat::Ply),
            Some("gltf" | "glb") => Ok(MeshFormat::Gltf),
            other => Err(unknown_extension(path, other)),
        }
    }
}

/// Reads a triangle mesh from the bytes of a file, as [`read_mesh`] does from the file.
///
/// `path` is where the bytes came from: errors name it, and a glTF file's buffers are looked for beside it.
///
/// # Errors
/// Those of [`read_mesh`].
pub fn read_mesh_bytes(bytes: &[u8], format: MeshFormat, path: impl AsRef<Path>) -> Result<Mesh, Error> {
    Ok(MeshFile::of_bytes(bytes, format, path)?.mesh)
}

/// The text of a file, without a byte order mark, with line feeds where it has carriage returns alone.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, Malformed> {
    if let Some(why) = input_text::why_not_text(bytes) {
        return Err(Malformed::whole(why));
    }
    let text = String::from_utf8_lossy(without_mark(bytes));
    Ok(if text.contains('\r') && !text.contains('\n') { Cow::Owned(text.replace('\r', "\n")) } else { text })
}

/// So many of them, in the singular or the plural.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The verb of a count.
fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Some editors begin UTF-8 files with the bytes of a byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
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

    /// The error of the file at `path`.
    fn of(self, path: &Path) -> Error {
        Error::File { path: path.into(), index: self.index, what: self.what }
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

fn unknown_extension(path: &Path, found: Option<&str>) -> Error {
    let found = input_text::token(found.unwrap_or("none"));
    Error::File {
        path: path.into(),
        index: None,
        what: format!("file ending {found}, allowed are stl, obj, ply, gltf and glb"),
    }
}
