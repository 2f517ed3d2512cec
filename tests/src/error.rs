//! What can go wrong in a sweep.

use std::io;
use std::path::PathBuf;

/// Everything that stops a sweep; a result that differs is no error but a finding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device or its driver.
    #[error(transparent)]
    Device(#[from] gpu_runtime::Error),
    /// A mesh or a query.
    #[error(transparent)]
    Mesh(#[from] mesh_distance::Error),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Results differ from the CPU's; the report says which.
    #[error("{failed} of {checks} checks failed")]
    Differs {
        /// Checks with a difference.
        failed: usize,
        /// All checks.
        checks: usize,
    },
}
