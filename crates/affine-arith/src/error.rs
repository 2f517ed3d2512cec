//! What can go wrong.

use input_text::{number, sentence, token};

/// Errors of this crate.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A bound of an interval is not a number.
    #[error("interval bounds must be numbers (got {} and {})", number(*.lower), number(*.upper))]
    NotANumber {
        /// The lower bound given.
        lower: f64,
        /// The upper bound given.
        upper: f64,
    },
    /// The lower bound is above the upper one, or there is no number between them.
    #[error("empty or reversed interval ({} to {}): the lower bound may not be above the upper one", number(*.lower), number(*.upper))]
    ReversedInterval {
        /// The lower bound given.
        lower: f64,
        /// The upper bound given.
        upper: f64,
    },
    /// The text of an expression cannot be read.
    #[error("column {column}: {message}")]
    Parse {
        /// Column of the offending character, from 1, in characters.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// An expression uses a variable that has no value here.
    #[error("unknown variable `{}`, allowed: {}", token(name), sentence(allowed))]
    UnknownVariable {
        /// Its name.
        name: String,
        /// The names that may be used.
        allowed: String,
    },
    /// A number of variables or bounds does not fit.
    #[error("{what}: {got}, needed {needed}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// Their number.
        got: usize,
        /// The number needed.
        needed: usize,
    },
    /// A subdivision level is out of range.
    #[error("level {level}, allowed 0 to {allowed}")]
    Level {
        /// The level asked for.
        level: u32,
        /// The largest one.
        allowed: u32,
    },
    /// A box cannot be subdivided.
    #[error("bounds of axis {axis}: {} to {}, needed finite, increasing, at most {} in magnitude", number(*.lower), number(*.upper), number(*.allowed))]
    Bounds {
        /// Index of the axis.
        axis: usize,
        /// The lower bound given.
        lower: f64,
        /// The upper bound given.
        upper: f64,
        /// The largest magnitude.
        allowed: f64,
    },
    /// More cells are needed than allowed.
    #[error("level {level} has {needed} cells, allowed {allowed}")]
    Capacity {
        /// The level that does not fit.
        level: u32,
        /// Its number of cells.
        needed: usize,
        /// The capacity given.
        allowed: usize,
    },
    /// A kind of number that this is not computed with.
    #[error("model {model:?}, allowed: {allowed}")]
    Model {
        /// The kind asked for.
        model: crate::Model,
        /// Those that there are.
        allowed: &'static str,
    },
    /// A device cannot compute what is asked.
    #[error("on a device: {what}")]
    NotOnDevice {
        /// What is asked, and what there is instead.
        what: String,
    },
    /// A value of standard forms depends on more symbols than kernels have room for.
    #[error("a value depends on {needed} symbols, allowed on devices: {allowed}")]
    Symbols {
        /// The most symbols of a value.
        needed: usize,
        /// The most there may be.
        allowed: usize,
    },
    /// A width of boxes that no box can reach.
    #[error("width {width}, needed a finite number that is not negative")]
    Width {
        /// The width asked for.
        width: f64,
    },
    /// A picture without pixels or samples, or with too many.
    #[error(
        "picture of {width} x {height} pixels with {samples} samples, allowed 1 to {allowed} pixels and at least 1 sample"
    )]
    Picture {
        /// Pixels of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Rays a pixel.
        samples: u32,
        /// Most pixels.
        allowed: u64,
    },
    /// The device.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] gpu_runtime::Error),
}
