//! Edges of a triangle mesh: which triangles meet at which edge.

/// Undirected edges and the half-edges that lie on them.
///
/// Half-edge 3 t + k runs from corner k of triangle t to corner (k + 1) mod 3. Edges are in ascending order of (smaller vertex, larger
/// vertex); the half-edges of an edge are ascending. An edge from a vertex to itself (repeated index) is an edge of its own.
pub(crate) struct Edges {
    /// Edge of each half-edge.
    pub(crate) of_half: Vec<u32>,
    /// Vertices of each edge, the smaller first.
    pub(crate) vertices: Vec<[u32; 2]>,
    starts: Vec<u32>,
    halves: Vec<u32>,
}

impl Edges {
    /// Edges of these triangles; indices below `vertex_count`. Cost O(triangles + vertices) for bounded valence.
    pub(crate) fn new(triangles: &[[u32; 3]], vertex_count: usize) -> Edges {
        let ends = |half: usize| {
            let t = &triangles[half / 3];
            let (from, to) = (t[half % 3], t[(half + 1) % 3]);
            (from.min(to), from.max(to))
        };
        // Counting sort by the smaller vertex, then each short bucket by (larger vertex, half-edge).
        let half_count = triangles.len() * 3;
        let mut offsets = vec![0u32; vertex_count + 1];
        for half in 0..half_count {
            offsets[ends(half).0 as usize + 1] += 1;
        }
        for v in 0..vertex_count {
            offsets[v + 1] += offsets[v];
        }
        let mut cursor = offsets.clone();
        let mut bucketed = vec![(0u32, 0u32); half_count];
        for half in 0..half_count {
            let (small, large) = ends(half);
            let at = &mut cursor[small as usize];
            bucketed[*at as usize] = (large, half as u32);
            *at += 1;
        }
        let mut edges = Edges {
            of_half: vec![0; half_count],
            vertices: Vec::new(),
            starts: Vec::new(),
            halves: Vec::with_capacity(half_count),
        };
        for v in 0..vertex_count {
            let bucket = &mut bucketed[offsets[v] as usize..offsets[v + 1] as usize];
            bucket.sort_unstable();
            edges.append_bucket(v as u32, bucket);
        }
        edges.starts.push(half_count as u32);
        edges
    }

    fn append_bucket(&mut self, small: u32, bucket: &[(u32, u32)]) {
        let mut last = None;
        for &(large, half) in bucket {
            if last != Some(large) {
                self.starts.push(self.halves.len() as u32);
                self.vertices.push([small, large]);
                last = Some(large);
            }
            self.of_half[half as usize] = (self.vertices.len() - 1) as u32;
            self.halves.push(half);
        }
    }

    /// Number of edges.
    pub(crate) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Half-edges of an edge, ascending.
    pub(crate) fn halves(&self, edge: usize) -> &[u32] {
        &self.halves[self.starts[edge] as usize..self.starts[edge + 1] as usize]
    }
}

/// For each triangle the first triangle with the same set of vertices (itself if there is none before).
pub(crate) fn first_of_same_vertices(triangles: &[[u32; 3]], edges: &Edges) -> Vec<u32> {
    let sorted = |t: usize| {
        let mut v = triangles[t];
        v.sort_unstable();
        v
    };
    let mut first: Vec<u32> = (0..triangles.len() as u32).collect();
    // Triangles of the same vertices share the edge from the smallest to the largest vertex.
    let mut group: Vec<([u32; 3], u32)> = Vec::new();
    for edge in 0..edges.len() {
        let halves = edges.halves(edge);
        if halves.len() < 2 {
            continue;
        }
        let [small, large] = edges.vertices[edge];
        group.clear();
        for &half in halves {
            let t = half / 3;
            let key = sorted(t as usize);
            if key[0] == small && key[2] == large {
                group.push((key, t));
            }
        }
        group.sort_unstable();
        for pair in 1..group.len() {
            if group[pair].0 == group[pair - 1].0 {
                first[group[pair].1 as usize] = first[group[pair - 1].1 as usize];
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_two_triangles_and_their_copies() {
        let triangles = [[0, 1, 2], [2, 1, 3], [3, 2, 1], [1, 3, 2], [4, 4, 0]];
        let edges = Edges::new(&triangles, 5);
        let listed: Vec<_> = (0..edges.len()).map(|e| (edges.vertices[e], edges.halves(e).len())).collect();
        assert_eq!(listed, [([0, 1], 1), ([0, 2], 1), ([0, 4], 2), ([1, 2], 4), ([1, 3], 3), ([2, 3], 3), ([4, 4], 1)]);
        for half in 0..15 {
            assert!(edges.halves(edges.of_half[half] as usize).contains(&(half as u32)));
        }
        assert_eq!(first_of_same_vertices(&triangles, &edges), [0, 1, 1, 1, 4]);
    }
}
