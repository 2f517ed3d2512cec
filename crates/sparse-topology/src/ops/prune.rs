//! Keeping voxels by a mask.

use crate::grid::map_leaves;
use crate::kernels::leaf::leaf_slots;
use crate::{Error, GridBatch};

impl GridBatch {
    /// The voxels whose entry in `mask` is true; `mask` has one entry a row of the batch.
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::Length`] for a mask of another length.
    ///
    /// Cost: one read an entry. Source: fVDB `pruned_grid`.
    pub fn prune_cpu(&self, mask: &[bool]) -> Result<Self, Error> {
        if mask.len() as u64 != self.voxels() {
            return Err(Error::Length { what: "entries of the mask", needed: self.voxels(), found: mask.len() as u64 });
        }
        let keep = |leaf: usize, voxels: &[u32; 16]| {
            let mut out = [0; 16];
            let entries = &mask[self.first_rows[leaf] as usize..];
            for (slot, &entry) in leaf_slots(voxels).zip(entries) {
                out[(slot >> 5) as usize] |= u32::from(entry) << (slot & 31);
            }
            out
        };
        Self::assemble(self.transforms.clone(), map_leaves(self, keep))
    }
}
