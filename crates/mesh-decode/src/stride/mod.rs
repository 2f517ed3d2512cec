//! STRIDE: bench blobs (DPRB version 4) and containers (DPR4 version 3).
//!
//! Both hold the same meshlet bodies; a blob adds the side table that a container's reader works out.

mod blob;
mod container;
mod decode;
mod encode;

pub use encode::{StrideEncoded, StrideOptions, encode_stride};

use crate::kernels::stride_meshlet::{Entry, Predictor};
use crate::kernels::stride_position::{Frame, grid_step};
use crate::layout::Parts;
use crate::status::Fault;

/// The header that both forms share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StrideHeader {
    pub(crate) centre: [f32; 3],
    pub(crate) scale: f32,
    /// Half a grid step in normalised units, for information.
    pub(crate) coordinate_error: f32,
    pub(crate) low: [f32; 3],
    pub(crate) range: [f32; 3],
    pub(crate) predictor: Predictor,
}

/// The class of a predictor: which arithmetic a kernel may use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PredictorClass {
    /// a + b - c on every axis.
    Canonical,
    /// Weights that sum to 2^shift on every axis: unchanged by a translation.
    Affine,
    /// Anything else.
    Generic,
}

impl StrideHeader {
    pub(crate) fn frame(&self) -> Frame {
        let step = [0, 1, 2].map(|axis| grid_step(self.range[axis], self.predictor.bits[axis]));
        Frame { low: self.low, step, centre: self.centre, scale: self.scale }
    }

    pub(crate) fn class(&self) -> PredictorClass {
        let Predictor { weights, shifts, .. } = self.predictor;
        if weights == [[1, 1, -1]; 3] && shifts == [0; 3] {
            PredictorClass::Canonical
        } else if weights.iter().zip(shifts).all(|(n, k)| n.iter().sum::<i32>() == 1 << k) {
            PredictorClass::Affine
        } else {
            PredictorClass::Generic
        }
    }
}

/// A file of either form: body words (most significant bit first), a table entry a meshlet.
#[derive(Clone, Debug)]
pub(crate) struct StrideFile {
    pub(crate) header: StrideHeader,
    pub(crate) body: Vec<u32>,
    pub(crate) body_bytes: u32,
    /// A container's meshlet whose entry could not be worked out has its fault instead.
    pub(crate) entries: Vec<Result<Entry, Fault>>,
}

impl StrideFile {
    /// Bits of a meshlet by use; `None` when its entry could not be worked out.
    pub(crate) fn parts(&self, unit: u32) -> Option<Parts> {
        let entry = self.entries[unit as usize].ok()?;
        let parts = [("connectivity", entry.residuals - entry.start), ("residuals", entry.end - entry.residuals)];
        Some(parts.map(|(name, bits)| (name, u64::from(bits))).to_vec())
    }
}
