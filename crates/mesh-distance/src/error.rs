//! The errors of this crate.

use std::path::PathBuf;

/// What went wrong, with the numbers that show it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// A file is not what its ending or its header says.
    #[error("{}{}: {what}", path.display(), index.map(|i| format!(":{i}")).unwrap_or_default())]
    File {
        /// The file.
        path: PathBuf,
        /// Line of a text, or triangle of a mesh that STL cannot hold, if one is to blame.
        index: Option<u64>,
        /// What is wrong, with the value found and the values allowed.
        what: String,
    },
    /// A coordinate is NaN or infinite.
    #[error("{what} {index}: coordinate {axis} is {value}, allowed are finite numbers")]
    NotFinite {
        /// `vertex`, `point` or `grid`.
        what: &'static str,
        /// Index of the vertex or point.
        index: usize,
        /// Axis: x, y or z.
        axis: char,
        /// The value found.
        value: f64,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle}: vertex index {index}, allowed are 0 to {} ({vertices} vertices)", vertices.saturating_sub(1))]
    VertexIndex {
        /// The triangle.
        triangle: usize,
        /// The index found.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// The mesh has no triangle.
    #[error("the mesh has 0 triangles, at least 1 is needed")]
    EmptyMesh,
    /// More triangles or vertices than the 32-bit references of a surface can address.
    #[error("the mesh has {needed} {what}, allowed are {allowed}")]
    TooLarge {
        /// `triangles` or `vertices`.
        what: &'static str,
        /// Number needed.
        needed: u64,
        /// Number allowed.
        allowed: u64,
    },
    /// The size of the mesh lies outside the range in which f32 results are representable.
    #[error("the mesh's half extent {extent:e} needs the scale 2^{exponent}, allowed are 2^-60 to 2^60")]
    Scale {
        /// Largest distance of a vertex from the centre of the box, along an axis.
        extent: f64,
        /// Its binary exponent.
        exponent: i32,
    },
    /// A query point is too far from the mesh.
    #[error(
        "{what} {index}: coordinate {axis} = {value:e} is too far from the mesh, allowed is a distance of {allowed:e} from its centre"
    )]
    TooFar {
        /// `point` or `grid`.
        what: &'static str,
        /// Index of the point.
        index: usize,
        /// Axis: x, y or z.
        axis: char,
        /// The value found.
        value: f64,
        /// Largest distance allowed along an axis.
        allowed: f64,
    },
    /// A grid has no cells, too many along an axis or for a band, or cells without a size.
    #[error("grid: {what}")]
    Grid {
        /// What is wrong, with the numbers.
        what: String,
    },
    /// A question that has no answer: a ray without a direction, a limit that is no number, inside without a sign.
    #[error("{what}{}: {problem}", index.map(|i| format!(" {i}")).unwrap_or_default())]
    Question {
        /// What is asked.
        what: &'static str,
        /// Its index, if it is one of several.
        index: Option<usize>,
        /// What is wrong, with the value found and the values allowed.
        problem: String,
    },
    /// The vertices have moved since this copy of the surface was made.
    #[error("the surface has moved: this copy is of version {made}, the surface of version {current}; update it")]
    Outdated {
        /// Version that was copied.
        made: u64,
        /// Version of the surface now.
        current: u64,
    },
    /// A result does not fit into memory.
    #[error("{what} needs {needed} bytes, allowed are {allowed}")]
    Memory {
        /// What needs it.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The caller's progress function asked to stop.
    #[error("interrupted after {done} of {total}")]
    Interrupted {
        /// Items finished.
        done: usize,
        /// Items asked for.
        total: usize,
    },
    /// The device: limits, memory, loss, time-out, with its numbers.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] gpu_runtime::Error),
}
