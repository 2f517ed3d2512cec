//! Codecs of whole files on the same boxes: one unit, decoded for every box or kept with a tree over its triangles.

use std::time::Instant;

use conformance::error::Error;
use mesh_decode::meshopt::{decode_indices, decode_vertices, encode_indices, encode_vertices};
use mesh_decode::{GridFrame, GridPoints, triangle_meets_box};
use rayon::prelude::*;

use super::boxes::QueryBox;
use super::triangle_tree::TriangleTree;
use super::{Answer, Answers, Mode, Row, corpus};

/// What decodes the streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// meshoptimizer's C++ library.
    Library,
    /// mesh-decode, the two streams side by side.
    Ours,
}

/// A mesh as vertex and index streams of meshoptimizer (version 1, grid points of 12 bytes, no loss against the grid), that answers boxes.
pub struct WholeFile {
    codec: Codec,
    vertices: Vec<u8>,
    vertex_count: usize,
    indices: Vec<u8>,
    index_count: usize,
    frame: GridFrame,
    kept: Option<(Mesh, TriangleTree)>,
}

struct Mesh {
    points: Vec<[i32; 3]>,
    triangles: Vec<[u32; 3]>,
}

fn failed(error: &meshopt::Error) -> Error {
    Error::Corpus(format!("meshopt: {error}"))
}

impl WholeFile {
    /// Encodes grid points and triangles in the library's recommended order; `step` is the length of a grid step.
    ///
    /// # Errors
    /// Those of the encoders.
    pub fn encode(codec: Codec, grid: &GridPoints, step: f64, triangles: &[[u32; 3]]) -> Result<Self, Error> {
        let points = &grid.points;
        let cached = meshopt::optimize_vertex_cache(triangles.as_flattened(), points.len());
        let order = meshopt::optimize_vertex_fetch_remap(&cached, points.len());
        let indices = meshopt::remap_index_buffer(Some(&cached), cached.len(), &order);
        let points = meshopt::remap_vertex_buffer(points, points.len(), &order);
        let bytes: Vec<u8> = points.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        Ok(Self {
            codec,
            vertices: encode_vertices(&bytes, 12, 1).map_err(corpus)?,
            vertex_count: points.len(),
            indices: encode_indices(&indices, 1).map_err(corpus)?,
            index_count: indices.len(),
            frame: GridFrame { origin: [0.0; 3], step: [step; 3], exact: true },
            kept: None,
        })
    }

    /// Bytes of both streams.
    pub fn bytes(&self) -> usize {
        self.vertices.len() + self.indices.len()
    }

    fn decode(&self) -> Result<Mesh, Error> {
        let triangles = |indices: Vec<u32>| indices.as_chunks::<3>().0.to_vec();
        match self.codec {
            Codec::Library => {
                let points = meshopt::decode_vertex_buffer::<[i32; 3]>(&self.vertices, self.vertex_count);
                let indices = meshopt::decode_index_buffer::<u32>(&self.indices, self.index_count);
                let points = points.map_err(|e| failed(&e))?;
                Ok(Mesh { points, triangles: triangles(indices.map_err(|e| failed(&e))?) })
            }
            Codec::Ours => {
                let (bytes, indices) = rayon::join(
                    || decode_vertices(&self.vertices, self.vertex_count, 12),
                    || decode_indices(&self.indices, self.index_count, None),
                );
                let bytes = bytes.map_err(corpus)?;
                let words = bytes.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word));
                let words: Vec<i32> = words.collect();
                let points = words.as_chunks::<3>().0.to_vec();
                Ok(Mesh { points, triangles: triangles(indices.map_err(corpus)?) })
            }
        }
    }
}

impl Answers for WholeFile {
    fn clear(&mut self) {
        self.kept = None;
    }

    fn ask(&mut self, mode: Mode, query: &QueryBox) -> Result<(Row, Answer), Error> {
        let mut row = Row { mode: mode.name(), cell: query.cell, selected: 1, ..Row::default() };
        let start = Instant::now();
        let closed_box = self.frame.grid_box(query.low, query.high).map_err(corpus)?;
        row.lookup = start.elapsed();
        let meets = |mesh: &Mesh, t: u32| {
            triangle_meets_box(mesh.triangles[t as usize].map(|v| mesh.points[v as usize]), &closed_box)
        };
        let mut found: Vec<u32>;
        if mode == Mode::Independent || self.kept.is_none() {
            let mesh = self.decode()?;
            row.decode = start.elapsed() - row.lookup;
            (row.decoded, row.bytes_accessed, row.tris_decoded) = (1, self.bytes() as u64, mesh.triangles.len());
            if mode == Mode::Independent {
                let all = 0..mesh.triangles.len() as u32;
                found = all.into_par_iter().filter(|t| meets(&mesh, *t)).collect();
                row.tris_examined = mesh.triangles.len();
                row.total = start.elapsed();
                row.filter = row.total - row.lookup - row.decode;
                row.tris_returned = found.len();
                return Ok((row, (vec![0], found)));
            }
            let tree = TriangleTree::build(&mesh.points, &mesh.triangles);
            self.kept = Some((mesh, tree));
            row.cache = start.elapsed() - row.lookup - row.decode;
        }
        let Some((mesh, tree)) = &self.kept else { return Ok((row, (vec![0], Vec::new()))) };
        let near = tree.near(&closed_box);
        row.tris_examined = near.len();
        found = near.into_par_iter().filter(|t| meets(mesh, *t)).collect();
        found.par_sort_unstable();
        row.total = start.elapsed();
        row.filter = row.total - row.lookup - row.decode - row.cache;
        row.tris_returned = found.len();
        row.cache_bytes = 12 * (mesh.points.len() + mesh.triangles.len()) + tree.bytes();
        Ok((row, (vec![0], found)))
    }
}
