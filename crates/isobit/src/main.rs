//! Command line of isobit: signed distances and more, the same bits on every device.
//!
//! Exit codes: 0 done; 1 the input was wrong or unreadable; 2 usage; 3 device; 4 out of memory or limits; 130 interrupted.

mod cli;
mod console;
mod device;
mod failure;
mod memory;
mod npy_head;
mod options;
mod output;
mod picture;
mod signed_grid;
mod table;
mod triples;
mod verbs;
mod vertex_values;
mod volume;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::cli::{Cli, Verb};
use crate::console::Console;
use crate::failure::Failure;

fn main() -> ExitCode {
    #[cfg(feature = "gpu")]
    gpu_runtime::quiet_drivers();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    output::clean_up_on_interrupt();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {}", one_line(&failure.to_string()));
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let console = Console { json: cli.common.json, quiet: cli.common.quiet };
    match &cli.verb {
        Verb::Sdf(args) => verbs::sdf::run(args, &cli.common, console),
        Verb::Query(args) => verbs::query::run(args, &cli.common, console),
        Verb::Mark(args) => verbs::mark::run(args, &cli.common, console),
        Verb::Report(args) => verbs::report::run(args, console),
        Verb::Deviation(args) => verbs::deviation::run(args, &cli.common, console),
        Verb::Repair(args) => verbs::repair::run(args, console),
        Verb::View(args) => verbs::view::run(args, console),
        Verb::Make(args) => verbs::make::run(args, console),
        Verb::Encode(args) => verbs::codec::encode::run(args, console),
        Verb::Decode(args) => verbs::codec::decode::run(args, &cli.common, console),
        Verb::Inspect(args) => verbs::codec::inspect::run(args, console),
        Verb::Topology(args) => verbs::topology::run(args, &cli.common, console),
        Verb::Implicit(args) => verbs::implicit::run(args, &cli.common, console),
        Verb::Enclose(args) => verbs::implicit::enclose(args, console),
        Verb::Pipeline(args) => verbs::pipeline::run(args, &cli.common, console),
        Verb::Adapters => verbs::adapters::run(console),
    }
}

/// Help and version go to stdout; a wrong command line is one line on stderr and exit code 2.
fn refused(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    // clap spreads its sentence over lines and adds usage and tips; the first paragraph says what is wrong.
    let text = error.to_string();
    eprintln!("{}", one_line(text.split("\n\n").next().unwrap_or_default()));
    ExitCode::from(2)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
