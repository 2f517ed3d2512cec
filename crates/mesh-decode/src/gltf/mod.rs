//! glTF 2.0 (.gltf, .glb) whose buffer views are compressed with `EXT_meshopt_compression` or `KHR_meshopt_compression`, or not at all.
//!
//! [`read_gltf`] gives the triangles of the default scene with the transforms of its nodes, [`expand_gltf`] the same document with plain views for
//! another reader. Formats of the extensions: vertex streams 0 and 1, index
//! streams, index sequences, and the four filters; both extensions are read alike.

mod container;
mod expand;
mod scene;
mod views;

use input_text::token;
use serde_json::Value;

use crate::error::Error;
use container::{Document, buffers};
pub use expand::{COMPRESSION, ExpandedGltf, expand_gltf};

/// The triangles of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GltfMesh {
    /// x, y, z a vertex, in the scene's coordinates.
    pub positions: Vec<[f32; 3]>,
    /// Three vertices a triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Compressed buffer views that were decoded.
    pub compressed_views: usize,
    /// Primitives left out: points, lines, strips, fans, and those without positions.
    pub skipped: usize,
}

/// Reads a .gltf or .glb file.
///
/// `load` gives the bytes of a buffer by its URI (relative to the file); `data:` URIs are read here. Positions are computed in f64 and rounded once to f32.
/// Triangles alone are read; strips, fans and instanced nodes are for readers of whole scenes, behind [`expand_gltf`].
///
/// # Errors
/// [`Error::Gltf`] with the place in the document and what is wrong there; the errors of the streams inside it.
pub fn read_gltf(bytes: &[u8], mut load: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Result<GltfMesh, Error> {
    let Document { json, binary } = container::parse(bytes)?;
    let buffers = buffers(&json, binary, &mut load)?;
    let (views, compressed_views) = views::decode(&json, &buffers)?;
    let mut mesh = scene::read(&json, &views)?;
    mesh.compressed_views = compressed_views;
    Ok(mesh)
}

/// Whether a file looks like glTF: the magic of .glb, or text that begins with a brace.
pub fn is_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF") || bytes.iter().find(|c| !c.is_ascii_whitespace()) == Some(&b'{')
}

fn wrong(place: impl Into<String>, what: impl Into<String>) -> Error {
    Error::Gltf { place: place.into(), what: what.into() }
}

/// A list of the document; an absent one is empty.
fn list<'a>(json: &'a Value, name: &str) -> &'a [Value] {
    json[name].as_array().map_or(&[], Vec::as_slice)
}

/// A whole number of an object; `default` when it is absent.
fn number(object: &Value, place: &str, name: &str, default: Option<u64>) -> Result<usize, Error> {
    let value = match &object[name] {
        Value::Null => default,
        value => value
            .as_u64()
            .or_else(|| value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..9e15).contains(x)).map(|x| x as u64)),
    };
    let value = value.and_then(|value| usize::try_from(value).ok());
    value
        .ok_or_else(|| wrong(place, format!("{name} is {}, allowed: a whole number", token(&object[name].to_string()))))
}

/// A part of some bytes, or what is missing.
fn slice<'a>(bytes: &'a [u8], offset: usize, length: usize, place: &str) -> Result<&'a [u8], Error> {
    let end = offset.checked_add(length);
    end.and_then(|end| bytes.get(offset..end))
        .ok_or_else(|| wrong(place, format!("{length} bytes from {offset} on, there are {}", bytes.len())))
}
