//! `plan` and `folded_index`: every item once, no wrapped index.

use gpu_shaders::folded_grid::{folded_index, plan};
use proptest::prelude::*;

const MAX: u32 = 65_535;

/// Linear index in exact arithmetic.
fn exact_index([x, y, z]: [u32; 3], local: u32, size: u32, groups_x: u32) -> u32 {
    let row = u128::from(z) * u128::from(groups_x) + u128::from(y);
    let group = row * u128::from(groups_x) + u128::from(x);
    u32::try_from(group * u128::from(size) + u128::from(local)).unwrap_or(u32::MAX)
}

#[test]
fn plans_hold_all_groups_and_waste_few() {
    let awkward =
        [1, 2, 63, 64, 65, MAX - 1, MAX, MAX + 1, MAX * 64 + 1, MAX * MAX - 1, MAX * MAX, MAX * MAX + 1, u32::MAX];
    for groups in awkward {
        for max in [1u32, 2, 3, 1626, MAX, MAX + 1, u32::MAX] {
            let [x, y, z] = plan(groups, max);
            let total = u128::from(x) * u128::from(y) * u128::from(z);
            let most = u128::from(max.min(MAX));
            assert!(total >= u128::from(groups), "{groups} groups, at most {max}: {x} {y} {z}");
            if u128::from(groups) <= most * most * most {
                assert!(
                    [x, y, z].iter().all(|&extent| u128::from(extent) <= most),
                    "{groups} groups, at most {max}: {x} {y} {z}"
                );
            } else {
                assert!(u128::from(z) > most, "a grid that is too large must be refused: {x} {y} {z}");
            }
            if z == 1 {
                assert!(total - u128::from(groups) < u128::from(y), "{groups} groups: {x} {y} wastes a row");
            } else {
                assert_eq!(x, y, "the index function takes layers to be square");
            }
        }
    }
    assert_eq!(plan(0, MAX), [0, 1, 1]);
    assert_eq!(plan(MAX, MAX), [MAX, 1, 1]);
    assert_eq!(plan(MAX + 1, MAX), [32_768, 2, 1]);
    assert_eq!(plan(MAX * 64 + 1, MAX), [64_527, 65, 1]);
    assert_eq!(plan(5, 0), [1, 1, 5]);
}

/// Small grids, walked completely: the indices are 0, 1, 2 .. in dispatch order, so each item comes exactly once.
#[test]
fn every_item_comes_once() {
    for (items, size, max) in
        [(0u32, 64u32, 8u32), (1, 64, 8), (513, 64, 8), (4096, 64, 8), (4097, 64, 8), (1000, 4, 7), (77, 1, 4)]
    {
        let [groups_x, groups_y, groups_z] = plan(items.div_ceil(size), max);
        let mut next = 0;
        for z in 0..groups_z {
            for y in 0..groups_y {
                for x in 0..groups_x {
                    for local in 0..size {
                        assert_eq!(folded_index([x, y, z], local, size, groups_x), next);
                        next += 1;
                    }
                }
            }
        }
        assert!(next >= items, "{items} items, {next} invocations");
    }
}

/// The unused tail of the largest grids must not wrap to small indices.
#[test]
fn the_tail_saturates() {
    for (items, size) in [(u32::MAX, 1u32), (u32::MAX, 64), (u32::MAX - 63, 64), (u32::MAX, 256), (u32::MAX, 3)] {
        let [x, y, z] = plan(items.div_ceil(size), MAX);
        let last = [x - 1, y - 1, z - 1];
        for local in [0, size - 1] {
            assert_eq!(folded_index(last, local, size, x), exact_index(last, local, size, x));
        }
        assert!(folded_index(last, size - 1, size, x) >= items - 1);
    }
    let [x, y, z] = plan(u32::MAX, MAX);
    assert_eq!(folded_index([x - 1, y - 1, z - 1], 0, 1, x), u32::MAX);
}

proptest! {
    #[test]
    fn indices_are_exact_or_saturated(
        groups in 1u32..,
        size in prop_oneof![Just(1u32), Just(64), Just(256), 1u32..=1024],
        at in any::<[u32; 4]>(),
    ) {
        let [x, y, z] = plan(groups, MAX);
        let id = [at[0] % x, at[1] % y, at[2] % z];
        let local = at[3] % size;
        prop_assert_eq!(folded_index(id, local, size, x), exact_index(id, local, size, x));
    }
}
