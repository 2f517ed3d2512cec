//! `ci`: everything a change has to pass. Every step runs, also after one has failed, so that one look shows all faults.

use crate::error::{Error, Result};
use crate::{shell, test, tidy};

/// Options of `ci`.
#[derive(clap::Args)]
#[group(id = "ci")]
pub(crate) struct Options {
    /// Leave the tests out (`.ci/run` calls them by the command of the README).
    #[arg(long)]
    without_tests: bool,
    #[command(flatten)]
    test: test::Options,
}

/// One part of the run.
type Step = fn() -> Result<()>;

/// Formatting, tidy, clippy (also without the feature `gpu`, and of the viewer) and documentation with warnings as errors, then all tests.
pub(crate) fn run(options: &Options) -> Result<()> {
    let steps: [(&str, Step); 6] = [
        ("format", format),
        ("tidy", || tidy::run(&tidy::Options::default())),
        ("clippy", clippy),
        ("clippy without gpu", clippy_without_gpu),
        ("clippy of the viewer", clippy_of_the_viewer),
        ("doc", document),
    ];
    let mut failed = Vec::new();
    for (name, step) in steps {
        println!("== {name}");
        if let Err(error) = step() {
            eprintln!("error: {error}");
            failed.push(name);
        }
    }
    if !failed.is_empty() {
        // The tests' count stays the last line of the output.
        eprintln!("FAILED: {}", failed.join(", "));
    }
    if !options.without_tests {
        test::run(&options.test)?;
    }
    if failed.is_empty() { Ok(()) } else { Err(Error::StepsFailed { steps: failed.join(", ") }) }
}

fn format() -> Result<()> {
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))?;
    shell::run(shell::cargo().args(["fmt", "--check", "--manifest-path"]).arg(viewer()))
}

fn clippy() -> Result<()> {
    shell::run(shell::cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))
}

/// The CPU halves, each with its own features alone.
pub(crate) fn clippy_without_gpu() -> Result<()> {
    for name in crate::package::CPU.iter().chain(&["isobit"]) {
        let arguments = ["clippy", "--quiet", "-p", name, "--no-default-features", "--", "-D", "warnings"];
        shell::run(shell::cargo().args(arguments))?;
    }
    Ok(())
}

/// The viewer is a workspace of its own; it shares the folder of build outputs.
fn clippy_of_the_viewer() -> Result<()> {
    let mut command = shell::cargo();
    command.args(["clippy", "--all-targets", "--quiet", "--locked", "--manifest-path"]).arg(viewer());
    shell::run(command.arg("--target-dir").arg(crate::workspace::target()).args(["--", "-D", "warnings"]))
}

/// The viewer's manifest.
fn viewer() -> std::path::PathBuf {
    crate::workspace::root().join("viewer/Cargo.toml")
}

fn document() -> Result<()> {
    let mut command = shell::cargo();
    command.args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings");
    shell::run(&mut command)
}
