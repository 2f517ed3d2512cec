//! affine-arith: octrees round implicit surfaces, every level on the device, cells left there; and the CPU reference.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use affine_arith::{CellQuery, Cells, Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};
use conformance::error::Error;
use conformance::report;
use gpu_runtime::{AdapterSelector, Context, ContextOptions, NumericsChoice, Timestamps};

use crate::anchors::Anchors;
use crate::clock::Clock;
use crate::pictures;
use crate::table::{markdown, median};

/// Time of arithmetic before each row, so that the clock is up.
const WARM_UP: Duration = Duration::from_millis(400);

/// A function, half its box, and its last level.
struct Scene {
    name: &'static str,
    text: &'static str,
    half: f64,
    level: u32,
    model: Model,
    rounding: Rounding,
}

const TANGLECUBE: &str = "sqr(sqr(x))-5*sqr(x) + sqr(sqr(y))-5*sqr(y) + sqr(sqr(z))-5*sqr(z) + 11.8";
const GYROID: &str = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)";

/// The tanglecube with its axes turned.
const TURNED: &str = "sqr(sqr(0.667*x+0.667*y-0.333*z))-5*sqr(0.667*x+0.667*y-0.333*z) \
               + sqr(sqr(0.667*y-0.333*x+0.667*z))-5*sqr(0.667*y-0.333*x+0.667*z) \
               + sqr(sqr(0.667*x-0.333*y+0.667*z))-5*sqr(0.667*x-0.333*y+0.667*z) + 11.8";

/// The scenes of the peers' figures, and one in which no part of a cell's work is shared with another's.
const SCENES: [Scene; 7] = [
    Scene {
        name: "tanglecube",
        text: TANGLECUBE,
        half: 3.0,
        level: 12,
        model: Model::Affine,
        rounding: Rounding::Rigorous,
    },
    Scene { name: "gyroid", text: GYROID, half: 6.0, level: 11, model: Model::Affine, rounding: Rounding::Rigorous },
    Scene {
        name: "tanglecube, turned",
        text: TURNED,
        half: 3.0,
        level: 12,
        model: Model::Affine,
        rounding: Rounding::Rigorous,
    },
    Scene {
        name: "tanglecube, standard forms",
        text: TANGLECUBE,
        half: 3.0,
        level: 9,
        model: Model::Standard,
        rounding: Rounding::Rigorous,
    },
    Scene {
        name: "gyroid, standard forms",
        text: GYROID,
        half: 6.0,
        level: 9,
        model: Model::Standard,
        rounding: Rounding::Rigorous,
    },
    Scene {
        name: "tanglecube, turned, NOT rigorous",
        text: TURNED,
        half: 3.0,
        level: 12,
        model: Model::Affine,
        rounding: Rounding::Ignore,
    },
    Scene {
        name: "tanglecube, NOT rigorous",
        text: TANGLECUBE,
        half: 3.0,
        level: 12,
        model: Model::Affine,
        rounding: Rounding::Ignore,
    },
];

/// Octrees of known scenes.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    device: AdapterSelector,
    /// Strict form: auto, decorated or guarded.
    #[arg(long, default_value = "auto")]
    numerics: NumericsChoice,
    /// Levels less than the full depth.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10))]
    less: u32,
    /// Runs of each row; the median counts.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,
    /// Pictures alone.
    #[arg(long)]
    pictures: bool,
    /// Do not compare with the CPU's cells and pictures.
    #[arg(long)]
    no_cpu: bool,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

/// An octree on the device.
#[derive(Debug, Clone)]
pub struct Row {
    /// Scene.
    pub scene: &'static str,
    /// Last level.
    pub level: u32,
    /// Active cells of the last level.
    pub cells: usize,
    /// Milliseconds by the device's clock, all levels.
    pub milliseconds: f64,
    /// Microseconds of each dispatch, timed apart.
    pub dispatches: Vec<f64>,
    /// Milliseconds from the expression to kernels and buffers.
    pub prepared: f64,
    /// The same with the kernels known.
    pub again: f64,
    /// Arithmetic rate before the row, relative to the best seen.
    pub clock: Option<f64>,
    /// The CPU reference's nanoseconds a cell on all threads, and whether its cells are the same.
    pub cpu: Option<(f64, bool)>,
    /// FNV-1a of the cells' indices.
    pub hash: u64,
}

/// Measures the rigorous scenes with reduced forms, `less` levels less deep.
///
/// # Errors
/// Of the device.
pub fn rows(context: &Context, clock: &mut Clock, less: u32, repeats: usize) -> Result<Vec<Row>, Error> {
    let how = How { less, repeats, cpu: true };
    let wanted = |scene: &&Scene| scene.rounding == Rounding::Rigorous && scene.model == Model::Affine;
    let rigorous = SCENES.iter().filter(wanted);
    rigorous.map(|scene| measure(context, clock, scene, how)).collect()
}

/// How deep, how often, and whether on the CPU too.
#[derive(Debug, Clone, Copy)]
struct How {
    less: u32,
    repeats: usize,
    cpu: bool,
}

/// FNV-1a over the indices of the cells.
fn hash(cells: &[[u16; 3]]) -> u64 {
    let step = |h: u64, v: u16| (h ^ u64::from(v)).wrapping_mul(0x0100_0000_01b3);
    cells.iter().flatten().fold(0xcbf2_9ce4_8422_2325, |h, v| step(h, *v))
}

fn measure(context: &Context, clock: &mut Clock, scene: &Scene, how: How) -> Result<Row, Error> {
    let level = scene.level.saturating_sub(how.less).max(1);
    let expr: affine_arith::Expr = scene.text.parse()?;
    let plan = Plan::new(&expr, &["x", "y", "z"])?;
    let capacity = 100_000_000 >> (2 * how.less);
    let subdivide = SubdivideOptions { level, model: scene.model, rounding: scene.rounding, capacity };
    let bounds = [(-scene.half, scene.half); 3];
    let prepare = || {
        let started = Instant::now();
        let query = CellQuery::new(context, &plan, bounds, subdivide)?;
        Ok::<_, Error>((query, started.elapsed().as_secs_f64() * 1e3))
    };
    let (first, prepared) = prepare()?;
    drop(first);
    let (query, again) = prepare()?;
    let counts = query.run(Timestamps::None)?.counts;
    let up = clock.warm_up(WARM_UP)?;
    let (mut whole, mut each): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for _ in 0..how.repeats {
        let started = Instant::now();
        let timings = query.run(Timestamps::Whole)?.timings;
        let wall = started.elapsed().as_secs_f64();
        whole.push(timings.first().map_or(wall, |(_, seconds)| *seconds) * 1e3);
    }
    for _ in 0..how.repeats {
        let timings = query.run(Timestamps::EachDispatch)?.timings;
        each.resize(timings.len(), Vec::new());
        each.iter_mut().zip(&timings).for_each(|(times, (_, seconds))| times.push(seconds * 1e6));
    }
    let cells = counts.last().copied().unwrap_or(0);
    let found = query.download(cells)?;
    let cpu = if !how.cpu {
        None
    } else {
        let started = Instant::now();
        let Cells { indices, .. } = subdivide_cpu(&plan, bounds, subdivide)?;
        Some((started.elapsed().as_secs_f64() * 1e9 / cells.max(1) as f64, indices == found))
    };
    let (milliseconds, dispatches) = (median(whole), each.into_iter().map(median).collect());
    let hash = hash(&found);
    Ok(Row { scene: scene.name, level, cells, milliseconds, dispatches, prepared, again, clock: up, cpu, hash })
}

/// Measures all scenes, writes the report with every row and prints it last.
///
/// # Errors
/// Of the device and the report.
pub fn run(options: &Options, anchors: &Anchors) -> Result<(), Error> {
    let selector = options.device.clone();
    let context = Context::new(&ContextOptions { selector, numerics: options.numerics, ..ContextOptions::default() })?;
    eprintln!("on {}, {} form", context.adapter(), context.numerics().form);
    let mut clock = Clock::new(&context)?;
    let head = format!("{}| strict form | {} |\n\n", report::head("Octrees", &context), context.numerics().form);
    // The report is written again with every row, so that a run that is stopped leaves what it measured.
    let write = |text: &str| report::write(&options.out, &context.adapter().name, "-octrees", text);
    let mut rows = Vec::new();
    let how = How { less: options.less, repeats: options.repeats.into(), cpu: !options.no_cpu };
    let mut text = head.clone();
    for scene in SCENES.iter().filter(|_| !options.pictures) {
        eprintln!("{} ..", scene.name);
        rows.push(measure(&context, &mut clock, scene, how)?);
        text = head.clone() + &table(&rows, anchors);
        write(&text)?;
    }
    let done = |drawn: &str| write(&format!("{text}{drawn}")).map(|_| ());
    let drawn = pictures::table(&context, &mut clock, options.repeats, !options.no_cpu, done)?;
    text += &drawn;
    println!("{text}\nreport: {}", write(&text)?.display());
    Ok(())
}

fn table(rows: &[Row], anchors: &Anchors) -> String {
    let dash = || "-".to_owned();
    let cells = |row: &Row| {
        let vusvna = anchors.octree(row.scene, row.level).and_then(|peer| peer.vusvna);
        vec![
            row.scene.to_owned(),
            row.level.to_string(),
            row.cells.to_string(),
            format!("{:016x}", row.hash),
            format!("{:.3}", row.milliseconds),
            vusvna.map_or_else(dash, |vusvna| format!("{:.1}x", vusvna / row.milliseconds)),
            format!("{:.0}", row.prepared),
            format!("{:.0}", row.again),
            row.cpu.map_or_else(dash, |(ns, _)| format!("{ns:.1}")),
            row.cpu.map_or_else(dash, |(_, equal)| if equal { "equal" } else { "DIFFERENT" }.to_owned()),
            row.clock.map_or_else(dash, |clock| format!("{clock:.2}")),
        ]
    };
    let head = [
        "scene",
        "level",
        "cells",
        "hash",
        "ms",
        "to vusvna",
        "ready, ms",
        "again, ms",
        "CPU, ns a cell",
        "to the CPU",
        "clock",
    ];
    let mut text = markdown(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    text += "\nms: the device's clock round all levels, tables resident, cells left on the device, median. ready: forms of the tables, kernels written \
             and compiled, buffers; again: the same with the kernels known. hash: FNV-1a of the indices. to vusvna: its time for the same work, rigorous.\n\n";
    for row in rows {
        let times: Vec<String> = row.dispatches.iter().map(|us| format!("{us:.0}")).collect();
        text += &format!("{}, us a dispatch (head, then scan and expand a level): {}\n\n", row.scene, times.join(" "));
    }
    text
}
