//! Lists the adapters of a machine, runs the long sweeps on one, and folders of test vectors. Needs neither cargo nor the sources.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use conformance::error::Error;
use conformance::{adapters, corpus, soak, sweep, texts, widths};

/// Counts what is allocated, for `soak`.
#[global_allocator]
static ALLOCATOR: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// CPU = GPU, bit for bit: adapters and long sweeps.
#[derive(Parser)]
#[command(name = "conformance", version)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Print the adapters that this process sees, one JSON object a line.
    Adapters,
    /// Compare an adapter with the CPU at length and write a report.
    Sweep(sweep::Options),
    /// Compare every function of affine-arith over the words of all floats, and its bounds with references, and write a report.
    Functions(sweep::FunctionOptions),
    /// Run every case of a folder of test vectors and print each that differs.
    Corpus(corpus::Options),
    /// Repeat random operations: words equal to the CPU's, no memory that grows.
    Soak(soak::Options),
    /// Measure how wide the results of affine-arith are beside vusvna's medians, and write a report.
    Widths(widths::Options),
    /// Write the guarded text of every kernel as WGSL and HLSL, for other compilers.
    Texts(texts::Options),
}

fn main() -> ExitCode {
    gpu_runtime::quiet_drivers();
    let done: Result<(), Error> = match Cli::parse().verb {
        Verb::Adapters => {
            adapters::listing().iter().for_each(|line| println!("{line}"));
            Ok(())
        }
        Verb::Sweep(options) => sweep::run(&options),
        Verb::Functions(options) => sweep::run_functions(&options),
        Verb::Corpus(options) => corpus::run(&options),
        Verb::Soak(options) => soak::run(&options),
        Verb::Widths(options) => widths::run(&options),
        Verb::Texts(options) => texts::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
