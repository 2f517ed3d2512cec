//! Long comparisons of one adapter with the CPU, in both strict forms, and their report.

mod arithmetic;
mod decode;
mod distance;
mod function_parts;
mod functions;
mod implicit;
mod outcome;
mod primitives;
pub(crate) mod queries;
pub(crate) mod topology;
mod triangles;

use std::path::PathBuf;

use gpu_runtime::{AdapterSelector, Context, ContextOptions};

use crate::adapters::open_strict;
use crate::error::Error;
use crate::report;
pub use function_parts::Part;
pub use functions::{Options as FunctionOptions, run as run_functions};
use outcome::{Outcome, verdict};

/// Options of a sweep.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    pub device: AdapterSelector,
    /// Every adapter of the machine, a report each.
    #[arg(long, conflicts_with = "device")]
    pub all: bool,
    /// Minutes instead of an hour on a software adapter: a thousandth of the operands.
    #[arg(long)]
    pub quick: bool,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    pub out: PathBuf,
    /// Folder with further meshes (STL, OBJ) to measure distances to.
    #[arg(long, value_name = "DIR")]
    pub meshes: Option<PathBuf>,
    /// Only checks whose names contain this; then no report is written.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
}

/// What a check needs.
pub(crate) struct Bench<'a> {
    pub(crate) context: &'a Context,
    pub(crate) options: &'a Options,
    /// Whether this is the first form: what does not depend on the form runs there alone.
    pub(crate) first_form: bool,
    pub(crate) outcomes: Vec<Outcome>,
    /// Names that `--only` left out.
    left_out: Vec<String>,
}

impl Bench<'_> {
    /// Runs a check unless `--only` leaves it out, and prints and keeps what came out.
    pub(crate) fn check(
        &mut self,
        name: &str,
        check: impl FnOnce(&mut Outcome) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.options.only.as_ref().is_some_and(|text| !name.contains(text.as_str())) {
            self.left_out.push(name.into());
            return Ok(());
        }
        let mut outcome = Outcome::start(name, self.context.numerics().form);
        eprintln!("{} ({}) ..", outcome.name, outcome.form);
        check(&mut outcome)?;
        outcome.stop();
        println!("{outcome}");
        self.outcomes.push(outcome);
        Ok(())
    }
}

/// Runs all checks on one adapter, or on every one, and writes a report each; differences are an error after that.
///
/// # Errors
/// [`Error::Differs`] when a word differs, [`Error::NoCheck`] when `--only` names none, and errors of the device and the files.
pub fn run(options: &Options) -> Result<(), Error> {
    let selectors = match options.all {
        true => gpu_runtime::adapters().into_iter().map(|info| AdapterSelector::Index(info.index)).collect(),
        false => vec![options.device.clone()],
    };
    let mut lines = Vec::new();
    let (mut checks, mut failed) = (0, 0);
    for selector in &selectors {
        let (line, outcomes) = one_adapter(selector, options)?;
        checks += outcomes.len();
        failed += outcomes.iter().filter(|outcome| !outcome.passed()).count();
        lines.push(line);
    }
    lines.iter().for_each(|line| println!("{line}"));
    if selectors.is_empty() {
        println!("no adapter, so nothing was compared with the CPU");
    }
    println!("{} passed, {failed} failed", checks - failed);
    if failed == 0 { Ok(()) } else { Err(Error::Differs { failed, checks }) }
}

/// All checks of one adapter: a line that says what came out, and the outcomes.
fn one_adapter(selector: &AdapterSelector, options: &Options) -> Result<(String, Vec<Outcome>), Error> {
    let mut outcomes = Vec::new();
    let mut last = None;
    for context in open_strict(selector, &ContextOptions::default())? {
        println!("on {}, form {}", context.adapter(), context.numerics().form);
        let mut bench = Bench {
            context: &context,
            options,
            first_form: last.is_none(),
            outcomes: Vec::new(),
            left_out: Vec::new(),
        };
        arithmetic::run(&mut bench)?;
        primitives::run(&mut bench)?;
        triangles::run(&mut bench)?;
        distance::run(&mut bench)?;
        queries::run(&mut bench)?;
        implicit::run(&mut bench)?;
        decode::run(&mut bench)?;
        topology::run(&mut bench)?;
        if let (Some(text), true) = (&options.only, bench.outcomes.is_empty() && bench.first_form) {
            return Err(Error::NoCheck { text: text.clone(), names: bench.left_out.join(", ") });
        }
        outcomes.append(&mut bench.outcomes);
        last = Some(context);
    }
    let Some(context) = last else { return Ok(("no strict form".into(), outcomes)) };
    let adapter = context.adapter();
    let mut line = format!("{adapter}: {}", verdict(&outcomes));
    if options.only.is_none() {
        let title = if options.quick { "Conformance, short sweeps" } else { "Conformance, long sweeps" };
        let sentence = verdict(&outcomes);
        let text = format!("{}\n**{sentence}**\n\n{}", report::head(title, &context), outcome::table(&outcomes));
        let path = report::write(&options.out, &adapter.name, "", &text)?;
        line += &format!("; report: {}", path.display());
    }
    Ok((line, outcomes))
}
