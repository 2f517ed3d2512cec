//! `test`: every test of the workspace, the CPU = GPU ones on every adapter of the machine.
//!
//! Everything is built once. The unit tests of all packages run once, in sight of every driver. The device tests of
//! the package `conformance` run once for each adapter, in processes that see that adapter's driver alone (see
//! `devices`), one test at a time in each, several such processes at once (see `workers`). The last line of the output is
//! `N passed, N failed`, where a missing required adapter, a crash, a time-out and a failed build each count as failed.

mod runner;
mod tally;
mod workers;

use crate::artifacts::{Artifacts, Binary, CONFORMANCE};
use crate::devices::{Drivers, Requirements, Survey, Target};
use crate::error::{Error, Result};
use tally::{Row, Tally};

/// Options of `test`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Adapters that must be there (parts of names, with commas between): missing ones count as failures.
    /// The environment variable ISOBIT_REQUIRE adds to them.
    #[arg(long, value_name = "NAME,..")]
    require: Vec<String>,
    /// Run only tests whose names contain this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How many binaries of device tests run at once (as many as there are cores, at most 4, without it).
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
}

/// Runs all tests.
pub(crate) fn run(options: &Options) -> Result<()> {
    let variable = std::env::var("ISOBIT_REQUIRE").ok();
    let required = Requirements::new(&options.require, variable.as_deref());
    let drivers = Drivers::provide(&required);
    let known = drivers.skips.clone();
    let (rows, skips) = match run_on(drivers, &required, options) {
        Ok(results) => results,
        Err(error) => (vec![Row::failure(&error.to_string())], known),
    };
    let total = tally::print_summary(&rows, &skips);
    if total.failed == 0 { Ok(()) } else { Err(Error::TestsFailed { failed: total.failed }) }
}

/// Builds everything, looks at the adapters and runs all; rows of the summary and what was skipped.
fn run_on(drivers: Drivers, required: &Requirements, options: &Options) -> Result<(Vec<Row>, Vec<String>)> {
    let artifacts = Artifacts::build()?;
    let survey = drivers.survey(&artifacts.program(CONFORMANCE)?.path, required);
    print_survey(&survey);
    let mut rows: Vec<Row> = survey.missing.iter().map(|line| Row::failure(line)).collect();
    rows.extend(run_all(&artifacts, &survey, options));
    Ok((rows, survey.skips))
}

fn print_survey(survey: &Survey) {
    for Target { adapter, .. } in &survey.targets {
        println!("adapter: {adapter}");
    }
    if survey.targets.is_empty() {
        println!("no adapter on this machine: the tests that compare the CPU with one are skipped");
    }
    survey.skips.iter().for_each(|line| println!("SKIPPED: {line}"));
    survey.missing.iter().for_each(|line| println!("FAILED: {line}"));
}

/// Whether a test binary compares devices with the CPU: all of `tests/tests` but those that look at kernels as texts.
fn asks_devices(binary: &Binary) -> bool {
    binary.package == CONFORMANCE && !matches!(binary.target.as_str(), CONFORMANCE | "kernel_rules" | "snapshots")
}

fn run_all(artifacts: &Artifacts, survey: &Survey, options: &Options) -> Vec<Row> {
    let filter = options.filter.as_deref();
    let (on_devices, once): (Vec<&Binary>, Vec<&Binary>) = artifacts.tests().partition(|binary| asks_devices(binary));
    let mut rows = Vec::new();
    let sum = |tallies: Vec<Tally>| tallies.into_iter().fold(Tally::default(), Tally::plus);

    let unit = once.iter().map(|b| runner::run_binary(b, filter, None, |c| survey.show_all(c), &mut runner::live));
    rows.push(Row::new("unit tests", sum(unit.collect())));
    rows.push(Row::new("documentation tests", runner::run_doc_tests(filter, |command| survey.show_all(command))));
    let jobs = options.jobs.map_or_else(workers::default_jobs, std::num::NonZeroUsize::get);
    let tallies = workers::run_on_devices(&on_devices, &survey.targets, filter, jobs);
    for (target, tally) in survey.targets.iter().zip(tallies) {
        rows.push(Row::new(&format!("conformance on {}", target.adapter), tally));
    }
    if survey.targets.is_empty() {
        let tests =
            on_devices.iter().map(|b| runner::run_binary(b, filter, Some("no adapter"), |_| {}, &mut runner::live));
        rows.push(Row::new("conformance without an adapter", sum(tests.collect())));
    }
    rows
}
