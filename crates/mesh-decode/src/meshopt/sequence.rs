//! The index sequence codec: variable-length deltas on two running values.

use super::{check_indices, read_varint, unzigzag};
use crate::error::Error;
use crate::format::Format;

const FORMAT: Format = Format::MeshoptSequence;
/// Zero bytes at the end of a stream.
const TAIL: usize = 4;

/// Decodes an index sequence of `count` indices. With `vertices` given, every index must be below it.
///
/// # Errors
/// [`Error::Stream`] with the byte at which the stream is wrong; [`Error::Index`].
pub fn decode_sequence(bytes: &[u8], count: usize, vertices: Option<u32>) -> Result<Vec<u32>, Error> {
    check_sequence_stream(bytes, count)?;
    let end = bytes.len() - TAIL;
    let mut at = 1;
    let mut last = [0_u32; 2];
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let value = if at < end { read_varint(bytes, &mut at) } else { None };
        let value =
            value.ok_or_else(|| Error::stream(FORMAT, at, "place of the data", at as u64, format!("below {end}")))?;
        let running = &mut last[(value & 1) as usize];
        *running = running.wrapping_add(unzigzag(value >> 1));
        out.push(*running);
    }
    if at != end {
        return Err(Error::stream(FORMAT, at, "end of the data", at as u64, end.to_string()));
    }
    check_indices(FORMAT, &out, vertices)?;
    Ok(out)
}

/// What can be said of a stream without reading its codes: first byte, least length.
pub(crate) fn check_sequence_stream(bytes: &[u8], count: usize) -> Result<(), Error> {
    let head = bytes.first().copied().unwrap_or(0);
    if head & 0xf0 != 0xd0 || head & 15 > 1 {
        return Err(Error::stream(FORMAT, 0, "first byte", u64::from(head), "0xd0 (208) and 0xd1 (209)"));
    }
    let needed = count.saturating_add(1 + TAIL);
    if bytes.len() < needed {
        return Err(Error::stream(FORMAT, bytes.len(), "length", bytes.len() as u64, format!("at least {needed}")));
    }
    Ok(())
}
