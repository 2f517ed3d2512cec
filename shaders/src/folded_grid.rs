//! Linear dispatches folded into the grid of workgroups that devices accept: twin of `folded_grid.wgsl`.
//!
//! Devices take at most 65,535 workgroups a dimension. [`plan`] folds a number of groups into a grid, the kernel receives the grid's
//! width as a parameter (`groups_x`, never the built-in `num_workgroups`) and finds its item with [`folded_index`].

use crate::WgslModule;

/// WGSL text of this module.
pub const FOLDED_GRID: WgslModule = WgslModule { name: "folded_grid", source: include_str!("folded_grid.wgsl") };

/// The largest extent a plan uses, whatever the device allows: [`folded_index`] then cannot overflow in its group number for one layer.
pub const MAX_GROUPS_PER_DIMENSION: u32 = 65_535;

/// Grid `[x, y, z]` with at least `groups_needed` groups, each extent at most `max_per_dimension` (and 65,535).
///
/// Up to max² groups: `z = 1`, `y = ceil(groups/max)`, `x = ceil(groups/y)`, fewer than `y` groups too many. Above: `x = y = max`.
/// No groups give `[0, 1, 1]`. When max³ groups are not enough (never at 65,535), `z` exceeds the maximum, so that the
/// dispatch is refused instead of computing a part; a maximum of 0 counts as 1.
pub fn plan(groups_needed: u32, max_per_dimension: u32) -> [u32; 3] {
    let max = max_per_dimension.clamp(1, MAX_GROUPS_PER_DIMENSION);
    if groups_needed == 0 {
        return [0, 1, 1];
    }
    let y = groups_needed.div_ceil(max);
    if y <= max {
        return [groups_needed.div_ceil(y), y, 1];
    }
    [max, max, y.div_ceil(max)]
}

/// Linear index of an invocation in a grid made by [`plan`]: `((z * groups_x + y) * groups_x + x) * workgroup_size + local_index`.
///
/// Where that is 2^32 or more (the unused tail of a grid) the result is `u32::MAX`, never a wrapped index: a kernel that returns when
/// `index >= count` is right for every count up to `u32::MAX`. `workgroup_size` is at least 1; `groups_x` is `plan(..)[0]`.
pub fn folded_index(workgroup_id: [u32; 3], local_index: u32, workgroup_size: u32, groups_x: u32) -> u32 {
    let row = workgroup_id[2].wrapping_mul(groups_x).wrapping_add(workgroup_id[1]);
    if workgroup_id[2] != 0 && row > (0xffff_ffff - workgroup_id[0]) / groups_x {
        return 0xffff_ffff;
    }
    let group = row.wrapping_mul(groups_x).wrapping_add(workgroup_id[0]);
    if group > (0xffff_ffff - local_index) / workgroup_size {
        return 0xffff_ffff;
    }
    group.wrapping_mul(workgroup_size).wrapping_add(local_index)
}
