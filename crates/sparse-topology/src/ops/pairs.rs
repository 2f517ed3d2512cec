//! Neighbour pairs of convolutions: kernel maps.

use rayon::prelude::*;

use super::{AxisRelation, check_positive};
use crate::kernels::leaf::{leaf_rank, leaf_slots, voxel_position};
use crate::kernels::leaf_image::leaf_image;
use crate::{Error, GridBatch};

/// One multiply-add of a sparse convolution: `output[out_row] += weight[tap] * input[in_row]`. Rows are of the whole batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Position in the kernel, x slowest.
    pub tap: u64,
    /// Row of the input.
    pub in_row: u64,
    /// Row of the output.
    pub out_row: u64,
}

impl GridBatch {
    /// The pairs of a convolution from `self` to `output`: `x = s * c + tap - floor((k - 1) / 2)` for active input voxels x and active output voxels c.
    ///
    /// By tap (x slowest), then by output row. `output` may be any batch with the same number of items: [`conv_cpu`](Self::conv_cpu)'s result gives all pairs that exist, a subset gives those it holds.
    /// A tap with its in and out rows exchanged is the backward pass.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a kernel or stride of 0; [`Error::Length`] for another number of items.
    ///
    /// Cost: up to eight leaves are read for every tap and output leaf at stride 1, `s^3` as many at stride s; memory 24 bytes a pair. Source: fVDB `GatherScatter` kernel maps.
    pub fn conv_pairs_cpu(&self, output: &Self, kernel: [u32; 3], stride: [u32; 3]) -> Result<Vec<Pair>, Error> {
        let before = kernel.map(|k| (i64::from(k) - 1) / 2);
        self.pairs(output, kernel, stride, before, |tap, coarse, fine| Pair { tap, in_row: fine, out_row: coarse })
    }

    /// The pairs of a pooling from `self` to `output`: `x = f * c + tap` for active input voxels x and active output voxels c, every tap of a block of `f` = (fx, fy, fz) voxels.
    ///
    /// By tap (x slowest), then by output row. With [`coarsen_cpu`](Self::coarsen_cpu)'s result every input row occurs once.
    ///
    /// # Errors
    /// As [`conv_pairs_cpu`](Self::conv_pairs_cpu).
    pub fn pool_pairs_cpu(&self, output: &Self, factor: [u32; 3]) -> Result<Vec<Pair>, Error> {
        self.pairs(output, factor, factor, [0; 3], |tap, coarse, fine| Pair { tap, in_row: fine, out_row: coarse })
    }

    /// The pairs of a transposed convolution from `self` to `output`: `x = s * c + tap - floor((k - 1) / 2)` for active input voxels c and active output voxels x.
    ///
    /// By tap (x slowest), then by output row.
    ///
    /// # Errors
    /// As [`conv_pairs_cpu`](Self::conv_pairs_cpu).
    pub fn conv_transpose_pairs_cpu(
        &self,
        output: &Self,
        kernel: [u32; 3],
        stride: [u32; 3],
    ) -> Result<Vec<Pair>, Error> {
        // For one tap the relation is one-to-one, but rows of the two grids run differently: order again by output row.
        let before = kernel.map(|k| (i64::from(k) - 1) / 2);
        let mut pairs = output.pairs(self, kernel, stride, before, |tap, coarse, fine| Pair {
            tap,
            in_row: coarse,
            out_row: fine,
        })?;
        pairs.par_sort_unstable_by_key(|pair| (pair.tap, pair.out_row));
        Ok(pairs)
    }

    /// The pairs between the fine grid `self` and `coarse`, by tap, then by row of `coarse`.
    fn pairs(
        &self,
        coarse: &Self,
        kernel: [u32; 3],
        stride: [u32; 3],
        before: [i64; 3],
        make: impl Fn(u64, u64, u64) -> Pair + Sync,
    ) -> Result<Vec<Pair>, Error> {
        check_positive("kernel", kernel)?;
        check_positive("stride", stride)?;
        if self.items() != coarse.items() {
            return Err(Error::Length {
                what: "items of the output",
                needed: self.items() as u64,
                found: coarse.items() as u64,
            });
        }
        let taps = kernel.iter().fold(1, |n: u64, &k| n.saturating_mul(u64::from(k)));
        let mut out = Vec::new();
        for tap in 0..taps {
            let [_, ky, kz] = kernel.map(u64::from);
            let at = [tap / (ky * kz), tap / kz % ky, tap % kz];
            let offset: [i64; 3] = std::array::from_fn(|k| at[k] as i64 - before[k]);
            let one_leaf = |leaf: usize| self.leaf_pairs(coarse, leaf, stride, offset);
            out.par_extend(
                (0..coarse.leaves())
                    .into_par_iter()
                    .with_min_len(64)
                    .flat_map_iter(one_leaf)
                    .map(|(coarse, fine)| make(tap, coarse, fine)),
            );
        }
        Ok(out)
    }

    /// For one tap and one coarse leaf: (coarse row, fine row) of the voxels that have both.
    fn leaf_pairs(&self, coarse: &Self, leaf: usize, stride: [u32; 3], offset: [i64; 3]) -> Vec<(u64, u64)> {
        let (item, start) = (coarse.leaf_item(leaf), coarse.leaf_position(leaf).map(|n| i64::from(n) << 3));
        let relation: [AxisRelation; 3] = std::array::from_fn(|k| AxisRelation::tap(stride[k], offset[k]));
        let fine_of = |k: usize, c: i64| i64::from(stride[k]) * c + offset[k];
        // [1] the fine leaves that hold a position of this tap, and which coarse voxels find theirs there
        let axis = |k: usize| {
            let mut leaves: Vec<i64> = (0..8).map(|q| fine_of(k, start[k] + q) >> 3).collect();
            leaves.dedup();
            leaves.into_iter().map(move |n| (n, relation[k].entry(n << 3, start[k]).map))
        };
        let mut rows = Vec::new();
        for (x, x_map) in axis(0) {
            for (y, y_map) in axis(1) {
                for (z, z_map) in axis(2) {
                    let Some(from) = self.find_leaf_64(item, [x, y, z]) else { continue };
                    let found = leaf_image(&self.masks[from], &x_map, &y_map, &z_map);
                    let both: [u32; 16] = std::array::from_fn(|i| found[i] & coarse.masks[leaf][i]);
                    // [2] the rows of both
                    for slot in leaf_slots(&both) {
                        let c = voxel_position(slot);
                        let fine = std::array::from_fn(|k| fine_of(k, start[k] + i64::from(c[k])) as i32);
                        let rank = leaf_rank(&self.masks[from], crate::kernels::leaf::voxel_slot(fine));
                        let row = coarse.first_rows[leaf] + u64::from(leaf_rank(&coarse.masks[leaf], slot));
                        rows.push((row, self.first_rows[from] + u64::from(rank)));
                    }
                }
            }
        }
        rows.sort_unstable();
        rows
    }

    fn find_leaf_64(&self, item: usize, leaf: [i64; 3]) -> Option<usize> {
        let mut at = [0; 3];
        for k in 0..3 {
            at[k] = i32::try_from(leaf[k]).ok()?;
        }
        self.find_leaf(item, at)
    }
}
