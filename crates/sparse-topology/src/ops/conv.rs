//! The topology of sparse convolutions.

use super::dilate::{Kind, step};
use super::image::image;
use super::{AxisRelation, check_positive};
use crate::{Error, GridBatch, Neighbours};

impl GridBatch {
    /// The voxels that a convolution writes: `{ c : s * c + tap - floor((k - 1) / 2) is active for some tap in [0, k) }`, `k` the kernel and `s` the stride of each axis.
    ///
    /// Transform: [`strided`](crate::Transform::strided). A stride greater than the kernel leaves holes.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a kernel or stride of 0; [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Cost: a source leaf is visited once for every destination leaf it reaches; nothing is stored by candidate. Source: fVDB `conv_grid` since its change 726.
    pub fn conv_cpu(&self, kernel: [u32; 3], stride: [u32; 3]) -> Result<Self, Error> {
        check_positive("kernel", kernel)?;
        check_positive("stride", stride)?;
        // The commonest kernel is a dilation, which has a faster schedule.
        let parts = if (kernel, stride) == ([3; 3], [1; 3]) {
            step(self, Neighbours::Vertex, Kind::Dilation)?
        } else {
            image(self, &[std::array::from_fn(|k| AxisRelation::conv(kernel[k], stride[k]))])?
        };
        Self::assemble(self.transforms_by(|t| t.strided(stride)), parts)
    }

    /// The voxels that a transposed convolution writes: `{ s * c + tap - floor((k - 1) / 2) : c active, tap in [0, k) }`.
    ///
    /// Transform: [`unstrided`](crate::Transform::unstrided).
    ///
    /// # Errors
    /// [`Error::Parameter`] for a kernel or stride of 0; [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Cost: as [`conv_cpu`](Self::conv_cpu). Source: fVDB `conv_transpose_grid`.
    pub fn conv_transpose_cpu(&self, kernel: [u32; 3], stride: [u32; 3]) -> Result<Self, Error> {
        check_positive("kernel", kernel)?;
        check_positive("stride", stride)?;
        let parts = image(self, &[std::array::from_fn(|k| AxisRelation::conv_transpose(kernel[k], stride[k]))])?;
        Self::assemble(self.transforms_by(|t| t.unstrided(stride)), parts)
    }
}
