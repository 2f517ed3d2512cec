//! Connectivity of an MD1 meshlet by a serial walk over its triangles: the words of the closed form of [`md1_meshlet`](super::md1_meshlet), faster on one core.

use super::md1_meshlet::{ENTRY_ROOM, Topology};

/// Room for the context of each vertex, and for those written behind the last first use.
pub const CONTEXT_ROOM: usize = 512;
/// The context of a vertex that a restart uses first: it has none.
pub const NO_CONTEXT: u32 = 1 << 24;

/// The corners of each triangle, local vertices and `base`. With `CONTEXTS` also the context of each vertex in bytes of this order: a, b (the shared edge), c (opposite), or [`NO_CONTEXT`].
///
/// `entries`: the vertex of each index entry; `corners`: a place for each triangle.
pub fn walk_triangles<const CONTEXTS: bool>(
    topology: &Topology,
    entries: &[u8; ENTRY_ROOM],
    base: u32,
    corners: &mut [[u32; 3]],
    contexts: &mut [u32; CONTEXT_ROOM],
) {
    let mut step = Step::default();
    let mut next = 0;
    for (word, (&restarts, &edges)) in topology.restart.iter().zip(&topology.edge).enumerate() {
        let (mut triangle, end) = (32 * word, corners.len().min(32 * word + 32));
        let mut restarts = u64::from(restarts);
        step.edges = edges;
        // Strip by strip: nothing of a triangle inside of one depends on a branch, since edges come as good as at random
        while triangle < end {
            if restarts & 1 == 1 {
                for entry in &entries[next..next + 3] {
                    step.begin::<CONTEXTS>(u32::from(*entry), contexts);
                }
                corners[triangle] = step.corners(base);
                (next, triangle, restarts) = (next + 3, triangle + 1, restarts >> 1);
                step.edges >>= 1;
            }
            let length = (restarts.trailing_zeros() as usize).min(end - triangle);
            for (place, entry) in corners[triangle..triangle + length].iter_mut().zip(&entries[next..]) {
                step.go_on::<CONTEXTS>(u32::from(*entry), contexts);
                *place = step.corners(base);
            }
            (next, triangle, restarts) = (next + length, triangle + length, restarts >> length);
        }
    }
}

/// Where a walk is.
#[derive(Default)]
struct Step {
    /// Corners 0 and 1, a byte each.
    edge: u32,
    /// Corner 2.
    newest: u32,
    /// First uses so far: the number of the vertex that is used first next.
    vertex: u32,
    /// Edge bits that are left of a word.
    edges: u32,
}

impl Step {
    /// The next of the three entries of a restart.
    #[inline]
    fn begin<const CONTEXTS: bool>(&mut self, entry: u32, contexts: &mut [u32; CONTEXT_ROOM]) {
        self.edge = (self.edge >> 8 | self.newest << 8) & 0xffff;
        self.newest = entry;
        if CONTEXTS {
            self.write(NO_CONTEXT, contexts);
        }
    }

    /// A triangle on an edge of the one before: its newest corner takes the place of corner 0 (edge bit 0) or 1 (edge bit 1), and the corner that was there is opposite.
    #[inline]
    fn go_on<const CONTEXTS: bool>(&mut self, entry: u32, contexts: &mut [u32; CONTEXT_ROOM]) {
        let replaced = 0xff ^ (0u32.wrapping_sub(self.edges & 1) & 0xffff);
        let opposite = self.edge & replaced;
        self.edge = (self.edge & !replaced) | ((self.newest * 0x0101) & replaced);
        self.newest = entry;
        if CONTEXTS {
            self.write(self.edge | ((opposite | opposite >> 8) & 0xff) << 16, contexts);
        }
        self.edges >>= 1;
    }

    /// Written always, kept when the newest entry is a first use: those alone name the vertex after all before them.
    #[inline]
    fn write(&mut self, context: u32, contexts: &mut [u32; CONTEXT_ROOM]) {
        contexts[self.vertex as usize & (CONTEXT_ROOM - 1)] = context;
        self.vertex += u32::from(self.newest == self.vertex);
    }

    #[inline]
    fn corners(&self, base: u32) -> [u32; 3] {
        [base + (self.edge & 0xff), base + (self.edge >> 8), base + self.newest]
    }
}

#[cfg(test)]
mod tests {
    use super::{CONTEXT_ROOM, NO_CONTEXT, walk_triangles};
    use crate::kernels::md1_meshlet::{
        ENTRY_ROOM, Topology, bit, corner_entries, last_set, next_corners, restarts_up_to,
    };

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
            compare(round, &topology, triangles, [0, 1, 2, 3].map(|_| next() % 4));
        }
    }

    /// Corners, and the context of each vertex: the entries are first uses and repeats as good as at random.
    fn compare(round: u32, topology: &Topology, triangles: u32, random: [u32; 4]) {
        let mut entries = [0; ENTRY_ROOM];
        let mut first_uses = [false; ENTRY_ROOM];
        let mut used = 0;
        for (entry, place) in entries.iter_mut().enumerate() {
            let first = used < 256 && (used == 0 || random[entry & 3] < 2);
            *place = if first { used } else { used - 1 - (7 * entry as u32) % used } as u8;
            first_uses[entry] = first;
            used += u32::from(first);
        }
        let id = |entry: u32| u32::from(entries[entry as usize]);
        let (mut corners, mut contexts) = (vec![[0; 3]; triangles as usize], [0; CONTEXT_ROOM]);
        walk_triangles::<true>(topology, &entries, 1000, &mut corners, &mut contexts);
        let (mut used, mut next) = (0, 0);
        for triangle in 0..triangles {
            let place = format!("round {round}, triangle {triangle}");
            let [a, b, newest, opposite] = closed_form(topology, triangle);
            assert_eq!(corners[triangle as usize], [a, b, newest].map(|entry| 1000 + id(entry)), "{place}");
            let begins = bit(&topology.restart, triangle) == 1;
            for entry in next..=newest {
                if first_uses[entry as usize] {
                    let context = if begins { NO_CONTEXT } else { id(a) | id(b) << 8 | id(opposite) << 16 };
                    assert_eq!(contexts[used], context, "{place}, entry {entry}");
                    used += 1;
                }
            }
            next = newest + 1;
        }
        let mut alone = vec![[0; 3]; triangles as usize];
        walk_triangles::<false>(topology, &entries, 1000, &mut alone, &mut contexts);
        assert_eq!(corners, alone, "round {round}");
    }
}
