//! The operations of a single batch, one submission each.

use super::chain::{Chain, Input, StepId};
use super::grid::DeviceGrid;
use crate::{Error, Neighbours, Selection};

type Result<T> = std::result::Result<T, Error>;

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:ident($($argument:ident: $kind:ty),*);)*) => {
        impl DeviceGrid {
            $(
                $(#[doc = $doc])*
                ///
                /// # Errors
                /// As the operation of the same name on [`Chain`], and [`Chain::finish`].
                pub fn $name(&self, $($argument: $kind),*) -> Result<Self> {
                    self.run(|chain| chain.$name(self, $($argument),*))
                }
            )*
        }
    };
}

operations! {
    /// [`Chain::coarsen`] of this batch.
    coarsen(factor: [u32; 3]);
    /// [`Chain::subsample`] of this batch.
    subsample(factor: [u32; 3]);
    /// [`Chain::refine`] of this batch.
    refine(factor: [u32; 3]);
    /// [`Chain::refine_masked`] of this batch.
    refine_masked(factor: [u32; 3], mask: &[bool]);
    /// [`Chain::conv`] of this batch.
    conv(kernel: [u32; 3], stride: [u32; 3]);
    /// [`Chain::conv_transpose`] of this batch.
    conv_transpose(kernel: [u32; 3], stride: [u32; 3]);
    /// [`Chain::pad`] of this batch.
    pad(min: [i32; 3], max: [i32; 3]);
    /// [`Chain::dual`] of this batch.
    dual();
    /// [`Chain::dual_without_border`] of this batch.
    dual_without_border();
    /// [`Chain::dual_without_border_fvdb`] of this batch.
    dual_without_border_fvdb();
    /// [`Chain::erode_box`] of this batch.
    erode_box(min: [i32; 3], max: [i32; 3]);
    /// [`Chain::dilate`] of this batch.
    dilate(neighbours: Neighbours, steps: u32);
    /// [`Chain::erode`] of this batch.
    erode(neighbours: Neighbours, steps: u32);
    /// [`Chain::dilate_stencil`] of this batch.
    dilate_stencil(offsets: &[[i32; 3]]);
    /// [`Chain::prune`] of this batch.
    prune(mask: &[bool]);
    /// [`Chain::clip`] of this batch.
    clip(min: [i32; 3], max: [i32; 3]);
    /// [`Chain::select`] of this batch.
    select(selection: &Selection);
}

impl DeviceGrid {
    /// [`Chain::union`] of batches of one device.
    ///
    /// # Errors
    /// As [`Chain::union`] and [`Chain::finish`].
    pub fn union(batches: &[&Self]) -> Result<Self> {
        Self::of_several(batches, Chain::union)
    }

    /// [`Chain::intersection`] of batches of one device.
    ///
    /// # Errors
    /// As [`Chain::intersection`] and [`Chain::finish`].
    pub fn intersection(batches: &[&Self]) -> Result<Self> {
        Self::of_several(batches, Chain::intersection)
    }

    /// [`Chain::difference`] of batches of one device.
    ///
    /// # Errors
    /// As [`Chain::difference`] and [`Chain::finish`].
    pub fn difference(batches: &[&Self]) -> Result<Self> {
        Self::of_several(batches, Chain::difference)
    }

    /// [`Chain::concatenate`] of batches of one device.
    ///
    /// # Errors
    /// [`Error::Length`] for no batch; as [`Chain::concatenate`] and [`Chain::finish`].
    pub fn concatenate(batches: &[&Self]) -> Result<Self> {
        Self::of_several(batches, Chain::concatenate)
    }

    fn run(&self, operation: impl FnOnce(&mut Chain) -> Result<StepId>) -> Result<Self> {
        let mut chain = self.device().chain();
        let step = operation(&mut chain)?;
        let [grid] = chain.finish([step])?;
        Ok(grid)
    }

    fn of_several(batches: &[&Self], operation: fn(&mut Chain, &[Input]) -> Result<StepId>) -> Result<Self> {
        let Some(first) = batches.first() else {
            return Err(Error::Length { what: "batches", needed: 1, found: 0 });
        };
        let inputs: Vec<Input> = batches.iter().map(|&batch| batch.into()).collect();
        first.run(|chain| operation(chain, &inputs))
    }
}
