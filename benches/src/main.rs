//! Times whole calls on a device, prints a table last and writes a report. Needs neither cargo nor the sources.

use std::path::PathBuf;
use std::process::ExitCode;

use benches::anchors::Anchors;
use benches::distance;
use clap::{Parser, Subcommand};
use conformance::error::Error;
use conformance::report;
use gpu_runtime::{AdapterSelector, Context, ContextOptions, NumericsChoice};

/// Times whole calls on a device.
#[derive(Parser)]
#[command(name = "bench")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the benches and write a report.
    Run(Options),
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
    /// Also write all figures to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let Verb::Run(options) = Cli::parse().verb;
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Error> {
    gpu_runtime::quiet_drivers();
    let selector = options.device.clone();
    let context = Context::new(&ContextOptions { selector, numerics: options.numerics, ..ContextOptions::default() })?;
    eprintln!("on {}, {} form", context.adapter(), context.numerics().form);
    let anchors = Anchors::load().map_err(|e| Error::File { path: "anchors.json".into(), source: e.into() })?;
    let plan =
        distance::Plan { meshes: options.meshes.as_deref(), sizes: &options.sizes, repeats: options.repeats.into() };
    let results = distance::run(&context, &plan, &anchors)?;
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&serde_json::json!({
            "device": context.adapter().name,
            "driver": context.adapter().driver,
            "numerics": context.numerics().form.to_string(),
            "commit": report::commit(),
            "day": report::today(),
            "mesh-distance": results,
        }));
        let written = text.map_err(std::io::Error::from).and_then(|text| std::fs::write(path, text + "\n"));
        written.map_err(|source| Error::File { path: path.clone(), source })?;
    }
    let form = context.numerics().form;
    let text = format!("{}| strict form | {form} |\n\n{}", report::head("Bench", &context), results.tables(&anchors));
    let path = report::write(&options.out, &context.adapter().name, "-bench", &text)?;
    println!("{text}\nreport: {}", path.display());
    Ok(())
}
