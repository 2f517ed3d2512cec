//! Where the voxels of every result lie: by the rules of the operations, and by what they mean.

use crate::support;
use crate::support::{Set, Voxel, batch};
use sparse_topology::{GridBatch, Neighbours, Selection, Transform};

/// Sizes and origins of halves and quarters, so that no rule rounds.
const FINE: Transform = Transform { voxel_size: [0.5, 1.0, 2.0], origin: [1.0, -2.0, 3.25] };

fn grid() -> GridBatch {
    let mut grid = batch(&[Set::from([[0, 0, 0], [1, 2, -3], [-7, 5, 8]]), Set::new()]);
    grid.set_transform(0, FINE).unwrap();
    grid.set_transform(1, Transform::uniform(3.0, [7.0; 3])).unwrap();
    grid
}

/// The transform of item 0; that of the empty item follows the same rule.
fn of(result: Result<GridBatch, sparse_topology::Error>, rule: impl Fn(Transform) -> Transform) -> Transform {
    let result = result.unwrap();
    let expected: Vec<Transform> = grid().transforms().iter().map(|t| rule(*t)).collect();
    assert_eq!(result.transforms(), expected);
    result.transforms()[0]
}

#[test]
fn every_operation_has_its_rule() {
    let by = |factor: [f64; 3], t: Transform, f: fn(f64, f64) -> f64| -> [f64; 3] {
        std::array::from_fn(|k| f(t.voxel_size[k], factor[k]))
    };
    let (f, wide) = ([2, 4, 1], [2.0, 4.0, 1.0]);
    let moved = |t: Transform, halves: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| t.origin[k] + 0.5 * halves[k]) };
    let g = grid();
    // Coarse: size * f, origin + (f - 1) / 2 * size. Fine: size / f, origin - (f - 1) / 2 * new size.
    of(g.coarsen_cpu(f), |t| {
        let halves = std::array::from_fn(|k| (wide[k] - 1.0) * t.voxel_size[k]);
        Transform { voxel_size: by(wide, t, |s, f| s * f), origin: moved(t, halves) }
    });
    let finer = |t: Transform| {
        let voxel_size = by(wide, t, |s, f| s / f);
        let halves = std::array::from_fn(|k| -(wide[k] - 1.0) * voxel_size[k]);
        Transform { voxel_size, origin: moved(t, halves) }
    };
    of(g.refine_cpu(f), finer);
    of(g.refine_masked_cpu(f, &[true; 3]), finer);
    // Strides keep the origin.
    let strided = |t: Transform| Transform { voxel_size: by(wide, t, |s, f| s * f), origin: t.origin };
    of(g.subsample_cpu(f), strided);
    of(g.conv_cpu([3, 5, 2], f), strided);
    of(g.conv_transpose_cpu([3, 5, 2], f), |t| Transform { voxel_size: by(wide, t, |s, f| s / f), ..t });
    // Duals lie half a voxel lower.
    let dual = |t: Transform| Transform { origin: moved(t, t.voxel_size.map(|s| -s)), ..t };
    of(g.dual_cpu(), dual);
    of(g.dual_without_border_cpu(), dual);
    of(g.dual_without_border_fvdb_cpu(), dual);
    // All others stay where they are.
    let same = |t: Transform| t;
    of(g.dilate_cpu(Neighbours::Edge, 2), same);
    of(g.erode_cpu(Neighbours::Face, 1), same);
    of(g.dilate_stencil_cpu(&[[0, 3, 0], [9, 9, 9]]), same);
    of(g.erode_box_cpu([0; 3], [1, 0, 0]), same);
    of(g.pad_cpu([-1; 3], [5; 3]), same);
    of(g.prune_cpu(&[true, false, true]), same);
    of(g.clip_cpu([0; 3], [9; 3]), same);
    // Sets take the first batch's, selections their items'.
    let other = batch(&[Set::from([[0, 0, 0]]), Set::new()]);
    of(GridBatch::union_cpu(&[&g, &other]), same);
    of(GridBatch::intersection_cpu(&[&g, &other]), same);
    of(GridBatch::difference_cpu(&[&g, &other]), same);
    let chosen = g.select(&Selection::List(vec![1, 0, 1])).unwrap();
    assert_eq!(chosen.transforms(), [1, 0, 1].map(|item: usize| g.transforms()[item]));
    let joined = GridBatch::concatenate(&[&other, &g]).unwrap();
    assert_eq!(joined.transforms(), [other.transforms(), g.transforms()].concat());
}

fn mean(points: impl ExactSizeIterator<Item = [f64; 3]>) -> [f64; 3] {
    let count = points.len() as f64;
    let sum = points.fold([0.0; 3], |sum: [f64; 3], p| std::array::from_fn(|k| sum[k] + p[k]));
    sum.map(|s| s / count)
}

/// A coarse voxel lies in the middle of its block, a strided one at its fine voxel, a dual one at the corner of eight.
#[test]
fn results_lie_where_they_belong() {
    let g = grid();
    let voxels: [Voxel; 3] = [[0, 0, 0], [3, -2, 5], [-1, -1, -9]];
    let block = |c: Voxel, f: [i32; 3]| {
        support::cube([0; 3], f.map(|n| n - 1)).into_iter().map(move |o| [0, 1, 2].map(|k| f[k] * c[k] + o[k]))
    };
    let middle =
        |t: Transform, c: Voxel, f: [i32; 3]| mean(block(c, f).map(|v| t.centre(v)).collect::<Vec<_>>().into_iter());
    let coarse = g.coarsen_cpu([2, 4, 8]).unwrap().transforms()[0];
    let fine = g.refine_cpu([2, 4, 8]).unwrap().transforms()[0];
    let strided = g.conv_cpu([3; 3], [2, 4, 8]).unwrap().transforms()[0];
    let widened = g.conv_transpose_cpu([3; 3], [2, 4, 8]).unwrap().transforms()[0];
    let dual = g.dual_cpu().unwrap().transforms()[0];
    for c in voxels {
        let scaled = [2 * c[0], 4 * c[1], 8 * c[2]];
        assert_eq!(coarse.centre(c), middle(FINE, c, [2, 4, 8]), "coarse {c:?}");
        assert_eq!(middle(fine, c, [2, 4, 8]), FINE.centre(c), "fine {c:?}");
        assert_eq!(strided.centre(c), FINE.centre(scaled), "strided {c:?}");
        assert_eq!(widened.centre(scaled), FINE.centre(c), "widened {c:?}");
        let around = support::cube([-1; 3], [0; 3]).into_iter().map(|o| FINE.centre(support::add(c, o)));
        assert_eq!(dual.centre(c), mean(around.collect::<Vec<_>>().into_iter()), "dual {c:?}");
    }
}

/// Chains: there and back is where it was, and one step by six is two steps by two and three.
#[test]
fn chains_end_where_they_should() {
    let g = grid();
    let there = g.coarsen_cpu([4; 3]).unwrap().refine_cpu([4; 3]).unwrap();
    assert_eq!(there.transforms(), g.transforms());
    let strided = g.conv_cpu([3; 3], [2; 3]).unwrap();
    assert_eq!(strided.conv_transpose_cpu([3; 3], [2; 3]).unwrap().transforms(), g.transforms());
    let two_steps = g.coarsen_cpu([2; 3]).unwrap().coarsen_cpu([3; 3]).unwrap();
    assert_eq!(two_steps.transforms(), g.coarsen_cpu([6; 3]).unwrap().transforms());
    // The dual of the coarse grid is the coarse lattice of corners: every f-th corner of the fine one.
    let (dual, coarse_dual) = (g.dual_cpu().unwrap(), g.coarsen_cpu([4; 3]).unwrap().dual_cpu().unwrap());
    assert_eq!(coarse_dual.transforms(), dual.subsample_cpu([4; 3]).unwrap().transforms());
}
