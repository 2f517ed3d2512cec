//! Voxelised meshes: CPU = device on every adapter, in both strict forms, as words; whole batches, pages and errors.
//!
//! Kernels: `mesh_upper`, `mesh_lower`, `mesh_masks`.

use conformance::adapters::{on_every_adapter, open_all};
use conformance::voxels::{device, random};
use gpu_runtime::{Context, ContextOptions, NumericsChoice};
use sparse_topology::device::{DeviceGrid, TopologyDevice, TopologyOptions};
use sparse_topology::{Error, GridBatch, MeshView, Transform};

#[derive(Default)]
struct Mesh {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn add(&mut self, corners: [[f32; 3]; 3]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
    }

    fn of(triangles: &[[[f32; 3]; 3]]) -> Self {
        let mut mesh = Self::default();
        triangles.iter().for_each(|corners| mesh.add(*corners));
        mesh
    }

    fn view(&self) -> MeshView<'_> {
        MeshView { vertices: &self.vertices, triangles: &self.triangles }
    }
}

/// A torus around a centre: radii of 1 and `thin`, times `size`.
fn torus(rings: u32, sides: u32, size: f32, thin: f32, centre: [f32; 3]) -> Mesh {
    let turn = |i: u32, n: u32| (i % n) as f32 / n as f32 * std::f32::consts::TAU;
    let mut mesh = Mesh::default();
    for (i, j) in (0..rings).flat_map(|i| (0..sides).map(move |j| (i, j))) {
        let (u, v) = (turn(i, rings), turn(j, sides));
        let out = 1.0 + thin * v.cos();
        mesh.vertices.push([out * u.cos(), out * u.sin(), thin * v.sin()].map(|x| x * size));
        let at = |i: u32, j: u32| i % rings * sides + j % sides;
        mesh.triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
        mesh.triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
    mesh.vertices.iter_mut().for_each(|v| *v = std::array::from_fn(|k| v[k] + centre[k]));
    mesh
}

/// Triangles anywhere, of any size up to `most`, some of them segments and points, with corners on the faces of voxels.
fn soup(seed: u64, count: usize, side: u64, most: u64) -> Mesh {
    let mut state = seed;
    let mut mesh = Mesh::default();
    for i in 0..count {
        let mut draw = || random(&mut state);
        let reach = 1 + (most >> (draw() % 12));
        let origin: [f32; 3] = std::array::from_fn(|_| (draw() % (2 * side)) as f32 - side as f32);
        let step = [1.0, 0.5, 0.123][draw() as usize % 3];
        let mut corners = [[0.0; 3]; 3];
        corners.iter_mut().for_each(|c| *c = std::array::from_fn(|k| origin[k] + (draw() % reach) as f32 * step));
        match i % 8 {
            0 => corners[2] = corners[1],
            1 => corners = [corners[0]; 3],
            2 => corners.iter_mut().for_each(|c| c[i / 8 % 3] = 4096.5),
            _ => {}
        }
        mesh.add(corners);
    }
    mesh
}

/// Long needles, thin and wide triangles, triangles across the borders of all nodes and at the ends of the coordinates.
fn far() -> Mesh {
    let end = 2_147_483_500.0;
    Mesh::of(&[
        [[-3000.0, -2000.0, 5000.0], [9000.0, 8000.0, -4000.0], [9000.0, 8000.5, -4000.0]],
        [[-4100.0, -1.0, -1.0], [4100.0, 1.0, 1.0], [-4100.0, 0.3, 7.9]],
        [[-100.0, -100.0, 0.5], [100.0, -100.0, 0.5], [0.0, 100.0, 0.5]],
        [[-0.5, -0.5, -0.5], [127.5, 127.5, 127.5], [127.5, -0.5, 63.5]],
        [[end, -end, 0.0], [end, -end, 100.0], [end - 128.0, -end, 0.0]],
        [[-2_147_483_648.0; 3], [-2_147_483_648.0; 3], [-2_147_483_520.0, -2_147_483_648.0, -2_147_483_648.0]],
    ])
}

fn meshes() -> Vec<Mesh> {
    vec![
        torus(24, 12, 30.0, 0.4, [0.3, -7.0, 4100.0]),
        Mesh::default(),
        soup(5, 120, 300, 200),
        far(),
        Mesh { vertices: vec![[1.0; 3]; 4], triangles: vec![] },
        torus(40, 30, 3.0, 0.5, [-0.5, 0.5, 0.0]),
    ]
}

fn transforms(count: usize) -> Vec<Transform> {
    let voxel_size = [[1.0; 3], [1.0; 3], [0.7, 1.3, 1.0], [1.0; 3], [1.0; 3], [0.125, 0.25, 0.1]];
    (0..count).map(|i| Transform { voxel_size: voxel_size[i % 6], origin: [0.0, 0.25 * (i % 3) as f64, 0.0] }).collect()
}

fn compare(device: &TopologyDevice, meshes: &[Mesh]) -> DeviceGrid {
    let views: Vec<MeshView<'_>> = meshes.iter().map(Mesh::view).collect();
    let transforms = transforms(meshes.len());
    let expected = GridBatch::from_mesh_cpu(&views, &transforms).expect("the reference");
    let found = DeviceGrid::from_mesh(device, &views, &transforms).expect("the device");
    assert_eq!((found.voxels(), found.leaves()), (expected.voxels(), expected.leaves()));
    assert!(found.download().expect("download") == expected);
    found
}

#[test]
fn meshes_become_the_voxels_of_the_reference() {
    let meshes = meshes();
    on_every_adapter(|context| {
        let device = device(context);
        let all = compare(&device, &meshes);
        assert!(all.voxels() > 20_000, "{}", all.voxels());
        for i in 0..meshes.len() {
            compare(&device, &meshes[i..=i]);
        }
        compare(&device, &[]);
        // The boxes of the tiles are right: what follows is complete.
        let views = [meshes[0].view()];
        let up = DeviceGrid::from_mesh(&device, &views, &transforms(1)).expect("the device");
        let near =
            GridBatch::from_mesh_cpu(&views, &transforms(1)).and_then(|g| g.pad_cpu([-3; 3], [2; 3])).expect("near");
        assert!(up.pad([-3; 3], [2; 3]).and_then(|g| g.download()).expect("pad") == near);
    });
}

/// Small triangles one by one against all voxels around them, by clipping.
#[test]
fn a_voxel_belongs_when_its_cube_and_the_triangle_share_a_point() {
    let mut state = 9;
    let mut draw = move || (random(&mut state) % 65) as f32 / 8.0 - 4.0;
    let triangles: Vec<[[f32; 3]; 3]> =
        (0..40).map(|_| std::array::from_fn(|_| std::array::from_fn(|_| draw()))).collect();
    on_every_adapter(|context| {
        let device = device(context);
        for corners in &triangles {
            let mesh = Mesh::of(&[*corners]);
            let grid = DeviceGrid::from_mesh(&device, &[mesh.view()], &[Transform::default()]).expect("the device");
            let found = grid.download().expect("download");
            for v in (0..1331).map(|i: i32| [i / 121 - 5, i / 11 % 11 - 5, i % 11 - 5]) {
                assert_eq!(found.row(0, v).is_some(), clipped(corners, v), "{v:?} of {corners:?}");
            }
        }
    });
}

/// Clips the triangle with the six half spaces of a voxel's grown cube; what remains decides. Eighths of a voxel and cubes grown by 2^-16 are far from each other's roundings in f64.
fn clipped(corners: &[[f32; 3]; 3], voxel: [i32; 3]) -> bool {
    let mut polygon: Vec<[f64; 3]> = corners.iter().map(|c| c.map(f64::from)).collect();
    let half = 0.5 + 1.0 / 65_536.0;
    for (k, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
        let depth = |p: &[f64; 3]| half - sign * (p[k] - f64::from(voxel[k]));
        let mut kept = Vec::new();
        for (i, a) in polygon.iter().enumerate() {
            let b = &polygon[(i + 1) % polygon.len()];
            let (da, db) = (depth(a), depth(b));
            if da >= 0.0 {
                kept.push(*a);
            }
            if (da >= 0.0) != (db >= 0.0) {
                let t = da / (da - db);
                kept.push(std::array::from_fn(|m| a[m] + t * (b[m] - a[m])));
            }
        }
        polygon = kept;
    }
    !polygon.is_empty()
}

#[test]
fn meshes_larger_than_a_binding_come_in_parts_and_pages() {
    let options = ContextOptions { max_binding_bytes: Some(1 << 19), ..ContextOptions::default() };
    let meshes = [soup(2, 9_600, 900, 12), torus(20, 20, 40.0, 0.3, [0.0; 3])];
    for context in open_all(&options, &[NumericsChoice::Auto]) {
        let found = compare(&device(&context), &meshes);
        assert!(found.page_count() > 1);
    }
}

#[test]
fn bad_meshes_are_the_references_errors() {
    let good = torus(3, 3, 5.0, 0.4, [0.0; 3]);
    let outside = |at: f32| Mesh::of(&[[[0.0; 3]; 3], [[1.0, 2.0, at], [0.0; 3], [at; 3]]]);
    let bad = [
        outside(f32::NAN),
        outside(3e9),
        outside(-f32::INFINITY),
        Mesh { vertices: vec![[0.0; 3]; 2], triangles: vec![[0, 1, 1], [0, 7, 2]] },
        Mesh::of(&[[[0.0; 3], [1e9, 0.0, 0.0], [1e9, 0.0, 0.0]]]),
        // 4 10^12 voxels: known before the first is listed.
        Mesh::of(&[[[-2e6, -2e6, 0.0], [2e6, -2e6, 0.0], [0.0, 2e6, 9.0]]]),
    ];
    let starts = [
        "item 1, point 3: coordinate z = NaN",
        "item 1, point 3: coordinate z = 3e9",
        "item 1, point 3: coordinate z = -inf",
        "vertex 7, allowed are 0 to 1",
        "extent of a triangle of item 1 is 1000000000 voxels, allowed are up to 4194304",
        "the voxels of a triangle needs at least",
    ];
    on_every_adapter(|context| {
        let device = device(context);
        for (bad, start) in bad.iter().zip(starts) {
            let (views, transforms) = ([good.view(), bad.view()], [Transform::default(); 2]);
            let reference = GridBatch::from_mesh_cpu(&views, &transforms).expect_err("the reference").to_string();
            assert!(reference.starts_with(start), "{reference}");
            let error = DeviceGrid::from_mesh(&device, &views, &transforms).expect_err("the device");
            // Memory is another on a device.
            if !matches!(error, Error::Memory { .. }) {
                assert_eq!(error.to_string(), reference);
            }
        }
        let error = DeviceGrid::from_mesh(&device, &[good.view()], &[]).expect_err("no transform");
        assert!(matches!(error, Error::Length { needed: 1, found: 0, .. }), "{error}");
        let little = TopologyDevice::new(context, &TopologyOptions { memory_limit: 1 << 16 });
        let error = DeviceGrid::from_mesh(&little, &[good.view()], &[Transform::default()]).expect_err("64 KiB");
        assert!(matches!(error, Error::Memory { allowed: 65_536, .. }), "{error}");
    });
}

/// A context that nothing else uses has its memory back after a batch.
#[test]
fn memory_of_tasks_comes_back() {
    on_every_adapter(|context: &Context| {
        let device = device(context);
        let found = compare(&device, &[torus(16, 16, 30.0, 0.4, [0.0; 3])]);
        let usage = device.memory();
        assert_eq!(usage.scratch, 0);
        assert!(usage.peak_scratch > 0 && usage.peak_scratch < 16 * found.voxels() + (1 << 20), "{usage:?}");
        drop(found);
        assert_eq!(device.memory().grids, 0);
    });
}
