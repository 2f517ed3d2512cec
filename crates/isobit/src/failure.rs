//! The one error type of the program: every failure knows its exit code and prints as one line.

use std::fmt::Display;
use std::path::Path;

/// Why a verb stopped. The text follows `FILE[:INDEX]: what (value, allowed)`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Failure {
    /// The input, or a place to write to, is wrong or unreadable.
    #[error("{0}")]
    Input(String),
    /// The command line asks for something that does not exist or does not fit together.
    #[error("{0}")]
    Usage(String),
    /// No adapter, an unknown one, or one that failed.
    #[error("{0}")]
    Device(String),
    /// More memory, disk or cells than there are.
    #[error("{0}")]
    Limit(String),
}

impl Failure {
    /// A failure of the file at `path`.
    pub(crate) fn file(path: &Path, what: impl Display) -> Self {
        Self::Input(format!("{}: {what}", path.display()))
    }

    /// A failed read or write of `path`; a full disk counts as a limit.
    pub(crate) fn io(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        let text = format!("{}: cannot {doing} ({error})", path.display());
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::OutOfMemory => Self::Limit(text),
            _ => Self::Input(text),
        }
    }

    /// A failure of mesh-distance on the mesh of the file at `path`.
    pub(crate) fn of_mesh(path: &Path, error: mesh_distance::Error) -> Self {
        use mesh_distance::Error as E;
        match error {
            // These name their file themselves.
            E::Io { .. } | E::File { .. } => Self::Input(error.to_string()),
            E::Memory { .. } | E::TooLarge { .. } | E::Grid { .. } => {
                Self::Limit(format!("{}: {error}", path.display()))
            }
            #[cfg(feature = "gpu")]
            E::Device(error) => Self::from(error),
            _ => Self::file(path, error),
        }
    }

    /// A failure of sparse-topology on the grids of the file at `path`.
    pub(crate) fn of_topology(path: &Path, error: sparse_topology::Error) -> Self {
        use sparse_topology::Error as E;
        match error {
            E::Io { path, source } => Self::io(&path, "read", &source),
            E::Memory { .. } | E::TooMany { .. } => Self::Limit(format!("{}: {error}", path.display())),
            #[cfg(feature = "gpu")]
            E::Device(error) => Self::from(error),
            E::Parameter { .. } => Self::Usage(format!("{}: {error}", path.display())),
            _ => Self::file(path, error),
        }
    }

    /// The exit code: 1 input, 2 usage, 3 device, 4 memory or limits.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 1,
            Self::Usage(_) => 2,
            Self::Device(_) => 3,
            Self::Limit(_) => 4,
        }
    }
}
