//! `package`: whether the crates can be published: packed from a clean checkout, built without wgpu, for WebAssembly, with the oldest compiler, with
//! licences and advisories of what they depend on. One table at the end; what this machine has no tool for counts as not run.

mod checkout;
mod metadata;
mod outcome;
mod steps;

use crate::error::{Error, Result};
use outcome::{Outcome, Row, table};

/// The crates whose feature `gpu` can be off and that run in a browser then.
pub(crate) const CPU: [&str; 5] = ["gpu-shaders", "mesh-distance", "affine-arith", "mesh-decode", "sparse-topology"];

/// Options of `package`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Pack without building what was packed.
    #[arg(long)]
    no_verify: bool,
    /// Pack the tree as it is, with changes that are not committed, instead of a clean checkout of the last commit.
    #[arg(long)]
    allow_dirty: bool,
    /// Steps to run, by parts of their names; all without it.
    #[arg(long, value_delimiter = ',', value_name = "STEPS")]
    only: Vec<String>,
}

/// Every step runs, also after one has failed.
pub(crate) fn run(options: &Options) -> Result<()> {
    type Step<'a> = (&'a str, Box<dyn Fn() -> Result<Outcome> + 'a>);
    let steps: [Step<'_>; 8] = [
        ("package", Box::new(|| steps::package(options))),
        ("without wgpu", Box::new(steps::without_wgpu)),
        ("gpu off", Box::new(steps::gpu_off)),
        ("WebAssembly", Box::new(steps::wasm)),
        ("oldest Rust of dependencies", Box::new(steps::oldest_rust_of_dependencies)),
        ("oldest Rust", Box::new(steps::oldest_rust)),
        ("licences", Box::new(steps::licences)),
        ("advisories", Box::new(steps::advisories)),
    ];
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|part| name.contains(part.as_str()));
    let mut rows = Vec::new();
    for (name, step) in steps.iter().filter(|(name, _)| wanted(name)) {
        println!("== {name}");
        let started = std::time::Instant::now();
        let outcome = step().unwrap_or_else(|error| Outcome::Failed(error.to_string()));
        match &outcome {
            Outcome::Failed(what) => eprintln!("error: {what}"),
            Outcome::NotRun(why) => println!("not run: {why}"),
            Outcome::Good(_) => {}
        }
        rows.push(Row { name: (*name).to_owned(), outcome, seconds: started.elapsed().as_secs_f64() });
    }
    print!("\n{}", table(&rows));
    let failed: Vec<&str> = rows.iter().filter(|row| row.failed()).map(|row| row.name.as_str()).collect();
    if failed.is_empty() { Ok(()) } else { Err(Error::StepsFailed { steps: failed.join(", ") }) }
}
