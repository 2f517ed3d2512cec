//! Operations against one-voxel-at-a-time references, and laws between operations.

use crate::support;
use crate::support::{Set, Voxel, add, any_set, any_sets, assert_sets, batch, cube, minkowski};
use proptest::prelude::*;
use sparse_topology::{GridBatch, Neighbours};

/// `{ c : s * c - before <= x <= s * c + after }` by trying every c near x / s.
fn down(set: &Set, stride: [i32; 3], before: [i32; 3], after: [i32; 3]) -> Set {
    let axis = |k: usize, x: i32| {
        let reach = (before[k] + after[k]) / stride[k] + 2;
        let middle = x.div_euclid(stride[k]);
        (middle - reach..=middle + reach)
            .filter(move |c| stride[k] * c - before[k] <= x && x <= stride[k] * c + after[k])
            .collect::<Vec<_>>()
    };
    let mut out = Set::new();
    for v in set {
        for x in axis(0, v[0]) {
            for y in axis(1, v[1]) {
                out.extend(axis(2, v[2]).into_iter().map(|z| [x, y, z]));
            }
        }
    }
    out
}

/// `{ s * c + o : o in [-before, after] }`.
fn up(set: &Set, stride: [i32; 3], before: [i32; 3], after: [i32; 3]) -> Set {
    let scaled: Set = set.iter().map(|v| std::array::from_fn(|k| v[k] * stride[k])).collect();
    minkowski(&scaled, &cube(before.map(|b| -b), after))
}

fn window(kernel: [i32; 3]) -> ([i32; 3], [i32; 3]) {
    let before = kernel.map(|k| (k - 1) / 2);
    (before, std::array::from_fn(|k| kernel[k] - 1 - before[k]))
}

fn ball(reach: i32) -> Vec<Voxel> {
    cube([-1; 3], [1; 3]).into_iter().filter(|o| o.iter().map(|v| v.abs()).sum::<i32>() <= reach).collect()
}

fn each(sets: &[Set], f: impl Fn(&Set) -> Set) -> Vec<Set> {
    sets.iter().map(f).collect()
}

fn small() -> impl Strategy<Value = [i32; 3]> {
    [1..5_i32, 1..5, 1..5]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn building_sorts_and_unites(sets in any_sets()) {
        assert_sets(&batch(&sets), &sets);
    }

    #[test]
    fn resampling(sets in any_sets(), factor in [1..12_i32, 1..5, 1..12]) {
        let grid = batch(&sets);
        let f = factor.map(|v| v as u32);
        let last = factor.map(|v| v - 1);
        assert_sets(&grid.coarsen_cpu(f).unwrap(), &each(&sets, |s| down(s, factor, [0; 3], last)));
        assert_sets(&grid.subsample_cpu(f).unwrap(), &each(&sets, |s| down(s, factor, [0; 3], [0; 3])));
    }

    #[test]
    fn refinement_and_back(sets in any_sets(), factor in small()) {
        let grid = batch(&sets);
        let f = factor.map(|v| v as u32);
        let fine = grid.refine_cpu(f).unwrap();
        assert_sets(&fine, &each(&sets, |s| up(s, factor, [0; 3], factor.map(|v| v - 1))));
        prop_assert_eq!(fine.coarsen_cpu(f).unwrap(), grid);
    }

    #[test]
    fn convolutions(sets in any_sets(), kernel in small(), stride in small()) {
        let grid = batch(&sets);
        let (before, after) = window(kernel);
        let (k, s) = (kernel.map(|v| v as u32), stride.map(|v| v as u32));
        assert_sets(&grid.conv_cpu(k, s).unwrap(), &each(&sets, |set| down(set, stride, before, after)));
        assert_sets(&grid.conv_transpose_cpu(k, s).unwrap(), &each(&sets, |set| up(set, stride, before, after)));
    }

    #[test]
    fn transposed_convolutions_of_far_strides(sets in any_sets(), kernel in small(), stride in [1..30_000_i32, 1..5, 1..3_000]) {
        let grid = batch(&sets);
        let (before, after) = window(kernel);
        let (k, s) = (kernel.map(|v| v as u32), stride.map(|v| v as u32));
        assert_sets(&grid.conv_transpose_cpu(k, s).unwrap(), &each(&sets, |set| up(set, stride, before, after)));
    }

    #[test]
    fn pairs_are_all_taps_of_all_voxels(set in any_set(), kernel in small(), stride in small()) {
        let grid = batch(std::slice::from_ref(&set));
        let (before, _) = window(kernel);
        let (k, s) = (kernel.map(|v| v as u32), stride.map(|v| v as u32));
        let coarse = grid.conv_cpu(k, s).unwrap();
        let mut expected = Vec::new();
        for (tap, at) in cube([0; 3], kernel.map(|v| v - 1)).into_iter().enumerate() {
            for (row, c) in coarse.coordinates(0).unwrap().into_iter().enumerate() {
                let fine = std::array::from_fn(|i| stride[i] * c[i] + at[i] - before[i]);
                if set.contains(&fine) {
                    expected.push((tap as u64, grid.row(0, fine).unwrap(), row as u64));
                }
            }
        }
        let pairs = grid.conv_pairs_cpu(&coarse, k, s).unwrap();
        prop_assert_eq!(pairs.iter().map(|p| (p.tap, p.in_row, p.out_row)).collect::<Vec<_>>(), expected.clone());
        // Back: the same pairs with in and out exchanged, by tap, then by the new out row.
        let back = coarse.conv_transpose_pairs_cpu(&grid, k, s).unwrap();
        expected.sort_unstable();
        let exchanged: Vec<_> = back.iter().map(|p| (p.tap, p.out_row, p.in_row)).collect();
        prop_assert_eq!(exchanged, expected);
    }

    #[test]
    fn dilation_and_erosion(sets in any_sets(), steps in 0..3_u32) {
        let grid = batch(&sets);
        for (neighbours, reach) in [(Neighbours::Face, 1), (Neighbours::Edge, 2), (Neighbours::Vertex, 3)] {
            let (mut grown, mut shrunk) = (sets.clone(), sets.clone());
            for _ in 0..steps {
                grown = each(&grown, |s| minkowski(s, &ball(reach)));
                shrunk = each(&shrunk, |s| s.iter().copied().filter(|&v| ball(reach).iter().all(|&o| s.contains(&add(v, o)))).collect());
            }
            assert_sets(&grid.dilate_cpu(neighbours, steps).unwrap(), &grown);
            assert_sets(&grid.erode_cpu(neighbours, steps).unwrap(), &shrunk);
        }
    }

    #[test]
    fn boxes_of_offsets(sets in any_sets(), min in [-11..3_i32, -3..3, -3..3], size in [0..4_i32, 0..12, 0..4]) {
        let grid = batch(&sets);
        let max = std::array::from_fn(|k| min[k] + size[k]);
        let offsets = cube(min, max);
        assert_sets(&grid.pad_cpu(min, max).unwrap(), &each(&sets, |s| minkowski(s, &offsets)));
        assert_sets(&grid.dilate_stencil_cpu(&offsets).unwrap(), &each(&sets, |s| minkowski(s, &offsets)));
        // Every c with c + offsets within S has c + min in S.
        let kept = each(&sets, |s| {
            s.iter().map(|&v| std::array::from_fn(|k| v[k] - min[k])).filter(|&c| offsets.iter().all(|&o| s.contains(&add(c, o)))).collect()
        });
        assert_sets(&grid.erode_box_cpu(min, max).unwrap(), &kept);
    }

    #[test]
    fn stencils(sets in any_sets(), offsets in prop::collection::vec([-20..20_i32, -3..3, -3..3], 0..9)) {
        let grid = batch(&sets);
        assert_sets(&grid.dilate_stencil_cpu(&offsets).unwrap(), &each(&sets, |s| minkowski(s, &offsets)));
    }

    #[test]
    fn duals(sets in any_sets()) {
        let grid = batch(&sets);
        let corners = cube([0; 3], [1; 3]);
        assert_sets(&grid.dual_cpu().unwrap(), &each(&sets, |s| minkowski(s, &corners)));
        let full = |s: &Set| -> Set { s.iter().copied().filter(|&v| corners.iter().all(|&o| s.contains(&add(v, o)))).collect() };
        assert_sets(&grid.dual_without_border_fvdb_cpu().unwrap(), &each(&sets, full));
        assert_sets(&grid.dual_without_border_cpu().unwrap(), &each(&sets, |s| minkowski(&full(s), &[[1; 3]])));
    }

    #[test]
    fn set_algebra(a in any_sets(), b in any_sets(), c in any_sets()) {
        let items = a.len().min(b.len()).min(c.len());
        let lists = [&a[..items], &b[..items], &c[..items]];
        let grids = lists.map(batch);
        let all = [&grids[0], &grids[1], &grids[2]];
        let fold = |f: fn(&Set, &Set) -> Set| -> Vec<Set> {
            (0..items).map(|i| f(&f(&lists[0][i], &lists[1][i]), &lists[2][i])).collect()
        };
        assert_sets(&GridBatch::union_cpu(&all).unwrap(), &fold(|x, y| x | y));
        assert_sets(&GridBatch::intersection_cpu(&all).unwrap(), &fold(|x, y| x & y));
        assert_sets(&GridBatch::difference_cpu(&all).unwrap(), &fold(|x, y| x - y));
        let union = GridBatch::union_cpu(&all[..2]).unwrap();
        let parts = [GridBatch::difference_cpu(&all[..2]).unwrap(), GridBatch::intersection_cpu(&all[..2]).unwrap(), GridBatch::difference_cpu(&[all[1], all[0]]).unwrap()];
        prop_assert_eq!(GridBatch::union_cpu(&[&parts[0], &parts[1], &parts[2]]).unwrap(), union);
    }

    #[test]
    fn pruning_and_clipping(sets in any_sets(), seed: u64, min in [-5..5_i32, 100..4100, -5..5], size in [-2..200_i32, 0..9, 0..5000]) {
        let grid = batch(&sets);
        let mask: Vec<bool> = (0..grid.voxels()).map(|row| (seed >> (row % 61)) & 1 == 1).collect();
        let mut rows = 0..;
        let kept: Vec<Set> = sets.iter().map(|s| support::canonical(s).into_iter().filter(|_| mask[rows.next().unwrap()]).collect()).collect();
        assert_sets(&grid.prune_cpu(&mask).unwrap(), &kept);
        assert_sets(&grid.refine_masked_cpu([2, 1, 3], &mask).unwrap(), &each(&kept, |s| up(s, [2, 1, 3], [0; 3], [1, 0, 2])));
        let max = std::array::from_fn(|k| min[k] + size[k]);
        let inside = each(&sets, |s| s.iter().copied().filter(|v| (0..3).all(|k| min[k] <= v[k] && v[k] <= max[k])).collect());
        assert_sets(&grid.clip_cpu(min, max).unwrap(), &inside);
    }
}

#[test]
fn repeated_coarsening_is_one_coarsening() {
    let ball: Set =
        cube([-40; 3], [40; 3]).into_iter().filter(|v| (1300..1600).contains(&v.iter().map(|c| c * c).sum())).collect();
    let grid = batch(&[ball]);
    let two = |g: &GridBatch| g.coarsen_cpu([2; 3]).unwrap();
    assert_eq!(two(&two(&grid)), grid.coarsen_cpu([4; 3]).unwrap());
    assert_eq!(two(&two(&two(&grid))), grid.coarsen_cpu([8; 3]).unwrap());
    assert_eq!(grid.coarsen_cpu([1 << 30; 3]).unwrap().voxels(), 8);
    assert_eq!(grid.coarsen_cpu([i32::MAX as u32; 3]).unwrap().voxels(), 8);
}
