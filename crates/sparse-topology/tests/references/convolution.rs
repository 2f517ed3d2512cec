//! Sparse convolutions and poolings through neighbour pairs against dense sums, in integers.

use std::collections::HashMap;

use crate::support::{Set, Voxel, batch, cube};
use sparse_topology::{GridBatch, Pair, Transform};

/// A feature that depends on the voxel alone.
fn feature(v: Voxel) -> i64 {
    i64::from(v[0]) * 31 + i64::from(v[1]) * 17 - i64::from(v[2]) * 7 + i64::from((v[0] ^ v[1] ^ v[2]) & 5)
}

fn weight(tap: usize) -> i64 {
    (tap as i64 * 37 + 11) % 19 - 9
}

fn features(grid: &GridBatch) -> Vec<i64> {
    grid.coordinates(0).unwrap().into_iter().map(feature).collect()
}

fn forward(pairs: &[Pair], input: &[i64], rows: u64, weight: impl Fn(usize) -> i64) -> Vec<i64> {
    let mut out = vec![0; rows as usize];
    for pair in pairs {
        out[pair.out_row as usize] += weight(pair.tap as usize) * input[pair.in_row as usize];
    }
    out
}

fn scene() -> GridBatch {
    let ball: Set = cube([-12; 3], [12; 3])
        .into_iter()
        .filter(|v| (60..140).contains(&v.iter().map(|c| c * c).sum::<i32>()))
        .collect();
    batch(&[ball])
}

#[test]
fn forward_and_backward_equal_the_dense_sums() {
    let grid = scene();
    let dense: HashMap<Voxel, i64> = grid.coordinates(0).unwrap().into_iter().map(|v| (v, feature(v))).collect();
    for (kernel, stride) in [([3; 3], [1; 3]), ([3, 2, 4], [2, 1, 3]), ([2; 3], [2; 3])] {
        let out = grid.conv_cpu(kernel, stride).unwrap();
        let pairs = grid.conv_pairs_cpu(&out, kernel, stride).unwrap();
        assert!(pairs.is_sorted_by_key(|p| (p.tap, p.out_row)));
        let result = forward(&pairs, &features(&grid), out.voxels(), weight);
        let taps = cube([0; 3], kernel.map(|k| k as i32 - 1));
        for (c, found) in out.coordinates(0).unwrap().into_iter().zip(&result) {
            let sum: i64 = taps
                .iter()
                .enumerate()
                .map(|(tap, at)| {
                    let fine = std::array::from_fn(|k| stride[k] as i32 * c[k] + at[k] - (kernel[k] as i32 - 1) / 2);
                    weight(tap) * dense.get(&fine).copied().unwrap_or(0)
                })
                .sum();
            assert_eq!(*found, sum, "{c:?}");
        }
        // Backward: the transposed pairs are the adjoint, <A x, y> = <x, A' y>.
        let back = out.conv_transpose_pairs_cpu(&grid, kernel, stride).unwrap();
        let gradient = forward(&back, &features(&out), grid.voxels(), weight);
        let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<i64>();
        assert_eq!(dot(&result, &features(&out)), dot(&features(&grid), &gradient));
        assert_eq!(back.len(), pairs.len());
    }
}

#[test]
fn pooling_by_three_equals_the_dense_sums() {
    let grid = scene();
    let coarse = grid.coarsen_cpu([3; 3]).unwrap();
    let pairs = grid.pool_pairs_cpu(&coarse, [3; 3]).unwrap();
    assert_eq!(pairs.len() as u64, grid.voxels());
    let sums = forward(&pairs, &features(&grid), coarse.voxels(), |_| 1);
    let mut dense: HashMap<Voxel, i64> = HashMap::new();
    for v in grid.coordinates(0).unwrap() {
        *dense.entry(v.map(|c| c.div_euclid(3))).or_default() += feature(v);
    }
    let expected: Vec<i64> = coarse.coordinates(0).unwrap().into_iter().map(|c| dense[&c]).collect();
    assert_eq!(sums, expected);
}

/// 27 candidates a voxel are more than 2^31 here: numbers of 32 bits with a sign would do no longer.
#[test]
fn eighty_million_voxels_have_their_neighbours() {
    let one = [Transform::default()];
    let grid = GridBatch::from_dense_cpu([-216; 3], [432; 3], None, &one).unwrap();
    assert!(grid.voxels() * 27 > 1 << 31);
    for (kernel, low, size) in [([3; 3], [-217; 3], [434; 3]), ([2, 3, 5], [-217, -217, -218], [433, 434, 436])] {
        let expected = GridBatch::from_dense_cpu(low, size, None, &one).unwrap();
        assert_eq!(expected.voxels(), size.iter().map(|&n| u64::from(n)).product::<u64>());
        assert!(grid.conv_cpu(kernel, [1; 3]).unwrap() == expected, "{kernel:?}");
    }
}
