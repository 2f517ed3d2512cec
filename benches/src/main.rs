//! Times whole calls on a device, prints a table last and writes a report. Needs neither cargo nor the sources.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use benches::affine;
use benches::anchors::Anchors;
use benches::{compression, decode, distance, interleaved, one_core, queries, query, signs, together, topology};
use clap::{Parser, Subcommand};
use conformance::error::Error;
use conformance::report;
use gpu_runtime::{AdapterSelector, Context, ContextOptions, NumericsChoice};
use serde::Serialize;

/// Times whole calls on a device.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the benches of all crates: one table, with plots.
    All(together::Options),
    /// Put the figures of several runs of `all` into one table.
    Table(together::TableOptions),
    /// Run the benches of mesh-distance and write a report.
    Run(Options),
    /// Octrees round implicit surfaces, with a report of their own.
    Affine(affine::Options),
    /// Run the benches of mesh-distance's robust signs and write a report.
    Signs(Options),
    /// Run the benches of points, rays and cells of mesh-distance and write a report.
    Queries(Options),
    /// One call of mesh-distance with its transfers beside one core, and the largest difference, with a report.
    OneCore(Options),
    /// Run the benches of mesh-decode and write a report.
    Decode(DecodeOptions),
    /// Compare the bytes of mesh-decode's encoders on the same meshes and grid, and write a report.
    Compression(compression::Options),
    /// Run the box queries of mesh-decode: 402 boxes, three modes.
    Query(query::report::Options),
    /// Time two builds of this program against each other, in turn.
    Interleaved(interleaved::Options),
    /// Run the benches of sparse-topology and write a report.
    Topology(TopologyOptions),
}

#[derive(clap::Args)]
struct TopologyOptions {
    /// Parts of the names of inputs to measure, as `"10 M"` or `64`; all without it.
    inputs: Vec<String>,
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    device: AdapterSelector,
    /// Strict form: auto, decorated or guarded.
    #[arg(long, default_value = "auto")]
    numerics: NumericsChoice,
    /// Radius of the smaller shell of voxels: 364 is 10 million voxels; the larger one has ten times as many.
    #[arg(long, default_value_t = 364)]
    radius: u32,
    /// Compare the results of all inputs but the largest with the CPU references, word for word.
    #[arg(long)]
    check: bool,
    /// Runs of each row; the median counts.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,
    /// Also write all figures to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct DecodeOptions {
    /// Parts of the names of formats to measure; all without it.
    formats: Vec<String>,
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    device: AdapterSelector,
    /// Strict form: auto, decorated or guarded.
    #[arg(long, default_value = "auto")]
    numerics: NumericsChoice,
    /// Compare the files of units below this folder with the CPU reference, as they are and damaged, before the benches.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Damaged copies of each of these files.
    #[arg(long, default_value_t = 20)]
    rounds: u32,
    /// Triangles of the terrain.
    #[arg(long, default_value_t = 999_698)]
    triangles: usize,
    /// How many times over each file is laid on the device.
    #[arg(long, value_delimiter = ',', default_value = "1,8")]
    copies: Vec<usize>,
    /// Runs of each row; the median counts.
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,
    /// Also write all figures to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct Options {
    /// Crate whose benches run; all without it.
    #[arg(value_parser = ["mesh-distance"])]
    package: Option<String>,
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    device: AdapterSelector,
    /// Strict form: auto, decorated or guarded.
    #[arg(long, default_value = "auto")]
    numerics: NumericsChoice,
    /// Folder with bunny-fcpw.obj and dragon-fine.stl.
    #[arg(long, value_name = "DIR")]
    meshes: Option<PathBuf>,
    /// Cells along each axis of the grids.
    #[arg(long, value_delimiter = ',', default_value = "32,48,128,256")]
    sizes: Vec<u32>,
    /// Runs of each row; the median counts.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,
    /// Knots of 10 thousand, 100 thousand, 1 million and 10 million triangles instead of these meshes.
    #[arg(long, conflicts_with = "meshes")]
    growth: bool,
    /// Also write all figures to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

impl Options {
    fn plan(&self) -> distance::Plan<'_> {
        let (meshes, repeats) = (self.meshes.as_deref(), self.repeats.into());
        distance::Plan { meshes, sizes: &self.sizes, repeats, growth: self.growth, quick: false }
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().verb {
        Verb::All(options) => run_all(&options),
        Verb::Table(options) => run_table(&options),
        Verb::Run(options) => run(&options),
        Verb::Affine(options) => run_affine(&options),
        Verb::Signs(options) => run_signs(&options),
        Verb::Queries(options) => run_queries(&options),
        Verb::OneCore(options) => run_one_core(&options),
        Verb::Decode(options) => run_decode(&options),
        Verb::Compression(options) => compression::start(&options),
        Verb::Query(options) => query::report::start(&options),
        Verb::Interleaved(options) => interleaved::start(&options),
        Verb::Topology(options) => run_topology(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn open(selector: &AdapterSelector, numerics: NumericsChoice) -> Result<Context, Error> {
    gpu_runtime::quiet_drivers();
    let options = ContextOptions { selector: selector.clone(), numerics, ..ContextOptions::default() };
    let context = Context::new(&options)?;
    eprintln!("on {}, {} form", context.adapter(), context.numerics().form);
    Ok(context)
}

fn run_all(options: &together::Options) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let anchors = anchors()?;
    let form = context.numerics().form;
    let head = format!("{}| strict form | {form} |\n\n", report::head("Bench of all crates", &context));
    let mut text = String::new();
    together::run(&context, options, &anchors, |roofline, figures| {
        let measured = together::Measured { roofline: *roofline, figures: figures.to_vec() };
        write_json(options.json.as_ref(), &context, "all", &measured)?;
        let device = &context.adapter().name;
        let (report, path) = together::write(&options.out, &head, device, options.quick, roofline, figures)?;
        text = format!("{report}\nreport: {}", path.display());
        Ok(())
    })?;
    println!("{text}");
    Ok(())
}

fn run_table(options: &together::TableOptions) -> Result<(), Error> {
    let (text, path) = together::join(options)?;
    println!("{text}\nreport: {}", path.display());
    Ok(())
}

fn run_affine(options: &affine::Options) -> Result<(), Error> {
    gpu_runtime::quiet_drivers();
    affine::run(options, &anchors()?)
}

fn anchors() -> Result<Anchors, Error> {
    Anchors::load().map_err(|e| Error::File { path: "anchors.json".into(), source: e.into() })
}

/// Writes all figures to a file, where one is wanted.
fn write_json(path: Option<&PathBuf>, context: &Context, package: &str, results: &impl Serialize) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(&serde_json::json!({
        "device": context.adapter().name,
        "driver": context.adapter().driver,
        "numerics": context.numerics().form.to_string(),
        "commit": report::commit(),
        "day": report::today(),
        package: results,
    }));
    let text = text.map_err(|e| Error::File { path: path.clone(), source: e.into() })?;
    report::write_whole(path, &(text + "\n"))
}

/// Writes the report and prints it, tables last.
fn write_report(folder: &Path, context: &Context, suffix: &str, tables: &str) -> Result<(), Error> {
    let form = context.numerics().form;
    let text = format!("{}| strict form | {form} |\n\n{tables}", report::head("Bench", context));
    let path = report::write(folder, &context.adapter().name, suffix, &text)?;
    println!("{text}\nreport: {}", path.display());
    Ok(())
}

fn run(options: &Options) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let anchors = anchors()?;
    let plan = options.plan();
    let results = distance::run(&context, &plan, &anchors)?;
    write_json(options.json.as_ref(), &context, "mesh-distance", &results)?;
    write_report(&options.out, &context, "-bench", &results.tables(&anchors))
}

fn run_signs(options: &Options) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let anchors = anchors()?;
    let plan = options.plan();
    let rows = signs::run(&context, &plan, &anchors)?;
    write_json(options.json.as_ref(), &context, "mesh-distance-signs", &rows)?;
    write_report(&options.out, &context, "-bench-signs", &signs::table(&rows, &anchors))
}

fn run_queries(options: &Options) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let plan = options.plan();
    let rows = queries::run(&context, &plan)?;
    write_json(options.json.as_ref(), &context, "mesh-distance queries", &rows)?;
    write_report(&options.out, &context, "-bench-queries", &queries::table(&rows))
}

fn run_one_core(options: &Options) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let rows = one_core::run(&context, &options.plan())?;
    write_json(options.json.as_ref(), &context, "mesh-distance one core", &rows)?;
    write_report(&options.out, &context, "-bench-one-core", &one_core::table(&rows))
}

fn run_decode(options: &DecodeOptions) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let anchors = anchors()?;
    if let Some(folder) = &options.corpus {
        let [checks, failed] = decode::check(&context, folder, options.rounds)?;
        println!("{checks} files and damaged copies compared with the CPU reference, {failed} differ");
        if failed > 0 {
            return Err(Error::Differs { failed, checks });
        }
    }
    let plan = decode::Plan {
        triangles: options.triangles,
        copies: &options.copies,
        formats: &options.formats,
        repeats: options.repeats.into(),
    };
    let results = decode::run(&context, &plan, &anchors)?;
    write_json(options.json.as_ref(), &context, "mesh-decode", &results)?;
    write_report(&options.out, &context, "-bench-decode", &results.tables(&anchors))?;
    print!("{}", results.summaries());
    Ok(())
}

fn run_topology(options: &TopologyOptions) -> Result<(), Error> {
    let context = open(&options.device, options.numerics)?;
    let anchors = anchors()?;
    let plan = topology::Plan {
        inputs: &options.inputs,
        repeats: options.repeats.into(),
        radius: options.radius,
        check: options.check,
    };
    let results = topology::run(&context, &plan, &anchors)?;
    write_json(options.json.as_ref(), &context, "sparse-topology", &results)?;
    write_report(&options.out, &context, "-bench-topology", &results.tables())
}
