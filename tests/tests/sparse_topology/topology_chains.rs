//! sparse-topology: chains, room, memory and errors, on every adapter, against the CPU references as words.
//!
//! Kernels: `reach_upper`, `reach_lower`, `rank_upper`, `rank_lower`, `gather_leaves`, `filter_leaves`, `prune_leaves`, `clip_leaves`.

use conformance::adapters::on_every_adapter;
use conformance::voxels::{batch, cloud, device};
use sparse_topology::device::{DeviceGrid, Input, TopologyDevice, TopologyOptions};
use sparse_topology::{Error, GridBatch, Neighbours, Selection};

/// A batch with empty items, one voxel, a dense corner across all node borders, scattered voxels, and the ends of the coordinates.
fn mixed() -> GridBatch {
    let far = i32::MAX - 40;
    batch(&[
        vec![],
        cloud(1, 300, -12, 24),
        vec![[-1, 4095, -4097]],
        cloud(2, 60, -9000, 18_000),
        vec![],
        vec![[far; 3], [-far, 7, far], [-far; 3]],
        cloud(3, 40, 4090, 12),
        vec![],
    ])
}

type Pair = (&'static str, fn(&GridBatch) -> Result<GridBatch, Error>, fn(&DeviceGrid) -> Result<DeviceGrid, Error>);

const STENCIL: [[i32; 3]; 6] = [[0, 0, 0], [5, -9, 30], [5, -9, 31], [-17, 0, 0], [-16, 0, 0], [1, 1, 1]];

fn operations() -> Vec<Pair> {
    use Neighbours::{Edge, Face, Vertex};
    vec![
        ("coarsen 1", |g| g.coarsen_cpu([1; 3]), |g| g.coarsen([1; 3])),
        ("coarsen 2,3,4", |g| g.coarsen_cpu([2, 3, 4]), |g| g.coarsen([2, 3, 4])),
        ("coarsen 5,1,7", |g| g.coarsen_cpu([5, 1, 7]), |g| g.coarsen([5, 1, 7])),
        ("coarsen 101,3,1000", |g| g.coarsen_cpu([101, 3, 1000]), |g| g.coarsen([101, 3, 1000])),
        ("subsample 3", |g| g.subsample_cpu([3; 3]), |g| g.subsample([3; 3])),
        ("subsample 60,1,2", |g| g.subsample_cpu([60, 1, 2]), |g| g.subsample([60, 1, 2])),
        ("conv 3 s1", |g| g.conv_cpu([3; 3], [1; 3]), |g| g.conv([3; 3], [1; 3])),
        ("conv 4,1,5 s2,3,1", |g| g.conv_cpu([4, 1, 5], [2, 3, 1]), |g| g.conv([4, 1, 5], [2, 3, 1])),
        ("conv 3 s3", |g| g.conv_cpu([3; 3], [3; 3]), |g| g.conv([3; 3], [3; 3])),
        ("pad", |g| g.pad_cpu([-3, 0, -9], [2, 1, 7]), |g| g.pad([-3, 0, -9], [2, 1, 7])),
        ("pad 40", |g| g.pad_cpu([-20, -20, 0], [20, 20, 0]), |g| g.pad([-20, -20, 0], [20, 20, 0])),
        ("dual", GridBatch::dual_cpu, DeviceGrid::dual),
        ("dual, inner", GridBatch::dual_without_border_cpu, DeviceGrid::dual_without_border),
        ("dual, fVDB", GridBatch::dual_without_border_fvdb_cpu, DeviceGrid::dual_without_border_fvdb),
        ("erode box", |g| g.erode_box_cpu([-1, 0, 0], [0, 1, 1]), |g| g.erode_box([-1, 0, 0], [0, 1, 1])),
        ("erode box away", |g| g.erode_box_cpu([2, 0, 0], [3, 1, 0]), |g| g.erode_box([2, 0, 0], [3, 1, 0])),
        ("dilate 6", |g| g.dilate_cpu(Face, 2), |g| g.dilate(Face, 2)),
        ("dilate 18", |g| g.dilate_cpu(Edge, 1), |g| g.dilate(Edge, 1)),
        ("dilate 26", |g| g.dilate_cpu(Vertex, 3), |g| g.dilate(Vertex, 3)),
        ("dilate 0 steps", |g| g.dilate_cpu(Vertex, 0), |g| g.dilate(Vertex, 0)),
        ("erode 6", |g| g.erode_cpu(Face, 1), |g| g.erode(Face, 1)),
        ("erode 18", |g| g.erode_cpu(Edge, 1), |g| g.erode(Edge, 1)),
        ("erode 26", |g| g.erode_cpu(Vertex, 2), |g| g.erode(Vertex, 2)),
        ("stencil", |g| g.dilate_stencil_cpu(&STENCIL), |g| g.dilate_stencil(&STENCIL)),
        ("stencil of nothing", |g| g.dilate_stencil_cpu(&[]), |g| g.dilate_stencil(&[])),
        ("clip", |g| g.clip_cpu([-5, -4000, -5], [4099, 9, 9]), |g| g.clip([-5, -4000, -5], [4099, 9, 9])),
        ("clip, inverted", |g| g.clip_cpu([1; 3], [0; 3]), |g| g.clip([1; 3], [0; 3])),
    ]
}

/// Operations whose results must not leave the coordinates.
fn growing() -> Vec<Pair> {
    vec![
        ("refine 2", |g| g.refine_cpu([2; 3]), |g| g.refine([2; 3])),
        ("refine 3,1,5", |g| g.refine_cpu([3, 1, 5]), |g| g.refine([3, 1, 5])),
        ("refine 30,1,2", |g| g.refine_cpu([30, 1, 2]), |g| g.refine([30, 1, 2])),
        ("transposed 3 s2", |g| g.conv_transpose_cpu([3; 3], [2; 3]), |g| g.conv_transpose([3; 3], [2; 3])),
        (
            "transposed 2,5,1 s4,1,3",
            |g| g.conv_transpose_cpu([2, 5, 1], [4, 1, 3]),
            |g| g.conv_transpose([2, 5, 1], [4, 1, 3]),
        ),
    ]
}

#[test]
fn every_operation_on_a_mixed_batch() {
    let all = mixed();
    let inner = all.select(&Selection::List(vec![0, 1, 2, 3, 4, 6, 7])).expect("items");
    on_every_adapter(|context| {
        let device = device(context);
        for (source, list) in [(&all, operations()), (&inner, growing()), (&inner, operations())] {
            let up = DeviceGrid::upload(&device, source).expect("upload");
            assert!(up.download().expect("download") == *source);
            for (name, cpu, gpu) in list {
                let expected = cpu(source).unwrap_or_else(|e| panic!("{name}: {e}"));
                let found = gpu(&up).and_then(|g| g.download()).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert!(found == expected, "{name}: {} voxels, expected {}", found.voxels(), expected.voxels());
            }
        }
    });
}

#[test]
fn a_voxel_outside_of_the_coordinates_is_the_references_error() {
    let source = mixed();
    on_every_adapter(|context| {
        let up = DeviceGrid::upload(&device(context), &source).expect("upload");
        for (name, cpu, gpu) in growing() {
            let expected = cpu(&source).expect_err(name).to_string();
            assert_eq!(gpu(&up).expect_err(name).to_string(), expected, "{name}");
        }
        let expected = source.pad_cpu([0; 3], [50; 3]).expect_err("outside").to_string();
        let mut chain = up.device().chain();
        let first = chain.dilate(&up, Neighbours::Face, 1).expect("a step");
        let step = chain.pad(first, [0; 3], [49; 3]).expect("a step");
        let found = chain.finish([step]).expect_err("outside").to_string();
        assert!(found.starts_with("item 5: the result would hold the voxel"), "{found}, {expected}");
        let zero = up.coarsen([2, 0, 1]).expect_err("zero").to_string();
        assert_eq!(zero, source.coarsen_cpu([2, 0, 1]).expect_err("zero").to_string());
    });
}

#[test]
fn sets_items_and_masks() {
    let a = batch(&[cloud(5, 200, -9, 20), vec![], cloud(6, 50, 100, 9)]);
    let b = batch(&[cloud(7, 200, -5, 20), cloud(8, 9, 0, 4), vec![]]);
    let c = batch(&[cloud(9, 400, -9, 22), vec![], cloud(6, 50, 100, 9)]);
    let keep: Vec<bool> = (0..a.voxels()).map(|row| row * row % 7 < 3).collect();
    let list = Selection::List(vec![2, 0, 2, 1, 0]);
    on_every_adapter(|context| {
        let device = device(context);
        let [x, y, z] = [&a, &b, &c].map(|g| DeviceGrid::upload(&device, g).expect("upload"));
        let check = |what: &str, found: Result<DeviceGrid, Error>, expected: Result<GridBatch, Error>| {
            let found = found.and_then(|g| g.download()).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert!(found == expected.expect(what), "{what}");
        };
        check("union", DeviceGrid::union(&[&x, &y, &z]), GridBatch::union_cpu(&[&a, &b, &c]));
        check("intersection", DeviceGrid::intersection(&[&x, &y, &z]), GridBatch::intersection_cpu(&[&a, &b, &c]));
        check("difference", DeviceGrid::difference(&[&x, &y, &z]), GridBatch::difference_cpu(&[&a, &b, &c]));
        check("of one", DeviceGrid::union(&[&x]), Ok(a.clone()));
        check("with itself", DeviceGrid::difference(&[&x, &x]), GridBatch::difference_cpu(&[&a, &a]));
        check("prune", x.prune(&keep), a.prune_cpu(&keep));
        check("refine masked", x.refine_masked([2, 1, 3], &keep), a.refine_masked_cpu([2, 1, 3], &keep));
        check("select", x.select(&list), a.select(&list));
        check("concatenate", DeviceGrid::concatenate(&[&x, &y, &x]), GridBatch::concatenate(&[&a, &b, &a]));
        // An operation on a selection sees the selected items alone.
        let selected = a.select(&list).expect("items");
        check("of a selection", x.select(&list).and_then(|g| g.dual()), selected.dual_cpu());
        let short = x.prune(&keep[1..]).expect_err("short").to_string();
        assert_eq!(short, a.prune_cpu(&keep[1..]).expect_err("short").to_string());
        let one = DeviceGrid::upload(&device, &batch(&[vec![[1, 2, 3]]])).expect("upload");
        assert!(matches!(DeviceGrid::union(&[&x, &one]), Err(Error::Length { needed: 3, found: 1, .. })));
    });
}

#[test]
fn a_chain_is_its_operations_one_by_one() {
    let source = batch(&[cloud(11, 500, -60, 120), vec![], cloud(12, 200, -4, 12)]);
    on_every_adapter(|context| {
        let device = device(context);
        let up = DeviceGrid::upload(&device, &source).expect("upload");
        let mut chain = device.chain();
        let mut run = || -> Result<_, Error> {
            let twice = chain.coarsen(&up, [2; 3])?;
            let four = chain.coarsen(twice, [2; 3])?;
            let eight = chain.coarsen(four, [2; 3])?;
            let fine = chain.refine(eight, [4, 4, 4])?;
            let both = chain.intersection(&[fine.into(), Input::from(twice)])?;
            let last = chain.erode(both, Neighbours::Face, 1)?;
            Ok([four, eight, both, last])
        };
        let wanted = run().expect("steps");
        let [four, eight, both, last] = chain.finish(wanted).expect("a chain").map(|g| g.download().expect("download"));
        let twice = source.coarsen_cpu([2; 3]).expect("coarse");
        assert!(four == twice.coarsen_cpu([2; 3]).expect("coarse"));
        for (found, factor) in [(&four, 4), (&eight, 8)] {
            let once = source.coarsen_cpu([factor; 3]).expect("coarse");
            assert_eq!(found.leaf_masks(), once.leaf_masks());
            assert_eq!(found.leaf_keys(), once.leaf_keys());
        }
        let fine = eight.refine_cpu([4; 3]).expect("fine");
        assert!(both == GridBatch::intersection_cpu(&[&fine, &twice]).expect("both"));
        assert!(last == both.erode_cpu(Neighbours::Face, 1).expect("eroded"));
        // Handles of other chains and devices are refused.
        let mut other = device.chain();
        assert!(matches!(other.dual(wanted[0]), Err(Error::Parameter { .. })));
        let foreign = TopologyDevice::new(context, &TopologyOptions::default());
        assert!(matches!(foreign.chain().dual(&up), Err(Error::Parameter { .. })));
    });
}

/// The corners of leaves far from each other: every leaf reaches 27, which no estimate expects, so the room is too small at first.
#[test]
fn results_larger_than_expected_get_their_room() {
    let mut voxels = Vec::new();
    for i in 0..15_i32.pow(3) {
        let corner = [i / 225, i / 15 % 15, i % 15].map(|p| 24 * p - 184);
        voxels.extend(
            (0..8)
                .map(|k| [k & 1, (k >> 1) & 1, k >> 2])
                .map(|p| std::array::from_fn(|axis| corner[axis] + 7 * p[axis])),
        );
    }
    let source = batch(&[voxels]);
    let expected = source.dilate_cpu(Neighbours::Vertex, 1).expect("dilated");
    assert_eq!(expected.leaves(), 27 * source.leaves());
    on_every_adapter(|context| {
        let up = DeviceGrid::upload(&device(context), &source).expect("upload");
        let found = up.dilate(Neighbours::Vertex, 1).expect("dilated");
        assert!(found.download().expect("download") == expected);
    });
}

#[test]
fn scratch_is_below_a_byte_a_voxel_and_comes_back() {
    let shell: Vec<[i32; 3]> = (0..160_i32.pow(3))
        .map(|i| [i / 25_600, i / 160 % 160, i % 160].map(|p| p - 80))
        .filter(|p| (75 * 75..=79 * 79).contains(&p.iter().map(|c| c * c).sum::<i32>()))
        .collect();
    let source = batch(&[shell]);
    on_every_adapter(|context| {
        let device = device(context);
        let up = DeviceGrid::upload(&device, &source).expect("upload");
        let before = device.memory();
        assert_eq!(before.scratch, 0);
        for (name, operation) in [
            ("coarsen", (|g| g.coarsen([3; 3])) as fn(&DeviceGrid) -> Result<DeviceGrid, Error>),
            ("dilate", |g| g.dilate(Neighbours::Vertex, 1)),
            ("erode", |g| g.erode(Neighbours::Face, 1)),
        ] {
            device.reset_peak();
            let result = operation(&up).expect(name);
            let peak = device.memory().peak_scratch;
            assert!(peak > 0 && peak < source.voxels(), "{name}: {peak} bytes for {} voxels", source.voxels());
            drop(result);
            let after = device.memory();
            assert_eq!((after.scratch, after.grids), (0, before.grids), "{name}");
            let reserved = after.reserved;
            operation(&up).expect(name);
            assert_eq!(device.memory().reserved, reserved, "{name}: a steady state makes no buffers");
        }
    });
}

#[test]
fn too_little_memory_is_an_error_with_numbers() {
    let source = batch(&[cloud(20, 3000, -9000, 18_000)]);
    on_every_adapter(|context| {
        let device = TopologyDevice::new(context, &TopologyOptions { memory_limit: 2 << 20 });
        let Err(Error::Memory { needed, allowed, .. }) = DeviceGrid::upload(&device, &source) else {
            panic!("3,000 scattered voxels fit into 2 MiB");
        };
        assert!(allowed == 2 << 20 && needed > allowed);
        let small = DeviceGrid::upload(&device, &batch(&[vec![[1, 2, 3]]])).expect("one voxel");
        let Err(Error::Memory { needed, allowed, .. }) = small.refine([400; 3]) else {
            panic!("64 million voxels fit into 2 MiB");
        };
        assert!(needed > allowed, "{needed} {allowed}");
        assert_eq!(small.dual().expect("eight voxels").voxels(), 8);
    });
}
