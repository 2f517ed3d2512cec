//! Batches from lists, and questions about batches: CPU = device on every adapter, in both strict forms, as words.
//!
//! Kernels: `voxel_tiles`, `voxel_upper`, `voxel_lower`, `voxel_masks`, `count_leaves`, `point_voxels`, `find_rows`, `invert_rows`, `gather_row_values`, `voxel_codes`, `tap_pairs`, `pair_rows`, `dense_leaves`.

use conformance::adapters::on_every_adapter;
use conformance::voxels::{device, random};
use sparse_topology::device::DeviceGrid;
use sparse_topology::{AxisOrder, Error, GridBatch, Transform};

/// A generator of words.
struct Draw(u64);

impl Draw {
    fn next(&mut self, side: u32) -> i32 {
        (random(&mut self.0) % u64::from(side)) as i32
    }

    fn voxels(&mut self, count: usize, low: i32, side: u32) -> Vec<[i32; 3]> {
        (0..count).map(|_| [0; 3].map(|_| low + self.next(side))).collect()
    }
}

/// Lists that meet every boundary of nodes, the ends of `i32`, repetitions, and no voxels at all.
fn lists() -> Vec<Vec<[i32; 3]>> {
    let mut draw = Draw(7);
    let ends = [i32::MIN, i32::MIN + 7, -4097, -4096, -129, -1, 0, 7, 8, 127, 128, 4095, 4096, i32::MAX];
    let mut edges = Vec::new();
    for x in ends {
        edges.extend(ends.map(|y| [x, y, ends[draw.next(14) as usize]]));
    }
    let dense: Vec<[i32; 3]> = (0..3000).map(|i| [i % 17 - 5, i / 17 % 13 - 130, i / 221]).collect();
    vec![dense, Vec::new(), draw.voxels(800, -9000, 18_000), edges, draw.voxels(2000, -20, 40), Vec::new()]
}

fn transforms(count: usize) -> Vec<Transform> {
    (0..count).map(|i| Transform::uniform(0.5 + i as f64, [i as f64, -1.0, 0.25])).collect()
}

fn slices<T>(lists: &[Vec<T>]) -> Vec<&[T]> {
    lists.iter().map(Vec::as_slice).collect()
}

#[test]
fn batches_from_coordinates() {
    let lists = lists();
    on_every_adapter(|context| {
        let device = device(context);
        for part in [&lists[..], &lists[..1], &lists[1..2], &lists[2..3], &lists[..0]] {
            let expected = GridBatch::from_coordinates_cpu(&slices(part), &transforms(part.len())).unwrap();
            let grid = DeviceGrid::from_coordinates(&device, &slices(part), &transforms(part.len())).unwrap();
            assert_eq!((grid.voxels(), grid.leaves()), (expected.voxels(), expected.leaves()));
            assert_eq!(grid.download().unwrap(), expected);
        }
        // What is built goes on: the boxes of its tiles are right, so nothing is lost and nothing overflows.
        let expected = GridBatch::from_coordinates_cpu(&slices(&lists[..1]), &transforms(1)).unwrap();
        let grid = DeviceGrid::from_coordinates(&device, &slices(&lists[..1]), &transforms(1)).unwrap();
        assert_eq!(grid.pad([-3; 3], [2; 3]).unwrap().download().unwrap(), expected.pad_cpu([-3; 3], [2; 3]).unwrap());
        let few = context.upload("three words", &[1, 2, 3]).unwrap();
        let error = DeviceGrid::from_coordinates_on(&device, &few, &[2], &transforms(1)).unwrap_err();
        assert!(matches!(error, Error::Length { needed: 2, found: 1, .. }), "{error}");
    });
}

/// One coordinate in each of more tiles than the first read-back holds.
#[test]
fn many_tiles() {
    let list: Vec<[i32; 3]> = (0..1500).map(|i| [4096 * (i % 40), 4096 * (i / 40) + 5, -4096 * (i % 7)]).collect();
    let one = [Transform::default()];
    let expected = GridBatch::from_coordinates_cpu(&[&list], &one).unwrap();
    on_every_adapter(|context| {
        let grid = DeviceGrid::from_coordinates(&device(context), &[&list], &one).unwrap();
        assert_eq!(grid.download().unwrap(), expected);
    });
}

#[test]
fn batches_from_points() {
    let mut draw = Draw(3);
    let mut points: Vec<[f32; 3]> =
        (0..3000).map(|_| [0; 3].map(|_| draw.next(1 << 20) as f32 / 4096.0 - 100.0)).collect();
    // Halves, subnormal numbers and the ends of the range.
    points.extend([[0.25, -0.25, 0.75], [1e-40, -1e-40, 0.0], [-0.25 + 3e-8, f32::MIN_POSITIVE, 1e9]]);
    let lists = [points, Vec::new(), vec![[0.0; 3]]];
    let transforms = [
        Transform { voxel_size: [0.5, 0.3, 1.7], origin: [0.1, 0.0, 1e-38] },
        Transform::default(),
        Transform::uniform(2.0, [1.0; 3]),
    ];
    let expected = GridBatch::from_points_cpu(&slices(&lists), &transforms).unwrap();
    let near = GridBatch::from_nearest_voxels_cpu(&slices(&lists), &transforms).unwrap();
    on_every_adapter(|context| {
        let device = device(context);
        assert_eq!(
            DeviceGrid::from_points(&device, &slices(&lists), &transforms).unwrap().download().unwrap(),
            expected
        );
        let grid = DeviceGrid::from_nearest_voxels(&device, &slices(&lists), &transforms).unwrap();
        assert_eq!(grid.download().unwrap(), near);
        for bad in [f32::NAN, f32::INFINITY, 6e9, -6e9] {
            let items: [&[[f32; 3]]; 3] = [&[[0.0; 3]], &[], &[[1.0; 3], [0.0, 2.0, bad], [bad; 3]]];
            let error = DeviceGrid::from_points(&device, &items, &transforms).unwrap_err().to_string();
            assert_eq!(error, GridBatch::from_points_cpu(&items, &transforms).unwrap_err().to_string());
            assert!(error.starts_with("item 2, point 1: coordinate z"), "{error}");
        }
    });
}

#[test]
fn rows_and_neighbours() {
    let lists = lists();
    let batch = GridBatch::from_coordinates_cpu(&slices(&lists), &transforms(lists.len())).unwrap();
    let mut queries: Vec<[i32; 3]> = lists.iter().flatten().step_by(3).copied().collect();
    queries.extend([[i32::MAX; 3], [i32::MIN; 3], [1 << 30, 0, -1], [3, -130, 2], [3, -130, 2]]);
    let points: Vec<[f32; 3]> = queries.iter().map(|q| q.map(|v| v as f32 * 0.5)).chain([[f32::NAN; 3]]).collect();
    on_every_adapter(|context| {
        let grid = DeviceGrid::upload(&device(context), &batch).unwrap();
        for item in 0..lists.len() {
            let same =
                |name: &str, found: Vec<i64>, expected: Vec<i64>| assert_eq!(found, expected, "{name} of {item}");
            same(
                "rows",
                grid.coordinates_to_index(item, &queries).unwrap(),
                batch.coordinates_to_index_cpu(item, &queries).unwrap(),
            );
            same(
                "inverse",
                grid.inverse_index(item, &queries).unwrap(),
                batch.inverse_index_cpu(item, &queries).unwrap(),
            );
            for (extent, shift) in [(0, 0), (1, 0), (2, 3), (1, 31)] {
                let some = &queries[queries.len() - 60..];
                let found = grid.neighbour_indices(item, some, extent, shift).unwrap();
                same("neighbours", found, batch.neighbour_indices_cpu(item, some, extent, shift).unwrap());
            }
            assert_eq!(
                grid.coordinates_in_grid(item, &queries).unwrap(),
                batch.coordinates_in_grid_cpu(item, &queries).unwrap()
            );
            assert_eq!(grid.cubes_in_grid(item, &queries).unwrap(), batch.cubes_in_grid_cpu(item, &queries).unwrap());
            assert_eq!(grid.points_in_grid(item, &points).unwrap(), batch.points_in_grid_cpu(item, &points).unwrap());
            assert!(grid.coordinates_to_index(item, &[]).unwrap().is_empty());
        }
        assert!(matches!(grid.coordinates_to_index(6, &queries), Err(Error::Index { index: 6, count: 6, .. })));
        assert!(matches!(grid.neighbour_indices(0, &queries, 513, 0), Err(Error::Parameter { .. })));
    });
}

#[test]
fn values_in_the_order_of_rows() {
    let lists = lists();
    let batch = GridBatch::from_coordinates_cpu(&slices(&lists), &transforms(lists.len())).unwrap();
    on_every_adapter(|context| {
        let grid = DeviceGrid::upload(&device(context), &batch).unwrap();
        for item in 0..lists.len() {
            // Every voxel but those of x = 0, some twice, strangers among them.
            let mut queries: Vec<[i32; 3]> = lists[item].iter().filter(|v| v[0] != 0).copied().collect();
            queries.extend_from_within(..queries.len() / 3);
            queries.extend(&lists[3][..40]);
            let values: Vec<u32> = (0..queries.len() as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
            let words = context.upload("coordinates", queries.as_flattened()).unwrap();
            let on_device = context.upload("values", &values).unwrap();
            let found = grid.values_by_row(item, &words, &on_device, 7).unwrap().download().unwrap();
            let expected = batch.values_by_row_cpu(item, &queries, &values, 7).unwrap();
            assert_eq!(found, expected, "item {item}");
            // The oracle: a map.
            let map: std::collections::HashMap<_, _> = queries.iter().zip(&values).collect();
            let rows = batch.coordinates(item).unwrap();
            assert_eq!(expected, rows.iter().map(|v| map.get(v).map_or(7, |&&value| value)).collect::<Vec<_>>());
        }
        let (two, one) = (context.zeroed::<i32>("two", 6).unwrap(), context.zeroed::<u32>("one", 1).unwrap());
        assert!(matches!(grid.values_by_row(0, &two, &one, 0), Err(Error::Length { needed: 3, found: 6, .. })));
    });
}

#[test]
fn codes_along_curves() {
    let lists = [lists().swap_remove(0), Draw(5).voxels(500, 0, 1 << 21)];
    let batch = GridBatch::from_coordinates_cpu(&slices(&lists), &transforms(2)).unwrap();
    on_every_adapter(|context| {
        let grid = DeviceGrid::upload(&device(context), &batch).unwrap();
        for (item, offset) in [(0, [5, 130, 9]), (1, [0; 3])] {
            for order in [AxisOrder::Xyz, AxisOrder::Zyx] {
                let morton = grid.morton_codes(item, offset, order).unwrap();
                assert_eq!(morton, batch.morton_codes_cpu(item, offset, order).unwrap());
                let hilbert = grid.hilbert_codes(item, offset, order).unwrap();
                assert_eq!(hilbert, batch.hilbert_codes_cpu(item, offset, order).unwrap());
            }
        }
        for offset in [[0; 3], [i32::MAX, 0, 0], [5, 130, 1 << 21]] {
            let error = grid.morton_codes(0, offset, AxisOrder::Xyz).unwrap_err().to_string();
            assert_eq!(error, batch.morton_codes_cpu(0, offset, AxisOrder::Xyz).unwrap_err().to_string());
        }
    });
}

#[test]
fn neighbour_pairs() {
    let lists = [
        lists().swap_remove(0)[..900].to_vec(),
        Vec::new(),
        Draw(9).voxels(300, -4100, 30),
        vec![[i32::MIN, 5, 1 << 30]],
    ];
    let batch = GridBatch::from_coordinates_cpu(&slices(&lists), &transforms(4)).unwrap();
    on_every_adapter(|context| {
        let device = device(context);
        let grid = DeviceGrid::upload(&device, &batch).unwrap();
        for (kernel, stride) in [([3; 3], [1; 3]), ([2, 3, 1], [2, 1, 3]), ([4; 3], [4; 3])] {
            let out = match batch.conv_cpu(kernel, stride) {
                Ok(out) => out,
                // The voxel at the end of the range has neighbours beyond it.
                Err(Error::CoordinateOverflow { .. }) => batch.clone(),
                Err(error) => panic!("{error}"),
            };
            let output = DeviceGrid::upload(&device, &out).unwrap();
            let found = grid.conv_pairs(&output, kernel, stride).unwrap();
            let expected = batch.conv_pairs_cpu(&out, kernel, stride).unwrap();
            assert!(expected.len() > 1000);
            assert_eq!(found.download().unwrap(), expected, "{kernel:?} {stride:?}");
            assert_eq!(found.taps().len() as u32, 1 + kernel.iter().product::<u32>());
            let back = output.conv_transpose_pairs(&grid, kernel, stride).unwrap().download().unwrap();
            assert_eq!(back, out.conv_transpose_pairs_cpu(&batch, kernel, stride).unwrap(), "{kernel:?} {stride:?}");
        }
        let coarse = batch.coarsen_cpu([3; 3]).unwrap();
        let pooled = grid.pool_pairs(&DeviceGrid::upload(&device, &coarse).unwrap(), [3; 3]).unwrap();
        assert_eq!(pooled.download().unwrap(), batch.pool_pairs_cpu(&coarse, [3; 3]).unwrap());
        assert_eq!(pooled.taps().last(), Some(&batch.voxels()));
        let empty = DeviceGrid::upload(&device, &GridBatch::empty(&transforms(4))).unwrap();
        assert!(grid.conv_pairs(&empty, [3; 3], [1; 3]).unwrap().download().unwrap().is_empty());
        assert!(matches!(grid.conv_pairs(&grid, [0, 1, 1], [1; 3]), Err(Error::Parameter { .. })));
    });
}

#[test]
fn batches_from_dense_boxes() {
    let transforms = [Transform::uniform(0.5, [1.0; 3]), Transform::default(), Transform::uniform(2.0, [0.0; 3])];
    let mut draw = Draw(5);
    let mut mask = |n: u32| -> Vec<bool> { (0..n).map(|_| draw.next(3) == 0).collect() };
    let boxes = [
        ([-5, 7, -13], [9, 30, 21], true),
        ([i32::MAX - 10, i32::MIN, -4], [11, 5, 8], true),
        ([4090, -4100, 0], [17, 9, 70], false),
        ([3; 3], [1; 3], true),
        ([0; 3], [4, 0, 2], true),
    ]
    .map(|(min, size, masked)| (min, size, masked.then(|| mask(size.iter().product()))));
    on_every_adapter(|context| {
        let device = device(context);
        for (min, size, mask) in &boxes {
            let expected = GridBatch::from_dense_cpu(*min, *size, mask.as_deref(), &transforms).expect("a box");
            let found = DeviceGrid::from_dense(&device, *min, *size, mask.as_deref(), &transforms).expect("a box");
            assert!(found.download().expect("download") == expected, "{min:?} {size:?}");
        }
        for (min, size, mask) in [([i32::MAX; 3], [2; 3], None), ([0; 3], [2; 3], Some(vec![true; 7]))] {
            let text = |error: Error| error.to_string();
            let found = DeviceGrid::from_dense(&device, min, size, mask.as_deref(), &transforms).map_err(text);
            let expected = GridBatch::from_dense_cpu(min, size, mask.as_deref(), &transforms).map_err(text);
            assert_eq!(found.err(), expected.err());
        }
    });
}
