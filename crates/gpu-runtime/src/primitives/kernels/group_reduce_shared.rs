//! Twin of `group_reduce_shared.wgsl`.

use crate::WgslModule;

pub(crate) const GROUP_REDUCE_SHARED: WgslModule =
    WgslModule { name: "group_reduce_shared", source: include_str!("group_reduce_shared.wgsl") };

/// Reduction of one value an invocation by `combine`; their number is a power of two.
pub(crate) fn group_reduce(values: &[u32], combine: impl Fn(u32, u32) -> u32) -> u32 {
    // [1] Every invocation's value.
    let mut group_words = values.to_vec();
    // [2] Halve the number of values until one is left.
    let mut half = values.len() / 2;
    while half > 0 {
        for local in 0..half {
            group_words[local] = combine(group_words[local], group_words[local + half]);
        }
        half /= 2;
    }
    // [3] The result for all.
    group_words[0]
}
