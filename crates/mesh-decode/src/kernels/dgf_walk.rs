//! Index entries and connectivity of a DGF1 block by serial walks: the words of the closed forms of [`dgf_topology`](super::dgf_topology), faster on one core.

use super::bits::select;
use super::dgf_block::{Header, Row, RowBytes, field, window};
use super::dgf_topology::{MAX_ENTRIES, Topology};
use crate::status::{Fault, Status};

/// The vertex of each index entry.
///
/// # Errors
/// `Index`: a repeated vertex that was not used before.
pub fn read_entries(
    row: &Row,
    bytes: &RowBytes,
    header: &Header,
    topology: &Topology,
) -> Result<[u8; MAX_ENTRIES as usize], Fault> {
    let mut vertices = [0; MAX_ENTRIES as usize];
    // Serially, with a running rank and place: the words of `entry_vertex`. A fault is looked for once, behind the loop
    let (mut rank, mut bad, mut at) = (0, 0, header.index_start);
    let (width, mask) = (header.index_bits, (1 << header.index_bits) - 1);
    for (word, part) in topology.first_use.into_iter().zip(vertices.as_chunks_mut::<32>().0) {
        let done = rank + (at - header.index_start) / width;
        let count = topology.entries.min(MAX_ENTRIES).saturating_sub(done).min(32);
        let mut firsts = word;
        for vertex in &mut part[..count as usize] {
            let first = firsts & 1;
            let stored = window(bytes, at) as u32 & mask;
            bad |= (first ^ 1) & u32::from(stored >= rank);
            *vertex = select(first, rank, stored) as u8;
            rank += first;
            at += width & first.wrapping_sub(1);
            firsts >>= 1;
        }
    }
    if bad == 0 { Ok(vertices) } else { Err(first_bad_index(row, header, topology)) }
}

/// The first stored index whose vertex was not used before.
fn first_bad_index(row: &Row, header: &Header, topology: &Topology) -> Fault {
    let mut rank = 0;
    for entry in 0..topology.entries {
        let first = (topology.first_use[(entry >> 5) as usize & 3] >> (entry & 31)) & 1;
        let at = header.index_start + (entry - rank) * header.index_bits;
        let stored = field(row, at, header.index_bits);
        if first == 0 && stored >= rank {
            return Fault::new(Status::Index, at, stored, rank);
        }
        rank += first;
    }
    Fault::new(Status::Index, header.index_start, 0, 0)
}

/// The corners of every triangle in order, by the serial walk that the closed form replaces: faster on one core, the same words. `of`: what stands for an index entry.
pub fn walk_corners(topology: &Topology, triangles: u32, of: impl Fn(u32) -> u32, mut out: impl FnMut(u32, [u32; 3])) {
    let mask = |words: [u32; 2]| u64::from(words[0]) | u64::from(words[1]) << 32;
    let (mut restart, mut first_changes) = (mask(topology.restart), mask(topology.first_changes));
    let mut backtrack = mask(topology.backtrack);
    let branched = backtrack != 0;
    let (mut before, mut current) = ([0; 3], [0; 3]);
    let mut next = 0;
    for triangle in 0..triangles {
        // Edges come as good as at random: chosen without a branch. Restarts are few
        if restart & 1 == 1 {
            before = current;
            current = [of(next), of(next + 1), of(next + 2)];
            next += 3;
        } else {
            let mut from = current;
            if branched {
                // A BACKTRACK hangs from the triangle before the last, on the edge that was not taken.
                from = [0, 1, 2].map(|k| select(backtrack as u32 & 1, before[k], current[k]));
                before = current;
            }
            let first = first_changes as u32 & 1;
            current = [select(first, from[2], from[0]), select(first, from[1], from[2]), of(next)];
            next += 1;
        }
        restart >>= 1;
        backtrack >>= 1;
        first_changes >>= 1;
        out(triangle, current);
    }
}

#[cfg(test)]
mod tests {
    use super::walk_corners;
    use crate::kernels::dgf_block::{Header, ROW_WORDS};
    use crate::kernels::dgf_topology::{corner_entries, read_masks};

    /// Random legal control codes: the serial walk and the closed form give the same entries.
    #[test]
    fn the_walk_and_the_closed_form_agree() {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for round in 0..2000 {
            let triangles = if round % 3 == 0 { 64 } else { 1 + next() % 64 };
            let mut row = [0; ROW_WORDS];
            let mut before = 0;
            for triangle in 1..triangles {
                let code = match next() % 8 {
                    0 => 0,
                    1..=2 if triangle >= 2 && (before == 1 || before == 2) => 3,
                    k => 1 + k % 2,
                };
                let at = 1024 - 2 * triangle;
                row[(at >> 5) as usize] |= code << (at & 31);
                before = code;
            }
            let header = Header { triangles, vertices: 3, index_bits: 3, ..Header::default() };
            // The counts do not fit; only the masks matter here.
            let topology = read_masks(&row, &header).expect("legal codes");
            let mut seen = 0;
            walk_corners(
                &topology,
                triangles,
                |entry| entry,
                |triangle, corners| {
                    assert_eq!(corner_entries(&topology, triangle), corners, "round {round}, triangle {triangle}");
                    seen += 1;
                },
            );
            assert_eq!(seen, triangles);
        }
    }
}
