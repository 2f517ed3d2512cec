//! Twin of `group_scan_subgroup.wgsl`.

use crate::WgslModule;

pub(crate) const GROUP_SCAN_SUBGROUP: WgslModule =
    WgslModule { name: "group_scan_subgroup", source: include_str!("group_scan_subgroup.wgsl") };

/// The subgroup size: the header's, or what the device has chosen.
pub(crate) fn group_lanes(header: u32, chosen: u32) -> u32 {
    if header > 0 { header } else { chosen }
}

/// Exclusive scan of one value an invocation in subgroups of `lanes`, and their sum, modulo 2^32.
pub(crate) fn group_exclusive(values: &[u32], lanes: u32) -> (Vec<u32>, u32) {
    // [1] Scan inside the subgroup; its last lane publishes the sum.
    let mut exclusive = Vec::with_capacity(values.len());
    let mut group_sums = Vec::new();
    for subgroup in values.chunks(lanes as usize) {
        let mut within = 0u32;
        for value in subgroup {
            exclusive.push(within);
            within = within.wrapping_add(*value);
        }
        group_sums.push(within);
    }
    // [2] Sums of the subgroups before this one, and of all.
    let before = |subgroup: usize| group_sums[..subgroup].iter().fold(0, |a: u32, b| a.wrapping_add(*b));
    let total = before(group_sums.len());
    // [3] Both together.
    for (local, within) in exclusive.iter_mut().enumerate() {
        *within = before(local / lanes as usize).wrapping_add(*within);
    }
    (exclusive, total)
}

#[cfg(test)]
mod tests {
    use super::super::group_scan_shared;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_forms_give_the_same_words(values in proptest::collection::vec(any::<u32>(), 256), log in 2u32..8) {
            let lanes = group_lanes(0, 1 << log);
            let (exclusive, total) = group_exclusive(&values, lanes);
            prop_assert_eq!(&(exclusive.clone(), total), &group_scan_shared::group_exclusive(&values));
            prop_assert_eq!(exclusive[255].wrapping_add(values[255]), total);
            prop_assert_eq!(exclusive[2], values[0].wrapping_add(values[1]));
        }
    }
}
