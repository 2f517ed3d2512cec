//! The vertex codec: byte columns in blocks of up to 256 vertices, 16-value groups, deltas along the stream.

use std::num::NonZero;

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
    let mut out = Vec::with_capacity(count * stride);
    let mut vertices = [0; BLOCK_BYTES];
    for first in (0..count).step_by(block) {
        // Decoded where it stays near and appended: cheaper than to fill the whole output with zeros before
        let vertices = &mut vertices[..block.min(count - first) * stride];
        state.decode_block(vertices, stride)?;
        out.extend_from_slice(vertices);
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
            let words = vertices.as_chunks_mut::<4>().0[group..].iter_mut().step_by(stride / 4);
            let out = words.zip(&deltas[..count]);
            match mode & 3 {
                0 => {
                    // Bytes 0 and 2, 1 and 3 in halves of a word: sums of a block stay below 2^16, so only what is written is cut.
                    let (mut even, mut odd) = (value & EVEN_BYTES, (value >> 8) & EVEN_BYTES);
                    out.for_each(|(vertex, delta)| {
                        even += delta & EVEN_BYTES;
                        odd += (delta >> 8) & EVEN_BYTES;
                        value = (even & EVEN_BYTES) | ((odd & EVEN_BYTES) << 8);
                        *vertex = value.to_le_bytes();
                    });
                }
                1 => {
                    let (mut low, mut high) = (value, value & 0xffff_0000);
                    out.for_each(|(vertex, delta)| {
                        low = low.wrapping_add(*delta);
                        high = high.wrapping_add(delta & 0xffff_0000);
                        value = (low & 0xffff) | high;
                        *vertex = value.to_le_bytes();
                    });
                }
                _ => out.for_each(|(vertex, delta)| {
                    value ^= delta;
                    *vertex = value.to_le_bytes();
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
            // First value in the lowest bit
            let mut escapes = u16::from_le_bytes([a, b]);
            let mut at = 2;
            while let Some(left) = NonZero::new(escapes) {
                let Some(byte) = window.get(at) else { break };
                group[left.trailing_zeros() as usize & (GROUP - 1)] = *byte;
                escapes &= escapes - 1;
                at += 1;
            }
            at
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
    let mut at = GROUP_MARGIN - rest.len();
    let mut bytes = rest.iter();
    while let Some(left) = NonZero::new(escapes) {
        let place = left.leading_zeros();
        let Some(byte) = bytes.next() else { break };
        group[(place >> shift) as usize & (GROUP - 1)] = *byte;
        escapes ^= 1 << 63 >> place;
        at += 1;
    }
    at
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

/// Bytes 0 and 2 of a word.
const EVEN_BYTES: u32 = 0x00ff_00ff;

/// The differences of a block as words: zigzag undone a byte or a half at a time, or the rotation undone. Loops without branches over values of one width, so that
/// they become vectors.
fn deltas(columns: &Columns, mode: u8) -> [u32; MAX_BLOCK] {
    let [mut low, mut high] = [halves(&columns[0], &columns[1]), halves(&columns[2], &columns[3])];
    for halves in [&mut low, &mut high] {
        match mode & 3 {
            0 => halves.iter_mut().for_each(|half| *half = unzigzag_bytes(*half)),
            1 => halves.iter_mut().for_each(|half| *half = (*half >> 1) ^ (*half & 1).wrapping_neg()),
            _ => {}
        }
    }
    let mut out = [0; MAX_BLOCK];
    for ((word, low), high) in out.iter_mut().zip(&low).zip(&high) {
        *word = u32::from(*low) | (u32::from(*high) << 16);
    }
    if mode & 3 == 2 {
        let rotation = u32::from(mode >> 4);
        out.iter_mut().for_each(|word| *word = word.rotate_right(rotation));
    }
    out
}

/// Two columns as halves.
fn halves(low: &[u8; MAX_BLOCK], high: &[u8; MAX_BLOCK]) -> [u16; MAX_BLOCK] {
    let mut out = [0; MAX_BLOCK];
    for ((half, low), high) in out.iter_mut().zip(low).zip(high) {
        *half = u16::from(*low) | (u16::from(*high) << 8);
    }
    out
}

/// Zigzag undone in both bytes.
#[inline]
fn unzigzag_bytes(half: u16) -> u16 {
    let sign = half & 0x0101;
    // The sign bit in every bit of its byte: sign * 255.
    let fill = (sign << 8).wrapping_sub(sign);
    ((half >> 1) & 0x7f7f) ^ fill
}
