//! The vertex codec: byte columns in blocks of up to 256 vertices, 16-value groups, deltas along the stream.

use crate::error::Error;
use crate::format::Format;

const FORMAT: Format = Format::MeshoptVertices;
/// Vertices of the largest block.
pub(super) const MAX_BLOCK: usize = 256;
const BLOCK_BYTES: usize = 8192;
/// Values of a group.
pub(super) const GROUP: usize = 16;
/// Bytes that must remain before a group: part of what is accepted.
const GROUP_MARGIN: usize = 24;

/// Decodes a vertex stream: `count` vertices of `stride` bytes, one after the other.
///
/// Versions 0 and 1. `stride` is a multiple of 4, at most 256. Nothing is allocated unless the stream is long enough for `count`.
///
/// # Errors
/// [`Error::Stream`] with the byte at which the stream is wrong: version, stride, length, channel mode, or bytes left over.
pub fn decode_vertices(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Error> {
    if stride == 0 || stride > 256 || !stride.is_multiple_of(4) {
        return Err(Error::stream(FORMAT, 0, "stride", stride as u64, "multiples of 4 from 4 to 256"));
    }
    let head = bytes.first().copied().unwrap_or(0);
    let version = usize::from(head & 15);
    if head & 0xf0 != 0xa0 || version > 1 {
        return Err(Error::stream(FORMAT, 0, "first byte", u64::from(head), "0xa0 (160) and 0xa1 (161)"));
    }
    let channel_bytes = if version == 0 { 0 } else { stride / 4 };
    let tail = tail_bytes(stride, channel_bytes, version);
    let block = block_vertices(stride);
    // A block has at least its headers (version 0) or its control bytes (version 1).
    let least = count.div_ceil(block).saturating_mul(if version == 0 { stride } else { stride / 4 });
    let needed = least.saturating_add(1 + tail);
    if bytes.len() < needed {
        return Err(Error::stream(FORMAT, bytes.len(), "length", bytes.len() as u64, format!("at least {needed}")));
    }
    let last = bytes.len() - channel_bytes - stride;
    let mut state = State {
        reader: Reader { bytes, at: 1 },
        version,
        last: bytes[last..last + stride].to_vec(),
        channels: &bytes[bytes.len() - channel_bytes..],
    };
    let mut out = vec![0; count * stride];
    for vertices in out.chunks_mut(block * stride) {
        state.decode_block(vertices, stride)?;
    }
    let left = bytes.len() - state.reader.at;
    if left != tail {
        return Err(Error::stream(
            FORMAT,
            state.reader.at,
            "bytes after the last block",
            left as u64,
            tail.to_string(),
        ));
    }
    Ok(out)
}

/// Vertices of a block.
pub(super) fn block_vertices(stride: usize) -> usize {
    (BLOCK_BYTES / stride / GROUP * GROUP).min(MAX_BLOCK)
}

/// Bytes behind the last block: the first vertex and the channel modes, with zeros before them up to a least length.
pub(super) fn tail_bytes(stride: usize, channel_bytes: usize, version: usize) -> usize {
    (stride + channel_bytes).max(if version == 0 { 32 } else { 24 })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let slice = self.bytes.get(self.at..self.at + length);
        let slice = slice.ok_or_else(|| {
            let left = self.bytes.len() - self.at;
            Error::stream(FORMAT, self.at, "bytes left", left as u64, format!("at least {length}"))
        })?;
        self.at += length;
        Ok(slice)
    }
}

struct State<'a> {
    reader: Reader<'a>,
    version: usize,
    /// The vertex before the block.
    last: Vec<u8>,
    /// Version 1: mode of each group of four byte columns.
    channels: &'a [u8],
}

impl State<'_> {
    fn decode_block(&mut self, vertices: &mut [u8], stride: usize) -> Result<(), Error> {
        let count = vertices.len() / stride;
        let controls = if self.version == 0 { &[] } else { self.reader.take(stride / 4)? };
        let mut columns = [[0; MAX_BLOCK]; 4];
        for group in 0..stride / 4 {
            for (k, column) in columns.iter_mut().enumerate() {
                let control = controls.get(group).map(|byte| (byte >> (2 * k)) & 3);
                self.decode_column(column, count, control)?;
            }
            let mode = self.channels.get(group).copied().unwrap_or(0);
            let first = 4 * group;
            let start = [0, 1, 2, 3].map(|k| self.last[first + k]);
            let out = vertices[first..].chunks_mut(stride);
            let end = match mode & 3 {
                0 => bytes_from_deltas(&columns, start, out),
                1 => halves_from_deltas(&columns, start, out),
                2 => words_from_deltas(&columns, start, out, u32::from(mode >> 4)),
                _ => {
                    let place = self.reader.bytes.len() - self.channels.len() + group;
                    return Err(Error::stream(
                        FORMAT,
                        place,
                        "channel mode",
                        u64::from(mode),
                        "0 to 2 in the low two bits",
                    ));
                }
            };
            self.last[first..first + 4].copy_from_slice(&end);
        }
        Ok(())
    }

    /// One byte column of a block; `control` is `None` in version 0.
    fn decode_column(&mut self, column: &mut [u8; MAX_BLOCK], count: usize, control: Option<u8>) -> Result<(), Error> {
        let bits = match control {
            None => [0, 2, 4, 8],
            Some(0) => [0, 1, 2, 4],
            Some(1) => [1, 2, 4, 8],
            Some(2) => {
                column[..count].fill(0);
                return Ok(());
            }
            Some(_) => {
                column[..count].copy_from_slice(self.reader.take(count)?);
                return Ok(());
            }
        };
        let groups = count.div_ceil(GROUP);
        let header = self.reader.take(groups.div_ceil(4))?;
        for (index, group) in column.as_chunks_mut::<GROUP>().0[..groups].iter_mut().enumerate() {
            let left = self.reader.bytes.len() - self.reader.at;
            if left < GROUP_MARGIN {
                return Err(Error::stream(
                    FORMAT,
                    self.reader.at,
                    "bytes left",
                    left as u64,
                    "at least 24 before a group",
                ));
            }
            let code = (header[index / 4] >> (2 * (index % 4))) & 3;
            self.decode_group(group, bits[usize::from(code)])?;
        }
        Ok(())
    }

    fn decode_group(&mut self, group: &mut [u8; GROUP], bits: usize) -> Result<(), Error> {
        match bits {
            0 => group.fill(0),
            8 => group.copy_from_slice(self.reader.take(GROUP)?),
            1 => {
                let packed = self.reader.take(2)?;
                for (k, value) in group.iter_mut().enumerate() {
                    *value = (packed[k / 8] >> (k % 8)) & 1;
                }
                self.replace_escapes(group, 1)?;
            }
            2 => {
                let packed = self.reader.take(4)?;
                for (k, value) in group.iter_mut().enumerate() {
                    *value = (packed[k / 4] >> (6 - 2 * (k % 4))) & 3;
                }
                self.replace_escapes(group, 3)?;
            }
            _ => {
                let packed = self.reader.take(8)?;
                for (k, value) in group.iter_mut().enumerate() {
                    *value = (packed[k / 2] >> (4 - 4 * (k % 2))) & 15;
                }
                self.replace_escapes(group, 15)?;
            }
        }
        Ok(())
    }

    /// A value of all ones stands for the next byte after the packed values.
    fn replace_escapes(&mut self, group: &mut [u8; GROUP], escape: u8) -> Result<(), Error> {
        let count = group.iter().filter(|value| **value == escape).count();
        if count == 0 {
            return Ok(());
        }
        let mut rest = self.reader.take(count)?.iter();
        for value in group.iter_mut().filter(|value| **value == escape) {
            *value = rest.next().copied().unwrap_or(escape);
        }
        Ok(())
    }
}

type Columns = [[u8; MAX_BLOCK]; 4];

fn bytes_from_deltas<'a>(columns: &Columns, start: [u8; 4], out: impl Iterator<Item = &'a mut [u8]>) -> [u8; 4] {
    let mut value = start;
    for (k, vertex) in out.enumerate() {
        for (lane, column) in value.iter_mut().zip(columns) {
            let delta = column[k & (MAX_BLOCK - 1)];
            *lane = lane.wrapping_add((delta >> 1) ^ 0u8.wrapping_sub(delta & 1));
        }
        vertex[..4].copy_from_slice(&value);
    }
    value
}

fn halves_from_deltas<'a>(columns: &Columns, start: [u8; 4], out: impl Iterator<Item = &'a mut [u8]>) -> [u8; 4] {
    let half = |bytes: [u8; 4], k: usize| u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]);
    let step = |value: u16, delta: u16| value.wrapping_add((delta >> 1) ^ 0u16.wrapping_sub(delta & 1));
    let mut value = start;
    for (k, vertex) in out.enumerate() {
        let delta = columns.map_at(k);
        let low = step(half(value, 0), half(delta, 0)).to_le_bytes();
        let high = step(half(value, 1), half(delta, 1)).to_le_bytes();
        value = [low[0], low[1], high[0], high[1]];
        vertex[..4].copy_from_slice(&value);
    }
    value
}

fn words_from_deltas<'a>(
    columns: &Columns,
    start: [u8; 4],
    out: impl Iterator<Item = &'a mut [u8]>,
    rotation: u32,
) -> [u8; 4] {
    let mut value = u32::from_le_bytes(start);
    for (k, vertex) in out.enumerate() {
        value ^= u32::from_le_bytes(columns.map_at(k)).rotate_right(rotation);
        vertex[..4].copy_from_slice(&value.to_le_bytes());
    }
    value.to_le_bytes()
}

/// The bytes of one vertex in four columns.
trait MapAt {
    fn map_at(&self, k: usize) -> [u8; 4];
}

impl MapAt for Columns {
    fn map_at(&self, k: usize) -> [u8; 4] {
        let k = k & (MAX_BLOCK - 1);
        [self[0][k], self[1][k], self[2][k], self[3][k]]
    }
}
