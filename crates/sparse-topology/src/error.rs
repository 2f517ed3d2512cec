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
    /// The bytes of a `.nvdb` file are not what the format allows.
    #[error("byte {at}: {what}")]
    Nvdb {
        /// Offset of the field to blame: in the file, or in the packed or unpacked bytes of a grid.
        at: u64,
        /// What is wrong, with the value found and the values allowed.
        what: String,
    },
    /// A `.nvdb` file holds something real that this crate does not read.
    #[error("{what} is not supported, only {allowed}")]
    Unsupported {
        /// What the file holds, by name.
        what: String,
        /// What is read.
        allowed: &'static str,
    },
    /// A voxel of a result lies outside the coordinates of 32 bits.
    #[error(
        "item {item}: the result would hold the voxel ({}, {}, {}), allowed are coordinates from -2147483648 to 2147483647",
        coordinate[0], coordinate[1], coordinate[2]
    )]
    CoordinateOverflow {
        /// Item of the batch.
        item: usize,
        /// The voxel.
        coordinate: [i64; 3],
    },
    /// A factor, kernel, stride, number of steps or another parameter is outside its domain.
    #[error("{what} is {value}, allowed are {allowed}")]
    Parameter {
        /// The parameter, with its axis where it has one.
        what: String,
        /// The value found.
        value: String,
        /// The values allowed.
        allowed: String,
    },
    /// An item or position that does not exist.
    #[error("{what} {index}, allowed are 0 to {} ({count} in all)", i128::from(*count) - 1)]
    Index {
        /// What is counted.
        what: &'static str,
        /// The index found.
        index: i64,
        /// Number of things.
        count: u64,
    },
    /// Two lengths that must agree do not.
    #[error("{what}: {found} given, {needed} needed")]
    Length {
        /// What is counted.
        what: &'static str,
        /// The length needed.
        needed: u64,
        /// The length found.
        found: u64,
    },
    /// A point has a coordinate that is NaN, infinite or outside the coordinates of 32 bits.
    #[error(
        "item {item}, point {index}: coordinate {axis} = {value:e} gives no voxel, allowed are voxels from -2147483648 to 2147483647"
    )]
    Point {
        /// Item of the batch.
        item: usize,
        /// Index of the point in its item.
        index: usize,
        /// Axis: x, y or z.
        axis: char,
        /// The value found.
        value: f64,
    },
    /// A result does not fit into memory.
    #[error("{what} needs at least {needed} bytes, allowed are {allowed}")]
    Memory {
        /// What needs it.
        what: &'static str,
        /// Bytes needed (a lower bound).
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// More leaves, nodes or tiles than 32-bit numbers can name.
    #[error("{needed} {what}, allowed are {allowed}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// Number needed.
        needed: u64,
        /// Number allowed.
        allowed: u64,
    },
    /// The device failed, or its limits do not allow what was asked.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] gpu_runtime::Error),
    /// A corpus folder is not laid out as its manifest says.
    #[error("{}: {what}", path.display())]
    Corpus {
        /// The file to blame.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}
