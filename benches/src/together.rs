//! One table for everything: every crate's calls on a device and on the CPU, beside peers and goals, with plots.

use std::path::{Path, PathBuf};

use conformance::error::Error;
use conformance::report;
use gpu_runtime::{AdapterSelector, Context, NumericsChoice};
use serde::{Deserialize, Serialize};

use crate::anchors::Anchors;
use crate::clock::Clock;
use crate::figures::{self, Figure};
use crate::plot::{self, Bar};
use crate::roofline::Roofline;
use crate::table::markdown;
use crate::{affine, decode, distance, queries, signs, topology};

/// Options of the one table.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    pub device: AdapterSelector,
    /// Strict form: auto, decorated or guarded.
    #[arg(long, default_value = "auto")]
    pub numerics: NumericsChoice,
    /// Folder with bunny-fcpw.obj and dragon-fine.stl.
    #[arg(long, value_name = "DIR")]
    pub meshes: Option<PathBuf>,
    /// Small inputs and few runs, for software devices and a first look: figures of peers and goals have no place there.
    #[arg(long)]
    pub quick: bool,
    /// Parts of the names of crates to measure; all without it.
    #[arg(long, value_delimiter = ',', value_name = "CRATES")]
    pub only: Vec<String>,
    /// Runs of each row; the median counts.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..))]
    pub repeats: u16,
    /// Also write all figures to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Folder of the report and its plots.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    pub out: PathBuf,
}

/// Measures all crates; `each` is given all figures so far whenever one has ended, so that nothing is lost when a later one fails.
///
/// # Errors
/// Of the device and the files.
pub fn run(
    context: &Context,
    options: &Options,
    anchors: &Anchors,
    mut each: impl FnMut(&Roofline, &[Figure]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut clock = Clock::new(context)?;
    let roofline = Roofline::measure(context, &mut clock, usize::from(options.repeats))?;
    let repeats = usize::from(if options.quick { options.repeats.min(3) } else { options.repeats });
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|part| name.contains(part.as_str()));
    let mut figures = Vec::new();
    if wanted("mesh-distance") {
        let sizes: &[u32] = if options.quick { &[32] } else { &[32, 128, 256] };
        let (meshes, quick) = (options.meshes.as_deref(), options.quick);
        let plan = distance::Plan { meshes, sizes, repeats, growth: false, quick };
        figures.extend(figures::of_distance(&distance::run(context, &plan, anchors)?, anchors));
        each(&roofline, &figures)?;
        figures.extend(figures::of_signs(&signs::run(context, &plan, anchors)?, anchors));
        each(&roofline, &figures)?;
        if !options.quick {
            figures.extend(figures::of_queries(&queries::run(context, &plan)?));
            each(&roofline, &figures)?;
        }
    }
    if wanted("affine-arith") {
        let less = if options.quick { 6 } else { 0 };
        figures.extend(figures::of_octrees(&affine::rows(context, &mut clock, less, repeats)?, anchors));
        each(&roofline, &figures)?;
    }
    if wanted("mesh-decode") {
        let (triangles, copies): (_, &[usize]) = if options.quick { (20_000, &[1]) } else { (999_698, &[1, 8]) };
        let plan = decode::Plan { triangles, copies, formats: &[], repeats };
        figures.extend(figures::of_decode(&decode::run(context, &plan, anchors)?, anchors));
        each(&roofline, &figures)?;
    }
    if wanted("sparse-topology") {
        let radius = if options.quick { 40 } else { topology::RADIUS };
        let plan = topology::Plan { inputs: &[], repeats, radius, check: false };
        figures.extend(figures::of_topology(&topology::run(context, &plan, anchors)?));
        each(&roofline, &figures)?;
    }
    Ok(())
}

/// The table, with what it says explained.
pub fn table(roofline: &Roofline, rows: &[Figure], quick: bool) -> String {
    let head = [
        "crate: input: what",
        "work",
        "device, ms",
        "call, ms",
        "with read-back, ms",
        "upload, ms",
        "work/s",
        "CPU 1 thread, ms",
        "CPU all, ms",
        "peer",
        "faster than peer",
        "goal, ms",
        "met",
        "of memory rate",
        "of arithmetic rate",
        "bound by",
        "clock",
    ];
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(roofline, row, quick)).collect();
    let small = if quick {
        "Small inputs (`--quick`): no comparison with peers and goals, which are for full ones.\n"
    } else {
        ""
    };
    format!(
        "## All crates\n\nMemory: a copy moves {:.2} TB/s here, reads and writes counted; arithmetic: {:.2} T operations/s (fused multiplications and additions of f32), {:.2} T steps/s (multiply, add, shift, exclusive or of u32).\n{small}\n{}\n\
         device: its own clock, input resident, result left there, median. call: the host's clock, counts read back. of memory rate: the least bytes of the call \
         (inputs and results of known size, each once) over the time that counts, to the copy's rate. of arithmetic rate: the operations of the call over the same time, to \
         that rate; of distances they are those of the reference's walk from the right answer on (bounds of nodes and triangles, counted on the CPU, times the operations of \
         their functions in the translated kernel), of other kernels with loops nothing is counted. bound by: the higher of the two floors; where both are low, latency is. \
         CPU: the reference for as much work (distances are measured at 48^3 and scaled). faster than peer and met use the device's clock, for sparse-topology the \
         call, as the peers' figures do. Peers are on an H200: elsewhere the column says how the device stands to their card.\n",
        roofline.bytes / 1e12,
        roofline.operations / 1e12,
        roofline.steps / 1e12,
        markdown(&head, &cells),
    ) + &missed(rows, quick)
}

fn cells(roofline: &Roofline, row: &Figure, quick: bool) -> Vec<String> {
    let dash = || "-".to_owned();
    let ms = |t: Option<f64>| t.map_or_else(dash, |t| if t < 10.0 { format!("{t:.3}") } else { format!("{t:.0}") });
    let percent =
        |part: f64| if part < 0.0995 { format!("{:.1} %", 100.0 * part) } else { format!("{:.0} %", 100.0 * part) };
    let share = |floor: Option<f64>| floor.zip(row.counted()).map_or_else(dash, |(floor, t)| percent(floor / t));
    let [memory, arithmetic] = row.floors(roofline).map(share);
    let peer = row.peer.as_ref().filter(|_| !quick);
    vec![
        format!("{}: {}: {}", row.package, row.input, row.what),
        format!("{} {}", row.work, row.unit),
        ms(row.device),
        ms(row.call),
        ms(row.read_back),
        ms(row.upload),
        row.rate().map_or_else(dash, |rate| format!("{:.3} G", rate / 1e9)),
        ms(row.cpu_one),
        ms(row.cpu_all),
        peer.map_or_else(dash, |(name, t)| format!("{name} {t:.3}")),
        row.to_peer().filter(|_| !quick).map_or_else(dash, |x| format!("{x:.1}x")),
        ms(row.goal.filter(|_| !quick)),
        row.to_goal().filter(|_| !quick).map_or_else(dash, |x| if x >= 1.0 { "yes" } else { "no" }.to_owned()),
        memory,
        arithmetic,
        row.bound(roofline).map_or_else(dash, |(name, _)| name.to_owned()),
        row.clock.map_or_else(dash, |x| format!("{x:.2}")),
    ]
}

/// Each goal that was missed, and by how much.
fn missed(rows: &[Figure], quick: bool) -> String {
    let line = |row: &Figure| {
        let (goal, counted) = row.goal.zip(row.counted())?;
        let late = (counted > goal).then_some(100.0 * (counted / goal - 1.0))?;
        let name = format!("{}: {}: {}", row.package, row.input, row.what);
        Some(format!("- {name}: {counted:.3} ms of {goal:.3}, {late:.0} % over\n"))
    };
    let lines: String = rows.iter().filter(|_| !quick).filter_map(line).collect();
    if lines.is_empty() { String::new() } else { format!("\n## Goals missed\n\n{lines}") }
}

/// Writes the table as a report below `head` and, beside it, the plots that it shows; gives the report's text and path.
///
/// # Errors
/// Files that cannot be written.
pub fn write(
    out: &Path,
    head: &str,
    device: &str,
    quick: bool,
    roofline: &Roofline,
    rows: &[Figure],
) -> Result<(String, PathBuf), Error> {
    let mut text = head.to_owned();
    let label = |row: &Figure| format!("{}, {}", row.input, row.what);
    let bar = |row: &Figure, value| Bar { label: label(row), value, group: row.package.clone() };
    let peers: Vec<Bar> = rows.iter().filter_map(|row| Some(bar(row, row.to_peer()?))).collect();
    let cpu = rows.iter().filter_map(|row| Some(bar(row, row.cpu_all? / row.counted()?)));
    let plots = [
        ("peers", "Times faster than the peer on an H200", if quick { Vec::new() } else { peers }),
        ("cpu", "Times faster than the CPU reference on all threads", cpu.collect()),
    ];
    for (suffix, title, list) in plots {
        let svg = plot::bars(&format!("{title}: {device}"), "times faster", &list);
        let svg = svg.map_err(|what| Error::File { path: out.into(), source: std::io::Error::other(what) })?;
        if !svg.is_empty() {
            let name = format!("{}-{}-bench-{suffix}.svg", report::today(), report::slug(device));
            report::write_whole(&out.join(&name), &svg)?;
            text += &format!("![{title}]({name})\n\n");
        }
    }
    text += &table(roofline, rows, quick);
    let path = report::write(out, device, "-bench-all", &text)?;
    Ok((text, path))
}

/// Figures of one run, as its `--json` file holds them.
#[derive(Debug, Deserialize)]
struct Run {
    device: String,
    driver: String,
    numerics: String,
    commit: String,
    day: String,
    all: Measured,
}

/// What a run measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measured {
    /// Rates of the device.
    pub roofline: Roofline,
    /// All figures.
    pub figures: Vec<Figure>,
}

/// Options of `table`.
#[derive(Debug, Clone, clap::Args)]
pub struct TableOptions {
    /// `--json` files of runs of `all` on one device; of figures that several hold, the last file's stands.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder of the report and its plots.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

/// Puts the figures of several runs into one table; gives the report's text and path.
///
/// # Errors
/// Files that cannot be read or hold something else, runs of different devices.
pub fn join(options: &TableOptions) -> Result<(String, PathBuf), Error> {
    let read = |path: &PathBuf| -> Result<Run, Error> {
        let file = |source| Error::File { path: path.clone(), source };
        serde_json::from_str(&std::fs::read_to_string(path).map_err(file)?).map_err(|e| file(e.into()))
    };
    let runs: Vec<Run> = options.files.iter().map(read).collect::<Result<_, _>>()?;
    let Some((first, rest)) = runs.split_first() else { return Err(Error::Corpus("no file".into())) };
    if let Some(other) = rest.iter().find(|run| (&run.device, &run.driver) != (&first.device, &first.driver)) {
        let what = format!("runs of {} and of {}: one table is of one device", first.device, other.device);
        return Err(Error::Corpus(what));
    }
    let mut head = format!(
        "# Bench of all crates: {}\n\n| driver | strict form | commit | day | figures |\n|---|---|---|---|---:|\n",
        first.device
    );
    let mut figures: Vec<Figure> = Vec::new();
    for run in &runs {
        let Run { driver, numerics, commit, day, all, .. } = run;
        head += &format!("| {driver} | {numerics} | {commit} | {day} | {} |\n", all.figures.len());
        for figure in &all.figures {
            let name = |f: &Figure| (f.package.clone(), f.input.clone(), f.what.clone());
            match figures.iter_mut().find(|old| name(old) == name(figure)) {
                Some(old) => *old = figure.clone(),
                None => figures.push(figure.clone()),
            }
        }
    }
    write(&options.out, &(head + "\n"), &first.device, false, &first.all.roofline, &figures)
}
