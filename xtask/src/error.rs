//! What can go wrong in a verb.

use std::io;
use std::path::{Path, PathBuf};

/// Everything that stops a verb.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A program could not be started.
    #[error("cannot start `{command}`: {source}")]
    Start {
        /// The command line.
        command: String,
        /// The cause.
        source: io::Error,
    },
    /// A program ended with a failure.
    #[error("`{command}` failed ({status})")]
    Command {
        /// The command line.
        command: String,
        /// Its exit status, in words.
        status: String,
    },
    /// Meshoptimizer cannot be built.
    #[error("no C++ compiler, which builds meshoptimizer, an oracle of the tests and benches ({hint})")]
    NoCompiler {
        /// How to get one.
        hint: &'static str,
    },
    /// A file or an answer is not what it should be.
    #[error("{what}: {found} (expected {expected})")]
    Unexpected {
        /// The thing.
        what: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// `tidy` found faults; they are printed already.
    #[error("tidy: {faults} faults, {warnings} warnings")]
    Untidy {
        /// Faults that fail the check.
        faults: usize,
        /// Warnings that do not.
        warnings: usize,
    },
    /// Steps of `ci` failed; what they said is printed already.
    #[error("failed: {steps}")]
    StepsFailed {
        /// Their names.
        steps: String,
    },
    /// Tests failed; the counts are printed already.
    #[error("{failed} tests failed")]
    TestsFailed {
        /// How many.
        failed: usize,
    },
}

/// The result of a verb or a part of one.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Names the file in an I/O error.
pub(crate) fn in_file(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::File { path: path.to_path_buf(), source }
}
