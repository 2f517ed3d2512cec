//! From triangle meshes: conservative voxelisation.

use rayon::prelude::*;

use super::triangle_box::{FixedBox, FixedTriangle, UNITS, overlaps};
use crate::memory::Budget;
use crate::{Error, GridBatch, Transform};

/// Triangles that a thread takes at a time.
const CHUNK: usize = 256;
/// Largest extent of a triangle in voxels, so that the exact tests fit 128 bits.
const MAX_EXTENT: i64 = 1 << 22;

/// A triangle mesh, borrowed.
#[derive(Debug, Clone, Copy)]
pub struct MeshView<'a> {
    /// World positions.
    pub vertices: &'a [[f32; 3]],
    /// Three vertices each.
    pub triangles: &'a [[u32; 3]],
}

impl GridBatch {
    /// Every voxel whose closed cube (centre `c`, edge 1 in index space) is touched by a triangle: one item a mesh.
    ///
    /// Vertices are taken to index space in f64, `(p - origin) / voxel size`, and rounded to 2^-16 of a voxel; cubes are grown by as much, so no voxel that the exact triangle touches is missed, and none is
    /// kept that is farther than 2^-15 of a voxel from it. The tests are exact integers, so the result does not depend on the order of triangles or vertices. Degenerate triangles count as segments or points. An empty mesh gives an empty item.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of transforms; [`Error::Index`] for a vertex that does not exist; [`Error::Point`] for a vertex that is not finite or outside `i32`; [`Error::Parameter`] for a triangle of more than
    /// 4,194,304 voxels along an axis; [`Error::Memory`].
    ///
    /// Cost: boxes of 128^3, 8^3 and 1 voxels are tested in turn, so time goes with the voxels found. Source: T. Akenine-Möller, "Fast 3D triangle-box overlap testing", 2001. fVDB's `from_mesh` samples points instead and can miss voxels.
    pub fn from_mesh_cpu(meshes: &[MeshView<'_>], transforms: &[Transform]) -> Result<Self, Error> {
        if meshes.len() != transforms.len() {
            return Err(Error::Length {
                what: "transforms",
                needed: meshes.len() as u64,
                found: transforms.len() as u64,
            });
        }
        let budget = Budget::new("the voxels of the triangles");
        let voxels = |(item, (mesh, transform)): (usize, (&MeshView<'_>, &Transform))| {
            let vertices = fixed_vertices(item, mesh, transform)?;
            let chunk = |triangles: &[[u32; 3]]| {
                let mut out = Vec::new();
                for triangle in triangles {
                    voxels_of(item, &vertices, triangle, &mut out)?;
                }
                budget.add(out.len() as u64 * 12)?;
                Ok(out)
            };
            let chunks: Result<Vec<Vec<[i32; 3]>>, Error> = mesh.triangles.par_chunks(CHUNK).map(chunk).collect();
            Ok(chunks?.concat())
        };
        let lists: Vec<Vec<[i32; 3]>> =
            meshes.iter().zip(transforms).enumerate().map(voxels).collect::<Result<_, Error>>()?;
        let lists: Vec<&[[i32; 3]]> = lists.iter().map(Vec::as_slice).collect();
        Self::from_coordinates_cpu(&lists, transforms)
    }
}

/// The vertices in index space, in units of 2^-16 of a voxel.
fn fixed_vertices(item: usize, mesh: &MeshView<'_>, transform: &Transform) -> Result<Vec<[i64; 3]>, Error> {
    let one = |(index, vertex): (usize, &[f32; 3])| {
        let mut out = [0; 3];
        for k in 0..3 {
            let position = (f64::from(vertex[k]) - transform.origin[k]) / transform.voxel_size[k];
            // Half a voxel inside, so that the voxel of every point of a triangle is in range.
            if !(-2_147_483_648.0..=2_147_483_647.0).contains(&position) {
                let axis = ['x', 'y', 'z'][k];
                return Err(Error::Point { item, index, axis, value: f64::from(vertex[k]) });
            }
            out[k] = (position * UNITS as f64).round() as i64;
        }
        Ok(out)
    };
    mesh.vertices.iter().enumerate().map(one).collect()
}

/// Appends the voxels of a triangle.
fn voxels_of(item: usize, vertices: &[[i64; 3]], indices: &[u32; 3], out: &mut Vec<[i32; 3]>) -> Result<(), Error> {
    let mut corners = [[0; 3]; 3];
    for (corner, &index) in corners.iter_mut().zip(indices) {
        *corner = *vertices.get(index as usize).ok_or(Error::Index {
            what: "vertex",
            index: i64::from(index),
            count: vertices.len() as u64,
        })?;
    }
    let triangle = FixedTriangle::new(corners);
    let extent = (0..3).map(|k| triangle.high[k] - triangle.low[k]).max().unwrap_or(0);
    if extent > MAX_EXTENT * UNITS {
        return Err(Error::Parameter {
            what: format!("extent of a triangle of item {item}"),
            value: format!("{} voxels", extent / UNITS),
            allowed: format!("up to {MAX_EXTENT}"),
        });
    }
    descend(&triangle, 7, [i32::MIN; 3], [i32::MAX; 3], out);
    Ok(())
}

/// The voxels of a triangle in the blocks of `2^shift` voxels that lie in a box of voxels.
fn descend(triangle: &FixedTriangle, shift: u32, low: [i32; 3], high: [i32; 3], out: &mut Vec<[i32; 3]>) {
    // The blocks whose grown box can touch the triangle's.
    let range = |k: usize| {
        let lo = (triangle.low[k] - 1 - UNITS / 2).div_euclid(UNITS);
        let hi = (triangle.high[k] + 1 + UNITS / 2).div_euclid(UNITS);
        (lo.max(i64::from(low[k])) >> shift)..=(hi.min(i64::from(high[k])) >> shift)
    };
    for x in range(0) {
        for y in range(1) {
            for z in range(2) {
                let first = [x, y, z].map(|n| n << shift);
                let last = first.map(|v| v + (1 << shift) - 1);
                if !overlaps(triangle, &FixedBox::of_voxels(first, last)) {
                    continue;
                }
                let (first, last) = (first.map(|v| v as i32), last.map(|v| v as i32));
                match shift {
                    7 => descend(triangle, 3, first, last, out),
                    3 => descend(triangle, 0, first, last, out),
                    _ => out.push(first),
                }
            }
        }
    }
}
