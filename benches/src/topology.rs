//! sparse-topology: whole calls on a device, one read-back of numbers each, results left there.

use std::time::{Duration, Instant};

use conformance::error::Error;
use conformance::voxels::shell;
use gpu_runtime::{AdapterSelector, Context, ContextOptions, Timestamps};
use serde::Serialize;
use sparse_topology::device::{Chain, DeviceGrid, Input, StepId, Timings, TopologyDevice, TopologyOptions};
use sparse_topology::{GridBatch, Neighbours, Transform};

use crate::anchors::Anchors;
use crate::clock::Clock;
use crate::table::{markdown, median};
use crate::topology_lists;

/// Time of arithmetic before each row, so that the clock is up.
const WARM_UP: Duration = Duration::from_millis(150);

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// Parts of the names of inputs; all without one.
    pub inputs: &'a [String],
    /// Runs of each row; the median counts.
    pub repeats: usize,
    /// Radius of the small shell; the large one has 1152 / 364 of it. 364 gives 10 million voxels.
    pub radius: u32,
    /// Whether results of the small inputs are compared with the CPU references, word for word.
    pub check: bool,
}

/// One operation on one input.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Input.
    pub input: String,
    /// Operation.
    pub operation: String,
    /// Voxels of the input.
    pub source: u64,
    /// Voxels of the result.
    pub voxels: u64,
    /// Leaves of the result.
    pub leaves: usize,
    /// Milliseconds of the whole call: encoding, submission, one read-back of numbers, the wait; the median.
    pub milliseconds: f64,
    /// The shortest of the same calls: what they take where the host has nothing else to do.
    pub shortest: f64,
    /// Milliseconds on the device by kernel, timed apart.
    pub kernels: Vec<(String, f64)>,
    /// Milliseconds that the issue asks for.
    pub goal: Option<f64>,
    /// Milliseconds of NanoVDB's CUDA tools, with its allocations.
    pub nanovdb: Option<f64>,
    /// Most bytes of scratch.
    pub scratch: u64,
    /// Most bytes of grids: the input and the result with the room it got.
    pub grids: u64,
    /// Rate of the arithmetic before the row, relative to the best seen: below about 0.9 the clock had fallen.
    pub clock: Option<f64>,
}

/// All rows.
#[derive(Debug, Clone, Serialize, Default)]
pub struct Results {
    /// The rows, in order.
    pub rows: Vec<Row>,
}

/// A chain of the grid and of a copy of it moved by 101 along x.
type Build = dyn Fn(&mut Chain, &DeviceGrid, &DeviceGrid) -> Result<StepId, sparse_topology::Error>;

type Operation = (&'static str, Box<Build>);

fn operations() -> Vec<Operation> {
    fn op(
        name: &'static str,
        run: impl Fn(&mut Chain, &DeviceGrid, &DeviceGrid) -> Result<StepId, sparse_topology::Error> + 'static,
    ) -> Operation {
        (name, Box::new(run))
    }
    vec![
        op("coarsen 2", |c, g, _| c.coarsen(g, [2; 3])),
        op("coarsen 3", |c, g, _| c.coarsen(g, [3; 3])),
        op("coarsen 2,2,1", |c, g, _| c.coarsen(g, [2, 2, 1])),
        op("coarsen 2,3,4", |c, g, _| c.coarsen(g, [2, 3, 4])),
        op("dilate 6", |c, g, _| c.dilate(g, Neighbours::Face, 1)),
        op("dilate 26", |c, g, _| c.dilate(g, Neighbours::Vertex, 1)),
        op("refine 2", |c, g, _| c.refine(g, [2; 3])),
        op("refine 3", |c, g, _| c.refine(g, [3; 3])),
        op("merge moved 101", |c, g, moved| c.union(&[Input::from(g), moved.into()])),
        op("conv 3 s1", |c, g, _| c.conv(g, [3; 3], [1; 3])),
        op("conv 3 s2", |c, g, _| c.conv(g, [3; 3], [2; 3])),
        op("conv 3 s3", |c, g, _| c.conv(g, [3; 3], [3; 3])),
        op("erode 26", |c, g, _| c.erode(g, Neighbours::Vertex, 1)),
        op("coarsen 2 four times", |c, g, _| {
            let mut last = c.coarsen(g, [2; 3])?;
            for _ in 0..3 {
                last = c.coarsen(last, [2; 3])?;
            }
            Ok(last)
        }),
    ]
}

/// The radius of the shell of 10 million voxels, the input that the anchors and goals are of.
pub const RADIUS: u32 = 364;

/// Uniform in [-2000, 2000)^3.
fn random(count: usize) -> Vec<[i32; 3]> {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % 4000) as i32 - 2000
    };
    (0..count).map(|_| [draw(), draw(), draw()]).collect()
}

/// A name, what it is called at another size, whether results are compared, and the voxels by item.
type Kind<'k> = (&'k str, &'k str, bool, &'k dyn Fn() -> Vec<Vec<[i32; 3]>>);

/// The grids that are wanted with their names, and whether results on them are compared with the CPU's.
fn inputs(plan: &Plan<'_>) -> Result<Vec<(String, GridBatch, bool)>, Error> {
    let radius = (f64::from(plan.radius) * (1.0_f64 / 100.0).sqrt()).round() as u32;
    let voxels = |radius: u32| shell(radius, [0; 3]);
    // Grids of one batch mostly lie round their origins; these do not, so that no two have the same tiles.
    let apart = |i: i32| shell(radius, [700 * i - 22_000, 1300 * (i % 7) - 4000, 911 * (i % 5) - 2000]);
    let small = || vec![voxels(plan.radius)];
    let kinds: [Kind<'_>; 6] = [
        ("shell 10 M", "shell", true, &small),
        ("64 shells of 100 k", "64 shells", true, &|| vec![voxels(radius); 64]),
        ("64 shells of 100 k, apart", "64 shells apart", true, &|| (0..64).map(apart).collect()),
        ("shell 6.4 M", "shell", true, &|| vec![voxels(radius * 8)]),
        ("random 1 M", "random", true, &|| vec![random(voxels(plan.radius).len() / 10)]),
        ("shell 100 M", "shell", false, &|| vec![voxels(plan.radius * 1152 / RADIUS)]),
    ];
    let wanted = |name: &str| plan.inputs.is_empty() || plan.inputs.iter().any(|part| name.contains(part.as_str()));
    let mut grids = Vec::new();
    for (full, kind, check, items) in kinds.into_iter().filter(|kind| wanted(kind.0)) {
        let items = items();
        let items: Vec<&[[i32; 3]]> = items.iter().map(Vec::as_slice).collect();
        let grid = GridBatch::from_coordinates_cpu(&items, &vec![Transform::default(); items.len()])?;
        let name = if plan.radius == RADIUS { full.to_owned() } else { format!("{kind}, {} voxels", grid.voxels()) };
        grids.push((name, grid, check));
    }
    Ok(grids)
}

/// Runs all rows.
///
/// # Errors
/// Device errors; [`Error::Differs`] when a result differs from the CPU reference.
pub fn run(context: &Context, plan: &Plan<'_>, anchors: &Anchors) -> Result<Results, Error> {
    let device = TopologyDevice::new(context, &TopologyOptions::default());
    let mut clock = Clock::new(context)?;
    let mut results = Results::default();
    let mut failed = 0;
    let mut checks = 0;
    for (name, batch, check) in &inputs(plan)? {
        let first = results.rows.is_empty();
        eprintln!("{name}: {} voxels, {} leaves", batch.voxels(), batch.leaves());
        let source = DeviceGrid::upload(&device, batch)?;
        let moved = source.pad([101, 0, 0], [101, 0, 0])?;
        for (operation, build) in operations() {
            let row = measure(&device, &mut clock, plan, (&source, &moved), build.as_ref());
            let (mut row, result) = row.map_err(|e| {
                eprintln!("{name}, {operation}: {e}");
                e
            })?;
            (row.input, row.operation) = (name.clone(), operation.to_owned());
            let anchor = anchors.topology(name, operation);
            (row.goal, row.nanovdb) = (anchor.and_then(|a| a.goal), anchor.and_then(|a| a.nanovdb));
            eprintln!("  {operation}: {:.3} ms, {} voxels", row.milliseconds, row.voxels);
            if plan.check && *check {
                checks += 1;
                if !equal(operation, batch, &result)? {
                    eprintln!("  DIFFERS from the CPU reference");
                    failed += 1;
                }
            }
            results.rows.push(row);
        }
        drop((source, moved));
        device.trim();
        if first && name.starts_with("shell") {
            results.rows.push(asleep(context, plan, (name, batch))?);
        }
        let (mut row, same) = topology_lists::from_coordinates(&device, &mut clock, plan, batch)?;
        row.input = name.clone();
        let anchor = anchors.topology(name, &row.operation);
        (row.goal, row.nanovdb) = (anchor.and_then(|a| a.goal), anchor.and_then(|a| a.nanovdb));
        eprintln!("  {}: {:.3} ms{}", row.operation, row.milliseconds, if same { "" } else { " DIFFERS" });
        checks += 1;
        failed += usize::from(!same);
        results.rows.push(row);
        device.trim();
    }
    if failed > 0 {
        return Err(Error::Differs { failed, checks });
    }
    Ok(results)
}

/// Coarsening by 2 with waits that sleep at once.
fn asleep(context: &Context, plan: &Plan<'_>, (input, batch): (&str, &GridBatch)) -> Result<Row, Error> {
    let selector = AdapterSelector::Index(context.adapter().index);
    let context = Context::new(&ContextOptions { selector, spin: Some(Duration::ZERO), ..ContextOptions::default() })?;
    let device = TopologyDevice::new(&context, &TopologyOptions::default());
    let source = DeviceGrid::upload(&device, batch)?;
    let build = |c: &mut Chain, g: &DeviceGrid, _: &DeviceGrid| c.coarsen(g, [2; 3]);
    let (row, _) = measure(&device, &mut Clock::new(&context)?, plan, (&source, &source), &build)?;
    let operation = "coarsen 2, waits asleep".to_owned();
    eprintln!("  {operation}: {:.3} ms", row.milliseconds);
    Ok(Row { input: input.to_owned(), operation, ..row })
}

fn measure(
    device: &TopologyDevice,
    clock: &mut Clock,
    plan: &Plan<'_>,
    (source, moved): (&DeviceGrid, &DeviceGrid),
    build: &Build,
) -> Result<(Row, DeviceGrid), Error> {
    let once = |timestamps| -> Result<(DeviceGrid, Timings), Error> {
        let mut chain = device.chain();
        let step = build(&mut chain, source, moved)?;
        let ([grid], timings) = chain.finish_timed([step], timestamps)?;
        Ok((grid, timings))
    };
    // Compiles, and learns the size of the result.
    once(Timestamps::None)?;
    let rate = clock.warm_up(WARM_UP)?;
    let mut walls = Vec::new();
    for _ in 0..plan.repeats {
        let started = Instant::now();
        once(Timestamps::None)?;
        walls.push(started.elapsed().as_secs_f64() * 1e3);
    }
    device.reset_peak();
    let (grid, _) = once(Timestamps::None)?;
    let memory = device.memory();
    clock.warm_up(WARM_UP)?;
    let timings = once(Timestamps::EachDispatch)?.1;
    let row = Row {
        input: String::new(),
        operation: String::new(),
        source: source.voxels(),
        voxels: grid.voxels(),
        leaves: grid.leaves(),
        shortest: walls.iter().copied().fold(f64::INFINITY, f64::min),
        milliseconds: median(walls),
        kernels: timings.into_iter().map(|(name, seconds)| (name, seconds * 1e3)).collect(),
        goal: None,
        nanovdb: None,
        scratch: memory.peak_scratch,
        grids: memory.peak_grids,
        clock: rate,
    };
    Ok((row, grid))
}

/// Whether a result is the CPU reference's, word for word.
fn equal(operation: &str, batch: &GridBatch, found: &DeviceGrid) -> Result<bool, Error> {
    let expected = match operation {
        "coarsen 2" => batch.coarsen_cpu([2; 3])?,
        "coarsen 3" => batch.coarsen_cpu([3; 3])?,
        "coarsen 2,2,1" => batch.coarsen_cpu([2, 2, 1])?,
        "coarsen 2,3,4" => batch.coarsen_cpu([2, 3, 4])?,
        "dilate 6" => batch.dilate_cpu(Neighbours::Face, 1)?,
        "dilate 26" | "conv 3 s1" => batch.dilate_cpu(Neighbours::Vertex, 1)?,
        "refine 2" => batch.refine_cpu([2; 3])?,
        "refine 3" => batch.refine_cpu([3; 3])?,
        "conv 3 s2" => batch.conv_cpu([3; 3], [2; 3])?,
        "conv 3 s3" => batch.conv_cpu([3; 3], [3; 3])?,
        "erode 26" => batch.erode_cpu(Neighbours::Vertex, 1)?,
        "merge moved 101" => GridBatch::union_cpu(&[batch, &batch.pad_cpu([101, 0, 0], [101, 0, 0])?])?,
        _ => batch.coarsen_cpu([16; 3])?,
    };
    let mut found = found.download()?;
    for item in 0..found.items() {
        // Four coarsenings round the origin otherwise than one.
        found.set_transform(item, expected.transforms()[item])?;
    }
    Ok(found == expected)
}

impl Results {
    /// Tables for people: the calls, then the kernels.
    pub fn tables(&self) -> String {
        let number = |v: Option<f64>| v.map_or_else(|| "-".into(), |v| format!("{v:.2}"));
        let head = [
            "input",
            "operation",
            "ms",
            "least",
            "goal",
            "NanoVDB",
            "ratio",
            "device ms",
            "voxels",
            "scratch B/voxel",
            "scratch MB",
            "peak MB",
            "clock",
        ];
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|r| {
                let device: f64 = r.kernels.iter().map(|k| k.1).sum();
                vec![
                    r.input.clone(),
                    r.operation.clone(),
                    format!("{:.3}", r.milliseconds),
                    format!("{:.3}", r.shortest),
                    number(r.goal),
                    number(r.nanovdb),
                    number(r.nanovdb.map(|n| n / r.milliseconds)),
                    // Calls whose kernels were not timed have no figure.
                    if r.kernels.is_empty() { "-".into() } else { format!("{device:.3}") },
                    r.voxels.to_string(),
                    format!("{:.2}", r.scratch as f64 / r.voxels.max(r.source).max(1) as f64),
                    format!("{:.2}", r.scratch as f64 / 1e6),
                    format!("{:.1}", (r.scratch + r.grids) as f64 / 1e6),
                    number(r.clock),
                ]
            })
            .collect();
        let mut text = format!(
            "## sparse-topology: whole calls\n\nScratch a voxel is that of the larger of input and result; the peak is of input, result and scratch together.\n\n{}\n",
            markdown(&head, &rows)
        );
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|r| {
                let each = r.kernels.iter().map(|(name, ms)| format!("{name} {:.1}", ms * 1e3));
                vec![r.input.clone(), r.operation.clone(), each.collect::<Vec<_>>().join(", ")]
            })
            .collect();
        text += &format!(
            "## sparse-topology: kernels, microseconds, timed apart\n\n{}",
            markdown(&["input", "operation", "kernels"], &rows)
        );
        text
    }
}
