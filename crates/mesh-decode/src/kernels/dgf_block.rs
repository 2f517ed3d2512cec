//! One DGF1 block: header, connectivity in closed form, vertices, palette.
//!
//! Source: Vulkan specification, "Dense Geometry Format Version 1 (DGF1)"; the closed form after Meyer et al., Eurographics 2025.
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
/// Index entries of a legal block: at most 64 first uses and 64 repeats.
pub const MAX_ENTRIES: u32 = 128;

/// Vertices, palettes and indices of a legal block in bits.
const MAX_VERTEX_PALETTE_BITS: u32 = 96 * 8;
const MAX_INDEX_BITS: u32 = 24 * 8;

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

/// Connectivity of a block as masks over its 64 possible triangles, two words each, and its index entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// RESTART.
    pub restart: [u32; 2],
    /// BACKTRACK.
    pub backtrack: [u32; 2],
    /// Triangles whose first corner changes: EDGE1, RESTART and BACKTRACK that acts as EDGE1.
    pub first_changes: [u32; 2],
    /// Triangles whose second corner changes: EDGE2, RESTART and BACKTRACK that acts as EDGE2.
    pub second_changes: [u32; 2],
    /// Triangles that a later one may hang from: all but those that a BACKTRACK leaves.
    pub keep: [u32; 2],
    /// A bit an index entry: the first use of a vertex.
    pub first_use: [u32; 4],
    /// Index entries: triangles + 2 * restarts.
    pub entries: u32,
}

/// Even bits to the low half, odd bits to the high half, each in order.
fn unshuffle(x: u32) -> u32 {
    let mut y = x;
    let mut t = (y ^ (y >> 1)) & 0x2222_2222;
    y = y ^ t ^ (t << 1);
    t = (y ^ (y >> 2)) & 0x0c0c_0c0c;
    y = y ^ t ^ (t << 2);
    t = (y ^ (y >> 4)) & 0x00f0_00f0;
    y = y ^ t ^ (t << 4);
    t = (y ^ (y >> 8)) & 0x0000_ff00;
    y ^ t ^ (t << 8)
}

/// The lowest `n` bits of two words, `n` from 0 to 64. A shift by 32 is a shift by 0 in WGSL, hence the cases.
fn low_mask(n: u32) -> [u32; 2] {
    let word = |n: u32| if n >= 32 { 0xffff_ffff } else { (1u32 << n) - 1 };
    [word(n), word(n.max(32) - 32)]
}

fn shift_up(x: [u32; 2]) -> [u32; 2] {
    [x[0] << 1, (x[1] << 1) | (x[0] >> 31)]
}

fn combine(a: [u32; 2], b: [u32; 2], f: impl Fn(u32, u32) -> u32) -> [u32; 2] {
    [f(a[0], b[0]), f(a[1], b[1])]
}

/// Reads the control codes as masks; first uses are left out.
///
/// # Errors
/// `Control`: BACKTRACK at triangle 1 or after RESTART or BACKTRACK.
pub(super) fn read_masks(row: &Row, header: &Header) -> Result<Topology, Fault> {
    let triangles = header.triangles;
    let live = low_mask(triangles);
    // [3] control codes: two planes in triangle order, shifted up by one because triangle 0 has no code
    let half = |k: usize| unshuffle(row[31 - k].reverse_bits());
    let planes = [half(0), half(1), half(2), half(3)];
    let high = shift_up([(planes[0] & 0xffff) | (planes[1] << 16), (planes[2] & 0xffff) | (planes[3] << 16)]);
    let low = shift_up([(planes[0] >> 16) | (planes[1] & 0xffff_0000), (planes[2] >> 16) | (planes[3] & 0xffff_0000)]);
    let restart = combine(combine(high, low, |h, l| !(h | l)), live, |r, m| r & m);
    let backtrack = combine(combine(high, low, |h, l| h & l), live, |b, m| b & m);
    let edge1 = combine(high, low, |h, l| l & !h);
    let edge2 = combine(high, low, |h, l| h & !l);
    let bad = combine(backtrack, shift_up(combine(restart, backtrack, |r, b| r | b)), |b, after| b & after);
    if bad != [0, 0] {
        let triangle = if bad[0] != 0 { bad[0].trailing_zeros() } else { 32 + bad[1].trailing_zeros() };
        return Err(Fault::new(Status::Control, 1024 - 2 * triangle, 3, 3));
    }
    // [4] a BACKTRACK takes the other edge than the triangle before it, which then is on nobody else's path
    let up1 = shift_up(edge1);
    let up2 = shift_up(edge2);
    let word = |a: u32, b: u32, up: u32, r: u32| a | (b & up) | r;
    let first_changes = [0, 1].map(|k| word(edge1[k], backtrack[k], up2[k], restart[k]));
    let second_changes = [0, 1].map(|k| word(edge2[k], backtrack[k], up1[k], restart[k]));
    let keep = [!((backtrack[0] >> 1) | (backtrack[1] << 31)), !(backtrack[1] >> 1)];
    let entries = triangles + 2 * (restart[0].count_ones() + restart[1].count_ones());
    Ok(Topology { restart, backtrack, first_changes, second_changes, keep, first_use: [0; 4], entries })
}

/// Reads and checks the connectivity.
///
/// # Errors
/// `Control` (BACKTRACK at triangle 1 or after RESTART or BACKTRACK), `Count` (index entries, first uses), `Sections` (index buffer over 24
/// bytes, or front and back overlap), in this order.
pub fn read_topology(row: &Row, header: &Header) -> Result<Topology, Fault> {
    let mut topology = read_masks(row, header)?;
    let (triangles, entries) = (header.triangles, topology.entries);
    if entries > MAX_ENTRIES {
        return Err(Fault::new(Status::Count, 1024 - 2 * (triangles - 1), entries, MAX_ENTRIES));
    }
    topology.first_use = read_first_uses(row, triangles, entries);
    check_topology(header, &topology, count_first_uses(&topology))?;
    Ok(topology)
}

/// 32 bits from bit `shift` (0 to 31) of two words on.
fn field_of(lo: u32, hi: u32, shift: u32) -> u32 {
    (lo >> shift) | ((hi << 1) << (31 - shift))
}

/// First-use bits in the order of the entries: the block's bits backwards, the first three entries set.
fn read_first_uses(row: &Row, triangles: u32, entries: u32) -> [u32; 4] {
    // [5]
    // Backwards bit r is block bit 1023 - r; entry e lies at r = 2 * triangles - 5 + e. Word 0 of `backwards` is a word before the block.
    let start = 2 * triangles + 27;
    let backwards = |j: u32| if j == 0 { 0 } else { row[(32 - j) as usize].reverse_bits() };
    let (lower, upper) = (low_mask(entries), low_mask(entries.max(64) - 64));
    let masks = [lower[0], lower[1], upper[0], upper[1]];
    let mut words = [0; 4];
    for (k, word) in words.iter_mut().enumerate() {
        let at = (start >> 5) + k as u32;
        let bits = field_of(backwards(at), backwards(at + 1), start & 31);
        *word = (if k == 0 { bits | 7 } else { bits }) & masks[k];
    }
    words
}

fn count_first_uses(topology: &Topology) -> u32 {
    topology.first_use.iter().map(|word| word.count_ones()).sum()
}

fn check_topology(header: &Header, topology: &Topology, used: u32) -> Result<(), Fault> {
    // [6]
    if used != header.vertices {
        return Err(Fault::new(Status::Count, 10, header.vertices, used));
    }
    let index_bits = (topology.entries - used) * header.index_bits;
    let back = 1024 - 2 * (header.triangles - 1) - (topology.entries - 3);
    if index_bits > MAX_INDEX_BITS {
        return Err(Fault::new(Status::Sections, header.index_start, index_bits, MAX_INDEX_BITS));
    }
    if header.index_start + index_bits > back {
        return Err(Fault::new(Status::Sections, header.index_start, header.index_start + index_bits, back));
    }
    Ok(())
}

/// The vertex of one index entry, or `u32::MAX` for a repeat that was not used before. `word`: the first-use bits of the entry's 32; `before`: first uses
/// before them.
pub fn entry_vertex(row: &Row, header: &Header, word: u32, before: u32, entry: u32) -> u32 {
    // [7] the rank of a first use is its vertex; the others are stored
    let bit = 1u32 << (entry & 31);
    let rank = before + (word & (bit - 1)).count_ones();
    let stored = field(row, header.index_start + (entry - rank) * header.index_bits, header.index_bits);
    let repeat = if stored >= rank { u32::MAX } else { stored };
    if word & bit != 0 { rank } else { repeat }
}

/// The index entries of the three corners of a triangle, in closed form.
///
/// With j the last triangle at or before i whose corner changes (left-out ones skipped): a corner that changes at an edge is the newest entry of
/// the triangle it hangs from, at a RESTART an entry of its own.
pub fn corner_entries(topology: &Topology, triangle: u32) -> [u32; 3] {
    // [8]
    let upper = triangle >= 32;
    let bit = 1u32 << (triangle & 31);
    let below = bit - 1;
    let half = usize::from(upper);
    let restarts_here = (topology.restart[half] & (below | bit)).count_ones();
    let restarts_before = if upper { topology.restart[0].count_ones() } else { 0 };
    let shift = 2 * (restarts_here + restarts_before);
    let j0 = last_change(topology.first_changes, topology.keep, half, bit, below);
    let j1 = last_change(topology.second_changes, topology.keep, half, bit, below);
    let at = |mask: [u32; 2], j: u32| (mask[(j >> 5) as usize & 1] >> (j & 31)) & 1;
    let hangs = at(topology.backtrack, j0) | at(topology.restart, j0);
    [j0 + shift - 1 - hangs, j1 + shift - 1 - at(topology.backtrack, j1), triangle + shift]
}

/// The last triangle at or before this one whose corner changes. Triangle 0 is a RESTART, so there is one.
fn last_change(changes: [u32; 2], keep: [u32; 2], half: usize, bit: u32, below: u32) -> u32 {
    let here = (changes[half] & keep[half] & below) | (changes[half] & bit);
    let lower = changes[0] & keep[0];
    if half == 1 && here != 0 {
        return 63 - here.leading_zeros();
    }
    31 - (if half == 1 { lower } else { here }).leading_zeros()
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
    // [9]
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
    // [10]
    let step = f32::from_bits(exponent << 23);
    grid.map(|g| g as f32 * step)
}

/// Payload of a triangle: geometry id << 1 | opaque.
///
/// # Errors
/// `Index`: a palette entry that does not exist.
pub fn payload(row: &Row, header: &Header, triangle: u32) -> Result<u32, Fault> {
    // [11]
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
    // [12]
    (row[4] & 0x1fff_ffff) + triangle
}

/// The user word, 0 without.
pub fn user_word(row: &Row) -> u32 {
    // [13]
    if row[4] & 0x2000_0000 != 0 { row[5] } else { 0 }
}
