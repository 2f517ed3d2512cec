//! sparse-topology with batches larger than a binding: a context whose limit is small, against the CPU references as words.
//!
//! Kernels: `reach_upper`, `reach_lower`, `rank_upper`, `rank_lower`, `gather_leaves`, `filter_leaves`, `prune_leaves`, `clip_leaves`, `voxel_tiles`.

use std::sync::OnceLock;

use conformance::adapters::open_all;
use conformance::voxels::{batch, cloud};
use gpu_runtime::{Context, ContextOptions, NumericsChoice};
use sparse_topology::device::{DeviceGrid, TopologyDevice, TopologyOptions};
use sparse_topology::{AxisOrder, Error, GridBatch, Neighbours, Selection, Transform};

/// A page then has 8,191 leaves, 512 lower nodes and 32 tiles.
const BINDING: u64 = 1 << 19;

/// Contexts of all adapters whose bindings are small, in the form that each takes: words of integers are the same in both.
fn with_bindings(bytes: u64) -> Vec<Context> {
    let options = ContextOptions { max_binding_bytes: Some(bytes), ..ContextOptions::default() };
    open_all(&options, &[NumericsChoice::Auto])
}

fn on_small_bindings(test: impl Fn(&Context)) {
    static CONTEXTS: OnceLock<Vec<Context>> = OnceLock::new();
    CONTEXTS.get_or_init(|| with_bindings(BINDING)).iter().for_each(test);
}

fn device(context: &Context) -> TopologyDevice {
    assert_eq!(context.adapter().limits.max_binding_bytes, BINDING);
    TopologyDevice::new(context, &TopologyOptions::default())
}

/// A tile of many leaves, more lower nodes than a page, empty items, the ends of the coordinates.
fn wide() -> GridBatch {
    batch(&[
        vec![],
        cloud(1, 6_000, -150, 300),
        cloud(2, 700, -9000, 18_000),
        vec![],
        vec![[i32::MAX; 3], [i32::MIN, 7, i32::MAX], [i32::MIN; 3]],
        cloud(3, 5_000, 4000, 150),
    ])
}

type Operation =
    (&'static str, fn(&GridBatch) -> Result<GridBatch, Error>, fn(&DeviceGrid) -> Result<DeviceGrid, Error>);

fn operations() -> Vec<Operation> {
    use Neighbours::{Face, Vertex};
    vec![
        ("coarsen 2", |g| g.coarsen_cpu([2; 3]), |g| g.coarsen([2; 3])),
        ("coarsen 3,1,2", |g| g.coarsen_cpu([3, 1, 2]), |g| g.coarsen([3, 1, 2])),
        ("conv 3 s2", |g| g.conv_cpu([3; 3], [2; 3]), |g| g.conv([3; 3], [2; 3])),
        ("erode box", |g| g.erode_box_cpu([-1, 0, 0], [0, 1, 0]), |g| g.erode_box([-1, 0, 0], [0, 1, 0])),
        ("erode box away", |g| g.erode_box_cpu([2, 0, 0], [3, 0, 0]), |g| g.erode_box([2, 0, 0], [3, 0, 0])),
        ("erode 6", |g| g.erode_cpu(Face, 1), |g| g.erode(Face, 1)),
        ("erode 26", |g| g.erode_cpu(Vertex, 1), |g| g.erode(Vertex, 1)),
        ("clip", |g| g.clip_cpu([-50, -4000, -50], [4099, 90, 90]), |g| g.clip([-50, -4000, -50], [4099, 90, 90])),
        ("subsample", |g| g.subsample_cpu([2, 1, 3]), |g| g.subsample([2, 1, 3])),
    ]
}

/// Operations whose results must not leave the coordinates.
fn growing() -> Vec<Operation> {
    use Neighbours::{Face, Vertex};
    vec![
        ("dilate 6", |g| g.dilate_cpu(Face, 1), |g| g.dilate(Face, 1)),
        ("dilate 26 twice", |g| g.dilate_cpu(Vertex, 2), |g| g.dilate(Vertex, 2)),
        ("refine 2", |g| g.refine_cpu([2; 3]), |g| g.refine([2; 3])),
        ("pad", |g| g.pad_cpu([-9, 0, 0], [0, 30, 1]), |g| g.pad([-9, 0, 0], [0, 30, 1])),
        ("dual", GridBatch::dual_cpu, DeviceGrid::dual),
        ("transposed", |g| g.conv_transpose_cpu([3; 3], [2; 3]), |g| g.conv_transpose([3; 3], [2; 3])),
    ]
}

fn compare(name: &str, source: &GridBatch, up: &DeviceGrid, (cpu, gpu): (CpuOf, GpuOf)) {
    let (expected, found) = (cpu(source), gpu(up).and_then(|grid| grid.download()));
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            assert_eq!((found.leaves(), found.voxels()), (expected.leaves(), expected.voxels()), "{name}");
            assert!(found == expected, "{name}");
        }
        (expected, found) => {
            let text = |r: Result<GridBatch, Error>| r.map(|g| g.voxels()).map_err(|e| e.to_string());
            assert_eq!(text(expected), text(found), "{name}");
        }
    }
}

type CpuOf = fn(&GridBatch) -> Result<GridBatch, Error>;
type GpuOf = fn(&DeviceGrid) -> Result<DeviceGrid, Error>;

#[test]
fn batches_of_several_pages_are_those_of_the_reference() {
    let (wide, inner) = (wide(), batch(&[cloud(5, 6_000, -150, 300), cloud(6, 500, -9000, 18_000), vec![]]));
    on_small_bindings(|context| {
        let device = device(context);
        let up = DeviceGrid::upload(&device, &wide).expect("upload");
        assert!(up.page_count() > 1 && up.download().expect("download") == wide);
        for (name, cpu, gpu) in operations() {
            compare(name, &wide, &up, (cpu, gpu));
        }
        let up = DeviceGrid::upload(&device, &inner).expect("upload");
        for (name, cpu, gpu) in growing() {
            compare(name, &inner, &up, (cpu, gpu));
        }
    });
}

#[test]
fn errors_of_paged_batches_are_those_of_the_reference() {
    let wide = wide();
    on_small_bindings(|context| {
        let up = DeviceGrid::upload(&device(context), &wide).expect("upload");
        compare("refine", &wide, &up, (|g| g.refine_cpu([2; 3]), |g| g.refine([2; 3])));
        compare("dilate", &wide, &up, (|g| g.dilate_cpu(Neighbours::Face, 1), |g| g.dilate(Neighbours::Face, 1)));
        let short = up.prune(&[true]).expect_err("short").to_string();
        assert_eq!(short, wide.prune_cpu(&[true]).expect_err("short").to_string());
    });
}

#[test]
fn sets_and_selections_of_pages() {
    let a = wide();
    let b = batch(&[
        cloud(8, 900, 0, 20),
        cloud(1, 5_000, -150, 300),
        cloud(9, 800, -9000, 18_000),
        vec![],
        vec![[i32::MAX; 3]],
        cloud(3, 3_000, 4000, 150),
    ]);
    let keep: Vec<bool> = (0..a.voxels()).map(|row| row % 3 != 0).collect();
    let list = Selection::List(vec![5, 0, 2, 2, -1]);
    on_small_bindings(|context| {
        let device = device(context);
        let [x, y] = [&a, &b].map(|grid| DeviceGrid::upload(&device, grid).expect("upload"));
        let check = |name: &str, found: Result<DeviceGrid, Error>, expected: Result<GridBatch, Error>| {
            let found = found.and_then(|grid| grid.download()).expect(name);
            assert!(found == expected.expect(name), "{name}");
        };
        check("union", DeviceGrid::union(&[&x, &y]), GridBatch::union_cpu(&[&a, &b]));
        check("intersection", DeviceGrid::intersection(&[&x, &y]), GridBatch::intersection_cpu(&[&a, &b]));
        check("difference", DeviceGrid::difference(&[&x, &y]), GridBatch::difference_cpu(&[&a, &b]));
        check("prune", x.prune(&keep), a.prune_cpu(&keep));
        check("select", x.select(&list), a.select(&list));
        check("concatenate", DeviceGrid::concatenate(&[&x, &y]), GridBatch::concatenate(&[&a, &b]));
        check("nothing", x.clip([1; 3], [0; 3]), a.clip_cpu([1; 3], [0; 3]));
        // A chain of several, of which the last takes two results.
        let mut chain = device.chain();
        let mut run = || -> Result<_, Error> {
            let coarse = chain.coarsen(&x, [2; 3])?;
            let other = chain.coarsen(&y, [2; 3])?;
            let both = chain.union(&[coarse.into(), other.into()])?;
            Ok([coarse, both])
        };
        let wanted = run().expect("steps");
        let [coarse, both] = chain.finish(wanted).expect("a chain").map(|g| g.download().expect("download"));
        let [p, q] = [&a, &b].map(|grid| grid.coarsen_cpu([2; 3]).expect("coarse"));
        assert!(coarse == p);
        assert!(both == GridBatch::union_cpu(&[&p, &q]).expect("union"));
    });
}

#[test]
fn questions_to_pages() {
    let grid = wide();
    on_small_bindings(|context| {
        let up = DeviceGrid::upload(&device(context), &grid).expect("upload");
        for item in [0, 1, 2, 4] {
            let mut queries = grid.coordinates(item).expect("coordinates");
            queries.truncate(500);
            queries.extend(cloud(4, 200, -200, 400));
            assert_eq!(
                up.coordinates_to_index(item, &queries).expect("rows"),
                grid.coordinates_to_index_cpu(item, &queries).expect("rows")
            );
            assert_eq!(
                up.neighbour_indices(item, &queries[..20], 1, 0).expect("rows"),
                grid.neighbour_indices_cpu(item, &queries[..20], 1, 0).expect("rows")
            );
            assert_eq!(
                up.inverse_index(item, &queries).expect("rows"),
                grid.inverse_index_cpu(item, &queries).expect("rows")
            );
        }
        let voxels = grid.coordinates(1).expect("coordinates");
        let values: Vec<u32> = (0..voxels.len() as u32).map(|i| i * 7 + 1).collect();
        let context = up.device().context();
        let words = context.upload("coordinates", voxels.as_flattened()).expect("upload");
        let listed = context.upload("values", &values).expect("upload");
        let found = up.values_by_row(1, &words, &listed, 0).expect("values");
        assert_eq!(found.download().expect("download"), values);
        let offset = [300; 3];
        assert_eq!(
            up.morton_codes(1, offset, AxisOrder::Xyz).expect("codes"),
            grid.morton_codes_cpu(1, offset, AxisOrder::Xyz).expect("codes")
        );
        let coarse = grid.coarsen_cpu([2; 3]).expect("coarse");
        let down = up.coarsen([2; 3]).expect("coarse");
        assert_eq!(
            up.pool_pairs(&down, [2; 3]).expect("pairs").download().expect("pairs"),
            grid.pool_pairs_cpu(&coarse, [2; 3]).expect("pairs")
        );
    });
}

#[test]
fn builders_make_pages() {
    let lists =
        [cloud(1, 1_500, -4096, 12_288), vec![], cloud(2, 15_000, -150, 300), cloud(7, 20, -2_000_000_000, 1 << 31)];
    let slices: Vec<&[[i32; 3]]> = lists.iter().map(Vec::as_slice).collect();
    let transforms = vec![Transform::default(); 4];
    let expected = GridBatch::from_coordinates_cpu(&slices, &transforms).expect("a batch");
    on_small_bindings(|context| {
        let found = DeviceGrid::from_coordinates(&device(context), &slices, &transforms).expect("a batch");
        assert!(found.page_count() > 1);
        assert!(found.download().expect("download") == expected);
    });
}

#[test]
fn a_binding_below_a_lower_node_is_an_error_with_numbers() {
    let solid = GridBatch::from_dense_cpu([0; 3], [128; 3], None, &[Transform::default()]).expect("solid");
    for context in with_bindings(1 << 17) {
        let device = TopologyDevice::new(&context, &TopologyOptions::default());
        let Err(Error::Memory { needed, allowed, .. }) = DeviceGrid::upload(&device, &solid) else {
            panic!("a lower node of 4,096 leaves in bindings of 128 KiB");
        };
        assert_eq!((needed, allowed), (4097 * 64, 1 << 17));
        // Built there: pages are cut down to single lower nodes, of which one is too large still.
        let corner = GridBatch::from_coordinates_cpu(&[&[[0; 3]]], &[Transform::default()]).expect("a voxel");
        let Err(Error::Memory { needed, .. }) = DeviceGrid::upload(&device, &corner).and_then(|g| g.refine([128; 3]))
        else {
            panic!("a lower node of 4,096 leaves in bindings of 128 KiB");
        };
        assert_eq!(needed, 4097 * 64);
    }
}
