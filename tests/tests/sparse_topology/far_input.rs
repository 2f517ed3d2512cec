//! Points and meshes of f64 far from the world's origin: CPU = device on every adapter, in both strict forms, as words.
//!
//! Kernels: those of lists of coordinates and of meshes; the host takes f64 to integers.

use conformance::adapters::on_every_adapter;
use conformance::voxels::{device, random};
use sparse_topology::device::DeviceGrid;
use sparse_topology::{Error, GridBatch, MeshView, Transform};

const ORIGIN: [f64; 3] = [388_096.312_5, 3_948_996.000_000_953_7, 120.0];

/// Points in `ORIGIN + [0, side]`, steps of 2^-20.
fn points(seed: u64, count: usize, side: u64) -> Vec<[f64; 3]> {
    let mut state = seed;
    let mut draw = || (random(&mut state) % (side << 20)) as f64 / f64::from(1 << 20);
    (0..count).map(|_| ORIGIN.map(|o| o + draw())).collect()
}

fn transforms() -> [Transform; 3] {
    [
        Transform::uniform(0.5, ORIGIN),
        Transform { voxel_size: [0.1, 0.3, 0.25], origin: [0.0; 3] },
        Transform::uniform(1.7, [388_000.0, 3_948_000.1, -0.3]),
    ]
}

#[test]
fn points_of_f64_become_the_voxels_of_the_reference() {
    let lists = [points(1, 3000, 20), points(2, 500, 4), Vec::new()];
    let slices: Vec<&[[f64; 3]]> = lists.iter().map(Vec::as_slice).collect();
    let expected = GridBatch::from_points_double_cpu(&slices, &transforms()).expect("points");
    let near = GridBatch::from_nearest_voxels_double_cpu(&slices, &transforms()).expect("points");
    // The formula, point by point.
    for (item, transform) in transforms().iter().enumerate() {
        let voxel = |p: &[f64; 3]| {
            [0, 1, 2].map(|k| ((p[k] - transform.origin[k]) / transform.voxel_size[k] + 0.5).floor() as i32)
        };
        let voxels: Vec<[i32; 3]> = lists[item].iter().map(voxel).collect();
        let rows = expected.coordinates_to_index_cpu(item, &voxels).expect("an item");
        assert!(rows.iter().all(|row| *row >= 0), "item {item}");
    }
    on_every_adapter(|context| {
        let device = device(context);
        let found = DeviceGrid::from_points_double(&device, &slices, &transforms()).expect("points");
        assert!(found.download().expect("download") == expected);
        let found = DeviceGrid::from_nearest_voxels_double(&device, &slices, &transforms()).expect("points");
        assert!(found.download().expect("download") == near);
        for bad in [f64::NAN, f64::INFINITY, 2_147_483_647.5, -1e300] {
            let items: [&[[f64; 3]]; 1] = [&[[0.0; 3], [0.0, bad, 1.0]]];
            let one = [Transform::default()];
            let error = DeviceGrid::from_points_double(&device, &items, &one).unwrap_err().to_string();
            assert_eq!(error, GridBatch::from_points_double_cpu(&items, &one).unwrap_err().to_string());
            assert!(error.starts_with("item 0, point 1: coordinate y"), "{error}");
        }
        let error = DeviceGrid::from_points_double(&device, &slices, &[]).unwrap_err();
        assert!(matches!(error, Error::Length { needed: 3, found: 0, .. }), "{error}");
    });
}

#[test]
fn meshes_of_f64_become_the_voxels_of_the_reference() {
    let vertices = [points(3, 60, 4), points(4, 30, 12), points(5, 3, 60)];
    let triangles = vertices
        .each_ref()
        .map(|list| (0..list.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect::<Vec<[u32; 3]>>());
    let views: Vec<MeshView<'_, f64>> =
        vertices.iter().zip(&triangles).map(|(vertices, triangles)| MeshView { vertices, triangles }).collect();
    let expected = GridBatch::from_mesh_cpu(&views, &transforms()).expect("meshes");
    // Every corner lies in a voxel of its mesh; numbers of f32 would move it by up to a quarter.
    for (item, transform) in transforms().iter().enumerate() {
        let voxel = |p: &[f64; 3]| {
            [0, 1, 2].map(|k| ((p[k] - transform.origin[k]) / transform.voxel_size[k] + 0.5).floor() as i32)
        };
        let voxels: Vec<[i32; 3]> = vertices[item].iter().map(voxel).collect();
        let rows = expected.coordinates_to_index_cpu(item, &voxels).expect("an item");
        assert!(rows.iter().all(|row| *row >= 0), "item {item}");
    }
    on_every_adapter(|context| {
        let found = DeviceGrid::from_mesh(&device(context), &views, &transforms()).expect("meshes");
        assert!(found.download().expect("download") == expected);
    });
}
