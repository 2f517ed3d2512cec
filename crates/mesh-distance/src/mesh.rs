//! Triangle meshes as two flat arrays.

use crate::Error;
use std::collections::HashMap;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bounds {
    /// Smallest coordinate of each axis.
    pub lo: [f64; 3],
    /// Largest coordinate of each axis.
    pub hi: [f64; 3],
}

/// A triangle mesh: vertex positions and, for each triangle, three indices into them.
///
/// Counter-clockwise triangles seen from outside make a surface whose inside is negative.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mesh {
    /// Vertex positions.
    pub positions: Vec<[f64; 3]>,
    /// Vertex indices of the triangles.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh of these arrays.
    ///
    /// Zero triangles are allowed here (a [`crate::Surface`] refuses them); triangles may be degenerate.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or infinite coordinate, [`Error::VertexIndex`] for an index out of range.
    pub fn new(positions: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Mesh, Error> {
        let mesh = Mesh { positions, triangles };
        mesh.check()?;
        Ok(mesh)
    }

    /// Checks what [`Mesh::new`] checks, for meshes whose public arrays were changed since.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn check(&self) -> Result<(), Error> {
        for (index, position) in self.positions.iter().enumerate() {
            check_finite("vertex", index, position)?;
        }
        let vertices = self.positions.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices) {
                return Err(Error::VertexIndex { triangle, index, vertices });
            }
        }
        Ok(())
    }

    /// Makes vertices of exactly equal position (-0 equals 0) one vertex, the first of them, and returns how many vanished.
    ///
    /// Moves nothing and keeps the order of triangles and of the first vertices, unused ones included. Indices out of range
    /// stay as they are. Expected cost O(vertices + triangles).
    pub fn merge_equal_positions(&mut self) -> usize {
        let (map, kept) = equal_positions(&self.positions);
        let vanished = self.positions.len() - kept.len();
        if vanished > 0 {
            self.positions = kept.iter().map(|&index| self.positions[index as usize]).collect();
            for index in self.triangles.iter_mut().flatten() {
                if let Some(&to) = map.get(*index as usize) {
                    *index = to;
                }
            }
        }
        vanished
    }

    /// The smallest box round the vertices that triangles use, or `None` for a mesh without triangles.
    pub fn bounds(&self) -> Option<Bounds> {
        let mut used = self.triangles.iter().flatten().map(|&index| self.positions[index as usize]);
        let first = used.next()?;
        Some(used.fold(Bounds { lo: first, hi: first }, |b, p| Bounds {
            lo: std::array::from_fn(|k| b.lo[k].min(p[k])),
            hi: std::array::from_fn(|k| b.hi[k].max(p[k])),
        }))
    }

    /// The three corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|index| self.positions[index as usize])
    }
}

/// For each position the index of its class, and for each class the index of its first position; classes in order of first appearance.
pub(crate) fn equal_positions(positions: &[[f64; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut classes: HashMap<[u64; 3], u32, BuildMix> =
        HashMap::with_capacity_and_hasher(positions.len(), BuildMix::default());
    let mut kept = Vec::new();
    let map = positions
        .iter()
        .enumerate()
        .map(|(index, position)| {
            // -0 + 0 = +0: both zeros get one key.
            let key = position.map(|x| (x + 0.0).to_bits());
            *classes.entry(key).or_insert_with(|| {
                kept.push(index as u32);
                (kept.len() - 1) as u32
            })
        })
        .collect();
    (map, kept)
}

/// Checks that a point's coordinates are finite.
pub(crate) fn check_finite(what: &'static str, index: usize, point: &[f64; 3]) -> Result<(), Error> {
    match point.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(axis) => Err(Error::NotFinite { what, index, axis: axis_name(axis), value: point[axis] }),
    }
}

/// x, y or z.
pub(crate) fn axis_name(axis: usize) -> char {
    ['x', 'y', 'z'][axis]
}

type BuildMix = std::hash::BuildHasherDefault<Mix>;

/// A hasher for fixed-size keys of words: multiply and fold. The default hasher takes most of the time of loading a large mesh.
#[derive(Default)]
struct Mix(u64);

impl std::hash::Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_joins_both_zeros_and_moves_nothing() {
        let positions = vec![[0.0, 1.0, 2.0], [-0.0, 1.0, 2.0], [5.0, 0.0, 0.0], [1e-300, 1.0, 2.0]];
        let mut mesh = Mesh::new(positions, vec![[0, 2, 3], [1, 2, 3]]).unwrap();
        assert_eq!(mesh.merge_equal_positions(), 1);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 2]]);
        assert_eq!(mesh.positions, [[0.0, 1.0, 2.0], [5.0, 0.0, 0.0], [1e-300, 1.0, 2.0]]);
        assert_eq!(mesh.merge_equal_positions(), 0);
    }

    #[test]
    fn bad_numbers_are_named() {
        let positions = vec![[0.0; 3], [1.0, f64::NAN, 0.0]];
        let error = Mesh::new(positions, vec![]).unwrap_err().to_string();
        assert_eq!(error, "vertex 1: coordinate y is NaN, allowed are finite numbers");
        let error = Mesh::new(vec![[0.0; 3]; 2], vec![[0, 1, 1], [0, 2, 1]]).unwrap_err().to_string();
        assert_eq!(error, "triangle 1: vertex index 2, allowed are 0 to 1 (2 vertices)");
    }
}
