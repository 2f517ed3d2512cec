//! Operations that make a batch from batches, and questions about a batch.

mod clip;
mod codes;
mod conv;
mod dilate;
mod erode;
mod image;
mod lookup;
mod pairs;
mod prune;
mod relation;
mod resample;
mod sets;
mod stencil;

pub use codes::{AxisOrder, hilbert_code, morton_code};
#[cfg(feature = "gpu")]
pub(crate) use dilate::relations as neighbourhood;
#[cfg(feature = "gpu")]
pub(crate) use image::check_range_cpu;
pub use pairs::Pair;
pub(crate) use relation::{AxisRelation, Relation};
#[cfg(feature = "gpu")]
pub(crate) use stencil::{boxes, check_box, pad};

use crate::Error;

/// Factors, kernels and strides: each at least 1.
pub(crate) fn check_positive(what: &str, values: [u32; 3]) -> Result<(), Error> {
    for (axis, value) in ['x', 'y', 'z'].into_iter().zip(values) {
        if value == 0 || value > i32::MAX as u32 {
            return Err(Error::Parameter {
                what: format!("{what} along {axis}"),
                value: value.to_string(),
                allowed: "1 to 2147483647".into(),
            });
        }
    }
    Ok(())
}
