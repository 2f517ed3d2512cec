//! `tidy`: the rules of the sources that the compiler does not know.
//!
//! What can be seen in the text is checked here. The float built-ins of the kernels need naga's types, so the conformance
//! test `kernel_rules` checks them; `tidy` builds and runs it.

mod crates;
mod kernels;
mod lib_root;
mod places;
mod rust;
mod sizes;
mod tolerance;
mod twins;

use std::fmt;
use std::process::Command;

use crate::artifacts::Artifacts;
use crate::error::{Error, Result};
use crate::shell;
use crate::workspace::{self, SourceFile};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Printed.
    Warning,
    /// Printed, and the check fails.
    Fault,
}

/// One thing that a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    severity: Severity,
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    /// A fault at a line (counted from 1; 0 is the whole file).
    pub(crate) fn fault(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { severity: Severity::Fault, path: path.into(), line, message: message.into() }
    }

    /// A warning at a line.
    pub(crate) fn warning(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::fault(path, line, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Warning => "warning",
            Severity::Fault => "fault",
        };
        write!(f, "{}:{}: {word}: {}", self.path, self.line, self.message)
    }
}

/// A check looks at all sources together.
type Check = fn(&[SourceFile]) -> Vec<Finding>;

const CHECKS: [(&str, Check); 7] = [
    ("twins", twins::check),
    ("kernels are tested and snapshotted", kernels::check),
    ("sizes", sizes::check),
    ("crate roots", lib_root::check),
    ("no tolerance", tolerance::check),
    ("crate boundaries", crates::check),
    ("no machine's own paths", places::check),
];

/// Options of `tidy`.
#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Leave out what has to be built first: the float rules of the kernels.
    #[arg(long)]
    text_only: bool,
}

/// Runs every check over the workspace.
pub(crate) fn run(options: &Options) -> Result<()> {
    check_texts()?;
    if options.text_only { Ok(()) } else { check_kernels() }
}

fn check_kernels() -> Result<()> {
    let artifacts = Artifacts::build()?;
    let binary = artifacts.conformance_test("kernel_rules")?;
    let mut command = Command::new(&binary.path);
    shell::run(command.current_dir(&binary.folder).env("CARGO_MANIFEST_DIR", &binary.folder))
}

fn check_texts() -> Result<()> {
    let sources = workspace::read_sources(&workspace::root())?;
    let mut findings = Vec::new();
    for (name, check) in CHECKS {
        let found = check(&sources);
        println!("tidy: {name}: {} findings", found.len());
        findings.extend(found);
    }
    findings.sort_by(|a, b| (a.severity, &a.path, a.line).cmp(&(b.severity, &b.path, b.line)));
    findings.iter().for_each(|finding| println!("{finding}"));
    let faults = findings.iter().filter(|finding| finding.severity == Severity::Fault).count();
    let warnings = findings.len() - faults;
    if faults > 0 {
        return Err(Error::Untidy { faults, warnings });
    }
    println!("tidy: {} files, no faults, {warnings} warnings", sources.len());
    Ok(())
}

#[cfg(test)]
pub(crate) mod examples {
    //! Small trees of files that a check has to accept or refuse, written to a folder and read back as `run` does.

    use super::Finding;
    use crate::workspace::read_sources;
    use std::fs;

    /// The faults and warnings of a check on these files (path, text).
    pub(crate) fn findings(check: super::Check, files: &[(&str, &str)]) -> Vec<Finding> {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a new folder");
            fs::write(path, text).expect("a new file");
        }
        check(&read_sources(root.path()).expect("readable files"))
    }

    /// The messages of the faults, to be compared with the expected ones.
    pub(crate) fn faults(check: super::Check, files: &[(&str, &str)]) -> Vec<String> {
        let all = findings(check, files).into_iter();
        all.filter(|f| f.severity == super::Severity::Fault).map(|f| f.to_string()).collect()
    }
}
