//! Lookups, batches, builders, errors.

use crate::support;
use crate::support::{Set, any_sets, assert_sets, batch, canonical, cube};
use proptest::prelude::*;
use sparse_topology::{AxisOrder, Error, GridBatch, Selection, Transform};

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_positions(sets in any_sets(), extra in [-20..20_i32, 0..200, -20..20]) {
        let grid = batch(&sets);
        for (item, set) in sets.iter().enumerate() {
            let list = canonical(set);
            let mut queries = list.clone();
            queries.push(extra);
            queries.reverse();
            let position = |q| list.iter().position(|&v| v == q).map_or(-1, |i| i as i64);
            let rows: Vec<i64> = queries.iter().map(|&q| position(q)).collect();
            prop_assert_eq!(&grid.coordinates_to_index_cpu(item, &queries).unwrap(), &rows);
            let inside: Vec<bool> = rows.iter().map(|&row| row >= 0).collect();
            prop_assert_eq!(grid.coordinates_in_grid_cpu(item, &queries).unwrap(), inside);
            let inverse = grid.inverse_index_cpu(item, &queries).unwrap();
            for (row, &q) in inverse.iter().enumerate() {
                prop_assert_eq!(queries[q as usize], list[row]);
            }
            let around = grid.neighbour_indices_cpu(item, &queries[..1], 1, 2).unwrap();
            let expected: Vec<i64> = cube([-1; 3], [1; 3]).into_iter().map(|o| position(support::add(queries[0].map(|c| c << 2), o))).collect();
            prop_assert_eq!(around, expected);
            let full: Vec<bool> = queries.iter().map(|&q| cube([0; 3], [1; 3]).into_iter().all(|o| set.contains(&support::add(q, o)))).collect();
            prop_assert_eq!(grid.cubes_in_grid_cpu(item, &queries).unwrap(), full);
        }
    }

    /// A reordered, repeated or cut batch behaves as a batch that was built so.
    #[test]
    fn selections_are_batches_of_their_own(sets in any_sets(), list in prop::collection::vec(0..4_i64, 0..6)) {
        let list: Vec<i64> = list.into_iter().filter(|&i| i < sets.len() as i64).collect();
        let chosen: Vec<Set> = list.iter().map(|&i| sets[i as usize].clone()).collect();
        let grid = batch(&sets);
        prop_assert_eq!(&grid.select(&Selection::List(list)).unwrap(), &batch(&chosen));
        let reversed: Vec<Set> = sets.iter().rev().cloned().collect();
        let all = Selection::Slice { start: None, stop: None, step: -1 };
        prop_assert_eq!(grid.select(&all).unwrap().coarsen_cpu([3; 3]).unwrap(), batch(&reversed).coarsen_cpu([3; 3]).unwrap());
        let joined: Vec<Set> = sets.iter().chain(&chosen).cloned().collect();
        prop_assert_eq!(GridBatch::concatenate(&[&grid, &batch(&chosen)]).unwrap(), batch(&joined));
    }

    #[test]
    fn dense_boxes(min in [-200..9_i32, -9..9, 120..130], size in [0..20_u32, 0..9, 0..30], seed: u64) {
        let max = std::array::from_fn(|k| min[k] + size[k] as i32 - 1);
        let all = cube(min, max);
        let mask: Vec<bool> = (0..all.len()).map(|i| (seed >> (i % 59)) & 1 == 1).collect();
        let kept: Set = all.iter().zip(&mask).filter(|(_, keep)| **keep).map(|(&v, _)| v).collect();
        let two = [Transform::default(), Transform::uniform(2.0, [0.0; 3])];
        let grid = GridBatch::from_dense_cpu(min, size, Some(&mask), &two).unwrap();
        assert_sets(&grid, &[kept.clone(), kept]);
        prop_assert_eq!(grid.transforms(), two);
        let whole: Set = all.into_iter().collect();
        assert_sets(&GridBatch::from_dense_cpu(min, size, None, &two[..1]).unwrap(), &[whole]);
    }
}

#[test]
fn points_round_halves_up() {
    let transform = [Transform::uniform(0.5, [1.0, 0.0, 0.0]); 2];
    let points = [[1.25, -0.25, 0.2], [1.24, -0.26, f32::MIN_POSITIVE], [1.0, 0.0, -0.75]];
    let grid = GridBatch::from_points_cpu(&[&points, &[]], &transform).unwrap();
    assert_sets(&grid, &[Set::from([[1, 0, 0], [0, -1, 0], [0, 0, -1]]), Set::new()]);
    assert_eq!(grid.points_in_grid_cpu(0, &points).unwrap(), [true; 3]);
    assert_eq!(grid.points_in_grid_cpu(0, &[[f32::NAN, 0.0, 0.0], [3.0, 0.0, 0.0]]).unwrap(), [false; 2]);
    let near = GridBatch::from_nearest_voxels_cpu(&[&[[1.3, -0.1, 0.0]]], &transform[..1]).unwrap();
    assert_sets(&near, &[cube([0, -1, 0], [1, 0, 1]).into_iter().collect()]);
    for bad in [f32::NAN, f32::INFINITY, 1.1e9] {
        let error = GridBatch::from_points_cpu(&[&[[0.0; 3], [0.0, bad, 0.0]]], &transform[..1]).unwrap_err();
        assert!(matches!(error, Error::Point { item: 0, index: 1, axis: 'y', .. }), "{error}");
    }
}

#[test]
fn results_outside_32_bits_are_errors_that_name_the_voxel() {
    let sets = [Set::from([[0, 0, 0]]), Set::from([[i32::MAX, -7, i32::MIN]])];
    let grid = batch(&sets);
    let text = |result: Result<GridBatch, Error>| result.unwrap_err().to_string();
    assert!(text(grid.dual_cpu()).starts_with("item 1: the result would hold the voxel (2147483648, -7, -2147483648)"));
    assert!(text(grid.dilate_cpu(sparse_topology::Neighbours::Face, 1)).contains("item 1"));
    assert!(text(grid.refine_cpu([1, 1, 2])).contains("(2147483647, -7, -4294967296)"));
    assert!(text(grid.conv_cpu([3, 1, 1], [1, 1, 1])).contains("(2147483648, -7, -2147483648)"));
    // The same voxel along x, but stride 3 along y drops it: no voxel of the result is outside.
    assert_sets(
        &grid.conv_cpu([3, 1, 1], [1, 3, 1]).unwrap(),
        &[cube([-1, 0, 0], [1, 0, 0]).into_iter().collect(), Set::new()],
    );
    assert_eq!(grid.coarsen_cpu([2; 3]).unwrap().coordinates(1).unwrap(), [[1_073_741_823, -4, -1_073_741_824]]);
    assert_eq!(grid.row(1, [i32::MAX, -7, i32::MIN]), Some(1));
    assert_eq!(
        grid.neighbour_indices_cpu(1, &[[i32::MAX, -7, i32::MIN]], 1, 0).unwrap().iter().filter(|&&r| r == 0).count(),
        1
    );
}

#[test]
fn parameters_outside_their_domain_are_errors_with_numbers() {
    let grid = batch(&[Set::from([[0, 0, 0]])]);
    let text = |error: Error| error.to_string();
    assert_eq!(text(grid.coarsen_cpu([2, 0, 2]).unwrap_err()), "factor along y is 0, allowed are 1 to 2147483647");
    assert_eq!(text(grid.conv_cpu([1; 3], [1, 1, 0]).unwrap_err()), "stride along z is 0, allowed are 1 to 2147483647");
    assert_eq!(
        text(grid.pad_cpu([0; 3], [0, -1, 0]).unwrap_err()),
        "min along y is 0, allowed are numbers up to max, -1"
    );
    assert_eq!(text(grid.prune_cpu(&[]).unwrap_err()), "entries of the mask: 0 given, 1 needed");
    assert!(grid.coordinates(1).is_err() && GridBatch::union_cpu(&[]).is_err());
    assert!(matches!(grid.refine_cpu([1 << 14; 3]).unwrap_err(), Error::Memory { .. }));
    assert!(matches!(grid.pad_cpu([-(1 << 20); 3], [1 << 20; 3]).unwrap_err(), Error::Memory { .. }));
    let thin = GridBatch::from_dense_cpu([i32::MIN, 0, 0], [u32::MAX, 3, 1], None, &[Transform::default(); 9]);
    assert!(matches!(thin.unwrap_err(), Error::Memory { .. }));
    assert!(grid.morton_codes_cpu(0, [-1, 0, 0], AxisOrder::Xyz).is_err());
    assert_eq!(grid.morton_codes_cpu(0, [1, 1, 1], AxisOrder::Xyz).unwrap(), [7]);
}

#[test]
fn empty_batches_stay_empty() {
    for grid in [GridBatch::empty(&[]), batch(&[Set::new(), Set::new()])] {
        let same = |other: GridBatch| assert_eq!((other.items(), other.voxels(), other.leaves()), (grid.items(), 0, 0));
        same(grid.coarsen_cpu([3; 3]).unwrap());
        same(grid.refine_cpu([1 << 20; 3]).unwrap());
        same(grid.dual_cpu().unwrap());
        same(grid.erode_box_cpu([3; 3], [4; 3]).unwrap());
        same(grid.prune_cpu(&[]).unwrap());
        same(GridBatch::union_cpu(&[&grid, &grid]).unwrap());
        assert!(grid.conv_pairs_cpu(&grid, [3; 3], [1; 3]).unwrap().is_empty());
    }
}
