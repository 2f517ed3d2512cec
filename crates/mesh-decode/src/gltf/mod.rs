//! glTF 2.0 (.gltf, .glb) whose buffer views are compressed with `EXT_meshopt_compression` or `KHR_meshopt_compression`.
//!
//! [`expand_gltf`] gives the same document with plain views, for a reader of glTF (mesh-distance has one). Formats of the extensions: vertex streams 0 and 1, index
//! streams, index sequences, and the four filters; both extensions are read alike.

mod container;
mod expand;
mod views;

use input_text::token;
use serde_json::Value;

use crate::error::Error;
pub use expand::{COMPRESSION, ExpandedGltf, expand_gltf};

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
