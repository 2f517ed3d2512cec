//! What users of other grid libraries reported, on devices, by its number in the table of docs/sparse-topology.md; the references' half is in crates/sparse-topology/tests/references/reports.rs.
//!
//! Kernels: `reach_upper`, `reach_lower`, `rank_upper`, `rank_lower`, `gather_leaves`, `filter_leaves`, `prune_leaves`, `find_rows`.

use conformance::adapters::on_every_adapter;
use conformance::voxels::{batch, cloud, device};
use gpu_runtime::Timestamps;
use sparse_topology::device::DeviceGrid;
use sparse_topology::{Error, GridBatch, Selection, Transform};

fn square(y: std::ops::Range<i32>) -> Vec<[i32; 3]> {
    y.flat_map(|y| (0..16).map(move |i| [i % 4, y, i / 4])).collect()
}

fn solid(side: u32) -> GridBatch {
    GridBatch::from_dense_cpu([-(side as i32) / 2; 3], [side; 3], None, &[Transform::default()]).expect("a solid")
}

type OnCpu = fn(&GridBatch) -> Result<GridBatch, Error>;
type OnDevice = fn(&DeviceGrid) -> Result<DeviceGrid, Error>;

/// The same words, with less than a byte of scratch a voxel of the source where `memory` says so.
fn compare(source: &GridBatch, memory: bool, cases: &[(OnCpu, OnDevice)]) {
    on_every_adapter(|context| {
        let device = device(context);
        let up = DeviceGrid::upload(&device, source).expect("upload");
        for (i, (cpu, gpu)) in cases.iter().enumerate() {
            device.reset_peak();
            let found = gpu(&up).expect("the device");
            let scratch = device.memory().peak_scratch;
            assert!(!memory || scratch < source.voxels(), "case {i}: {scratch} bytes, {} voxels", source.voxels());
            assert!(found.download().expect("download") == cpu(source).expect("the reference"), "case {i}");
        }
    });
}

#[test]
fn report_01_any_factor_without_a_list_of_voxels() {
    compare(
        &solid(64),
        true,
        &[
            (|g| g.coarsen_cpu([2, 2, 1]), |g| g.coarsen([2, 2, 1])),
            (|g| g.coarsen_cpu([3; 3]), |g| g.coarsen([3; 3])),
            (|g| g.refine_cpu([3, 1, 2]), |g| g.refine([3, 1, 2])),
        ],
    );
}

#[test]
fn report_02_the_dual_of_a_solid() {
    compare(&solid(128), true, &[(GridBatch::dual_cpu, DeviceGrid::dual)]);
}

#[test]
fn report_03_a_strided_convolution_keeps_its_boundary() {
    compare(
        &solid(16),
        false,
        &[(
            |g| g.conv_cpu([4; 3], [4; 3])?.conv_transpose_cpu([4; 3], [4; 3]),
            |g| g.conv([4; 3], [4; 3])?.conv_transpose([4; 3], [4; 3]),
        )],
    );
}

/// Items do not add dispatches: a batch of 64 takes those of one item, and the two that add up marks where tiles and lower nodes are many.
#[test]
fn report_04_many_items_are_one_call() {
    let one = batch(&[cloud(1, 500, -20, 40)]);
    let many = GridBatch::concatenate(&[&one; 64]).expect("64 items");
    on_every_adapter(|context| {
        let device = device(context);
        let dispatches = |batch: &GridBatch| {
            let up = DeviceGrid::upload(&device, batch).expect("upload");
            let mut chain = device.chain();
            let step = chain.coarsen(&up, [2; 3]).expect("coarsen");
            let ([grid], timings) = chain.finish_timed([step], Timestamps::EachDispatch).expect("finish");
            assert!(grid.download().expect("download") == batch.coarsen_cpu([2; 3]).expect("the reference"));
            timings.len()
        };
        let (alone, together) = (dispatches(&one), dispatches(&many));
        assert!(together <= alone + 2, "{alone} dispatches of one item, {together} of 64");
    });
}

#[test]
fn report_05_empty_items_and_queries() {
    let source = batch(&[square(0..2), vec![], square(5..6)]);
    compare(
        &source,
        false,
        &[(|g| g.subsample_cpu([4; 3]), |g| g.subsample([4; 3])), (GridBatch::dual_cpu, DeviceGrid::dual)],
    );
    on_every_adapter(|context| {
        let up = DeviceGrid::upload(&device(context), &source).expect("upload");
        assert!(up.coordinates_to_index(1, &[]).expect("rows").is_empty());
        assert!(up.neighbour_indices(1, &[], 1, 0).expect("neighbours").is_empty());
        assert!(up.inverse_index(1, &[[0; 3]]).expect("inverse").is_empty());
        let none = DeviceGrid::from_points(&device(context), &[], &[]).expect("no items");
        assert_eq!((none.items(), none.coarsen([2; 3]).expect("coarsen").voxels()), (0, 0));
    });
}

#[test]
fn report_06_reordered_batches() {
    let lists = [square(0..1), vec![], square(7..9), vec![[-1; 3]]];
    let source = batch(&lists);
    on_every_adapter(|context| {
        let up = DeviceGrid::upload(&device(context), &source).expect("upload");
        let reversed = Selection::Slice { start: None, stop: None, step: -1 };
        for selection in
            [reversed, Selection::List(vec![2, 0]), Selection::Slice { start: Some(2), stop: None, step: 1 }]
        {
            let (view, compact) = (up.select(&selection).expect("select"), source.select(&selection).expect("select"));
            assert!(view.dual().and_then(|g| g.download()).expect("dual") == compact.dual_cpu().expect("dual"));
            for item in 0..compact.items() {
                let found = view.coordinates_to_index(item, &square(0..9)).expect("rows");
                assert_eq!(found, compact.coordinates_to_index_cpu(item, &square(0..9)).expect("rows"));
            }
        }
    });
}

#[test]
fn report_07_items_of_one_voxel_are_pruned() {
    let source = batch(&[vec![[7; 3]], (0..5).map(|x| [x, 0, 0]).collect()]);
    let (some, none): (OnDevice, OnDevice) =
        (|g| g.prune(&[true, false, true, false, true, false]), |g| g.prune(&[false; 6]));
    compare(
        &source,
        false,
        &[(|g| g.prune_cpu(&[true, false, true, false, true, false]), some), (|g| g.prune_cpu(&[false; 6]), none)],
    );
}

#[test]
fn report_08_to_11_stencils_far_scenes_strides_and_outputs() {
    const STENCIL: [[i32; 3]; 3] = [[0, 0, 0], [5, -9, 30], [-17, 0, 1]];
    compare(&solid(20), false, &[(|g| g.dilate_stencil_cpu(&STENCIL), |g| g.dilate_stencil(&STENCIL))]);
    let far = batch(&[vec![[2_000_000_000, -2_000_000_000, 7]]]);
    compare(
        &far,
        false,
        &[
            (|g| g.conv_cpu([3; 3], [3; 3]), |g| g.conv([3; 3], [3; 3])),
            (|g| g.clip_cpu([-10; 3], [10; 3]), |g| g.clip([-10; 3], [10; 3])),
        ],
    );
    on_every_adapter(|context| {
        let up = DeviceGrid::upload(&device(context), &far).expect("upload");
        assert!(matches!(up.refine([2; 3]), Err(Error::CoordinateOverflow { item: 0, .. })));
    });
    compare(
        &batch(&[square(0..4), square(-4..0), vec![[0; 3]]]),
        false,
        &[
            (|g| g.conv_cpu([2; 3], [2; 3]), |g| g.conv([2; 3], [2; 3])),
            (|g| g.conv_cpu([1; 3], [2; 3]), |g| g.conv([1; 3], [2; 3])),
            (|g| g.conv_transpose_cpu([3; 3], [2; 3]), |g| g.conv_transpose([3; 3], [2; 3])),
        ],
    );
}

/// 27 candidates a voxel are more than 2^31 here.
#[test]
fn eighty_million_voxels_have_their_neighbours() {
    let source = solid(432);
    assert!(source.voxels() * 27 > 1 << 31);
    compare(&source, true, &[(|g| g.conv_cpu([3; 3], [1; 3]), |g| g.conv([3; 3], [1; 3]))]);
}
