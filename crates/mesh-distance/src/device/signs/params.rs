//! The parameter block of the robust signs: `Params` of sign_params.wgsl.

use bytemuck::{Pod, Zeroable};

use crate::device::params::split;
use crate::grid::FrameGrid;
use crate::kernels::real::Real;

/// Words in the order of the WGSL struct.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(super) struct SignParams {
    pub(super) lo: [u32; 3],
    pub(super) zero: u32,
    pub(super) h: [u32; 3],
    pub(super) exponent: i32,
    pub(super) counts: [u32; 3],
    pub(super) groups_x: u32,
    pub(super) first: [u32; 3],
    pub(super) group_count: u32,
    pub(super) reach2: [f32; 4],
    pub(super) growth: [f32; 4],
    pub(super) total: u32,
    pub(super) stride: u32,
    pub(super) squared: u32,
    pub(super) list: u32,
    pub(super) triangles: u32,
    pub(super) squares: f32,
    pub(super) cubes: f32,
    pub(super) quantum: f32,
    pub(super) rim: f32,
    pub(super) nearest: f32,
    pub(super) beta2: f32,
    pub(super) block_log: u32,
    pub(super) lo_high: [u32; 3],
    pub(super) upper: u32,
    pub(super) h_high: [u32; 3],
    pub(super) most_slices: u32,
}

impl SignParams {
    /// With the place of a piece: its grid, the index of its first cell and its counts.
    pub(super) fn at<R: Real>(mut self, place: Option<(&FrameGrid<R>, [u32; 3], [u32; 3])>) -> SignParams {
        if let Some((grid, first, counts)) = place {
            ([self.lo, self.lo_high], [self.h, self.h_high]) = (split(grid.lo), split(grid.h));
            (self.first, self.counts) = (first, counts);
        }
        self
    }
}
