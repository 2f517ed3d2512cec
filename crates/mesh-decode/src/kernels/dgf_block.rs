//! One DGF1 block: header, vertices, palette; its connectivity: [`dgf_topology`](super::dgf_topology).
//!
//! Source: Vulkan specification, "Dense Geometry Format Version 1 (DGF1)".
//! A block is a row of 36 words: its 32 words and four words of zeros, so that a field may be read with the word after it.

use gpu_shaders::WgslModule;

use crate::kernels::bits;
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const DGF_BLOCK: WgslModule = WgslModule { name: "dgf_block", source: include_str!("dgf_block.wgsl") };

/// Words of a row.
pub const ROW_WORDS: usize = 36;
/// A block followed by four zero words.
pub type Row = [u32; ROW_WORDS];

/// Vertices and palette of a legal block in bits.
const MAX_VERTEX_PALETTE_BITS: u32 = 96 * 8;

/// The header of a block and where its sections begin (bits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Vertices, 1 to 64.
    pub vertices: u32,
    /// Triangles, 1 to 64.
    pub triangles: u32,
    /// Bits of a stored index, 3 to 6.
    pub index_bits: u32,
    /// Biased exponent of the grid step, 1 to 232: step = 2^(exponent - 127).
    pub exponent: u32,
    /// Anchor in grid steps.
    pub anchor: [i32; 3],
    /// Bits of an offset on each axis, 1 to 16.
    pub widths: [u32; 3],
    /// 10 bits: the payload itself, or (count - 1) << 5 | prefix bits.
    pub geometry: u32,
    /// Whether geometry ids come from a palette.
    pub palette: bool,
    /// First bit of the vertices.
    pub vertex_start: u32,
    /// First bit of the palette section.
    pub palette_start: u32,
    /// First bit of the index buffer.
    pub index_start: u32,
}

/// Vertices and triangles of a block: the two counts that a file's offset tables are made of. Both fields exist in any 128 bytes.
pub fn counts(word0: u32) -> (u32, u32) {
    (((word0 >> 10) & 63) + 1, ((word0 >> 16) & 63) + 1)
}

/// 32 bits from bit `shift` (0 to 31) of two words on.
pub(super) fn field_of(lo: u32, hi: u32, shift: u32) -> u32 {
    (lo >> shift) | ((hi << 1) << (31 - shift))
}

/// The `n` bits from bit `at` on.
#[inline]
pub(super) fn field(row: &Row, at: u32, n: u32) -> u32 {
    // Legal blocks stay inside the row.
    let word = ((at >> 5) as usize).min(ROW_WORDS - 2);
    bits::of_words(row[word], row[word + 1], at & 31, n)
}

/// The row as bytes, with room for a word of 64 bits at each byte of the block: one load holds any vertex (48 bits).
pub type RowBytes = [u8; 4 * ROW_WORDS];

/// The bytes of a row.
pub fn row_bytes(row: &Row) -> RowBytes {
    let mut bytes = [0; 4 * ROW_WORDS];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(row) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// At least 57 bits from bit `at` on.
#[inline]
pub(super) fn window(bytes: &RowBytes, at: u32) -> u64 {
    // Legal blocks stay inside the row.
    let first = (at >> 3) as usize & 127;
    let word = bytes[first..].first_chunk::<8>().map_or(0, |chunk| u64::from_le_bytes(*chunk));
    word >> (at & 7)
}

/// Bits that hold any number below `count` (0 for one).
pub fn index_width(count: u32) -> u32 {
    32 - (count - 1).leading_zeros()
}

fn round_up_8(bits: u32) -> u32 {
    (bits + 7) & 0xffff_fff8
}

/// Reads and checks the header.
///
/// # Errors
/// `Magic`, `Exponent`, `Reserved`, `Widths`, `Unsupported` (opacity micromaps), `Count` (fewer than 3 vertices), `Parameter` (palette
/// prefix), `Sections` (vertices and palette over 96 bytes), in this order.
pub fn read_header(row: &Row) -> Result<Header, Fault> {
    // [1] fields, sections from the front
    let (vertices, triangles) = counts(row[0]);
    let widths = [(row[2] & 15) + 1, ((row[2] >> 4) & 15) + 1, (row[3] & 15) + 1];
    let width = widths[0] + widths[1] + widths[2];
    let geometry = row[0] >> 22;
    let palette = (row[3] >> 7) & 1 == 1;
    let has_user_word = (row[4] >> 29) & 1;
    let vertex_start = 160 + 32 * has_user_word;
    let palette_start = vertex_start + round_up_8(vertices * width);
    let header = Header {
        vertices,
        triangles,
        index_bits: ((row[0] >> 8) & 3) + 3,
        exponent: row[1] & 255,
        anchor: [row[1] as i32 >> 8, row[2] as i32 >> 8, row[3] as i32 >> 8],
        widths,
        geometry,
        palette,
        vertex_start,
        palette_start,
        index_start: palette_start + palette_bits(geometry, palette, triangles),
    };
    check_header(row, &header)?;
    Ok(header)
}

fn check_header(row: &Row, header: &Header) -> Result<(), Fault> {
    // [2]
    let fault = |status, bit, value, allowed| Err(Fault::new(status, bit, value, allowed));
    let width = header.widths.iter().sum::<u32>();
    let micromaps = (row[3] >> 4) & 7;
    let front = header.index_start - header.vertex_start;
    if row[0] & 255 != 6 {
        return fault(Status::Magic, 0, row[0] & 255, 6);
    }
    if header.exponent.wrapping_sub(1) >= 232 {
        return fault(Status::Exponent, 32, header.exponent, 232);
    }
    if row[4] >> 30 != 0 {
        return fault(Status::Reserved, 158, row[4] >> 30, 0);
    }
    if width & 3 != 0 {
        return fault(Status::Widths, 64, width, 4);
    }
    if micromaps != 0 {
        return fault(Status::Unsupported, 100, micromaps, 0);
    }
    if header.vertices < 3 {
        return fault(Status::Count, 10, header.vertices, 3);
    }
    if header.palette && (header.geometry & 31) > 25 {
        return fault(Status::Parameter, 22, header.geometry & 31, 25);
    }
    if front > MAX_VERTEX_PALETTE_BITS {
        return fault(Status::Sections, header.vertex_start, front, MAX_VERTEX_PALETTE_BITS);
    }
    Ok(())
}

/// Bits of the palette section; a prefix that is too long gives a section that is.
fn palette_bits(geometry: u32, palette: bool, triangles: u32) -> u32 {
    let count = (geometry >> 5) + 1;
    let prefix = geometry & 31;
    if !palette {
        return 0;
    }
    if prefix > 25 {
        return 0x1_0000;
    }
    round_up_8(prefix + triangles * index_width(count) + count * (25 - prefix))
}

/// Where the offsets of a block's vertices lie.
#[derive(Clone, Copy, Debug)]
pub struct Offsets {
    start: u32,
    stride: u32,
    /// First bit of x, y, z in a vertex.
    shifts: [u32; 3],
    masks: [u32; 3],
}

impl Offsets {
    /// Of a block.
    pub fn new(header: &Header) -> Self {
        let [x, y, z] = header.widths;
        let masks = header.widths.map(|width| (1 << width) - 1);
        Self { start: header.vertex_start, stride: x + y + z, shifts: [0, x, x + y], masks }
    }
}

/// Offsets of a vertex from the anchor.
#[inline]
pub fn grid_offsets(bytes: &RowBytes, offsets: &Offsets, vertex: u32) -> [u32; 3] {
    // [3]
    let bits = window(bytes, offsets.start + vertex * offsets.stride);
    [0, 1, 2].map(|axis| (bits >> offsets.shifts[axis]) as u32 & offsets.masks[axis])
}

/// Grid position of a vertex: anchor + offset.
#[inline]
pub fn grid_position(bytes: &RowBytes, anchor: [i32; 3], offsets: &Offsets, vertex: u32) -> [i32; 3] {
    let found = grid_offsets(bytes, offsets, vertex);
    [0, 1, 2].map(|axis| anchor[axis] + found[axis] as i32)
}

/// Position: the grid position times 2^(exponent - 127); both steps are exact.
pub fn position(grid: [i32; 3], exponent: u32) -> [f32; 3] {
    // [4]
    let step = f32::from_bits(exponent << 23);
    grid.map(|g| g as f32 * step)
}

/// Payload of a triangle: geometry id << 1 | opaque.
///
/// # Errors
/// `Index`: a palette entry that does not exist.
pub fn payload(row: &Row, header: &Header, triangle: u32) -> Result<u32, Fault> {
    // [5]
    if !header.palette {
        return Ok(header.geometry);
    }
    let count = (header.geometry >> 5) + 1;
    let prefix_bits = header.geometry & 31;
    let payload_bits = 25 - prefix_bits;
    let width = index_width(count);
    let indices = header.palette_start + prefix_bits;
    let index = field(row, indices + triangle * width, width);
    if index >= count {
        return Err(Fault::new(Status::Index, indices + triangle * width, index, count));
    }
    let prefix = field(row, header.palette_start, prefix_bits);
    let at = indices + header.triangles * width + index * payload_bits;
    Ok((prefix << payload_bits) | field(row, at, payload_bits))
}

/// Primitive id of a triangle: the block's first, counted on.
pub fn primitive_id(row: &Row, triangle: u32) -> u32 {
    // [6]
    (row[4] & 0x1fff_ffff) + triangle
}

/// The user word, 0 without.
pub fn user_word(row: &Row) -> u32 {
    // [7]
    if row[4] & 0x2000_0000 != 0 { row[5] } else { 0 }
}
