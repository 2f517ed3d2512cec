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
    check_vertices_stream(bytes, count, stride)?;
    let version = usize::from(bytes[0] & 15);
    let channel_bytes = if version == 0 { 0 } else { stride / 4 };
    let tail = tail_bytes(stride, channel_bytes, version);
    let block = block_vertices(stride);
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

/// What can be said of a stream without reading its blocks: stride, first byte, least length.
pub(crate) fn check_vertices_stream(bytes: &[u8], count: usize, stride: usize) -> Result<(), Error> {
    if stride == 0 || stride > 256 || !stride.is_multiple_of(4) {
        return Err(Error::stream(FORMAT, 0, "stride", stride as u64, "multiples of 4 from 4 to 256"));
    }
    let head = bytes.first().copied().unwrap_or(0);
    let version = usize::from(head & 15);
    if head & 0xf0 != 0xa0 || version > 1 {
        return Err(Error::stream(FORMAT, 0, "first byte", u64::from(head), "0xa0 (160) and 0xa1 (161)"));
    }
    // A block has at least its headers (version 0) or its control bytes (version 1).
    let least = count.div_ceil(block_vertices(stride)).saturating_mul(if version == 0 { stride } else { stride / 4 });
    let needed = least.saturating_add(1 + tail_bytes(stride, if version == 0 { 0 } else { stride / 4 }, version));
    if bytes.len() < needed {
        return Err(Error::stream(FORMAT, bytes.len(), "length", bytes.len() as u64, format!("at least {needed}")));
    }
    Ok(())
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
            let mut value = u32::from_le_bytes([0, 1, 2, 3].map(|k| self.last[first + k]));
            if mode & 3 == 3 {
                let place = self.reader.bytes.len() - self.channels.len() + group;
                let allowed = "0 to 2 in the low two bits";
                return Err(Error::stream(FORMAT, place, "channel mode", u64::from(mode), allowed));
            }
            let deltas = deltas(&columns, mode);
            let out = vertices.chunks_exact_mut(stride).zip(&deltas[..count]);
            let put = |vertex: &mut [u8], value: u32| vertex[first..first + 4].copy_from_slice(&value.to_le_bytes());
            match mode & 3 {
                0 => out.for_each(|(vertex, delta)| {
                    value = add_lanes(value, *delta, 0x8080_8080);
                    put(vertex, value);
                }),
                1 => out.for_each(|(vertex, delta)| {
                    value = add_lanes(value, *delta, 0x8000_8000);
                    put(vertex, value);
                }),
                _ => out.for_each(|(vertex, delta)| {
                    value ^= delta;
                    put(vertex, value);
                }),
            }
            self.last[first..first + 4].copy_from_slice(&value.to_le_bytes());
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
            let rest = self.reader.bytes.get(self.reader.at..).unwrap_or(&[]);
            let Some(window) = rest.first_chunk::<GROUP_MARGIN>() else {
                let (at, left) = (self.reader.at, rest.len() as u64);
                return Err(Error::stream(FORMAT, at, "bytes left", left, "at least 24 before a group"));
            };
            let code = (header[index / 4] >> (2 * (index % 4))) & 3;
            self.reader.at += decode_group(group, bits[usize::from(code)], window);
        }
        Ok(())
    }
}

/// Decodes 16 values of one width and returns the bytes they took, at most 24: packed values, then a byte for each value of all ones.
#[inline]
fn decode_group(group: &mut [u8; GROUP], bits: usize, window: &[u8; GROUP_MARGIN]) -> usize {
    match bits {
        0 => {
            group.fill(0);
            0
        }
        8 => {
            group.copy_from_slice(&window[..GROUP]);
            GROUP
        }
        1 => {
            let [a, b, ..] = *window;
            group[..8].copy_from_slice(&SPREAD_1[usize::from(a)]);
            group[8..].copy_from_slice(&SPREAD_1[usize::from(b)]);
            // First value in the lowest bit.
            let escapes = u64::from(u16::from_le_bytes([a, b]).reverse_bits()) << 48;
            replace_escapes(group, escapes, 0, &window[2..])
        }
        2 => {
            let [a, b, c, d, ..] = *window;
            for (four, byte) in group.as_chunks_mut::<4>().0.iter_mut().zip([a, b, c, d]) {
                *four = SPREAD_2[usize::from(byte)];
            }
            let word = u32::from_be_bytes([a, b, c, d]);
            let escapes = u64::from(word & (word >> 1) & 0x5555_5555) << 32;
            replace_escapes(group, escapes, 1, &window[4..])
        }
        _ => {
            let [a, b, c, d, e, f, g, h, ..] = *window;
            let packed = [a, b, c, d, e, f, g, h];
            for (two, byte) in group.as_chunks_mut::<2>().0.iter_mut().zip(packed) {
                *two = [byte >> 4, byte & 15];
            }
            let word = u64::from_be_bytes(packed);
            let escapes = word & (word >> 1) & (word >> 2) & (word >> 3) & 0x1111_1111_1111_1111;
            replace_escapes(group, escapes, 2, &window[8..])
        }
    }
}

/// Replaces the values that `escapes` marks, one bit for each 2^shift bits from the highest down, by the next bytes; returns all bytes of the group.
#[inline]
fn replace_escapes(group: &mut [u8; GROUP], mut escapes: u64, shift: u32, rest: &[u8]) -> usize {
    let packed = GROUP_MARGIN - rest.len();
    let count = escapes.count_ones() as usize;
    for byte in &rest[..count.min(rest.len())] {
        let place = escapes.leading_zeros();
        group[(place >> shift) as usize & (GROUP - 1)] = *byte;
        escapes &= !(1 << 63 >> place);
    }
    packed + count
}

/// The values of a byte of 8 or 4 packed values.
const SPREAD_1: [[u8; 8]; 256] = spread_1();
const SPREAD_2: [[u8; 4]; 256] = spread_2();

const fn spread_1() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut k = 0;
        while k < 8 {
            table[byte][k] = (byte >> k) as u8 & 1;
            k += 1;
        }
        byte += 1;
    }
    table
}

const fn spread_2() -> [[u8; 4]; 256] {
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut k = 0;
        while k < 4 {
            table[byte][k] = (byte >> (6 - 2 * k)) as u8 & 3;
            k += 1;
        }
        byte += 1;
    }
    table
}

type Columns = [[u8; MAX_BLOCK]; 4];

/// The differences of a block as words: zigzag undone a byte or a half at a time, or the rotation undone. Loops without branches, so that they vectorise.
fn deltas(columns: &Columns, mode: u8) -> [u32; MAX_BLOCK] {
    let mut out = [0; MAX_BLOCK];
    let [a, b, c, d] = columns;
    for (k, word) in out.iter_mut().enumerate() {
        *word = u32::from_le_bytes([a[k], b[k], c[k], d[k]]);
    }
    match mode & 3 {
        0 => out.iter_mut().for_each(|word| *word = unzigzag_lanes(*word, 0x0101_0101, 8)),
        1 => out.iter_mut().for_each(|word| *word = unzigzag_lanes(*word, 0x0001_0001, 16)),
        _ => {
            let rotation = u32::from(mode >> 4);
            out.iter_mut().for_each(|word| *word = word.rotate_right(rotation));
        }
    }
    out
}

/// Zigzag undone in lanes of `width` bits; `ones` has the lowest bit of each.
#[inline]
fn unzigzag_lanes(word: u32, ones: u32, width: u32) -> u32 {
    let sign = word & ones;
    // The sign bit in every bit of its lane: sign * (2^width - 1).
    let fill = (sign << width).wrapping_sub(sign);
    ((word >> 1) & !(ones << (width - 1))) ^ fill
}

/// Sums of lanes modulo their size; `tops` has the highest bit of each.
#[inline]
fn add_lanes(a: u32, b: u32, tops: u32) -> u32 {
    ((a & !tops) + (b & !tops)) ^ ((a ^ b) & tops)
}
