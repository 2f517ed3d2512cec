//! The parameter block of every distance kernel: `Params` of query_params.wgsl.

use bytemuck::{Pod, Zeroable};

use crate::grid::FrameGrid;
use crate::kernels::Vec3;
use crate::kernels::real::Real;

/// Words in the order of the WGSL struct.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Params {
    pub(super) lo: [u32; 3],
    pub(super) zero: u32,
    pub(super) h: [u32; 3],
    pub(super) exponent: i32,
    pub(super) counts: [u32; 3],
    pub(super) groups_x: u32,
    pub(super) first: [u32; 3],
    pub(super) ratio: u32,
    pub(super) blocks: [u32; 3],
    pub(super) group_count: u32,
    pub(super) seed_counts: [u32; 3],
    pub(super) seed_ratio: u32,
    pub(super) lo_high: [u32; 3],
    /// Squared distance beyond which nothing is looked for.
    pub(super) reach2: f32,
    pub(super) h_high: [u32; 3],
    pub(super) pad: u32,
}

impl Params {
    /// With corner and cell size of a grid.
    pub(super) fn of_grid<R: Real>(grid: &FrameGrid<R>) -> Params {
        let ([lo, lo_high], [h, h_high]) = (split(grid.lo), split(grid.h));
        Params { lo, lo_high, h, h_high, ..Params::default() }
    }
}

/// The lower and the upper words of a vector.
pub(super) fn split<R: Real>(v: Vec3<R>) -> [[u32; 3]; 2] {
    [0, 1].map(|word| v.map(|x| x.words()[word]))
}

impl Default for Params {
    fn default() -> Params {
        Params { reach2: f32::MAX, ..Params::zeroed() }
    }
}
