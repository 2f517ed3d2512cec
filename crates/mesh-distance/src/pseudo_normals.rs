//! The table of pseudo-normals: one shared vector a face, edge and vertex.

use crate::edges::{Edges, first_of_same_vertices};
use crate::kernels::Vec3;
use crate::kernels::pseudo_normal::{add_weighted, corner_angle, direction, facet_normal};
use crate::kernels::real::Real;
use rayon::prelude::*;

/// Pseudo-normals of a surface: vectors of all faces, edges and vertices, and for each slot the seven that belong to it.
///
/// Sums run over the triangles at an edge or vertex in ascending order. A triangle without interior contributes nothing, and of triangles
/// with the same three vertices only the first does; the others share its face normal.
#[derive(Debug, Default, PartialEq)]
pub struct PseudoNormals<R = f32> {
    /// Vectors, the fourth word 0: faces by triangle, then edges, then vertices.
    pub vectors: Vec<[R; 4]>,
    /// Per slot the index of the vector of each feature (face, edges ab, ac, bc, corners a, b, c), then 0.
    pub features: Vec<[u32; 8]>,
}

impl<R: Real> PseudoNormals<R> {
    /// The table for working positions and triangles of merged vertices, its features still by triangle instead of slot.
    pub(crate) fn by_triangle(positions: &[Vec3<R>], triangles: &[[u32; 3]]) -> PseudoNormals<R> {
        let edges = Edges::new(triangles, positions.len());
        let first = first_of_same_vertices(triangles, &edges);
        let facets = Facets::new(positions, triangles, &first);
        // As `direction` leaves sums: its snapped components are what keeps the sign's dot product from becoming subnormal.
        let face = |t: usize| padded(direction(facets.normals[t], R::ONE));
        let mut vectors: Vec<[R; 4]> = (0..triangles.len()).into_par_iter().map(face).collect();
        vectors.par_extend((0..edges.len()).into_par_iter().map(|edge| padded(facets.edge(edges.halves(edge)))));
        let (starts, corners) = corners_by_vertex(triangles, positions.len());
        let at_vertex = |v: usize| &corners[starts[v] as usize..starts[v + 1] as usize];
        vectors.par_extend((0..positions.len()).into_par_iter().map(|v| padded(facets.vertex(at_vertex(v)))));
        let (edge_base, vertex_base) = (triangles.len() as u32, (triangles.len() + edges.len()) as u32);
        let of_triangle = |t: usize| {
            let edge = |k: usize| edge_base + edges.of_half[3 * t + k];
            let [a, b, c] = triangles[t].map(|v| vertex_base + v);
            [first[t], edge(0), edge(2), edge(1), a, b, c, 0]
        };
        PseudoNormals { vectors, features: (0..triangles.len()).into_par_iter().map(of_triangle).collect() }
    }

    /// Puts the features into the order of slots.
    pub(crate) fn in_order(self, order: &[u32]) -> PseudoNormals<R> {
        let features = order.par_iter().map(|&t| self.features[t as usize]).collect();
        PseudoNormals { features, ..self }
    }

    /// The pseudo-normal of a feature of a slot.
    pub(crate) fn vector(&self, slot: u32, feature: u32) -> Vec3<R> {
        let [x, y, z, _] = self.vectors[self.features[slot as usize][feature as usize] as usize];
        [x, y, z]
    }
}

/// The facets' unit normals, and which of them count in sums.
struct Facets<'a, R> {
    positions: &'a [Vec3<R>],
    triangles: &'a [[u32; 3]],
    first: &'a [u32],
    normals: Vec<Vec3<R>>,
}

impl<'a, R: Real> Facets<'a, R> {
    fn new(positions: &'a [Vec3<R>], triangles: &'a [[u32; 3]], first: &'a [u32]) -> Facets<'a, R> {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            facet_normal(a, b, c)
        };
        Facets { positions, triangles, first, normals: triangles.par_iter().map(normal).collect() }
    }

    fn counts(&self, t: usize) -> bool {
        self.first[t] as usize == t && self.normals[t] != [R::ZERO; 3]
    }

    /// The pseudo-normal of the edge of these half-edges.
    fn edge(&self, halves: &[u32]) -> Vec3<R> {
        let (mut sum, mut weights) = ([R::ZERO; 3], R::ZERO);
        for t in halves.iter().map(|&half| half as usize / 3).filter(|&t| self.counts(t)) {
            sum = add_weighted(sum, self.normals[t], R::ONE);
            weights += R::ONE;
        }
        direction(sum, weights)
    }

    /// The pseudo-normal of the vertex of these corners.
    fn vertex(&self, corners: &[u32]) -> Vec3<R> {
        let (mut sum, mut weights) = ([R::ZERO; 3], R::ZERO);
        for (t, k) in corners.iter().map(|&at| (at as usize / 3, at as usize % 3)).filter(|&(t, _)| self.counts(t)) {
            let at = |k: usize| self.positions[self.triangles[t][k % 3] as usize];
            let angle = corner_angle(at(k), at(k + 1), at(k + 2));
            sum = add_weighted(sum, self.normals[t], angle);
            weights += angle;
        }
        direction(sum, weights)
    }
}

fn padded<R: Real>([x, y, z]: Vec3<R>) -> [R; 4] {
    [x, y, z, R::ZERO]
}

/// For each vertex the corners 3 t + k at it, ascending: `corners[starts[v]..starts[v + 1]]`.
pub(crate) fn corners_by_vertex(triangles: &[[u32; 3]], vertex_count: usize) -> (Vec<u32>, Vec<u32>) {
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
