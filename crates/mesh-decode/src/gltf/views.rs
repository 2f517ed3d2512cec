//! Buffer views: plain parts of a buffer, or streams of meshoptimizer.

use input_text::token;
use serde_json::Value;

use super::expand::COMPRESSION;
use super::{list, number, slice, wrong};
use crate::error::Error;
use crate::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};

/// The bytes of every view, and how many were compressed.
pub(super) fn decode(json: &Value, buffers: &[Vec<u8>]) -> Result<(Vec<Vec<u8>>, usize), Error> {
    let (mut views, mut compressed) = (Vec::new(), 0);
    for (k, view) in list(json, "bufferViews").iter().enumerate() {
        let place = format!("bufferViews[{k}]");
        let extensions = &view["extensions"];
        match COMPRESSION.iter().find(|name| extensions[**name].is_object()) {
            Some(name) => {
                compressed += 1;
                views.push(decode_stream(&extensions[*name], buffers, &format!("{place}.{name}"))?);
            }
            None => views.push(part(view, buffers, &place)?.to_vec()),
        }
    }
    Ok((views, compressed))
}

/// The bytes that `buffer`, `byteOffset` and `byteLength` name.
fn part<'a>(object: &Value, buffers: &'a [Vec<u8>], place: &str) -> Result<&'a [u8], Error> {
    let index = number(object, place, "buffer", None)?;
    let buffer =
        buffers.get(index).ok_or_else(|| wrong(place, format!("buffer {index}, there are {}", buffers.len())))?;
    slice(buffer, number(object, place, "byteOffset", Some(0))?, number(object, place, "byteLength", None)?, place)
}

fn decode_stream(object: &Value, buffers: &[Vec<u8>], place: &str) -> Result<Vec<u8>, Error> {
    let bytes = part(object, buffers, place)?;
    let (count, stride) = (number(object, place, "count", None)?, number(object, place, "byteStride", None)?);
    let filter = match object["filter"].as_str() {
        None | Some("NONE") => None,
        Some("OCTAHEDRAL") => Some(Filter::Octahedral),
        Some("QUATERNION") => Some(Filter::Quaternion),
        Some("EXPONENTIAL") => Some(Filter::Exponential),
        Some("COLOR") => Some(Filter::Colour),
        Some(other) => {
            return Err(wrong(
                place,
                format!("filter {}, allowed: NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL, COLOR", token(other)),
            ));
        }
    };
    // A file has many streams: what is wrong with one names its view
    let damaged = |error: Error| wrong(place, error.to_string());
    let indices = match object["mode"].as_str() {
        Some("ATTRIBUTES") => {
            let mut out = decode_vertices(bytes, count, stride).map_err(damaged)?;
            if let Some(filter) = filter {
                apply_filter(filter, &mut out, stride).map_err(damaged)?;
            }
            return Ok(out);
        }
        Some("TRIANGLES") => decode_indices(bytes, count, None).map_err(damaged)?,
        Some("INDICES") => decode_sequence(bytes, count, None).map_err(damaged)?,
        other => {
            let other = token(other.unwrap_or("none"));
            return Err(wrong(place, format!("mode {other}, allowed: ATTRIBUTES, TRIANGLES, INDICES")));
        }
    };
    if filter.is_some() {
        return Err(wrong(place, "a filter on indices"));
    }
    match stride {
        2 => {
            let narrow: Option<Vec<[u8; 2]>> =
                indices.iter().map(|index| u16::try_from(*index).ok().map(u16::to_le_bytes)).collect();
            let narrow = narrow.ok_or_else(|| wrong(place, "an index above 65535 with a byteStride of 2"))?;
            Ok(narrow.as_flattened().to_vec())
        }
        4 => Ok(indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
        _ => Err(wrong(place, format!("byteStride {stride} of indices, allowed: 2, 4"))),
    }
}
