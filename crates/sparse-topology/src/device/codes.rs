//! Codes of voxels along space-filling curves, on the device.

use super::arena::Purpose;
use super::grid::DeviceGrid;
use super::list_params::CodeParams;
use super::list_program::ListProgram;
use super::voxels::tile_words;
use crate::{AxisOrder, Error};

/// Invocations of a workgroup.
const GROUP: u32 = 64;

impl DeviceGrid {
    /// As [`GridBatch::morton_codes_cpu`](crate::GridBatch::morton_codes_cpu).
    ///
    /// # Errors
    /// [`Error::Index`] for the item; [`Error::Parameter`] when a coordinate plus the offset is not in 0 to 2^21 - 1; [`Error::Memory`], [`Error::Device`].
    pub fn morton_codes(&self, item: usize, offset: [i32; 3], order: AxisOrder) -> Result<Vec<u64>, Error> {
        match self.codes(item, offset, false, order)? {
            Some(codes) => Ok(codes),
            // The reference names the coordinate.
            None => self.download()?.morton_codes_cpu(item, offset, order),
        }
    }

    /// As [`GridBatch::hilbert_codes_cpu`](crate::GridBatch::hilbert_codes_cpu).
    ///
    /// # Errors
    /// As [`morton_codes`](Self::morton_codes).
    pub fn hilbert_codes(&self, item: usize, offset: [i32; 3], order: AxisOrder) -> Result<Vec<u64>, Error> {
        match self.codes(item, offset, true, order)? {
            Some(codes) => Ok(codes),
            None => self.download()?.hilbert_codes_cpu(item, offset, order),
        }
    }

    /// `None` when a coordinate has no code.
    fn codes(&self, item: usize, offset: [i32; 3], hilbert: bool, order: AxisOrder) -> Result<Option<Vec<u64>>, Error> {
        self.check_item(item)?;
        if self.pages().len() > 1 {
            let pages = self.page_batches().map(|page| page.codes(item, offset, hilbert, order));
            let codes: Option<Vec<Vec<u64>>> = pages.collect::<Result<_, _>>()?;
            return Ok(codes.map(|codes| codes.concat()));
        }
        let ((first_leaf, first), (end_leaf, end)) = (self.item_start(item)?, self.item_start(item + 1)?);
        let (leaves, voxels) = (end_leaf - first_leaf, end - first);
        if leaves == 0 {
            return Ok(Some(Vec::new()));
        }
        let device = self.device();
        let codes = device.arena().take(Purpose::Scratch, 2 * voxels)?;
        let failed = device.arena().take(Purpose::Scratch, 1)?;
        let groups = device.list_groups(leaves.saturating_mul(16), GROUP);
        let first_row = [first as u32, (first >> 32) as u32];
        let params = CodeParams { offset, first_leaf, leaves, first_row, groups, ..CodeParams::default() };
        let resident = self.resident();
        let mut recording = device.context().record("codes of voxels");
        recording.clear_range(&failed, 0..1)?;
        let tiles = recording.data(&tile_words(&resident.tiles.tiles));
        let bindings = [
            ("tiles", tiles.bind()),
            ("list_keys", resident.structure.leaf_keys.words()?),
            ("list_masks", resident.masks.words()?),
            ("list_rows", resident.structure.rows.words()?),
            ("codes", codes.words()?),
            ("failed", failed.words()?),
        ];
        let kernel = device.list_kernel(ListProgram::VoxelCodes { hilbert, zyx: order == AxisOrder::Zyx })?;
        recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        let words = recording.download_range(&codes, 0..2 * voxels as usize);
        let failed = recording.download_range(&failed, 0..1);
        let mut done = recording.submit()?;
        if done.take(failed)?[0] != 0 {
            return Ok(None);
        }
        let joined = |&[low, high]: &[u32; 2]| u64::from(low) | (u64::from(high) << 32);
        Ok(Some(done.take(words)?.as_chunks().0.iter().map(joined).collect()))
    }
}
