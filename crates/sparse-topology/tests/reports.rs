//! What users of other grid libraries reported, each as the small input that shows it. More of them: strided convolutions that lose their boundary (tests/convolution.rs), reordered batches (tests/queries.rs),
//! memory (tests/memory.rs), broken files (tests/nvdb.rs).

mod support;

use sparse_topology::{GridBatch, Selection};
use support::{Set, assert_sets, batch, cube};

fn square(y: std::ops::Range<i32>) -> Set {
    y.flat_map(|y| (0..4).flat_map(move |x| (0..4).map(move |z| [x, y, z]))).collect()
}

/// fvdb-core 755, 775: many items in one call give what each gives alone.
#[test]
fn many_items_are_one_call() {
    let sets: Vec<Set> = (0..64).map(|i| cube([i, -i, 0], [i + i % 9, 3 - i, 5]).into_iter().collect()).collect();
    let grid = batch(&sets);
    let (coarse, dual) = (grid.coarsen_cpu([3, 2, 1]).unwrap(), grid.dual_cpu().unwrap());
    for item in 0..64 {
        let alone = grid.select(&Selection::Item(item)).unwrap();
        assert_eq!(coarse.select(&Selection::Item(item)).unwrap(), alone.coarsen_cpu([3, 2, 1]).unwrap());
        assert_eq!(dual.select(&Selection::Item(item)).unwrap(), alone.dual_cpu().unwrap());
    }
}

/// fvdb-core 627: kernels crash on empty input.
#[test]
fn empty_items_and_queries_are_harmless() {
    let (a, b) = (square(0..2), square(5..6));
    let grid = batch(&[a.clone(), Set::new(), b.clone()]);
    assert_eq!(grid.item_rows(1).unwrap(), 32..32);
    assert_sets(&grid.subsample_cpu([4; 3]).unwrap(), &[Set::from([[0; 3]]), Set::new(), Set::new()]);
    assert!(grid.coordinates_to_index_cpu(1, &[]).unwrap().is_empty());
    assert!(grid.neighbour_indices_cpu(1, &[], 1, 0).unwrap().is_empty());
    assert!(grid.inverse_index_cpu(1, &[[0; 3]]).unwrap().is_empty());
    assert!(GridBatch::from_points_cpu(&[], &[]).unwrap().coordinates(0).is_err());
}

/// fvdb-core 715: prune crashes when an item has exactly one voxel.
#[test]
fn items_of_one_voxel_are_pruned() {
    let five: Set = (0..5).map(|x| [x, 0, 0]).collect();
    let grid = batch(&[Set::from([[7; 3]]), five]);
    let mask = [true, false, true, false, true, false];
    assert_sets(&grid.prune_cpu(&mask).unwrap(), &[Set::from([[7; 3]]), Set::from([[1, 0, 0], [3, 0, 0]])]);
    assert_sets(&grid.prune_cpu(&[false; 6]).unwrap(), &[Set::new(), Set::new()]);
}

/// torchsparse 282, 101, 242: a strided convolution's outputs must not depend on where the scene lies, and kernel 1 must subsample.
#[test]
fn strided_outputs_do_not_depend_on_the_position() {
    let grid = batch(&[square(0..4), square(-4..0)]);
    let small = |low: i32| -> Set { cube([0, low, 0], [1, low + 1, 1]).into_iter().collect() };
    assert_sets(&grid.conv_cpu([2; 3], [2; 3]).unwrap(), &[small(0), small(-2)]);
    assert_eq!(grid.conv_cpu([1; 3], [2; 3]).unwrap(), grid.subsample_cpu([2; 3]).unwrap());
    assert_sets(&grid.subsample_cpu([2; 3]).unwrap(), &[small(0), small(-2)]);
}

/// MinkowskiEngine 483, 232: the output coordinates without running a convolution, negative ones included.
#[test]
fn outputs_come_without_features() {
    let grid = batch(&[Set::from([[0; 3]])]);
    let around: Set = cube([-1; 3], [1; 3]).into_iter().collect();
    assert_sets(&grid.conv_transpose_cpu([3; 3], [2; 3]).unwrap(), &[around]);
}

/// spconv 607, 656, 406: nothing wraps, and a scene with nothing in range is empty.
#[test]
fn far_and_empty_scenes_are_exact() {
    let far = Set::from([[2_000_000_000, -2_000_000_000, 7]]);
    let grid = batch(&[far]);
    assert_sets(&grid.conv_cpu([3; 3], [3; 3]).unwrap(), &[Set::from([[666_666_667, -666_666_667, 2]])]);
    assert_eq!(grid.clip_cpu([-10; 3], [10; 3]).unwrap().voxels(), 0);
    assert!(grid.refine_cpu([2; 3]).is_err());
}
