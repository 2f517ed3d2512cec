//! `cargo xtask`: tests, checks, benches and certifies a machine. One module a verb.

mod artifacts;
mod ci;
mod compilers;
mod devices;
mod error;
mod fuzz;
mod package;
mod programs;
mod shaders;
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
    Tidy(tidy::Options),
    /// Formatting, clippy, documentation, tidy and all tests: what CI runs.
    Ci(ci::Options),
    /// Validate every kernel and compare its SPIR-V, MSL and HLSL with the stored snapshots.
    Shaders(shaders::Options),
    /// Long sweeps on one adapter, with a report under docs/reports: `conformance --help` tells the options; `conformance functions` sweeps the
    /// functions of affine-arith.
    Conformance(programs::Options),
    /// Run every case of a folder of test vectors and print each that differs: CRATE DIR [--device D].
    Corpus(programs::Options),
    /// Repeat random operations for an hour (`--minutes`): words equal to the CPU's, no memory that grows.
    Soak(programs::Options),
    /// Mutate inputs of a reader until it fails or the time is over; needs a nightly toolchain and cargo-fuzz.
    Fuzz(fuzz::Options),
    /// Pack every crate as for the registry, check the CPU halves without wgpu and for WebAssembly, and licences.
    Package(package::Options),
    /// Time kernels on one adapter, with a report under docs/reports: `bench --help` tells the options.
    Bench(programs::Options),
}

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        Verb::Test(options) => test::run(&options),
        Verb::Tidy(options) => tidy::run(&options),
        Verb::Ci(options) => ci::run(&options),
        Verb::Shaders(options) => shaders::run(&options),
        Verb::Conformance(options) => programs::conformance(&options),
        Verb::Corpus(options) => programs::run(&options, "conformance", "conformance", "corpus"),
        Verb::Soak(options) => programs::run(&options, "conformance", "conformance", "soak"),
        Verb::Fuzz(options) => fuzz::run(&options),
        Verb::Package(options) => package::run(&options),
        Verb::Bench(options) => programs::bench(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Said already; the last line of `test` is read by machines, so nothing may follow it.
        Err(Error::TestsFailed { .. } | Error::StepsFailed { .. }) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
        for line in [
            "test --require lavapipe,swiftshader",
            "ci --without-tests --require x",
            "tidy --text-only",
            "package --no-verify",
        ] {
            let words = ["xtask"].into_iter().chain(line.split(' '));
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
        }
        let passed_on = ["xtask", "conformance", "--quick", "--device", "gpu"];
        assert!(Cli::try_parse_from(passed_on).is_ok());
        assert!(Cli::try_parse_from(["xtask", "corpus", "sparse-topology", "DIR", "--device", "gpu"]).is_ok());
        assert!(Cli::try_parse_from(["xtask", "fuzz", "nvdb", "--minutes", "0"]).is_err());
        assert!(Cli::try_parse_from(["xtask", "package", "--minutes", "1"]).is_err());
    }
}
