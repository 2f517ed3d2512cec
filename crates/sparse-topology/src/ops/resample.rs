//! Coarser and finer grids.

use super::image::image;
use super::{AxisRelation, check_positive};
use crate::{Error, GridBatch};

impl GridBatch {
    /// `{ floor(x / f) }`: a voxel for every block of `f` = (fx, fy, fz) voxels that holds one.
    ///
    /// Transform: [`coarsened`](crate::Transform::coarsened). Any factors of at least 1; coarsening by 2 and again by 2 equals coarsening by 4.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a factor of 0; [`Error::Memory`].
    ///
    /// Cost: one visit a leaf. Source: fVDB `coarsened_grid`; node(floor(x/f)) = floor(node(x)/f) at every level, so a source leaf feeds one destination leaf.
    pub fn coarsen_cpu(&self, factor: [u32; 3]) -> Result<Self, Error> {
        check_positive("factor", factor)?;
        let parts = image(self, &[factor.map(AxisRelation::coarsen)])?;
        Self::assemble(self.transforms_by(|t| t.coarsened(factor)), parts)
    }

    /// `{ x / f : x mod f = 0 in every axis }`: the voxels on the lattice of multiples of `f`.
    ///
    /// Transform: [`strided`](crate::Transform::strided).
    ///
    /// # Errors
    /// [`Error::Parameter`] for a factor of 0; [`Error::Memory`].
    ///
    /// Cost: one visit a leaf. Source: the convolution with kernel 1 and stride `f`.
    pub fn subsample_cpu(&self, factor: [u32; 3]) -> Result<Self, Error> {
        check_positive("factor", factor)?;
        let parts = image(self, &[factor.map(AxisRelation::subsample)])?;
        Self::assemble(self.transforms_by(|t| t.strided(factor)), parts)
    }

    /// `f * c + [0, f)`: every voxel becomes a block of `f` = (fx, fy, fz) voxels.
    ///
    /// Transform: [`refined`](crate::Transform::refined). Coarsening the result by `f` gives the source back.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a factor of 0; [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Cost: proportional to the result's leaves. Source: fVDB `refined_grid`.
    pub fn refine_cpu(&self, factor: [u32; 3]) -> Result<Self, Error> {
        check_positive("factor", factor)?;
        let parts = image(self, &[factor.map(AxisRelation::refine)])?;
        Self::assemble(self.transforms_by(|t| t.refined(factor)), parts)
    }

    /// [`refine_cpu`](Self::refine_cpu) of the voxels whose entry in `mask` (one a row) is true.
    ///
    /// # Errors
    /// As [`prune_cpu`](Self::prune_cpu) and [`refine_cpu`](Self::refine_cpu).
    pub fn refine_masked_cpu(&self, factor: [u32; 3], mask: &[bool]) -> Result<Self, Error> {
        check_positive("factor", factor)?;
        self.prune_cpu(mask)?.refine_cpu(factor)
    }
}
