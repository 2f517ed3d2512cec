//! From triangle meshes: conservative voxelisation.

use rayon::prelude::*;

use super::triangle_box::{FixedTriangle, UNITS};
use crate::memory::Budget;
use crate::{Error, GridBatch, Transform};

/// Triangles that a thread takes at a time.
const CHUNK: usize = 256;
/// Voxels that are announced at a time.
const ANNOUNCED: usize = 1 << 16;
/// Largest extent of a triangle in voxels, so that the exact tests fit 128 bits.
const MAX_EXTENT: i64 = 1 << 22;

/// A triangle mesh, borrowed; coordinates are f32 or f64.
#[derive(Debug, Clone, Copy)]
pub struct MeshView<'a, R = f32> {
    /// World positions.
    pub vertices: &'a [[R; 3]],
    /// Three vertices each.
    pub triangles: &'a [[u32; 3]],
}

impl GridBatch {
    /// Every voxel whose closed cube (centre `c`, edge 1 in index space) is touched by a triangle: one item a mesh.
    ///
    /// Vertices, f32 or f64, are taken to index space in f64, `(p - origin) / voxel size`, and rounded to 2^-16 of a voxel; cubes are grown by as much, so no voxel that the exact triangle touches is missed, and none is
    /// kept that is farther than 2^-15 of a voxel from it. The tests are exact integers, so the result does not depend on the order of triangles or vertices. Degenerate triangles count as segments or points. An empty mesh gives an empty item.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of transforms; [`Error::Index`] for a vertex that does not exist; [`Error::Point`] for a vertex that is not finite or outside `i32`; [`Error::Parameter`] for a triangle of more than
    /// 4,194,304 voxels along an axis; [`Error::Memory`].
    ///
    /// Cost: boxes of 128^3, 8^3 and 1 voxels are tested in turn, so time goes with the voxels found. Source: T. Akenine-Möller, "Fast 3D triangle-box overlap testing", 2001. fVDB's `from_mesh` samples points instead and can miss voxels.
    pub fn from_mesh_cpu<R: Copy + Into<f64> + Sync>(
        meshes: &[MeshView<'_, R>],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        if meshes.len() != transforms.len() {
            return Err(Error::Length {
                what: "transforms",
                needed: meshes.len() as u64,
                found: transforms.len() as u64,
            });
        }
        let budget = Budget::new("the voxels of the triangles");
        let voxels = |(item, (mesh, transform)): (usize, (&MeshView<'_, R>, &Transform))| {
            let mesh = FixedMesh::new(item, mesh, transform)?;
            let chunk = |triangles: &[[u32; 3]]| {
                let mut out: Vec<[i32; 3]> = Vec::new();
                for indices in triangles {
                    let triangle = mesh.triangle(indices);
                    // Too large a triangle is refused before its voxels are listed.
                    Budget::new("the voxels of a triangle").add(triangle.shadow().saturating_mul(12))?;
                    triangle.blocks(0, &mut |voxel| {
                        if out.len().is_multiple_of(ANNOUNCED) {
                            budget.add(ANNOUNCED.min(1 + out.len()) as u64 * 12)?;
                        }
                        out.push(voxel.map(|v| v as i32));
                        Ok(())
                    })?;
                }
                Ok(out)
            };
            let chunks: Result<Vec<Vec<[i32; 3]>>, Error> = mesh.indices.par_chunks(CHUNK).map(chunk).collect();
            Ok(chunks?.concat())
        };
        let lists: Vec<Vec<[i32; 3]>> =
            meshes.iter().zip(transforms).enumerate().map(voxels).collect::<Result<_, Error>>()?;
        let lists: Vec<&[[i32; 3]]> = lists.iter().map(Vec::as_slice).collect();
        Self::from_coordinates_cpu(&lists, transforms)
    }
}

/// A mesh in index space, in units of 2^-16 of a voxel, whose triangles are all in range.
pub(crate) struct FixedMesh<'a> {
    vertices: Vec<[i64; 3]>,
    pub(crate) indices: &'a [[u32; 3]],
}

impl<'a> FixedMesh<'a> {
    /// Errors are those of the first vertex, else of the first triangle.
    pub(crate) fn new<R: Copy + Into<f64> + Sync>(
        item: usize,
        mesh: &MeshView<'a, R>,
        transform: &Transform,
    ) -> Result<Self, Error> {
        let fix = |&vertex: &[R; 3]| std::array::from_fn(|k| fixed(vertex[k].into(), transform, k).unwrap_or(i64::MAX));
        let vertices: Vec<[i64; 3]> = mesh.vertices.par_iter().with_min_len(4096).map(fix).collect();
        let outside = |vertex: &[i64; 3]| vertex.iter().position(|&at| at == i64::MAX);
        if let Some(index) = vertices.par_iter().with_min_len(4096).position_first(|v| outside(v).is_some()) {
            let k = outside(&vertices[index]).unwrap_or(0);
            let value = mesh.vertices[index][k].into();
            return Err(Error::Point { item, index, axis: ['x', 'y', 'z'][k], value });
        }
        let fixed = Self { vertices, indices: mesh.triangles };
        let fault = |indices: &[u32; 3]| fixed.check(item, indices).err();
        match fixed.indices.par_iter().with_min_len(4096).find_map_first(fault) {
            Some(error) => Err(error),
            None => Ok(fixed),
        }
    }

    fn check(&self, item: usize, indices: &[u32; 3]) -> Result<(), Error> {
        let count = self.vertices.len() as u64;
        if let Some(&index) = indices.iter().find(|index| u64::from(**index) >= count) {
            return Err(Error::Index { what: "vertex", index: i64::from(index), count });
        }
        let extent = self.triangle(indices).extent();
        if extent > MAX_EXTENT * UNITS {
            return Err(Error::Parameter {
                what: format!("extent of a triangle of item {item}"),
                value: format!("{} voxels", extent / UNITS),
                allowed: format!("up to {MAX_EXTENT}"),
            });
        }
        Ok(())
    }

    /// A triangle of this mesh.
    pub(crate) fn triangle(&self, indices: &[u32; 3]) -> FixedTriangle {
        FixedTriangle::new(indices.map(|index| self.vertices[index as usize]))
    }
}

/// A coordinate in units; `None` where it has no voxel.
fn fixed(coordinate: f64, transform: &Transform, k: usize) -> Option<i64> {
    let position = (coordinate - transform.origin[k]) / transform.voxel_size[k];
    // Half a voxel inside, so that the voxel of every point of a triangle is in range.
    let range = -2_147_483_648.0..=2_147_483_647.0;
    range.contains(&position).then(|| (position * UNITS as f64).round() as i64)
}
