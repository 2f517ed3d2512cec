//! `ci`: everything a change has to pass.

use crate::error::Result;
use crate::{shell, test, tidy};

/// Options of `ci`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave the tests out (`.ci/run` calls them by the command of the README).
    #[arg(long)]
    without_tests: bool,
    #[command(flatten)]
    test: test::Options,
}

/// Formatting, clippy and documentation with warnings as errors, tidy, then all tests.
pub(crate) fn run(options: &Options) -> Result<()> {
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))?;
    tidy::run(&tidy::Options::default())?;
    shell::run(shell::cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    let mut doc = shell::cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--quiet"]);
    shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    if options.without_tests { Ok(()) } else { test::run(&options.test) }
}
