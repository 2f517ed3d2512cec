//! Batches from dense boxes.

use std::sync::Arc;

use super::chain::{Filter, Step, Term};
use super::grid::DeviceGrid;
use super::operations::packed;
use super::session::TopologyDevice;
use crate::ops::pad;
use crate::{Error, GridBatch, Transform};

/// Longest side that a step of a chain reaches: 65,536 leaves, one of them cut.
const MOST_SIDE: u32 = (1 << 19) - 8;

impl DeviceGrid {
    /// As [`GridBatch::from_dense_cpu`]: the box is made from its corner on the device, and the mask goes there as a bit a voxel.
    ///
    /// # Errors
    /// As [`GridBatch::from_dense_cpu`]; [`Error::TooMany`] for a mask of 2^32 entries or more; [`Error::Memory`], [`Error::Device`].
    ///
    /// Cost: one submission; a bit a voxel of the box goes to the device. A box of more than 524,280 voxels along an axis is made on the host.
    pub fn from_dense(
        device: &TopologyDevice,
        min: [i32; 3],
        size: [u32; 3],
        mask: Option<&[bool]>,
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let voxels = size.iter().fold(1, |n: u64, &s| n.saturating_mul(u64::from(s)));
        if let Some(mask) = mask {
            let (found, allowed) = (mask.len() as u64, u64::from(u32::MAX));
            if found != voxels {
                return Err(Error::Length { what: "entries of the mask", needed: voxels, found });
            }
            if found > allowed {
                return Err(Error::TooMany { what: "entries of the mask", needed: found, allowed });
            }
        }
        if voxels == 0 || transforms.is_empty() {
            return Self::upload(device, &GridBatch::empty(transforms));
        }
        if size.iter().any(|&n| n > MOST_SIDE) {
            return Self::upload(device, &GridBatch::from_dense_cpu(min, size, mask, transforms)?);
        }
        let last: [i64; 3] = std::array::from_fn(|k| i64::from(min[k]) + i64::from(size[k]) - 1);
        if last.iter().any(|&v| v > i64::from(i32::MAX)) {
            return Err(Error::CoordinateOverflow { item: 0, coordinate: last });
        }
        let corner = GridBatch::from_coordinates_cpu(&[&[min]], &transforms[..1])?;
        let corner = Self::upload(device, &corner)?;
        let mut chain = device.chain();
        let mut solid = chain.pad(&corner, [0; 3], size.map(|n| (n - 1) as i32))?;
        if let Some(mask) = mask {
            let filter = Filter::Dense { bits: Arc::new(packed(mask)), min, size };
            solid = chain.push(Step::Filter { base: solid.into(), filter });
        }
        // Every item is a copy of the first.
        let copy = |item| Term { items: Some(vec![Some(item)]), ..Term::new(solid.into(), pad([0; 3], [0; 3])) };
        let terms = (0..transforms.len() as u32).map(copy).collect();
        let step = chain.push(Step::Relate { terms, transforms: Arc::new(transforms.to_vec()), within: None });
        let [grid] = chain.finish([step])?;
        Ok(grid)
    }
}
