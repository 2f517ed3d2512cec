//! Voxelisation of meshes against independent samplings.

use crate::support::{Set, assert_sets, cube};
use proptest::prelude::*;
use sparse_topology::{Error, GridBatch, MeshView, Transform};

fn voxels(vertices: &[[f32; 3]], triangles: &[[u32; 3]], transform: Transform) -> Result<GridBatch, Error> {
    GridBatch::from_mesh_cpu(&[MeshView { vertices, triangles }], &[transform])
}

/// Distance from a point to a triangle, by a fine sampling of the triangle: an upper bound that is close for small triangles.
fn sampled_distance(corners: &[[f64; 3]; 3], to: impl Fn([f64; 3]) -> f64) -> f64 {
    let n = 60;
    let mut least = f64::MAX;
    for i in 0..=n {
        for j in 0..=n - i {
            let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            least = least.min(to(std::array::from_fn(|k| {
                corners[0][k] + u * (corners[1][k] - corners[0][k]) + v * (corners[2][k] - corners[0][k])
            })));
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every sampled point of the triangle lies in a voxel of the result, and every voxel of the result is near the triangle.
    #[test]
    fn triangles_are_covered_closely(corners in [[-9.0..9.0_f32, -9.0..9.0, -9.0..9.0], [-9.0..9.0_f32, -9.0..9.0, -9.0..9.0], [-9.0..9.0_f32, -9.0..9.0, -9.0..9.0]]) {
        let grid = voxels(&corners, &[[0, 1, 2]], Transform::default()).unwrap();
        let exact = corners.map(|c| c.map(f64::from));
        sampled_distance(&exact, |p| {
            let voxel = p.map(|v| (v + 0.5).floor() as i32);
            assert!(grid.row(0, voxel).is_some(), "{voxel:?} is missing");
            0.0
        });
        for voxel in grid.coordinates(0).unwrap() {
            let outside = sampled_distance(&exact, |p| (0..3).map(|k| (p[k] - f64::from(voxel[k])).abs()).fold(0.0, f64::max));
            // Half a voxel, and the spacing of the samples of a triangle up to 31 long.
            prop_assert!(outside < 0.5 + 31.2 / 60.0, "{voxel:?} is {outside} away");
        }
        // The same triangle another way round, and twice, gives the same voxels.
        let again = voxels(&corners, &[[2, 0, 1], [1, 0, 2]], Transform::default()).unwrap();
        prop_assert_eq!(again, grid);
    }
}

#[test]
fn boundaries_belong_to_both_sides() {
    let corners = [[0.5, 0.0, 0.0], [0.5, 2.0, 0.0], [0.5, 0.0, 2.0]];
    let grid = voxels(&corners, &[[0, 1, 2]], Transform::default()).unwrap();
    let triangle = |x: i32| cube([x, 0, 0], [x, 2, 2]).into_iter().filter(|v| v[1] + v[2] <= 3);
    assert_sets(&grid, &[triangle(0).chain(triangle(1)).collect()]);
    let moved = Transform::uniform(0.25, [0.5, 0.0, 0.0]);
    assert_eq!(voxels(&corners, &[[0, 0, 0]], moved).unwrap().coordinates(0).unwrap(), [[0, 0, 0]]);
    assert_sets(
        &voxels(&[[0.0; 3], [40.0, 0.0, 0.0]], &[[0, 1, 1]], Transform::default()).unwrap(),
        &[cube([0; 3], [40, 0, 0]).into_iter().collect()],
    );
    assert_sets(&voxels(&[], &[], moved).unwrap(), &[Set::new()]);
}

#[test]
fn bad_meshes_are_errors_with_numbers() {
    let error = |vertices: &[[f32; 3]], triangles: &[[u32; 3]]| {
        voxels(vertices, triangles, Transform::default()).unwrap_err().to_string()
    };
    assert_eq!(error(&[[0.0; 3]; 2], &[[0, 1, 2]]), "vertex 2, allowed are 0 to 1 (2 in all)");
    assert!(error(&[[0.0, f32::NAN, 0.0]], &[]).contains("point 0: coordinate y = NaN"));
    assert!(error(&[[0.0; 3], [1e9, 0.0, 0.0]], &[[0, 1, 1]]).contains("1000000000 voxels, allowed are up to 4194304"));
}
