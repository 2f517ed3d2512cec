//! What users of other grid libraries reported, each as the small input that shows it, by its number in the table of docs/sparse-topology.md; the device half is in tests/tests/sparse_topology/topology_reports.rs.

use std::path::Path;

use crate::support::{Set, assert_sets, batch, cube, minkowski};
use sparse_topology::nvdb::{Checksum, Codec, WriteOptions, read, read_file, write};
use sparse_topology::{GridBatch, Selection, Transform};

fn square(y: std::ops::Range<i32>) -> Set {
    y.flat_map(|y| (0..4).flat_map(move |x| (0..4).map(move |z| [x, y, z]))).collect()
}

/// All voxels at a distance of 30 +- 2.
fn shell() -> Set {
    cube([-33; 3], [33; 3])
        .into_iter()
        .filter(|v| (28 * 28..=32 * 32).contains(&v.iter().map(|c| c * c).sum::<i32>()))
        .collect()
}

/// fvdb-core 716: factors of 3 and (2, 2, 1) fall back to sorted lists of voxels. Memory: tests/memory.rs.
#[test]
fn report_01_any_factor() {
    let grid = batch(&[shell()]);
    for factor in [[2, 2, 1], [3, 3, 3], [1, 5, 7]] {
        let divided = |v: &[i32; 3]| std::array::from_fn(|k| v[k].div_euclid(factor[k] as i32));
        assert_sets(&grid.coarsen_cpu(factor).unwrap(), &[shell().iter().map(divided).collect()]);
    }
}

/// fvdb-core 711, 710: the dual of a solid runs out of memory. Memory: tests/memory.rs.
#[test]
fn report_02_the_dual_of_a_solid() {
    let solid = GridBatch::from_dense_cpu([-128; 3], [256; 3], None, &[Transform::default()]).unwrap();
    let dual = solid.dual_cpu().unwrap();
    assert_eq!(dual.voxels(), 257_u64.pow(3));
    assert_eq!(dual.bounds(0).unwrap(), Some(([-128; 3], [128; 3])));
}

/// fvdb-core 668, 726: a strided convolution loses the boundary, and its transpose does not reach every fine voxel again.
#[test]
fn report_03_a_strided_convolution_keeps_its_boundary() {
    let grid = batch(&[cube([0; 3], [15; 3]).into_iter().collect()]);
    let coarse = grid.conv_cpu([4; 3], [4; 3]).unwrap();
    assert_eq!(coarse.voxels(), 125);
    let fine = coarse.conv_transpose_cpu([4; 3], [4; 3]).unwrap();
    assert_eq!(GridBatch::difference_cpu(&[&grid, &fine]).unwrap().voxels(), 0);
}

/// fvdb-core 755, 775: many items in one call give what each gives alone.
#[test]
fn report_04_many_items_are_one_call() {
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
fn report_05_empty_items_and_queries() {
    let (a, b) = (square(0..2), square(5..6));
    let grid = batch(&[a, Set::new(), b]);
    assert_eq!(grid.item_rows(1).unwrap(), 32..32);
    assert_sets(&grid.subsample_cpu([4; 3]).unwrap(), &[Set::from([[0; 3]]), Set::new(), Set::new()]);
    assert!(grid.coordinates_to_index_cpu(1, &[]).unwrap().is_empty());
    assert!(grid.neighbour_indices_cpu(1, &[], 1, 0).unwrap().is_empty());
    assert!(grid.inverse_index_cpu(1, &[[0; 3]]).unwrap().is_empty());
    assert!(GridBatch::from_points_cpu(&[], &[]).unwrap().coordinates(0).is_err());
}

/// fvdb-core 712: operations on sliced and reordered batches took another item.
#[test]
fn report_06_reordered_batches() {
    let sets = [square(0..1), Set::new(), square(7..9), Set::from([[-1; 3]])];
    let grid = batch(&sets);
    let reversed = Selection::Slice { start: None, stop: None, step: -1 };
    let tail = Selection::Slice { start: Some(2), stop: None, step: 1 };
    for (selection, items) in
        [(reversed, vec![3, 2, 1, 0]), (Selection::List(vec![2, 0]), vec![2, 0]), (tail, vec![2, 3])]
    {
        let view = grid.select(&selection).unwrap();
        let chosen: Vec<Set> = items.iter().map(|&i: &usize| sets[i].clone()).collect();
        // A copy that was never part of the batch.
        let compact = batch(&chosen);
        assert_eq!(view.dual_cpu().unwrap(), compact.dual_cpu().unwrap());
        assert_eq!(view.coarsen_cpu([2; 3]).unwrap(), compact.coarsen_cpu([2; 3]).unwrap());
        for (item, set) in chosen.iter().enumerate() {
            let queries: Vec<[i32; 3]> = set.iter().copied().chain([[7; 3]]).collect();
            let rows = |g: &GridBatch| g.coordinates_to_index_cpu(item, &queries).unwrap();
            assert_eq!(rows(&view), rows(&compact));
        }
    }
}

/// fvdb-core 715: prune crashes when an item has exactly one voxel.
#[test]
fn report_07_items_of_one_voxel_are_pruned() {
    let five: Set = (0..5).map(|x| [x, 0, 0]).collect();
    let grid = batch(&[Set::from([[7; 3]]), five]);
    let mask = [true, false, true, false, true, false];
    assert_sets(&grid.prune_cpu(&mask).unwrap(), &[Set::from([[7; 3]]), Set::from([[1, 0, 0], [3, 0, 0]])]);
    assert_sets(&grid.prune_cpu(&[false; 6]).unwrap(), &[Set::new(), Set::new()]);
}

/// fvdb-core 88, 67: arbitrary dilation stencils, and coarse and fine topology without lists of coordinates.
#[test]
fn report_08_stencils() {
    let stencil = [[0, 0, 0], [5, -9, 30], [-17, 0, 1]];
    let grid = batch(&[shell()]);
    assert_sets(&grid.dilate_stencil_cpu(&stencil).unwrap(), &[minkowski(&shell(), &stencil)]);
    let blocks = grid.coarsen_cpu([4; 3]).unwrap().refine_cpu([4; 3]).unwrap();
    assert_eq!(GridBatch::difference_cpu(&[&grid, &blocks]).unwrap().voxels(), 0);
}

/// spconv 607, 656, 46, 406: nothing wraps, a wide scene takes no dense table (tests/memory.rs), and a scene with nothing in range is empty.
#[test]
fn report_09_far_and_empty_scenes() {
    let grid = batch(&[Set::from([[2_000_000_000, -2_000_000_000, 7]])]);
    assert_sets(&grid.conv_cpu([3; 3], [3; 3]).unwrap(), &[Set::from([[666_666_667, -666_666_667, 2]])]);
    assert_eq!(grid.clip_cpu([-10; 3], [10; 3]).unwrap().voxels(), 0);
    assert!(grid.refine_cpu([2; 3]).is_err());
}

/// torchsparse 282, 101, 242: a strided convolution's outputs must not depend on where the scene lies, and kernel 1 must subsample.
#[test]
fn report_10_strided_outputs() {
    let grid = batch(&[square(0..4), square(-4..0)]);
    let small = |low: i32| -> Set { cube([0, low, 0], [1, low + 1, 1]).into_iter().collect() };
    assert_sets(&grid.conv_cpu([2; 3], [2; 3]).unwrap(), &[small(0), small(-2)]);
    assert_eq!(grid.conv_cpu([1; 3], [2; 3]).unwrap(), grid.subsample_cpu([2; 3]).unwrap());
    assert_sets(&grid.subsample_cpu([2; 3]).unwrap(), &[small(0), small(-2)]);
}

/// MinkowskiEngine 483, 232: the output coordinates without running a convolution, negative ones included.
#[test]
fn report_11_outputs_without_features() {
    let grid = batch(&[Set::from([[0; 3]])]);
    let around: Set = cube([-1; 3], [1; 3]).into_iter().collect();
    assert_sets(&grid.conv_transpose_cpu([3; 3], [2; 3]).unwrap(), &[around]);
}

/// warp 1895, 1887 and the reference's reader: broken files crash, and a valid file of 313 bytes is read for ever. More: tests/nvdb.rs, tests/nvdb_fields.rs.
#[test]
fn report_12_broken_files() {
    let options = WriteOptions { codec: Codec::None, checksum: Checksum::None };
    let bytes = write(&batch(&[square(0..4)]), &["abc"], &options).unwrap();
    assert!(read(&bytes).is_ok());
    let refused = |bytes: &[u8]| read(bytes).expect_err("a broken file").to_string();
    // The root's offset in the tree: behind header, entry, name and the grid's 672 bytes.
    let mut outside = bytes.clone();
    outside[16 + 176 + 4 + 672 + 24..][..8].copy_from_slice(&(1_i64 << 40).to_le_bytes());
    assert!(refused(&outside).starts_with("byte "), "{}", refused(&outside));
    assert!(refused(&bytes[..300]).contains("byte"), "{}", refused(&bytes[..300]));
    let mut endless = bytes.clone();
    endless[16 + 176 + 3] = b'd';
    assert!(refused(&endless).contains("name"), "{}", refused(&endless));
    let empty = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/empty-zip.nvdb");
    assert_eq!(read_file(&empty).unwrap().batch.voxels(), 0);
}

/// openvdb 1329, vdb_mapping 2: a voxel costs megabytes. A tile's words are 8 KiB, a lower node's 1 KiB, a leaf's 88 bytes.
#[test]
fn report_13_one_voxel_is_small() {
    let bytes = batch(&[Set::from([[1; 3]])]).bytes();
    assert!(bytes < 9_600, "{bytes}");
}
