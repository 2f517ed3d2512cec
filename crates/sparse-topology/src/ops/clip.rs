//! Keeping the voxels inside a box.

use crate::grid::map_leaves;
use crate::kernels::leaf_box::{bit_range, leaf_box};
use crate::{Error, GridBatch};

impl GridBatch {
    /// The voxels with `min <= c <= max` in every axis, the same box for all items; a box with `min > max` holds none.
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// Cost: one visit a leaf. Source: fVDB `clipped_grid`.
    pub fn clip_cpu(&self, min: [i32; 3], max: [i32; 3]) -> Result<Self, Error> {
        let inside = |leaf: usize, mask: &[u32; 16]| {
            let position = self.leaf_position(leaf);
            let bits: [u32; 3] = std::array::from_fn(|k| {
                let origin = i64::from(position[k]) << 3;
                bit_range(i64::from(min[k]) - origin, i64::from(max[k]) - origin)
            });
            let window = leaf_box(bits[0], bits[1], bits[2]);
            std::array::from_fn(|i| mask[i] & window[i])
        };
        Self::assemble(self.transforms.clone(), map_leaves(self, inside))
    }
}
