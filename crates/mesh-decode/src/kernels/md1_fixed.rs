//! One MD1 meshlet of mode 2: every field has a fixed width, so each is found without those before it. `docs/formats/md1.md` is normative.

use gpu_shaders::WgslModule;

use super::bits;
use super::md1_meshlet::{
    Block, ENTRY_ROOM, Entry, MAX_COUNT, MAX_ENTRIES, MAX_WIDTH, Topology, bit, entry_vertex, first_bad_distance,
    read_topology,
};
use super::md1_walk;
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

/// Code of a vertex on one axis, the predictor's with weights 1, 1, -1: a and b are the ends of the shared edge, c the opposite vertex.
#[inline]
fn parallelogram_code(a: i32, b: i32, c: i32, residual: i32) -> i32 {
    a + b - c + residual
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
    vertices: &mut [u8; ENTRY_ROOM],
) -> Result<(), Fault> {
    let (mut used, mut at, mut bad) = (0, topology.end, 0);
    for place in 0..topology.entries.min(MAX_ENTRIES) {
        let first = bit(&topology.first_use, place);
        let distance = block.field(at, width);
        bad |= (1 - first) & u32::from(distance >= used);
        vertices[place as usize] = entry_vertex(first, used, distance) as u8;
        used += first;
        at += (1 - first) * width;
    }
    if bad == 0 {
        Ok(())
    } else {
        Err(first_bad_distance(topology, |rank| block.field(topology.end + rank * width, width)))
    }
}

/// Local triangles of a meshlet and the codes of its vertices.
///
/// # Errors
/// Any status that [`read_fixed_head`] and [`read_topology`] give; `Truncated`, `Index`, `Count`, `Range`, `StreamEnd`.
pub fn decode_meshlet(
    words: &[u32],
    entry: &Entry,
    bits: [u32; 3],
    triangles: &mut [[u8; 3]; MAX_COUNT as usize],
    codes: &mut [[i32; 3]; MAX_COUNT as usize],
) -> Result<(), Fault> {
    let block = Block::new(words, entry);
    let head = read_fixed_head(words, entry, bits)?;
    let topology = read_topology(words, entry, head.end)?;
    let places = place_records(topology.end, entry, &head, &topology);
    block.need(topology.end, places.deltas)?;
    let mut vertices = [0; ENTRY_ROOM];
    read_entries(&block, head.distance_width, &topology, &mut vertices)?;
    let mut contexts = [[0; 3]; MAX_COUNT as usize];
    md1_walk::read_contexts(&topology, entry.triangles, &vertices, triangles, &mut contexts);
    if topology.roots == 0 {
        return Err(Fault::new(Status::Count, topology.end, 0, 1));
    }
    block.need(places.deltas, places.residuals)?;
    block.need(places.residuals, places.end)?;
    read_codes(&block, entry.vertices, &head, &places, bits, &contexts, codes)?;
    let needed = (places.end + 31) >> 5;
    if needed != entry.end - entry.start {
        return Err(Fault::new(Status::StreamEnd, places.end, 32 * needed, 32 * (entry.end - entry.start)));
    }
    Ok(())
}

/// The codes of all vertices: the first has the anchor, one without a context lies a difference after the vertex before it.
fn read_codes(
    block: &Block<'_>,
    vertices: u32,
    head: &FixedHead,
    places: &Places,
    bits: [u32; 3],
    contexts: &[[u16; 3]; MAX_COUNT as usize],
    codes: &mut [[i32; 3]; MAX_COUNT as usize],
) -> Result<(), Fault> {
    let (delta_bits, residual_bits) = (head.deltas.iter().sum::<u32>(), head.residuals.iter().sum::<u32>());
    let (mut delta_at, mut residual_at) = (places.deltas, places.residuals);
    let mut previous = head.anchor.map(|code| code as i32);
    let outside = |code: [i32; 3]| (0..3).fold(0, |all, k| all | code[k] as u32 >> bits[k]);
    codes[0] = previous;
    for vertex in 1..vertices as usize {
        let [a, b, c] = contexts[vertex].map(usize::from);
        let code = if a < 256 {
            let residual =
                split_record(block.field(residual_at, 32), block.field(residual_at + 32, 32), head.residuals);
            residual_at += residual_bits;
            let (a, b, c) = (codes[a], codes[b & 255], codes[c & 255]);
            [0, 1, 2].map(|k| parallelogram_code(a[k], b[k], c[k], residual[k]))
        } else {
            let delta = split_record(block.field(delta_at, 32), block.field(delta_at + 32, 32), head.deltas);
            delta_at += delta_bits;
            [0, 1, 2].map(|k| parallelogram_code(previous[k], previous[k], previous[k], delta[k]))
        };
        if outside(code) != 0 {
            let axis = (0..2).find(|k| code[*k] as u32 >> bits[*k] != 0).unwrap_or(2);
            return Err(Fault::new(Status::Range, 0, code[axis] as u32, (1 << bits[axis]) - 1));
        }
        codes[vertex] = code;
        previous = code;
    }
    Ok(())
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
