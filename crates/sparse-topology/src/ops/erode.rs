//! Erosion by a box of offsets.

use super::AxisRelation;
use super::image::image;
use super::stencil::{check_box, pad};
use crate::grid::map_leaves;
use crate::kernels::leaf_image::leaf_image;
use crate::{Error, GridBatch};

impl GridBatch {
    /// `{ c : c + [min, max] within S }`, `[min, max]` a box of offsets (inclusive; it need not contain 0).
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::Parameter`] when `min > max` on an axis; [`Error::CoordinateOverflow`] when `S - min` leaves `i32` (only for boxes without 0); [`Error::Memory`].
    ///
    /// Cost: the leaves that the box reaches are read for every leaf. Source: the definition; fVDB's dual without border is the box `[0, 1]`.
    pub fn erode_box_cpu(&self, min: [i32; 3], max: [i32; 3]) -> Result<Self, Error> {
        check_box(min, max)?;
        if (0..3).all(|k| min[k] <= 0 && 0 <= max[k]) {
            return self.erode_candidates(self, min, max);
        }
        // Without 0 in the box the result is no subset of S, but of S - min.
        let back = |v: i32| -i64::from(v);
        let shift = std::array::from_fn(|k| AxisRelation::pad(back(min[k]), back(min[k])));
        let candidates = Self::assemble(self.transforms.clone(), image(self, &[shift])?)?;
        self.erode_candidates(&candidates, min, max)
    }

    /// The candidates `c` with `c + [min, max]` in `self`.
    fn erode_candidates(&self, candidates: &Self, min: [i32; 3], max: [i32; 3]) -> Result<Self, Error> {
        // c is refused when c + o is missing for an offset o: c lies in the complement's sum with [-max, -min].
        let spread = pad(max.map(|v| v.wrapping_neg()), min.map(|v| v.wrapping_neg()));
        let parts = map_leaves(candidates, |leaf, mask| {
            let (item, position) = (candidates.leaf_item(leaf), candidates.leaf_position(leaf));
            let start = position.map(|n| i64::from(n) << 3);
            let range = |k: usize| {
                let (lo, hi) = (start[k] + i64::from(min[k]), start[k] + 7 + i64::from(max[k]));
                (lo >> 3)..=(hi >> 3)
            };
            let mut kept = *mask;
            for x in range(0) {
                for y in range(1) {
                    for z in range(2) {
                        if kept == [0; 16] {
                            return kept;
                        }
                        let from = [x, y, z];
                        let missing = self.mask_at(item, from.map(|n| n as i32)).map(|word| !word);
                        let [mx, my, mz] = std::array::from_fn(|k| spread[k].entry(from[k] << 3, start[k]).map);
                        let refused = leaf_image(&missing, &mx, &my, &mz);
                        kept = std::array::from_fn(|i| kept[i] & !refused[i]);
                    }
                }
            }
            kept
        });
        Self::assemble(self.transforms.clone(), parts)
    }
}
