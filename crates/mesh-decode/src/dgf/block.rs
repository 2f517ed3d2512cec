//! One DGF1 block to write: what fits, and its bits.

use super::palette::Payloads;
use crate::bit_writer::BitWriter;
use crate::format::DGF_BLOCK_MAGIC;
use crate::mesh_input::{Entries, collect_entries};
use crate::strips::StripTriangle;

pub(super) const BLOCK_BITS: u32 = 1024;
pub(super) const HEADER_BITS: u32 = 160;
pub(super) const MAX_VERTEX_BITS: u32 = 96 * 8;
const MAX_INDEX_BITS: u32 = 24 * 8;
pub(super) const MAX_COUNT: u32 = 64;

/// Widths of the axes, padded so that their sum is a multiple of 4. Ranges are below 2^16.
pub(super) fn widths(low: [i32; 3], high: [i32; 3]) -> [u32; 3] {
    let mut widths = [0, 1, 2].map(|k| (32 - ((high[k] - low[k]) as u32).leading_zeros()).max(1));
    while widths.iter().sum::<u32>() % 4 != 0 {
        let narrow = (0..3).min_by_key(|k| widths[*k]).unwrap_or(0);
        widths[narrow] += 1;
    }
    widths
}

/// A block that fits.
pub(super) struct Plan {
    pub(super) entries: Entries,
    pub(super) triangles: u32,
    anchor: [i32; 3],
    widths: [u32; 3],
    index_bits: u32,
    payloads: Payloads,
    user_word: Option<u32>,
}

impl Plan {
    /// The plan of a block with exactly these triangles, if they fit.
    pub(super) fn new(
        strips: &[StripTriangle],
        point_of: impl Fn(u16) -> [i32; 3],
        payloads: &[u32],
        user_word: Option<u32>,
    ) -> Option<Self> {
        let payloads = Payloads::of(payloads.iter().copied())?;
        let entries = collect_entries(strips);
        let (vertices, triangles) = (entries.vertices.len() as u32, strips.len() as u32);
        let points = || entries.vertices.iter().map(|(vertex, _)| point_of(*vertex));
        let low = points().fold([i32::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
        let high = points().fold([i32::MIN; 3], |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
        let widths = widths(low, high);
        let largest = entries.repeats.iter().map(|(number, _)| *number).max().unwrap_or(0);
        let index_bits = (32 - largest.leading_zeros()).max(3);
        let vertex_bits = (vertices * widths.iter().sum::<u32>() + 7) & !7;
        let all_indices = index_bits * entries.repeats.len() as u32;
        let back = 2 * (triangles - 1) + entries.first_use.len() as u32 - 3;
        let palette_bits = payloads.section_bits(triangles);
        let header_bits = HEADER_BITS + if user_word.is_some() { 32 } else { 0 };
        let fits = vertices <= MAX_COUNT
            && triangles <= MAX_COUNT
            && vertex_bits + palette_bits <= MAX_VERTEX_BITS
            && all_indices <= MAX_INDEX_BITS
            && header_bits + vertex_bits + palette_bits + ((all_indices + 7) & !7) + back <= BLOCK_BITS;
        fits.then_some(Self { entries, triangles, anchor: low, widths, index_bits, payloads, user_word })
    }

    /// The words of the block for the same triangles; the primitive id base is left 0.
    pub(super) fn write(
        &self,
        strips: &[StripTriangle],
        point_of: impl Fn(u16) -> [i32; 3],
        exponent: i32,
        payloads: &[u32],
    ) -> Vec<u32> {
        let mut out = BitWriter::default();
        let (geometry, palette) = self.payloads.header();
        let [x, y, z] = self.widths;
        let vertices = self.entries.vertices.len() as u32;
        let anchor = self.anchor.map(|a| a as u32 & 0xff_ffff);
        out.push(u32::from(DGF_BLOCK_MAGIC), 8);
        out.push(self.index_bits - 3, 2);
        out.push(vertices - 1, 6);
        out.push(self.triangles - 1, 6);
        out.push(geometry, 10);
        out.push((exponent + 127) as u32, 8);
        out.push(anchor[0], 24);
        out.push(x - 1, 4);
        out.push(y - 1, 4);
        out.push(anchor[1], 24);
        out.push(z - 1, 4);
        // No micromaps.
        out.push(u32::from(palette) << 3, 4);
        out.push(anchor[2], 24);
        // The primitive id base is known when all blocks are.
        out.push(0, 29);
        out.push(u32::from(self.user_word.is_some()), 3);
        self.user_word.iter().for_each(|word| out.push(*word, 32));
        for (vertex, _) in &self.entries.vertices {
            let point = point_of(*vertex);
            (0..3).for_each(|k| out.push((point[k] - self.anchor[k]) as u32, self.widths[k]));
        }
        out.push(0, (vertices * (x + y + z)).wrapping_neg() & 7);
        self.payloads.write(&mut out, payloads.iter().copied());
        self.entries.repeats.iter().for_each(|(number, _)| out.push(*number, self.index_bits));
        let mut words = out.finish();
        words.resize(BLOCK_BITS as usize / 32, 0);
        self.write_back(strips, &mut words);
        words
    }

    /// Control codes and first-use bits, from the end of the block downwards.
    fn write_back(&self, strips: &[StripTriangle], words: &mut [u32]) {
        let mut set = |at: u32, value: u32| words[(at >> 5) as usize] |= value << (at & 31);
        for (triangle, strip) in (0..).zip(strips).skip(1) {
            // 0 RESTART, 1 EDGE1 (on p2 p1), 2 EDGE2 (on p0 p2), 3 BACKTRACK (the edge that the triangle before does not hang on).
            let code = match strip {
                StripTriangle { restart: true, .. } => 0,
                StripTriangle { backtrack: true, .. } => 3,
                StripTriangle { edge, .. } => 1 + u32::from(*edge),
            };
            set(BLOCK_BITS - 2 * triangle, code);
        }
        let first = BLOCK_BITS - 2 * (self.triangles - 1) - 1;
        for (k, used) in (0..).zip(&self.entries.first_use[3..]) {
            set(first - k, u32::from(*used));
        }
    }
}
