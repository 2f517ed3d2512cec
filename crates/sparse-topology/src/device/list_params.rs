//! Parameter blocks of the kernels that read lists, in the order of the WGSL structs.

use bytemuck::{Pod, Zeroable};

/// voxel_list.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct VoxelParams {
    pub(crate) zero: u32,
    pub(crate) count: u32,
    pub(crate) before: u32,
    pub(crate) items: u32,
    pub(crate) tiles: u32,
    pub(crate) lower_capacity: u32,
    pub(crate) leaf_capacity: u32,
    pub(crate) groups: u32,
}

/// point_voxels.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct PointParams {
    pub(crate) zero: u32,
    pub(crate) count: u32,
    pub(crate) before: u32,
    pub(crate) items: u32,
    pub(crate) add: f32,
    pub(crate) groups: u32,
    pub(crate) pad: [u32; 2],
}

/// find_rows.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct RowParams {
    pub(crate) zero: u32,
    pub(crate) count: u32,
    pub(crate) extent: u32,
    pub(crate) shift: u32,
    pub(crate) item: i32,
    pub(crate) tiles: u32,
    pub(crate) lower_capacity: u32,
    pub(crate) leaf_capacity: u32,
    pub(crate) first_row: [u32; 2],
    pub(crate) groups: u32,
    pub(crate) origin: i32,
}

/// invert_rows.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct InvertParams {
    pub(crate) zero: u32,
    pub(crate) count: u32,
    pub(crate) rows: u32,
    pub(crate) groups: u32,
    pub(crate) before: u32,
    pub(crate) pad: [u32; 3],
}

/// row_values.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct ValueParams {
    pub(crate) zero: u32,
    pub(crate) rows: u32,
    pub(crate) missing: u32,
    pub(crate) groups: u32,
}

/// pair_rows.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct CountParams {
    pub(crate) zero: u32,
    pub(crate) count: u32,
    pub(crate) pad: u32,
    pub(crate) groups: u32,
}

/// voxel_codes.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct CodeParams {
    pub(crate) offset: [i32; 3],
    pub(crate) zero: u32,
    pub(crate) first_leaf: u32,
    pub(crate) leaves: u32,
    pub(crate) first_row: [u32; 2],
    pub(crate) groups: u32,
    pub(crate) pad: [u32; 3],
}

/// tap_pairs.wgsl
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(crate) struct TapParams {
    pub(crate) step: [u32; 3],
    pub(crate) zero: u32,
    pub(crate) offset: [i32; 3],
    pub(crate) leaves: u32,
    pub(crate) tiles: u32,
    pub(crate) lower_capacity: u32,
    pub(crate) leaf_capacity: u32,
    pub(crate) groups: u32,
    pub(crate) base: u32,
    pub(crate) pad: [u32; 3],
}
