//! Where the voxels of an item lie in the world.

/// The affine map of an item: the centre of voxel `c` lies at `origin + c * voxel_size`, axis by axis, in f64.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Edge lengths of a voxel in world units; each finite and greater than 0.
    pub voxel_size: [f64; 3],
    /// World position of the centre of voxel (0, 0, 0).
    pub origin: [f64; 3],
}

impl Default for Transform {
    /// Voxels of size 1, voxel (0, 0, 0) at the world's origin.
    fn default() -> Self {
        Self { voxel_size: [1.0; 3], origin: [0.0; 3] }
    }
}

impl Transform {
    /// Cubic voxels.
    pub fn uniform(voxel_size: f64, origin: [f64; 3]) -> Self {
        Self { voxel_size: [voxel_size; 3], origin }
    }

    /// The world position of the centre of a voxel.
    pub fn centre(&self, coordinate: [i32; 3]) -> [f64; 3] {
        std::array::from_fn(|k| self.origin[k] + f64::from(coordinate[k]) * self.voxel_size[k])
    }

    /// After [coarsening](crate::GridBatch::coarsen_cpu) by `f`: size `* f`, origin `+ (f - 1) / 2 * voxel size`, so that a coarse voxel covers its block.
    #[must_use]
    pub fn coarsened(&self, factor: [u32; 3]) -> Self {
        Self {
            voxel_size: std::array::from_fn(|k| self.voxel_size[k] * f64::from(factor[k])),
            origin: std::array::from_fn(|k| self.origin[k] + (f64::from(factor[k]) - 1.0) * 0.5 * self.voxel_size[k]),
        }
    }

    /// After [refinement](crate::GridBatch::refine_cpu) by `f`: size `/ f`, origin `- (f - 1) / 2 * new voxel size`; the inverse of [`Transform::coarsened`].
    #[must_use]
    pub fn refined(&self, factor: [u32; 3]) -> Self {
        let voxel_size: [f64; 3] = std::array::from_fn(|k| self.voxel_size[k] / f64::from(factor[k]));
        Self {
            voxel_size,
            origin: std::array::from_fn(|k| self.origin[k] - (f64::from(factor[k]) - 1.0) * 0.5 * voxel_size[k]),
        }
    }

    /// After a [convolution](crate::GridBatch::conv_cpu) with stride `s` or [subsampling](crate::GridBatch::subsample_cpu): size `* s`, same origin.
    #[must_use]
    pub fn strided(&self, stride: [u32; 3]) -> Self {
        Self { voxel_size: std::array::from_fn(|k| self.voxel_size[k] * f64::from(stride[k])), origin: self.origin }
    }

    /// After a [transposed convolution](crate::GridBatch::conv_transpose_cpu) with stride `s`: size `/ s`, same origin.
    #[must_use]
    pub fn unstrided(&self, stride: [u32; 3]) -> Self {
        Self { voxel_size: std::array::from_fn(|k| self.voxel_size[k] / f64::from(stride[k])), origin: self.origin }
    }

    /// Of the [dual](crate::GridBatch::dual_cpu): dual voxel `d` lies at the low corner of voxel `d`: origin `- voxel size / 2`.
    #[must_use]
    pub fn dual(&self) -> Self {
        Self { voxel_size: self.voxel_size, origin: std::array::from_fn(|k| self.origin[k] - 0.5 * self.voxel_size[k]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarse_voxels_cover_their_blocks() {
        let fine = Transform { voxel_size: [0.5, 1.0, 2.0], origin: [1.0, 2.0, 3.0] };
        let coarse = fine.coarsened([2, 3, 4]);
        // The centre of coarse voxel (1, -1, 0) is the mean of the centres of its block's first and last fine voxel.
        let (first, last) = (fine.centre([2, -3, 0]), fine.centre([3, -1, 3]));
        for (k, centre) in coarse.centre([1, -1, 0]).into_iter().enumerate() {
            assert_eq!(centre, (first[k] + last[k]) * 0.5);
        }
        assert_eq!(coarse.refined([2, 3, 4]), fine);
    }

    #[test]
    fn strides_keep_the_origin_and_the_dual_moves_half_a_voxel() {
        let grid = Transform::uniform(0.5, [1.0, 2.0, 3.0]);
        assert_eq!(grid.strided([2, 4, 1]).voxel_size, [1.0, 2.0, 0.5]);
        assert_eq!(grid.strided([2, 4, 1]).unstrided([2, 4, 1]), grid);
        assert_eq!(grid.dual().centre([2, 0, 0]), [1.75, 1.75, 2.75]);
    }
}
