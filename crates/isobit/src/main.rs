//! Command line of isobit: signed distances and more, the same bits on every device.
//!
//! Exit codes: 0 done; 1 the input was wrong or unreadable; 2 usage; 3 device; 4 out of memory or limits; 130 interrupted.

mod cli;
mod console;
mod device;
mod failure;
mod lines;
mod memory;
mod npy_head;
mod options;
mod output;
mod picture;
mod signed_grid;
mod single;
mod table;
mod triples;
mod verbs;
mod vertex_values;
mod volume;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::cli::{Cli, Verb};
use crate::console::Console;
use crate::failure::Failure;

fn main() -> ExitCode {
    #[cfg(feature = "gpu")]
    gpu_runtime::quiet_drivers();
    let matches = with_negative_numbers(Cli::command()).try_get_matches();
    let read = |mut matches: ArgMatches| Ok((named_device(&matches), Cli::from_arg_matches_mut(&mut matches)?));
    let (named, cli) = match matches.and_then(read) {
        Ok(read) => read,
        Err(error) => return refused(&error),
    };
    output::clean_up_on_interrupt();
    let _files = output::Waiting;
    match named.and_then(|()| run(&cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {}", one_line(&failure.to_string()));
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let console = Console { json: cli.common.json, quiet: cli.common.quiet };
    if let Some(name) = without_device(&cli.verb) {
        device::Engine::unused(&cli.common, console, name)?;
    }
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

/// Whether `--device` has a value. An environment variable without one stands for none; an option is there for its value.
fn named_device(matches: &ArgMatches) -> Result<(), Failure> {
    let empty = matches.get_one::<String>("device").is_some_and(|name| name.trim().is_empty());
    if empty && matches.value_source("device") == Some(ValueSource::CommandLine) {
        return Err(Failure::Usage(
            "--device: no name (allowed: auto, cpu, gpu, an index, a part of a name)".to_owned(),
        ));
    }
    Ok(())
}

/// The verbs that compute on the CPU whatever they are given; those of some inputs and options alone say so themselves.
fn without_device(verb: &Verb) -> Option<&'static str> {
    match verb {
        Verb::Report(_) => Some("report"),
        Verb::Repair(_) => Some("repair"),
        Verb::View(_) => Some("view"),
        Verb::Make(_) => Some("make"),
        Verb::Encode(_) => Some("encode"),
        Verb::Inspect(_) => Some("inspect"),
        Verb::Enclose(_) => Some("enclose"),
        Verb::Topology(args) => args.operation.without_device(),
        Verb::Implicit(args) => args.without_device(),
        Verb::Sdf(_) | Verb::Query(_) | Verb::Mark(_) | Verb::Deviation(_) | Verb::Decode(_) | Verb::Pipeline(_) => {
            None
        }
        // Lists devices and computes nothing.
        Verb::Adapters => None,
    }
}

/// Takes negative numbers as values of options, so that an option says itself what it allows.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let option = |arg: clap::Arg| match arg.get_long().is_some() && arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(option).mut_subcommands(with_negative_numbers)
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
