//! How local indices map to the lanes of subgroups: twin of `lanes.wgsl`.
//!
//! No standard says that consecutive local indices are consecutive lanes. Kernels with subgroup operations rely on it,
//! so it is tested, and the forms without subgroups take over where it does not hold.

use gpu_shaders::WgslModule;

/// Entry point of the test.
pub(crate) const KERNEL: &str = "subgroup_lanes";

pub(crate) const MODULE: WgslModule = WgslModule { name: "self_test/lanes", source: include_str!("lanes.wgsl") };

/// Sizes of a workgroup that kernels with subgroup operations have.
pub(crate) const WORKGROUPS: [u32; 2] = [64, 128];

/// Workgroups of the test.
pub(crate) const GROUPS: u32 = 48;

/// Words of one invocation.
pub(crate) type Lane = [[u32; 4]; 2];

/// The words of the invocation `local` of a workgroup of `workgroup` invocations in subgroups of `size`.
fn subgroup_lanes(workgroup: u32, local: u32, size: u32) -> Lane {
    let (subgroup, lane) = (local / size, local % size);
    let first = local - lane;
    // The last lanes are missing where a subgroup is larger than the workgroup.
    let present = size.min(workgroup);
    let mask = if present >= 32 { u32::MAX } else { (1 << present) - 1 };
    // [1]
    let built_in = [size, subgroup, lane, local];
    // [2] The first index of a subgroup is even, so odd local indices are odd lanes.
    let operations = [local ^ 1, lane, first, mask & 0xaaaa_aaaa];
    [built_in, operations]
}

/// The size of the subgroups if every invocation has the words it must have; each subgroup states its own size.
///
/// `allowed` are the smallest and largest size that the adapter names.
pub(crate) fn check(workgroup: u32, words: &[Lane], allowed: (u32, u32)) -> Option<(u32, u32)> {
    let mut sizes = (u32::MAX, 0);
    if words.len() != (workgroup * GROUPS) as usize {
        return None;
    }
    for group in words.chunks_exact(workgroup as usize) {
        let size = group[0][0][0];
        if !size.is_power_of_two() || !(allowed.0..=allowed.1).contains(&size) || size < 2 {
            return None;
        }
        let right = |(local, lane): (u32, &Lane)| *lane == subgroup_lanes(workgroup, local, size);
        if !(0..).zip(group).all(right) {
            return None;
        }
        sizes = (sizes.0.min(size), sizes.1.max(size));
    }
    Some(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(workgroup: u32, size: impl Fn(u32) -> u32) -> Vec<Lane> {
        let of_group = |group| (0..workgroup).map(move |local| (group, local));
        (0..GROUPS).flat_map(of_group).map(|(group, local)| subgroup_lanes(workgroup, local, size(group))).collect()
    }

    #[test]
    fn consecutive_lanes_pass_in_every_size() {
        for workgroup in WORKGROUPS {
            for size in [2, 4, 8, 16, 32, 64, 128] {
                assert_eq!(check(workgroup, &words(workgroup, |_| size), (2, 128)), Some((size, size)));
            }
            let varying = words(workgroup, |group| if group % 3 == 0 { 16 } else { 32 });
            assert_eq!(check(workgroup, &varying, (8, 32)), Some((16, 32)));
        }
    }

    #[test]
    fn other_mappings_fail() {
        let right = words(64, |_| 32);
        assert_eq!(check(64, &right, (64, 64)), None, "a size that the adapter does not name");
        assert_eq!(check(64, &right[1..], (4, 64)), None, "a missing invocation");
        for at in [0, 33, 64 * GROUPS as usize - 1] {
            for (half, word) in (0..2).flat_map(|half| (0..4).map(move |word| (half, word))) {
                let mut wrong = right.clone();
                wrong[at][half][word] ^= 2;
                assert_eq!(check(64, &wrong, (4, 64)), None, "invocation {at}, word {half} {word}");
            }
        }
        let mut swapped = right;
        swapped.swap(2, 3);
        assert_eq!(check(64, &swapped, (4, 64)), None, "two lanes swapped");
    }
}
