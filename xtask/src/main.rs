//! `cargo xtask`: tests, checks, benches and certifies a machine. One module a verb.

mod ci;
mod devices;
mod error;
mod shell;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::Error;

/// Tests, checks, benches and certifies a machine.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run every test, the CPU = GPU ones once on each adapter of the machine.
    Test(test::Options),
    /// Check the rules of the sources that the compiler does not know.
    Tidy,
    /// Formatting, clippy, documentation, tidy and all tests: what CI runs.
    Ci(ci::Options),
    /// Print the adapters this process sees, one JSON object a line (used by `test` to look at one driver at a time).
    #[command(hide = true)]
    ListAdapters,
}

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        Verb::Test(options) => test::run(&options),
        Verb::Tidy => tidy::run(),
        Verb::Ci(options) => ci::run(&options),
        Verb::ListAdapters => devices::list::print(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // The last line of `test` is read by machines, so nothing may follow it.
        Err(Error::TestsFailed { .. }) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
