//! meshoptimizer's codecs: vertex, triangle index and sequence streams, meshlet sets, clusters, filters.
//!
//! The streams carry neither counts nor strides: the caller gives them (glTF's buffer views do). Versions 0 and 1, as in
//! `EXT_meshopt_compression` and `KHR_meshopt_compression`.

mod clusters;
mod encode;
mod encode_indices;
mod encode_vertices;
mod filters;
mod indices;
mod meshlets;
mod sequence;
mod vertices;

pub(crate) use clusters::ClusterFile;
pub use encode::{MeshoptEncoded, encode_clusters, encode_meshlets};
pub use encode_indices::{encode_indices, encode_sequence};
pub use encode_vertices::encode_vertices;
pub use filters::{Filter, apply_filter};
#[cfg(feature = "gpu")]
pub(crate) use indices::check_indices_stream;
pub use indices::decode_indices;
pub(crate) use meshlets::MeshletFile;
#[cfg(feature = "gpu")]
pub(crate) use sequence::check_sequence_stream;
pub use sequence::decode_sequence;
#[cfg(feature = "gpu")]
pub(crate) use vertices::check_vertices_stream;
pub use vertices::decode_vertices;

use crate::error::Error;
use crate::format::Format;

/// Fails for the first index that is not below the number of vertices, when that is known.
fn check_indices(format: Format, indices: &[u32], vertices: Option<u32>) -> Result<(), Error> {
    let Some(vertices) = vertices else { return Ok(()) };
    match indices.iter().position(|index| *index >= vertices) {
        Some(place) => Err(Error::Index { format, place, index: indices[place], vertices }),
        None => Ok(()),
    }
}

/// One number in groups of 7 bits, lowest first, at most five bytes; `None` past the end.
fn read_varint(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let mut value = 0;
    for group in 0..5 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u32::from(byte & 127) << (7 * group);
        if byte < 128 {
            break;
        }
    }
    Some(value)
}

/// Zigzag: 0, -1, 1, -2, ..
fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ 0u32.wrapping_sub(value & 1)
}
