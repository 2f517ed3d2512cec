//! One MD1 meshlet of mode 2: every field has a fixed width, so each is found without those before it. `docs/formats/md1.md` is normative.

use gpu_shaders::WgslModule;

use super::bits;
use super::md1_meshlet::{
    Block, Entry, MAX_ENTRIES, MAX_WIDTH, Topology, first_bad_distance, place_entries, read_topology,
};
use super::md1_positions::{Predictor, Scratch, Triple, predict};
use super::md1_walk::walk_triangles;
use super::predictor::unzigzag;
use crate::layout::Parts;
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const MD1_FIXED: WgslModule = WgslModule { name: "md1_fixed", source: include_str!("md1_fixed.wgsl") };

/// Bits of the head without the anchor.
pub const FIXED_HEAD_BITS: u32 = 34;
/// Largest width of a distance.
pub const MAX_DISTANCE_WIDTH: u32 = 8;

/// The head of a meshlet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedHead {
    /// Width of a distance.
    pub distance_width: u32,
    /// Widths of the differences of vertices without a context, by axis.
    pub deltas: [u32; 3],
    /// Widths of the residuals of the others, by axis.
    pub residuals: [u32; 3],
    /// Code of the first vertex.
    pub anchor: [u32; 3],
    /// First bit behind the head.
    pub end: u32,
}

/// Reads the head.
///
/// # Errors
/// `Truncated`, `Parameter`.
pub fn read_fixed_head(words: &[u32], entry: &Entry, bits: [u32; 3]) -> Result<FixedHead, Fault> {
    // [1]
    let block = Block::new(words, entry);
    let anchor_at = [FIXED_HEAD_BITS, FIXED_HEAD_BITS + bits[0], FIXED_HEAD_BITS + bits[0] + bits[1]];
    let end = anchor_at[2] + bits[2];
    block.need(0, end)?;
    let head = FixedHead {
        distance_width: block.field(0, 4),
        deltas: [4, 9, 14].map(|at| block.field(at, 5)),
        residuals: [19, 24, 29].map(|at| block.field(at, 5)),
        anchor: [0, 1, 2].map(|axis| block.field(anchor_at[axis], bits[axis])),
        end,
    };
    if head.distance_width > MAX_DISTANCE_WIDTH {
        return Err(Fault::new(Status::Parameter, 0, head.distance_width, MAX_DISTANCE_WIDTH));
    }
    for (width, at) in head.deltas.into_iter().chain(head.residuals).zip([4, 9, 14, 19, 24, 29]) {
        if width > MAX_WIDTH {
            return Err(Fault::new(Status::Parameter, at, width, MAX_WIDTH));
        }
    }
    Ok(head)
}

/// The values of the three axes of a record that begins at the lowest of 64 bits.
#[inline]
fn split_record(low: u32, high: u32, widths: [u32; 3]) -> [i32; 3] {
    let record = u64::from(low) | u64::from(high) << 32;
    let x = bits::low_bits(record, widths[0]);
    let y = bits::low_bits(record >> widths[0], widths[1]);
    let z = bits::low_bits(record >> (widths[0] + widths[1]), widths[2]);
    [unzigzag(x), unzigzag(y), unzigzag(z)]
}

/// First bits of the sections behind the planes, and the end.
struct Places {
    deltas: u32,
    residuals: u32,
    end: u32,
}

fn place_records(at: u32, entry: &Entry, head: &FixedHead, topology: &Topology) -> Places {
    let deltas = at + (topology.entries - entry.vertices) * head.distance_width;
    let residuals = deltas + topology.roots.saturating_sub(1) * head.deltas.iter().sum::<u32>();
    let end = residuals + (entry.vertices - topology.roots) * head.residuals.iter().sum::<u32>();
    Places { deltas, residuals, end }
}

/// The vertex of each index entry.
fn read_entries(
    block: &Block<'_>,
    width: u32,
    topology: &Topology,
    repeats: u32,
    scratch: &mut Scratch,
) -> Result<(), Fault> {
    let distances = &mut scratch.distances[..repeats.min(MAX_ENTRIES) as usize];
    for (distance, rank) in distances.iter_mut().zip(0..) {
        *distance = block.field(topology.end + rank * width, width) as u16;
    }
    if place_entries(topology, &scratch.distances, &mut scratch.entries) {
        return Ok(());
    }
    Err(first_bad_distance(topology, |rank| block.field(topology.end + rank * width, width)))
}

/// The codes of the vertices of a meshlet, in `scratch.codes`; its triangles go to `corners`, a place for each, their vertices behind `base`.
///
/// # Errors
/// Any status that [`read_fixed_head`] and [`read_topology`] give; `Truncated`, `Index`, `Count`, `Range`, `StreamEnd`.
pub fn decode_meshlet(
    words: &[u32],
    entry: &Entry,
    predictor: &Predictor,
    scratch: &mut Scratch,
    base: u32,
    corners: &mut [[u32; 3]],
) -> Result<(), Fault> {
    let block = Block::new(words, entry);
    let head = read_fixed_head(words, entry, predictor.bits)?;
    let topology = read_topology(words, entry, head.end)?;
    let places = place_records(topology.end, entry, &head, &topology);
    block.need(topology.end, places.deltas)?;
    read_entries(&block, head.distance_width, &topology, topology.entries - entry.vertices, scratch)?;
    walk_triangles::<true>(&topology, &scratch.entries, base, corners, &mut scratch.contexts);
    if topology.roots == 0 {
        return Err(Fault::new(Status::Count, topology.end, 0, 1));
    }
    block.need(places.deltas, places.residuals)?;
    block.need(places.residuals, places.end)?;
    let [deltas, residuals] = &mut scratch.residuals;
    read_records(&block, places.deltas, head.deltas, &mut deltas[..topology.roots as usize - 1]);
    let count = (entry.vertices - topology.roots) as usize;
    read_records(&block, places.residuals, head.residuals, &mut residuals[..count]);
    predict(entry.vertices, head.anchor, predictor, scratch)?;
    let needed = (places.end + 31) >> 5;
    if needed != entry.end - entry.start {
        return Err(Fault::new(Status::StreamEnd, places.end, 32 * needed, 32 * (entry.end - entry.start)));
    }
    Ok(())
}

fn read_records(block: &Block<'_>, at: u32, widths: [u32; 3], out: &mut [Triple]) {
    let mut at = at;
    let width = widths[0] + widths[1] + widths[2];
    for record in out {
        // Most records are in the 64 bits of two words
        let high = if width <= 32 { 0 } else { block.field(at + 32, 32) };
        let [x, y, z] = split_record(block.field(at, 32), high, widths);
        *record = [x, y, z, 0];
        at += width;
    }
}

/// Bits of a meshlet by use; `None` when it is damaged.
pub(crate) fn parts(words: &[u32], entry: &Entry, bits: [u32; 3]) -> Option<Parts> {
    let head = read_fixed_head(words, entry, bits).ok()?;
    let topology = read_topology(words, entry, head.end).ok()?;
    let places = place_records(topology.end, entry, &head, &topology);
    let unused = (32 * (entry.end - entry.start)).checked_sub(places.end)?;
    let parts = [
        ("heads and anchors", head.end),
        ("restarts, edges, first uses", topology.end - head.end),
        ("distances", places.deltas - topology.end),
        ("differences of restarts", places.residuals - places.deltas),
        ("residuals", places.end - places.residuals),
        ("unused", unused),
    ];
    Some(parts.map(|(name, bits)| (name, u64::from(bits))).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bit_writer::BitWriter;

    #[test]
    fn a_record_of_the_largest_widths_comes_back() {
        for widths in [[18, 18, 18], [0, 18, 18], [18, 0, 1], [7, 5, 0], [0, 0, 0]] {
            let fields = widths.map(|n| (0x2_a5c3 ^ n) & ((1 << n) - 1));
            for shift in [0, 1, 31] {
                let mut writer = BitWriter::default();
                writer.push(0x5555_5555, shift);
                fields.into_iter().zip(widths).for_each(|(value, n)| writer.push(value, n));
                let words = writer.finish();
                let record = split_record(bits::field(&words, shift, 32), bits::field(&words, shift + 32, 32), widths);
                assert_eq!(record, fields.map(unzigzag), "{widths:?} after {shift} bits");
            }
        }
    }
}
