//! The table of pseudo-normals: one shared vector a face, edge and vertex.

use crate::edges::{Edges, first_of_same_vertices};
use crate::kernels::pseudo_normal::{add_weighted, corner_angle, direction, facet_normal};
use rayon::prelude::*;

/// Pseudo-normals of a surface: vectors of all faces, edges and vertices, and for each slot the seven that belong to it.
///
/// Sums run over the triangles at an edge or vertex in ascending order. A triangle without interior contributes nothing, and of triangles
/// with the same three vertices only the first does; the others share its face normal.
#[derive(Debug, Default, PartialEq)]
pub struct PseudoNormals {
    /// Vectors, the fourth word 0: faces by triangle, then edges, then vertices.
    pub vectors: Vec<[f32; 4]>,
    /// Per slot the index of the vector of each feature (face, edges ab, ac, bc, corners a, b, c), then 0.
    pub features: Vec<[u32; 8]>,
}

impl PseudoNormals {
    /// The table for working positions, triangles of merged vertices, and the leaf order.
    pub(crate) fn new(positions: &[[f32; 3]], triangles: &[[u32; 3]], order: &[u32]) -> PseudoNormals {
        let edges = Edges::new(triangles, positions.len());
        let first = first_of_same_vertices(triangles, &edges);
        let corner = |t: usize, k: usize| positions[triangles[t][k] as usize];
        let faces: Vec<[f32; 3]> = (0..triangles.len())
            .into_par_iter()
            .map(|t| facet_normal(corner(t, 0), corner(t, 1), corner(t, 2)))
            .collect();
        let counts = |t: usize| first[t] as usize == t && faces[t] != [0.0; 3];
        let edge_normals = (0..edges.len()).into_par_iter().map(|edge| {
            let (mut sum, mut weights) = ([0.0; 3], 0.0);
            for t in edges.halves(edge).iter().map(|&half| half as usize / 3).filter(|&t| counts(t)) {
                sum = add_weighted(sum, faces[t], 1.0);
                weights += 1.0;
            }
            direction(sum, weights)
        });
        let (starts, corners) = corners_by_vertex(triangles, positions.len());
        let vertex_normals = (0..positions.len()).into_par_iter().map(|v| {
            let (mut sum, mut weights) = ([0.0; 3], 0.0);
            for &at in &corners[starts[v] as usize..starts[v + 1] as usize] {
                let (t, k) = (at as usize / 3, at as usize % 3);
                if counts(t) {
                    let angle = corner_angle(corner(t, k), corner(t, (k + 1) % 3), corner(t, (k + 2) % 3));
                    sum = add_weighted(sum, faces[t], angle);
                    weights += angle;
                }
            }
            direction(sum, weights)
        });
        let mut vectors = Vec::with_capacity(faces.len() + edges.len() + positions.len());
        // As `direction` leaves sums: its snapped components are what keeps the sign's dot product from becoming subnormal.
        vectors.extend(faces.iter().map(|n| padded(direction(*n, 1.0))));
        vectors.extend(edge_normals.map(padded).collect::<Vec<_>>());
        vectors.extend(vertex_normals.map(padded).collect::<Vec<_>>());
        let (edge_base, vertex_base) = (triangles.len() as u32, (triangles.len() + edges.len()) as u32);
        let of_slot = |&facet: &u32| {
            let t = facet as usize;
            let edge = |k: usize| edge_base + edges.of_half[3 * t + k];
            let [a, b, c] = triangles[t].map(|v| vertex_base + v);
            [first[t], edge(0), edge(2), edge(1), a, b, c, 0]
        };
        PseudoNormals { vectors, features: order.par_iter().map(of_slot).collect() }
    }

    /// The pseudo-normal of a feature of a slot.
    pub(crate) fn vector(&self, slot: u32, feature: u32) -> [f32; 3] {
        let [x, y, z, _] = self.vectors[self.features[slot as usize][feature as usize] as usize];
        [x, y, z]
    }
}

fn padded([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, 0.0]
}

/// For each vertex the corners 3 t + k at it, ascending: `corners[starts[v]..starts[v + 1]]`.
fn corners_by_vertex(triangles: &[[u32; 3]], vertex_count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; vertex_count + 1];
    for &v in triangles.iter().flatten() {
        starts[v as usize + 1] += 1;
    }
    for v in 0..vertex_count {
        starts[v + 1] += starts[v];
    }
    let mut cursor = starts.clone();
    let mut corners = vec![0u32; triangles.len() * 3];
    for (at, &v) in triangles.iter().flatten().enumerate() {
        corners[cursor[v as usize] as usize] = at as u32;
        cursor[v as usize] += 1;
    }
    (starts, corners)
}
