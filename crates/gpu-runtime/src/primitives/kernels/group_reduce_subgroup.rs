//! Twin of `group_reduce_subgroup.wgsl`.

use crate::WgslModule;

pub(crate) const GROUP_REDUCE_SUBGROUP: WgslModule =
    WgslModule { name: "group_reduce_subgroup", source: include_str!("group_reduce_subgroup.wgsl") };

/// The subgroup size: the header's, or what the device has chosen.
pub(crate) fn group_lanes(header: u32, chosen: u32) -> u32 {
    if header > 0 { header } else { chosen }
}

/// Reduction of the values of one subgroup.
pub(crate) fn subgroup_reduce(values: &[u32], combine: impl Fn(u32, u32) -> u32) -> u32 {
    values[1..].iter().fold(values[0], |a, b| combine(a, *b))
}

/// Reduction of one value an invocation by `combine`, in subgroups of `lanes`.
pub(crate) fn group_reduce(values: &[u32], lanes: u32, combine: impl Fn(u32, u32) -> u32) -> u32 {
    // [1] One word a subgroup.
    let words: Vec<u32> = values.chunks(lanes as usize).map(|s| subgroup_reduce(s, &combine)).collect();
    // [2] All of them together.
    let result = words[1..].iter().fold(words[0], |a, b| combine(a, *b));
    // [3] The result for all.
    result
}
