//! The same document without compressed views.

use serde_json::{Map, Value, json};

use super::container::{Document, buffers, parse};
use super::{list, views, wrong};
use crate::error::Error;

/// The two names of the extension.
pub const COMPRESSION: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// A document whose buffer views are plain.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpandedGltf {
    /// The file, as binary glTF with one buffer.
    pub bytes: Vec<u8>,
    /// Compressed buffer views that were decoded.
    pub compressed_views: usize,
}

/// Decodes every compressed buffer view of a .gltf or .glb file and leaves everything else of the document as it is, so that any reader of
/// glTF can read it; none for a document without the extensions, and for what is no document at all (the other reader says why).
///
/// `load` gives the bytes of a buffer by its URI (relative to the file); `data:` URIs are read here.
///
/// # Errors
/// [`Error::Gltf`] with the place in the document and what is wrong there, also for 4 GiB of views or more, which binary glTF cannot hold, and
/// with what is wrong with a stream.
pub fn expand_gltf(
    bytes: &[u8],
    mut load: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Option<ExpandedGltf>, Error> {
    let Ok(Document { mut json, binary, behind }) = parse(bytes) else { return Ok(None) };
    if !list(&json, "bufferViews")
        .iter()
        .any(|view| COMPRESSION.iter().any(|name| view["extensions"][*name].is_object()))
    {
        return Ok(None);
    }
    if behind != 0 {
        return Err(wrong("header", format!("length {}, the file has {}", bytes.len() - behind, bytes.len())));
    }
    let buffers = buffers(&json, binary, &mut load)?;
    let (decoded, compressed_views) = views::decode(&json, &buffers)?;
    let mut data: Vec<u8> = Vec::with_capacity(decoded.iter().map(|view| view.len() + 3).sum());
    let objects = json["bufferViews"].as_array_mut().into_iter().flatten();
    for (object, view) in objects.zip(&decoded) {
        if let Some(extensions) = object["extensions"].as_object_mut() {
            COMPRESSION.iter().for_each(|name| drop(extensions.remove(*name)));
        }
        object["buffer"] = json!(0);
        object["byteOffset"] = json!(data.len());
        object["byteLength"] = json!(view.len());
        data.extend_from_slice(view);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    json["buffers"] = json!([{ "byteLength": data.len() }]);
    for name in ["extensionsUsed", "extensionsRequired"] {
        if let Some(extensions) = json[name].as_array_mut() {
            extensions.retain(|extension| !COMPRESSION.iter().any(|name| extension == name));
        }
        if list(&json, name).is_empty() {
            json.as_object_mut().and_then(|object: &mut Map<String, Value>| object.remove(name));
        }
    }
    Ok(Some(ExpandedGltf { bytes: binary_file(&json, &data)?, compressed_views }))
}

/// Header, document and data.
fn binary_file(json: &Value, data: &[u8]) -> Result<Vec<u8>, Error> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + text.len() + 8 + data.len();
    let word = |n: usize| {
        let n = u32::try_from(n);
        n.map(u32::to_le_bytes)
            .map_err(|_| wrong("document", format!("{length} bytes expanded, allowed: {}", u32::MAX)))
    };
    let mut file = Vec::with_capacity(length);
    file.extend_from_slice(&[*b"glTF", 2u32.to_le_bytes(), word(length)?].concat());
    file.extend_from_slice(&[word(text.len())?, *b"JSON"].concat());
    file.extend_from_slice(&text);
    file.extend_from_slice(&[word(data.len())?, *b"BIN\0"].concat());
    file.extend_from_slice(data);
    Ok(file)
}
