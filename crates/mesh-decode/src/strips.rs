//! Strips over the triangles of one meshlet, with their winding kept.

/// A triangle of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StripTriangle {
    /// Local vertices; the last one is the newest.
    pub(crate) corners: [u16; 3],
    /// Begins a strip.
    pub(crate) restart: bool,
    /// Hangs on the edge p0 p2 of the triangle before it; otherwise on p2 p1.
    pub(crate) edge: bool,
    /// Hangs on the triangle before that one instead, on the edge that it was not left by (DGF's BACKTRACK).
    pub(crate) backtrack: bool,
    /// Its number in the meshlet.
    pub(crate) source: u16,
    /// Corner 0 here is this corner of the source.
    pub(crate) rotation: u8,
}

const NONE: u16 = u16::MAX;

/// Neighbours over directed edges: `across[t][k]` is the triangle that has the edge (corner k, corner k + 1) of t reversed, with the place of that edge in it.
struct Adjacency {
    across: Vec<[(u16, u8); 3]>,
}

impl Adjacency {
    fn new(triangles: &[[u16; 3]]) -> Self {
        let mut edges: Vec<(u32, u16, u8)> = Vec::with_capacity(3 * triangles.len());
        for (t, corners) in (0..).zip(triangles) {
            for k in 0..3 {
                edges.push((u32::from(corners[k]) << 16 | u32::from(corners[(k + 1) % 3]), t, k as u8));
            }
        }
        edges.sort_unstable();
        let find = |key: u32, not: u16| {
            let first = edges.partition_point(|edge| edge.0 < key);
            let same = edges[first..].iter().take_while(|edge| edge.0 == key);
            same.map(|edge| (edge.1, edge.2)).find(|found| found.0 != not)
        };
        let across = (0..).zip(triangles).map(|(t, corners)| {
            [0, 1, 2].map(|k| {
                let reversed = u32::from(corners[(k + 1) % 3]) << 16 | u32::from(corners[k]);
                find(reversed, t).unwrap_or((NONE, 0))
            })
        });
        Self { across: across.collect() }
    }
}

/// What is done when both next triangles look equally good.
#[derive(Clone, Copy)]
enum Tie {
    Turn,
    Keep,
    First,
    Second,
}

/// Strips of a meshlet: the cheapest of a few greedy attempts, by the number of restarts and the distances of repeated vertices.
pub(crate) fn build_strips(triangles: &[[u16; 3]]) -> Vec<StripTriangle> {
    build(triangles, false)
}

/// The same with branches of one triangle: where a strip ends, it may go on from the triangle before its last.
pub(crate) fn build_branched_strips(triangles: &[[u16; 3]]) -> Vec<StripTriangle> {
    build(triangles, true)
}

fn build(triangles: &[[u16; 3]], branches: bool) -> Vec<StripTriangle> {
    let adjacency = Adjacency::new(triangles);
    let mut best: Option<(u32, Vec<StripTriangle>)> = None;
    for tie in [Tie::Turn, Tie::Keep, Tie::First, Tie::Second] {
        for enclosed_first in [true, false] {
            let strips = attempt(triangles, &adjacency, tie, enclosed_first, branches);
            let cost = if branches { block_cost(&strips) } else { cost(&strips) };
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, strips));
            }
        }
    }
    best.map(|(_, strips)| strips).unwrap_or_default()
}

struct Attempt<'a> {
    triangles: &'a [[u16; 3]],
    adjacency: &'a Adjacency,
    done: Vec<bool>,
}

impl Attempt<'_> {
    fn free(&self, t: u16) -> usize {
        self.adjacency.across[usize::from(t)].iter().filter(|(n, _)| *n != NONE && !self.done[usize::from(*n)]).count()
    }

    /// The triangle behind the edge `k`, if it is free.
    fn behind(&self, t: u16, k: u8) -> Option<(u16, u8)> {
        let found = self.adjacency.across[usize::from(t)][usize::from(k)];
        (found.0 != NONE && !self.done[usize::from(found.0)]).then_some(found)
    }

    fn rotated(&self, t: u16, rotation: u8) -> [u16; 3] {
        let corners = self.triangles[usize::from(t)];
        [0, 1, 2].map(|k| corners[(k + usize::from(rotation)) % 3])
    }
}

fn attempt(
    triangles: &[[u16; 3]],
    adjacency: &Adjacency,
    tie: Tie,
    enclosed_first: bool,
    branches: bool,
) -> Vec<StripTriangle> {
    let mut state = Attempt { triangles, adjacency, done: vec![false; triangles.len()] };
    let mut out: Vec<StripTriangle> = Vec::with_capacity(triangles.len());
    while out.len() < triangles.len() {
        let free = (0..triangles.len() as u16).filter(|t| !state.done[usize::from(*t)]);
        let seed = if enclosed_first { free.min_by_key(|t| (state.free(*t), *t)) } else { free.min() };
        let Some(seed) = seed else { break };
        state.done[usize::from(seed)] = true;
        // The first step leaves over the edge p2 p0 or p1 p2; turn the seed so that its best neighbour lies behind p1 p2.
        let best = (0..3).filter_map(|k| state.behind(seed, k).map(|(n, _)| (state.free(n), k))).min();
        let rotation = best.map_or(0, |(_, k)| (k + 2) % 3);
        let corners = state.rotated(seed, rotation);
        out.push(StripTriangle { corners, restart: true, edge: false, backtrack: false, source: seed, rotation });
        while let Some((next, rotation, edge, backtrack)) = next_triangle(&state, &out, tie, branches) {
            state.done[usize::from(next)] = true;
            // The shared edge becomes the corners 0 and 1.
            let corners = state.rotated(next, rotation);
            out.push(StripTriangle { corners, restart: false, edge, backtrack, source: next, rotation });
        }
    }
    out
}

/// What follows on the strip so far: the triangle, its rotation, the edge it hangs on, and whether it is the other branch of the triangle before the last.
fn next_triangle(
    state: &Attempt<'_>,
    out: &[StripTriangle],
    tie: Tie,
    branches: bool,
) -> Option<(u16, u8, bool, bool)> {
    let [.., last] = out else { return None };
    if let Some((next, place, edge)) = step(state, last.source, last.rotation, last.edge, tie) {
        return Some((next, place, edge, false));
    }
    let [.., fork, _] = out else { return None };
    if !branches || last.restart || last.backtrack {
        return None;
    }
    // The edge that the last triangle does not hang on: p0 p2 is behind the corner after the next, p2 p1 behind the next.
    let edge = !last.edge;
    let (next, place) = state.behind(fork.source, (fork.rotation + 1 + u8::from(edge)) % 3)?;
    Some((next, place, edge, true))
}

/// The next triangle, the place of the shared edge in it, and whether it hangs on p0 p2.
fn step(state: &Attempt<'_>, t: u16, turn: u8, edge: bool, tie: Tie) -> Option<(u16, u8, bool)> {
    // Reversed, the edge p1 p2 is p2 p1 and the edge p2 p0 is p0 p2.
    let first = state.behind(t, (turn + 1) % 3).map(|(n, place)| (n, place, false));
    let second = state.behind(t, (turn + 2) % 3).map(|(n, place)| (n, place, true));
    let (Some(a), Some(b)) = (first, second) else { return first.or(second) };
    let (free_a, free_b) = (state.free(a.0), state.free(b.0));
    let take_second = match tie {
        _ if free_a != free_b => free_b < free_a,
        Tie::Turn => !edge,
        Tie::Keep => edge,
        Tie::First => false,
        Tie::Second => true,
    };
    Some(if take_second { b } else { a })
}

/// The bits of index entries in a DGF block: a bit an entry, and the width of the largest repeated index for each repeat.
fn block_cost(strips: &[StripTriangle]) -> u32 {
    let mut number = [NONE; 256];
    let (mut used, mut entries, mut largest) = (0, 0_u32, 0);
    for triangle in strips {
        for &vertex in &triangle.corners[if triangle.restart { 0 } else { 2 }..] {
            let seen = &mut number[usize::from(vertex) & 255];
            entries += 1;
            if *seen == NONE {
                *seen = used;
                used += 1;
            } else {
                largest = largest.max(*seen);
            }
        }
    }
    let width = (16 - largest.leading_zeros()).max(3);
    entries + (entries - u32::from(used)) * width
}

/// About the bits of the connectivity.
fn cost(strips: &[StripTriangle]) -> u32 {
    let mut number = [NONE; 256];
    let mut used = 0;
    let mut bits = 0;
    for triangle in strips {
        let from = if triangle.restart { 0 } else { 2 };
        bits += if triangle.restart { 20 } else { 0 };
        for &vertex in &triangle.corners[from..] {
            let seen = &mut number[usize::from(vertex) & 255];
            if *seen == NONE {
                *seen = used;
                used += 1;
                bits += if triangle.restart { 8 } else { 0 };
            } else {
                let distance = u32::from(used - 1 - *seen);
                bits += 3 + (32 - distance.leading_zeros());
            }
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::{build_branched_strips, build_strips};

    #[test]
    fn strips_keep_every_triangle_and_its_winding() {
        // A fan, two triangles of opposite winding on one edge, and a lonely one.
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [1, 2, 6], [7, 8, 9]];
        let strips = build_strips(&triangles);
        let mut seen = [false; 6];
        for (k, strip) in strips.iter().enumerate() {
            let source = triangles[usize::from(strip.source)];
            let turned = [0, 1, 2].map(|c| source[(c + usize::from(strip.rotation)) % 3]);
            assert_eq!(strip.corners, turned);
            assert!(!std::mem::replace(&mut seen[usize::from(strip.source)], true));
            if !strip.restart {
                let [p0, p1, p2] = strips[k - 1].corners;
                let expected = if strip.edge { [p0, p2] } else { [p2, p1] };
                assert_eq!(strip.corners[..2], expected);
            }
        }
        assert!(seen.iter().all(|seen| *seen));
        assert_eq!(strips.iter().filter(|strip| strip.restart).count(), 3);
    }

    #[test]
    fn branches_save_restarts() {
        // A triangle with a neighbour behind each edge, and on one of them a row of four more.
        let triangles = [[0, 1, 2], [1, 0, 3], [2, 1, 4], [0, 2, 5], [5, 2, 6], [5, 6, 7], [7, 6, 8]];
        let restarts = |strips: &[super::StripTriangle]| strips.iter().filter(|strip| strip.restart).count();
        let (plain, branched) = (build_strips(&triangles), build_branched_strips(&triangles));
        assert_eq!((restarts(&plain), restarts(&branched)), (2, 1));
        for (k, strip) in branched.iter().enumerate().skip(1) {
            let from = branched[k - if strip.backtrack { 2 } else { 1 }].corners;
            let expected = if strip.edge { [from[0], from[2]] } else { [from[2], from[1]] };
            assert_eq!(strip.corners[..2], expected, "triangle {k}");
            assert!(!strip.backtrack || strip.edge != branched[k - 1].edge, "triangle {k}");
        }
    }
}
