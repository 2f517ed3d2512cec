//! The document and its buffers.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde_json::Value;

use super::expand::COMPRESSION;
use super::{list, number, slice, wrong};
use crate::error::Error;

/// The JSON document, and the binary chunk of a .glb file.
pub(super) struct Document<'a> {
    pub(super) json: Value,
    pub(super) binary: Option<&'a [u8]>,
    /// Bytes behind the length that a .glb file gives of itself.
    pub(super) behind: usize,
}

const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BINARY: u32 = u32::from_le_bytes(*b"BIN\0");

/// Takes either form apart.
pub(super) fn parse(bytes: &[u8]) -> Result<Document<'_>, Error> {
    let read = |text: &[u8]| {
        serde_json::from_slice(text).map_err(|error| wrong("document", input_text::sentence(&error.to_string())))
    };
    if !bytes.starts_with(b"glTF") {
        return Ok(Document { json: read(bytes)?, binary: None, behind: 0 });
    }
    let word = |at: usize| {
        let word = slice(bytes, at, 4, "header")?;
        Ok::<u32, Error>(word.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    };
    if word(4)? != 2 {
        return Err(wrong("header", format!("version {}, supported is 2", word(4)?)));
    }
    let length = word(8)? as usize;
    let all = slice(bytes, 0, length, "header")?;
    let (mut at, mut json, mut binary) = (12, None, None);
    while at < length {
        let (size, kind) = (word(at)? as usize, word(at + 4)?);
        let data = slice(all, at + 8, size, "chunk")?;
        match kind {
            JSON if json.is_none() => json = Some(read(data)?),
            BINARY if binary.is_none() => binary = Some(data),
            _ => {}
        }
        at += 8 + size;
    }
    let json = json.ok_or_else(|| wrong("chunks", "no JSON chunk"))?;
    Ok(Document { json, binary, behind: bytes.len() - length })
}

/// The bytes of every buffer; none for the placeholder buffers of the extensions.
pub(super) fn buffers(
    json: &Value,
    binary: Option<&[u8]>,
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<Vec<u8>>, Error> {
    let mut all = Vec::new();
    for (k, buffer) in list(json, "buffers").iter().enumerate() {
        let place = format!("buffers[{k}]");
        let length = number(buffer, &place, "byteLength", None)?;
        let extensions = &buffer["extensions"];
        let fallback = COMPRESSION.iter().any(|name| extensions[*name]["fallback"].as_bool() == Some(true));
        let bytes = match (buffer["uri"].as_str(), binary) {
            // The data of a fallback is for readers without the extension.
            _ if fallback => Vec::new(),
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => decode_base64(data, &place)?,
                None => load(uri).map_err(|what| wrong(&place, what))?,
            },
            (None, Some(binary)) if k == 0 => binary.to_vec(),
            (None, _) => Vec::new(),
        };
        if !bytes.is_empty() && bytes.len() < length {
            return Err(wrong(&place, format!("{} bytes, byteLength is {length}", bytes.len())));
        }
        all.push(bytes);
    }
    Ok(all)
}

fn decode_base64(data: &str, place: &str) -> Result<Vec<u8>, Error> {
    let text = data.split_once(";base64,").ok_or_else(|| wrong(place, "a data URI that is not base64"))?.1;
    let bytes = STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text));
    bytes.map_err(|error| wrong(place, format!("base64: {error}")))
}
