//! Blosc 1 frames with LZ4.
//!
//! A frame: version, codec version, flags, element size (a byte each); size, block size, frame size (u32 each); the start of every block; the blocks. A block is one or (per byte of an element) several
//! streams, each a length and an LZ4 block, or raw bytes when the length is the size. Shuffled blocks hold all first bytes of the elements, then all second bytes, and so on.
//!
//! Source: c-blosc, README_HEADER.rst and blosc.c.

use super::bytes::{View, expect, fault, put, put_u32};
use crate::Error;

const HEADER: usize = 16;
const SHUFFLE: u8 = 1;
const STORED: u8 = 2;
const BIT_SHUFFLE: u8 = 4;
const ONE_STREAM: u8 = 16;
/// The codec in the upper bits of the flags.
const LZ4: u8 = 1;
/// Element size of the reference's frames.
const ELEMENT: usize = 4;
/// Block size of the reference's frames.
const BLOCK: usize = 1 << 18;
/// Most bytes that a byte of LZ4 gives.
pub(super) const MOST: u64 = 256;

/// What a frame's header says.
struct Frame<'a> {
    view: View<'a>,
    flags: u8,
    element: usize,
    block: usize,
}

/// Appends what a frame holds, at most `most` bytes. `at` is the frame's place in the file.
pub(super) fn unpack(bytes: &[u8], at: u64, most: u64, out: &mut Vec<u8>) -> Result<(), Error> {
    let view = View { bytes };
    let head = view.slice(0, HEADER as u64, "a Blosc frame")?;
    let (flags, element) = (head[2], usize::from(head[3]));
    let (size, block) = (u64::from(view.u32(4)?), view.u32(8)? as usize);
    expect(at + 12, "the Blosc frame's size", u64::from(view.u32(12)?), view.len())?;
    if size > most {
        return Err(fault(at + 4, format!("the Blosc frame unpacks to {size} bytes, {most} are left of the grid")));
    }
    if flags & STORED != 0 {
        out.extend_from_slice(view.slice(HEADER as u64, size, "a stored frame")?);
        return Ok(());
    }
    if flags & BIT_SHUFFLE != 0 || flags >> 5 != LZ4 {
        return Err(Error::Unsupported {
            what: format!("a Blosc frame with the flags {flags:#04x}"),
            allowed: "LZ4 with byte shuffle",
        });
    }
    if size > 0 && (block == 0 || element == 0) {
        return Err(fault(at + 3, format!("Blosc elements of {element} and blocks of {block} bytes, must not be 0")));
    }
    let frame = Frame { view, flags, element, block };
    let mut scratch = Vec::new();
    for index in 0..size.div_ceil(block.max(1) as u64) {
        let length = (size - index * block as u64).min(block as u64) as usize;
        frame.block(index, length, at, &mut scratch)?;
        if flags & SHUFFLE != 0 && element > 1 {
            unshuffle(&scratch, element, out);
        } else {
            out.extend_from_slice(&scratch);
        }
    }
    Ok(())
}

impl Frame<'_> {
    /// The bytes of a block, still shuffled.
    fn block(&self, index: u64, length: usize, at: u64, out: &mut Vec<u8>) -> Result<(), Error> {
        let split = self.flags & ONE_STREAM == 0 && length == self.block && length.is_multiple_of(self.element);
        let streams = if split { self.element } else { 1 };
        let mut next = u64::from(self.view.u32(HEADER as u64 + 4 * index)?);
        out.clear();
        for _ in 0..streams {
            let packed = u64::from(self.view.u32(next)?);
            let bytes = self.view.slice(next + 4, packed, "a Blosc stream")?;
            let unpacked = length / streams;
            // LZ4 cannot give more than this, so a lie takes no memory.
            if unpacked as u64 > packed * MOST {
                return Err(fault(at + next, format!("{packed} bytes of LZ4 do not give {unpacked}")));
            }
            let start = out.len();
            if bytes.len() == unpacked {
                out.extend_from_slice(bytes);
            } else {
                out.resize(start + unpacked, 0);
                let found = lz4_flex::block::decompress_into(bytes, &mut out[start..])
                    .map_err(|error| fault(at + next, format!("the LZ4 block is broken: {error}")))?;
                expect(at + next, "the size of the LZ4 block", found, unpacked)?;
            }
            next += 4 + packed;
        }
        Ok(())
    }
}

/// Elements from all their first bytes, all their second bytes, ..; bytes behind the last whole element stay behind.
fn unshuffle(bytes: &[u8], element: usize, out: &mut Vec<u8>) {
    let count = bytes.len() / element;
    for i in 0..count {
        out.extend((0..element).map(|j| bytes[j * count + i]));
    }
    out.extend_from_slice(&bytes[count * element..]);
}

fn shuffle(bytes: &[u8]) -> Vec<u8> {
    let count = bytes.len() / ELEMENT;
    let mut out: Vec<u8> = (0..ELEMENT).flat_map(|j| (0..count).map(move |i| bytes[i * ELEMENT + j])).collect();
    out.extend_from_slice(&bytes[count * ELEMENT..]);
    out
}

/// A frame of up to 2^30 bytes, one stream a block.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let blocks = bytes.len().div_ceil(BLOCK);
    let mut out = vec![0; HEADER + 4 * blocks];
    put(&mut out, 0, &[2, 1, SHUFFLE | ONE_STREAM | (LZ4 << 5), ELEMENT as u8]);
    for (i, block) in bytes.chunks(BLOCK).enumerate() {
        let start = out.len() as u32;
        put_u32(&mut out, (HEADER + 4 * i) as u64, &[start]);
        let shuffled = shuffle(block);
        let packed = lz4_flex::block::compress(&shuffled);
        let stream = if packed.len() < shuffled.len() { &packed } else { &shuffled };
        out.extend_from_slice(&(stream.len() as u32).to_le_bytes());
        out.extend_from_slice(stream);
    }
    let sizes = [bytes.len() as u32, BLOCK.min(bytes.len()) as u32, out.len() as u32];
    put_u32(&mut out, 4, &sizes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_unpack_to_what_was_packed() {
        for size in [0, 1, 3, 4, 127, 4097, BLOCK - 1, BLOCK, 2 * BLOCK + 5] {
            let mut state = 7_u32;
            let bytes: Vec<u8> = (0..size)
                .map(|i| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if i % 1000 < 500 { (state >> 24) as u8 } else { 3 }
                })
                .collect();
            let frame = pack(&bytes);
            let mut out = Vec::new();
            unpack(&frame, 0, size as u64, &mut out).unwrap();
            assert!(out == bytes, "{size}");
            assert!(size == 0 || unpack(&frame, 0, size as u64 - 1, &mut Vec::new()).is_err());
        }
    }
}
