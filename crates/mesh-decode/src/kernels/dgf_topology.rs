//! Connectivity of a DGF1 block in closed form, after Meyer et al., Eurographics 2025.

use gpu_shaders::WgslModule;

use super::dgf_block::{Header, Row, field, field_of};
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const DGF_TOPOLOGY: WgslModule = WgslModule { name: "dgf_topology", source: include_str!("dgf_topology.wgsl") };

/// Index entries of a legal block: at most 64 first uses and 64 repeats.
pub const MAX_ENTRIES: u32 = 128;
/// Bits of the indices of a legal block.
const MAX_INDEX_BITS: u32 = 24 * 8;

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
    // [1] control codes: two planes in triangle order, shifted up by one because triangle 0 has no code
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
    // [2] a BACKTRACK takes the other edge than the triangle before it, which then is on nobody else's path
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

/// First-use bits in the order of the entries: the block's bits backwards, the first three entries set.
fn read_first_uses(row: &Row, triangles: u32, entries: u32) -> [u32; 4] {
    // [3]
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
    // [4]
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
    // [5] the rank of a first use is its vertex; the others are stored
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
    // [6]
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
