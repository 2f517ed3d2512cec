//! What can go wrong in a sweep or a run of a corpus.

use std::io;
use std::path::PathBuf;

/// Everything that stops a sweep or a run of a corpus; a result that differs is no error but a finding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device or its driver.
    #[error(transparent)]
    Device(Box<gpu_runtime::Error>),
    /// A mesh or a query.
    #[error(transparent)]
    Mesh(Box<mesh_distance::Error>),
    /// Sparse topology, or a folder of its test vectors.
    #[error(transparent)]
    Topology(Box<sparse_topology::Error>),
    /// A corpus cannot be run as asked.
    #[error("{0}")]
    Corpus(String),
    /// A compressed file.
    #[error(transparent)]
    Decode(Box<mesh_decode::Error>),
    /// A subdivision.
    #[error(transparent)]
    Affine(Box<affine_arith::Error>),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Parts of a sweep that make no whole.
    #[error("{path}: {what}")]
    Part {
        /// The part, or the folder.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A kernel cannot be translated.
    #[error("{name}: {fault}")]
    Translation {
        /// The kernel.
        name: String,
        /// The cause.
        fault: Box<gpu_runtime::ShaderFault>,
    },
    /// `--only` leaves every check out.
    #[error("no check's name contains `{text}`; there are: {names}")]
    NoCheck {
        /// What was asked for.
        text: String,
        /// The names that there are.
        names: String,
    },
    /// A soak's allocations grew.
    #[error("what the program has allocated grew by {grown} MiB, {allowed} MiB are allowed")]
    Grew {
        /// By how much.
        grown: u64,
        /// By how much it may.
        allowed: u64,
    },
    /// Results differ from the CPU's or the corpus'; what is printed says which.
    #[error("{failed} of {checks} checks failed")]
    Differs {
        /// Checks with a difference.
        failed: usize,
        /// All checks.
        checks: usize,
    },
}

impl Error {
    /// What the device said, where it is the cause.
    pub fn of_device(&self) -> Option<&gpu_runtime::Error> {
        match self {
            Error::Device(error) => Some(error),
            Error::Mesh(error) => match &**error {
                mesh_distance::Error::Device(error) => Some(error),
                _ => None,
            },
            Error::Topology(error) => match &**error {
                sparse_topology::Error::Device(error) => Some(error),
                _ => None,
            },
            Error::Decode(error) => match &**error {
                mesh_decode::Error::Device(fault) => Some(&fault.0),
                _ => None,
            },
            Error::Affine(error) => match &**error {
                affine_arith::Error::Device(error) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it says that the device has too little memory.
    pub fn is_out_of_memory(&self) -> bool {
        let by_arena =
            matches!(self, Error::Topology(error) if matches!(**error, sparse_topology::Error::Memory { .. }));
        by_arena || matches!(self.of_device(), Some(gpu_runtime::Error::OutOfMemory { .. }))
    }
}

impl From<gpu_runtime::Error> for Error {
    fn from(error: gpu_runtime::Error) -> Self {
        Self::Device(Box::new(error))
    }
}

impl From<affine_arith::Error> for Error {
    fn from(error: affine_arith::Error) -> Self {
        Self::Affine(Box::new(error))
    }
}

impl From<mesh_distance::Error> for Error {
    fn from(error: mesh_distance::Error) -> Self {
        Self::Mesh(Box::new(error))
    }
}

impl From<sparse_topology::Error> for Error {
    fn from(error: sparse_topology::Error) -> Self {
        Self::Topology(Box::new(error))
    }
}

impl From<mesh_decode::Error> for Error {
    fn from(error: mesh_decode::Error) -> Self {
        Self::Decode(Box::new(error))
    }
}
