//! Twin of `group_scan_shared.wgsl`.

use crate::WgslModule;

pub(crate) const GROUP_SCAN_SHARED: WgslModule =
    WgslModule { name: "group_scan_shared", source: include_str!("group_scan_shared.wgsl") };

/// Exclusive scan of one value an invocation, and their sum, modulo 2^32.
pub(crate) fn group_exclusive(values: &[u32]) -> (Vec<u32>, u32) {
    // [1] Every invocation's value.
    let mut inclusive = values.to_vec();
    // [2] Each step quadruples the number of values a sum covers.
    let mut reach = 1;
    while reach < values.len() {
        let sums = inclusive.clone();
        for (local, sum) in inclusive.iter_mut().enumerate() {
            for k in 1..4 {
                if local >= k * reach {
                    *sum = sum.wrapping_add(sums[local - k * reach]);
                }
            }
        }
        reach *= 4;
    }
    // [3] The last invocation's inclusive sum is the total.
    let total = inclusive.last().copied().unwrap_or(0);
    (inclusive.iter().zip(values).map(|(i, v)| i.wrapping_sub(*v)).collect(), total)
}
