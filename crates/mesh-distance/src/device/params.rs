//! The parameter block of every distance kernel: `Params` of query_params.wgsl.

use bytemuck::{Pod, Zeroable};

/// Words in the order of the WGSL struct.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Params {
    pub(super) lo: [f32; 3],
    pub(super) zero: u32,
    pub(super) h: [f32; 3],
    pub(super) exponent: i32,
    pub(super) counts: [u32; 3],
    pub(super) groups_x: u32,
    pub(super) first: [u32; 3],
    pub(super) ratio: u32,
    pub(super) blocks: [u32; 3],
    pub(super) group_count: u32,
    pub(super) seed_counts: [u32; 3],
    pub(super) seed_ratio: u32,
    /// Squared distance beyond which nothing is looked for.
    pub(super) reach2: f32,
    pub(super) pad: [u32; 3],
}

impl Default for Params {
    fn default() -> Params {
        Params { reach2: f32::MAX, ..Params::zeroed() }
    }
}
