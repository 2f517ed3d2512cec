//! Parameter blocks of the kernels, in the order of the WGSL structs.

use bytemuck::{Pod, Zeroable};

/// relation_params.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct RelationParams {
    pub(crate) step: [u32; 3],
    pub(crate) zero: u32,
    pub(crate) first: [u32; 3],
    pub(crate) list_capacity: u32,
    pub(crate) entries: [u32; 3],
    pub(crate) tree_lower_capacity: u32,
    pub(crate) extent: [u32; 3],
    pub(crate) tree_leaf_capacity: u32,
    pub(crate) reach: [u32; 3],
    pub(crate) groups: u32,
    pub(crate) axis_at: [u32; 3],
    pub(crate) tiles_at: u32,
    pub(crate) first_slot: u32,
    pub(crate) end_slot: u32,
    pub(crate) pad: [u32; 2],
}

/// rank_params.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct RankParams {
    pub(crate) zero: u32,
    pub(crate) tiles: u32,
    pub(crate) lower_capacity: u32,
    pub(crate) leaf_capacity: u32,
    pub(crate) lower_at: u32,
    pub(crate) sums_at: u32,
    pub(crate) groups: u32,
    pub(crate) summed: u32,
}

/// leaf_rows.wgsl and prune_leaves.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct ListParams {
    pub(crate) zero: u32,
    pub(crate) list_capacity: u32,
    pub(crate) groups: u32,
    pub(crate) words: u32,
}

/// clip_leaves.wgsl, dense_leaves.wgsl (`high` is the size)
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct ClipParams {
    pub(crate) low: [i32; 3],
    pub(crate) zero: u32,
    pub(crate) high: [i32; 3],
    pub(crate) list_capacity: u32,
    pub(crate) groups: u32,
    pub(crate) pad: [u32; 3],
}
