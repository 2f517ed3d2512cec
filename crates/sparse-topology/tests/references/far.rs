//! Points and meshes of f64 far from the world's origin, against integers of 128 bits.

use crate::support::{Set, add, assert_sets, cube};
use proptest::prelude::*;
use sparse_topology::{Error, GridBatch, MeshView, Transform};

/// An origin of UTM coordinates: a multiple of 2^-20 that f32 cannot hold.
const ORIGIN: [f64; 3] = [388_096.312_5, 3_948_996.000_000_953_7, 120.0];

/// `x` in units of 2^-bits, which must hold it.
fn exact(x: f64, bits: i32) -> i128 {
    let scaled = x * 2f64.powi(bits);
    assert!(scaled.fract() == 0.0 && scaled.abs() < 2f64.powi(100), "{x}");
    scaled as i128
}

/// Coordinates of 2^-20 in `ORIGIN + [-range, range]`, a third of them on multiples of 1/8.
fn near_origin(range: i64) -> impl Strategy<Value = [f64; 3]> {
    let offset =
        (-(range << 20)..=range << 20, 0..3_u8).prop_map(|(at, kind)| if kind == 0 { at >> 17 << 17 } else { at });
    prop::array::uniform3(offset).prop_map(|at| {
        std::array::from_fn(|k| {
            exact(ORIGIN[k], 20);
            ORIGIN[k] + at[k] as f64 / f64::from(1 << 20)
        })
    })
}

/// `floor((p - o) / s + add / 2)` in integers, and how near `(p - o) / s + add / 2` is to a whole number, in voxels.
fn true_voxel(p: f64, o: f64, s: f64, add: i128) -> (i128, f64) {
    let [p, o, s] = [p, o, s].map(|x| exact(x, 60));
    let above = (2 * (p - o) + add * s).rem_euclid(2 * s);
    ((2 * (p - o) + add * s).div_euclid(2 * s), above.min(2 * s - above) as f64 / (2 * s) as f64)
}

fn true_set(points: &[[f64; 3]], transform: &Transform, add: i128) -> Set {
    let axis = |p: &[f64; 3], k: usize| true_voxel(p[k], transform.origin[k], transform.voxel_size[k], add).0 as i32;
    points.iter().map(|p| [0, 1, 2].map(|k| axis(p, k))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Sizes that are powers of two: every step is exact, so boundaries too are decided exactly.
    #[test]
    fn points_far_away_have_the_voxels_of_integers(points in prop::collection::vec(near_origin(10), 1..60), shift in 0..4_i32, world in any::<bool>()) {
        let origin = if world { [0.0; 3] } else { ORIGIN };
        let transform = Transform { voxel_size: [0.5, 0.25, 1.0].map(|s| s * 2f64.powi(-shift)), origin };
        let grid = GridBatch::from_points_double_cpu(&[&points], &[transform]).unwrap();
        assert_sets(&grid, &[true_set(&points, &transform, 1)]);
        let near = GridBatch::from_nearest_voxels_double_cpu(&[&points], &[transform]).unwrap();
        let corners = cube([0; 3], [1; 3]);
        let set = true_set(&points, &transform, 0).iter().flat_map(|v| corners.iter().map(|c| add(*v, *c))).collect();
        assert_sets(&near, &[set]);
    }

    /// Other sizes: the rounding of f64 counts only within 2^-24 of a voxel from a boundary, and there the formula in f64 is the rule.
    #[test]
    fn points_near_boundaries_follow_the_formula_in_f64(points in prop::collection::vec(near_origin(10), 1..60), size in prop::sample::select(vec![0.1, 0.3, 1.7, 0.05])) {
        let transform = Transform { voxel_size: [size, size * 3.0, size * 7.0], origin: [0.0, ORIGIN[1], 119.9] };
        // Those on boundaries as f64 has them, and what is next to them.
        let mut points = points;
        for i in 0..points.len() {
            let at: [f64; 3] = std::array::from_fn(|k| ((points[i][k] - transform.origin[k]) / transform.voxel_size[k]).floor() + 0.5);
            let edge: [f64; 3] = std::array::from_fn(|k| transform.origin[k] + at[k] * transform.voxel_size[k]);
            points.extend([edge, edge.map(f64::next_up), edge.map(f64::next_down)]);
        }
        for point in &points {
            let grid = GridBatch::from_points_double_cpu(&[&[*point]], &[transform]).unwrap();
            let found = grid.coordinates(0).unwrap()[0];
            for k in 0..3 {
                let (o, s) = (transform.origin[k], transform.voxel_size[k]);
                let (voxel, margin) = true_voxel(point[k], o, s, 1);
                prop_assert!((voxel - i128::from(found[k])).abs() <= i128::from(margin < 2f64.powi(-24)), "{point:?} {found:?} {voxel}");
                prop_assert_eq!(((point[k] - o) / s + 0.5).floor(), f64::from(found[k]));
            }
        }
    }

    /// No voxel that a triangle touches is missing, and none is farther away than 2^-15 of a voxel.
    #[test]
    fn meshes_far_away_have_the_voxels_of_integers(corners in prop::array::uniform3(near_origin(2)), thirds in any::<bool>()) {
        // 3 / 32: no quotient of it is exact in f64.
        let size = if thirds { 0.09375 } else { 0.25 };
        let transform = Transform::uniform(size, ORIGIN);
        let grid = GridBatch::from_mesh_cpu(&[MeshView { vertices: &corners, triangles: &[[0, 1, 2]] }], &[transform]).unwrap();
        let found: Set = grid.coordinates(0).unwrap().into_iter().collect();
        let fixed = corners.map(|c| std::array::from_fn(|k| exact(c[k], 21) - exact(ORIGIN[k], 21)));
        let unit = exact(size, 21);
        let range = |k: usize| {
            let ends = fixed.map(|c: [i128; 3]| c[k].div_euclid(unit) as i32);
            (ends.into_iter().min().unwrap() - 2, ends.into_iter().max().unwrap() + 2)
        };
        let (low, high): (Vec<i32>, Vec<i32>) = (0..3).map(range).unzip();
        for voxel in cube([low[0], low[1], low[2]], [high[0], high[1], high[2]]) {
            let touched = touches(&fixed, voxel.map(|v| i128::from(v) * unit), unit);
            let near = touches(&fixed, voxel.map(|v| i128::from(v) * unit), unit + (unit >> 14));
            prop_assert!(near || !found.contains(&voxel), "{voxel:?} is extra");
            prop_assert!(found.contains(&voxel) || !touched, "{voxel:?} is missing");
        }
        prop_assert!(found.iter().all(|v| (0..3).all(|k| low[k] <= v[k] && v[k] <= high[k])));
    }
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Whether a triangle and the closed cube with this centre and edge share a point: no axis of the 13 lies between them.
fn touches(corners: &[[i128; 3]; 3], centre: [i128; 3], edge: i128) -> bool {
    let units = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let edges = [0, 1, 2].map(|i| std::array::from_fn(|k| corners[(i + 1) % 3][k] - corners[i][k]));
    let crossed = units.into_iter().flat_map(|unit| edges.map(|edge| cross(edge, unit)));
    units.into_iter().chain([cross(edges[0], edges[1])]).chain(crossed).all(|axis: [i128; 3]| {
        let along = |p: [i128; 3]| (0..3).map(|k| axis[k] * p[k]).sum::<i128>();
        let at = corners.map(|c| 2 * (along(c) - along(centre)));
        let reach = edge * axis.iter().map(|a| a.abs()).sum::<i128>();
        at.iter().any(|a| *a >= -reach) && at.iter().any(|a| *a <= reach)
    })
}

#[test]
fn points_of_f64_end_where_i32_does() {
    let voxel = |p: f64| GridBatch::from_points_double_cpu(&[&[[0.0; 3], [p, 0.0, 0.0]]], &[Transform::default()]);
    for (p, x) in [(-2_147_483_648.5, i32::MIN), (2_147_483_647.25, i32::MAX), (-0.5, 0), (0.5, 1), (-5e-324, 0)] {
        assert_eq!(
            voxel(p).unwrap(),
            GridBatch::from_coordinates_cpu(&[&[[0; 3], [x, 0, 0]]], &[Transform::default()]).unwrap(),
            "{p}"
        );
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2_147_483_647.5, -2_147_483_648.75, 1e300] {
        let error = voxel(bad).unwrap_err();
        assert!(matches!(error, Error::Point { item: 0, index: 1, axis: 'x', .. }), "{error}");
    }
    // Subnormal numbers count: floor(-5e-324) is -1.
    let near = GridBatch::from_nearest_voxels_double_cpu(&[&[[-5e-324, 0.0, 0.0]]], &[Transform::default()]).unwrap();
    assert_sets(&near, &[cube([-1, 0, 0], [0, 1, 1]).into_iter().collect()]);
    let short = GridBatch::from_points_double_cpu(&[&[]], &[]).unwrap_err();
    assert!(matches!(short, Error::Length { needed: 1, found: 0, .. }), "{short}");
}

#[test]
fn points_that_f32_moves_are_counted() {
    let single = [[388_096.25_f32, 3_948_997.0, 120.0], [0.0; 3], [f32::NAN; 3], [3e9, 0.0, 0.0]];
    let moved = |size: f64, origin: [f64; 3], nearest: bool| {
        GridBatch::points_moved_by_f32_cpu(&single, &Transform::uniform(size, origin), nearest)
    };
    // 3948997 / 0.1 is 39489970: f32 has multiples of 4 there.
    assert_eq!(moved(0.1, [0.0; 3], false), 1);
    assert_eq!(moved(0.1, [0.0; 3], true), 1);
    assert_eq!(moved(0.5, [0.0; 3], false), 0);
    assert_eq!(moved(0.5, [0.0, 0.0, 1e-30], false), 0);
    // The origin lies above 120 by less than f32 holds there: only in f64 are 120 and 0 in the cells below.
    assert_eq!(moved(1.0, [0.0, 0.0, 120.0 + 1e-9], true), 2);
}
