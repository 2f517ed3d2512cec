//! From dense boxes.

use rayon::prelude::*;

use crate::grid::{Accumulator, LEAF_BYTES, LowerKey};
use crate::kernels::leaf_box::{bit_range, leaf_box};
use crate::kernels::node_key::lower_slot;
use crate::memory::Budget;
use crate::{Error, GridBatch, Transform};

impl GridBatch {
    /// The box of `size` voxels at `min`, without the voxels whose entry in `mask` is false; the same voxels for every transform.
    ///
    /// `mask` has the shape `size`, x slowest, z fastest; `None` keeps all. A size of 0 on an axis gives empty items.
    ///
    /// # Errors
    /// [`Error::Length`] for a mask of another length; [`Error::CoordinateOverflow`] when the box leaves `i32`; [`Error::Memory`].
    ///
    /// Cost: one read an entry of the mask and item. Source: fVDB `from_dense`.
    pub fn from_dense_cpu(
        min: [i32; 3],
        size: [u32; 3],
        mask: Option<&[bool]>,
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let voxels = size.iter().fold(1, |n: u64, &s| n.saturating_mul(u64::from(s)));
        if let Some(mask) = mask
            && mask.len() as u64 != voxels
        {
            return Err(Error::Length { what: "entries of the mask", needed: voxels, found: mask.len() as u64 });
        }
        if voxels == 0 || transforms.is_empty() {
            return Ok(Self::empty(transforms));
        }
        let last: [i64; 3] = std::array::from_fn(|k| i64::from(min[k]) + i64::from(size[k]) - 1);
        if last.iter().any(|&v| v > i64::from(i32::MAX)) {
            return Err(Error::CoordinateOverflow { item: 0, coordinate: last });
        }
        let blocks = |shift: u32| {
            (0..3).fold(1, |n: u64, k| n.saturating_mul((last[k] >> shift).abs_diff(i64::from(min[k]) >> shift) + 1))
        };
        // Without a mask every block of the box is in the result.
        let item = if mask.is_some() { 0 } else { blocks(3).saturating_mul(LEAF_BYTES) };
        let list = blocks(7).saturating_mul(size_of::<[i32; 3]>() as u64);
        Budget::new("the dense grid").add(list.saturating_add(item.saturating_mul(transforms.len() as u64)))?;
        // [1] the leaves of the box, by lower node
        let last = last.map(|v| v as i32);
        let nodes: Vec<[i32; 3]> = positions(min.map(|v| v >> 7), last.map(|v| v >> 7)).collect();
        let make = |accumulator: &mut Accumulator, &node: &[i32; 3]| {
            let low = std::array::from_fn(|k| (min[k] >> 3).max(node[k] << 4));
            let high = std::array::from_fn(|k| (last[k] >> 3).min((node[k] << 4) | 15));
            for leaf in positions(low, high) {
                let bits: [u32; 3] = std::array::from_fn(|k| {
                    let start = i64::from(leaf[k]) << 3;
                    bit_range(i64::from(min[k]) - start, i64::from(last[k]) - start)
                });
                let mut voxels = leaf_box(bits[0], bits[1], bits[2]);
                if let Some(mask) = mask {
                    keep(&mut voxels, leaf, min, size, mask);
                }
                accumulator.or(lower_slot(leaf.map(|n| n as u32 & 15)), &voxels);
            }
            accumulator.take(LowerKey::at(0, node))
        };
        let mut parts: Vec<_> = nodes.par_iter().map_init(Accumulator::new, make).collect();
        parts.sort_unstable_by_key(|part| part.key);
        // [2] every item is a copy of the first
        let one = Self::assemble(transforms[..1].to_vec(), parts)?;
        let mut all = Self::concatenate(&vec![&one; transforms.len()])?;
        all.transforms = transforms.to_vec();
        Ok(all)
    }
}

/// Removes the voxels of a leaf whose entry is false.
fn keep(voxels: &mut [u32; 16], leaf: [i32; 3], min: [i32; 3], size: [u32; 3], mask: &[bool]) {
    for slot in 0..512_u32 {
        let bit = 1 << (slot & 31);
        if voxels[(slot >> 5) as usize] & bit == 0 {
            continue;
        }
        let at = crate::kernels::leaf::voxel_position(slot);
        let [x, y, z]: [usize; 3] =
            std::array::from_fn(|k| ((i64::from(leaf[k]) << 3) + i64::from(at[k]) - i64::from(min[k])) as usize);
        if !mask[(x * size[1] as usize + y) * size[2] as usize + z] {
            voxels[(slot >> 5) as usize] ^= bit;
        }
    }
}

/// All positions of an inclusive box, x slowest; none when it is inverted.
fn positions(low: [i32; 3], high: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    (low[0]..=high[0])
        .flat_map(move |x| (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z])))
}
