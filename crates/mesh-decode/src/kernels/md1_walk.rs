//! Connectivity of an MD1 meshlet by a serial walk over its triangles: the words of the closed form of [`md1_meshlet`](super::md1_meshlet), faster on one core.

use super::bits::select;
use super::md1_meshlet::{ENTRY_ROOM, MAX_COUNT, Topology, bit};

/// The corners of every triangle in order, by the serial walk that the closed form replaces: faster on one core, the same words.
///
/// `of`: what stands for an index entry. `out` takes the triangle, its corners, the corners of the one before, and whether it begins a strip and hangs on the edge p0 p2.
pub fn walk_corners(
    topology: &Topology,
    triangles: u32,
    of: impl Fn(u32) -> u32,
    mut out: impl FnMut(u32, [u32; 3], [u32; 3], bool, u32),
) {
    let mut corners = [0; 3];
    let mut next = 0;
    for (word, (restart, edge)) in topology.restart.into_iter().zip(topology.edge).enumerate() {
        let first = 32 * word as u32;
        let (mut restart, mut edge) = (restart, edge);
        for triangle in first..triangles.min(first + 32) {
            let before = corners;
            let begins = restart & 1 == 1;
            if begins {
                corners = [of(next), of(next + 1), of(next + 2)];
                next += 3;
            } else {
                // Edges come as good as at random: chosen without a branch. Restarts are few
                let [p0, p1, p2] = before;
                corners = [select(edge & 1, p0, p2), select(edge & 1, p2, p1), of(next)];
                next += 1;
            }
            out(triangle, corners, before, begins, edge & 1);
            restart >>= 1;
            edge >>= 1;
        }
    }
}

/// Local triangles, in order.
pub fn read_triangles(topology: &Topology, triangles: u32, entries: &[u8; ENTRY_ROOM], mut out: impl FnMut([u32; 3])) {
    let vertex = |entry: u32| u32::from(entries[entry as usize & (ENTRY_ROOM - 1)]);
    walk_corners(topology, triangles, vertex, |_, corners, _, _, _| out(corners));
}

/// Local triangles, in order, and the context of each vertex: local vertices a, b (the shared edge) and c (opposite), or 256 for a vertex without.
pub fn read_contexts(
    topology: &Topology,
    triangles: u32,
    entries: &[u8; ENTRY_ROOM],
    contexts: &mut [[u16; 3]; MAX_COUNT as usize],
    mut out: impl FnMut([u32; 3]),
) {
    let mut vertex = 0;
    let mut entry = 0;
    let id = |entry: u32| u32::from(entries[entry as usize & (ENTRY_ROOM - 1)]);
    walk_corners(topology, triangles, id, |_, corners, before, begins, edge| {
        if begins {
            for _ in 0..3 {
                contexts[vertex & 255] = [256; 3];
                vertex += bit(&topology.first_use, entry) as usize;
                entry += 1;
            }
        } else {
            // Written always, kept when the newest entry is a first use.
            let opposite = select(edge, before[1], before[0]);
            contexts[vertex & 255] = [corners[0] as u16, corners[1] as u16, opposite as u16];
            vertex += bit(&topology.first_use, entry) as usize;
            entry += 1;
        }
        out(corners);
    });
}

#[cfg(test)]
mod tests {
    use super::walk_corners;
    use crate::kernels::md1_meshlet::{Topology, bit, corner_entries, last_set, next_corners, restarts_up_to};

    /// What the device does: what each word's predecessors say, then one look at the word itself. The corners, and the vertex opposite to the shared edge.
    fn closed_form(topology: &Topology, triangle: u32) -> [u32; 4] {
        let first = |w: usize| !topology.edge[w];
        let second = |w: usize| topology.edge[w] | topology.restart[w];
        let (mut before, mut restarts) = ([0; 2], 0);
        let word = (triangle >> 5) as usize;
        for w in 0..word {
            before =
                [last_set(first(w), before[0], 32 * w as u32 + 31), last_set(second(w), before[1], 32 * w as u32 + 31)];
            restarts += topology.restart[w].count_ones();
        }
        let below = (1 << (triangle & 31)) - 1;
        let j0 = last_set(first(word) & below, before[0], triangle);
        let j1 = last_set(second(word) & below, before[1], triangle);
        let restarts = restarts_up_to(topology.restart[word], restarts, triangle);
        let before = corner_entries(triangle, j0, j1, bit(&topology.restart, j0), restarts);
        next_corners(before, bit(&topology.edge, triangle) == 1, bit(&topology.restart, triangle) == 1)
    }

    #[test]
    fn the_walk_and_the_closed_form_agree() {
        let mut state = 3_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for round in 0..500 {
            let triangles = 1 + next() % 256;
            let rare = 1 + next() % 60;
            let mut topology =
                Topology { restart: [0; 8], edge: [0; 8], first_use: [0; 32], entries: 0, roots: 0, end: 0 };
            for triangle in 0..triangles {
                let (word, bit) = ((triangle >> 5) as usize, triangle & 31);
                if triangle == 0 || next() % rare == 0 {
                    topology.restart[word] |= 1 << bit;
                } else {
                    topology.edge[word] |= (next() & 1) << bit;
                }
            }
            let mut seen = 0;
            walk_corners(
                &topology,
                triangles,
                |entry| entry,
                |triangle, corners, before, begins, edge| {
                    let [a, b, newest, opposite] = closed_form(&topology, triangle);
                    assert_eq!([a, b, newest], corners, "round {round}, triangle {triangle}");
                    assert!(begins || opposite == before[edge as usize], "round {round}, triangle {triangle}");
                    seen += 1;
                },
            );
            assert_eq!(seen, triangles);
        }
    }
}
