//! The picture of voxel grids: the faces that a viewer sees, drawn as a mesh of quads.

use sparse_topology::{Error, GridBatch, Transform};

/// Blocks along the longest side of a picture; finer grids are drawn coarsened.
const MOST: f64 = 256.0;
/// Faces of a picture, which has fewer than a million pixels.
const MOST_FACES: u64 = 2_000_000;
/// The directions that face the viewer of a [`MeshFigure`](super::mesh::MeshFigure), with the corners of that face of the unit cube, counter-clockwise from outside.
const FACES: [([i32; 3], [[f64; 3]; 4]); 3] = [
    ([1, 0, 0], [[0.5, -0.5, -0.5], [0.5, 0.5, -0.5], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5]]),
    ([0, -1, 0], [[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [0.5, -0.5, 0.5], [-0.5, -0.5, 0.5]]),
    ([0, 0, 1], [[-0.5, -0.5, 0.5], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]]),
];

/// Faces as a mesh of quads: two triangles each.
#[derive(Default)]
pub(crate) struct Quads {
    /// World positions.
    pub(crate) vertices: Vec<[f64; 3]>,
    /// Triangles, two a face, the first and third corner of both on the diagonal.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// First triangle of every grid.
    pub(crate) grids: Vec<usize>,
    /// Blocks of this many voxels a side are drawn as one.
    pub(crate) factor: u32,
}

/// The visible faces of all grids.
pub(crate) fn faces(batch: &GridBatch) -> Result<Quads, Error> {
    let mut factor = start_factor(batch)?;
    let (coarse, open) = loop {
        let coarse = match factor {
            1 => batch.clone(),
            factor => batch.coarsen_cpu([factor as u32; 3])?,
        };
        let open = FACES.iter().map(|(direction, _)| open(&coarse, *direction)).collect::<Result<Vec<_>, _>>()?;
        if open.iter().map(GridBatch::voxels).sum::<u64>() <= MOST_FACES {
            break (coarse, open);
        }
        factor = (2 * factor).min(i64::from(i32::MAX));
    };
    let mut quads = Quads { factor: factor as u32, ..Quads::default() };
    for item in 0..coarse.items() {
        quads.grids.push(quads.triangles.len());
        let transform = coarse.transforms()[item];
        for ((_, corners), open) in FACES.iter().zip(&open) {
            for voxel in open.coordinates(item)? {
                quads.push(&transform, voxel, corners);
            }
        }
    }
    Ok(quads)
}

/// Blocks of so many voxels a side that the whole scene has at most [`MOST`] of them along its longest side: smaller ones would not be seen.
fn start_factor(batch: &GridBatch) -> Result<i64, Error> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let (mut voxel, mut least) = (0.0f64, 1.0f64);
    for item in 0..batch.items() {
        let Some(bounds) = batch.bounds(item)? else { continue };
        let transform = batch.transforms()[item];
        let ends = [transform.centre(bounds.0), transform.centre(bounds.1)];
        for k in 0..3 {
            low[k] = low[k].min(ends[0][k]);
            high[k] = high[k].max(ends[1][k] + transform.voxel_size[k]);
            voxel = voxel.max(transform.voxel_size[k]);
        }
        // A neighbour beyond the 32-bit coordinates cannot be asked for: two voxels as one leave room.
        if bounds.0.contains(&i32::MIN) || bounds.1.contains(&i32::MAX) {
            least = 2.0;
        }
    }
    let side = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    // A whole number up to 2^31 or infinite; the bound makes it one that is allowed.
    Ok((side / (MOST * voxel) - 1e-9).ceil().clamp(least, f64::from(i32::MAX)) as i64)
}

/// The voxels whose face in a direction is free.
fn open(grid: &GridBatch, direction: [i32; 3]) -> Result<GridBatch, Error> {
    let moved = direction.map(|d| -d);
    GridBatch::difference_cpu(&[grid, &grid.pad_cpu(moved, moved)?])
}

impl Quads {
    fn push(&mut self, transform: &Transform, voxel: [i32; 3], corners: &[[f64; 3]; 4]) {
        let first = self.vertices.len() as u32;
        let centre = transform.centre(voxel);
        self.vertices.extend(corners.map(|c| [0, 1, 2].map(|k| centre[k] + c[k] * transform.voxel_size[k])));
        self.triangles.push([first, first + 1, first + 2]);
        self.triangles.push([first + 2, first + 3, first]);
    }
}
