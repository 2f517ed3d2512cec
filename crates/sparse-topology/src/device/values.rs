//! Values of listed coordinates, brought into the order of a batch's rows on the device.

use gpu_runtime::{Binding, DeviceVec};

use super::arena::Purpose;
use super::grid::DeviceGrid;
use super::list_params::{InvertParams, ValueParams};
use super::list_program::ListProgram;
use super::queries::{GROUP, ITSELF};
use super::voxels::pages;
use crate::Error;

/// Coordinates whose rows are found in one go.
const PART: u32 = 1 << 22;

impl DeviceGrid {
    /// [`GridBatch::values_by_row_cpu`](crate::GridBatch::values_by_row_cpu) of lists that are on the device, and stay there: three words a coordinate (x, y, z), a word a value.
    ///
    /// # Errors
    /// [`Error::Index`] for the item; [`Error::Length`] for lists that do not have the same number of entries; [`Error::TooMany`] for an item of 2^32 - 1 voxels or more and as many
    /// coordinates; [`Error::Memory`], [`Error::Device`].
    ///
    /// Cost: a search among the item's tiles and four popcounts a coordinate; one submission, without a wait for it; scratch of 4 bytes a row and 8 a coordinate of a part.
    pub fn values_by_row(
        &self,
        item: usize,
        coordinates: &DeviceVec<i32>,
        values: &DeviceVec<u32>,
        missing: u32,
    ) -> Result<DeviceVec<u32>, Error> {
        self.check_item(item)?;
        if self.pages().len() > 1 {
            return self.values_of_pages(item, coordinates, values, missing);
        }
        let (rows, first) = self.checked_rows(item, coordinates.len(), values.len())?;
        let device = self.device();
        let context = device.context();
        let out = context.zeroed::<u32>("values by row", rows as usize)?;
        if rows == 0 {
            return Ok(out);
        }
        let inverse = context.zeroed::<u32>("inverse rows", rows as usize)?;
        let mut recording = context.record("values by row");
        let parts: Vec<(u32, u32)> = pages(device, 0..values.len() as u32).into_iter().flat_map(parts).collect();
        let largest = parts.iter().map(|part| part.1).max().unwrap_or(0);
        let found = device.arena().take(Purpose::Scratch, 2 * u64::from(largest))?;
        let invert = device.list_kernel(ListProgram::InvertRows)?;
        for (before, count) in parts {
            let words = 3 * before as usize..3 * (before + count) as usize;
            self.record_rows(
                &mut recording,
                (item, first),
                coordinates.bind_range(words)?,
                count,
                ITSELF,
                found.words()?,
            )?;
            let groups = device.list_groups(count, GROUP);
            let params = InvertParams { count, rows, groups, before, ..InvertParams::default() };
            let bindings: [(_, Binding<'_>); 2] = [("rows", found.words()?), ("inverse", inverse.bind())];
            recording.dispatch(&invert, &bindings, &params, [groups, 1, 1])?;
        }
        let groups = device.list_groups(rows, GROUP);
        let params = ValueParams { zero: 0, rows, missing, groups };
        let bindings = [("inverse", inverse.bind()), ("values", values.bind()), ("row_values", out.bind())];
        recording.dispatch(&device.list_kernel(ListProgram::RowValues)?, &bindings, &params, [groups, 1, 1])?;
        recording.submit()?;
        Ok(out)
    }

    /// The values of page after page.
    fn values_of_pages(
        &self,
        item: usize,
        coordinates: &DeviceVec<i32>,
        values: &DeviceVec<u32>,
        missing: u32,
    ) -> Result<DeviceVec<u32>, Error> {
        let context = self.device().context();
        let out = context.zeroed::<u32>("values by row", self.item_voxels(item)? as usize)?;
        let mut before = 0;
        for page in self.page_batches() {
            let part = page.values_by_row(item, coordinates, values, missing)?;
            let mut recording = context.record("values of a page");
            recording.copy(&part, 0..part.len(), &out, before)?;
            recording.submit()?;
            before += part.len();
        }
        Ok(out)
    }

    /// Rows of an item and the first of them, when 32 bits number them and the coordinates.
    fn checked_rows(&self, item: usize, coordinate_words: usize, values: usize) -> Result<(u32, u64), Error> {
        let (first, end) = (self.item_start(item)?.1, self.item_start(item + 1)?.1);
        let allowed = u64::from(u32::MAX) - 1;
        for (what, needed) in [("voxels of the item", end - first), ("values", values as u64)] {
            if needed > allowed {
                return Err(Error::TooMany { what, needed, allowed });
            }
        }
        if coordinate_words != 3 * values {
            let (needed, found) = (3 * values as u64, coordinate_words as u64);
            return Err(Error::Length { what: "words of coordinates", needed, found });
        }
        Ok(((end - first) as u32, first))
    }
}

/// A page in parts of at most [`PART`]; both begin at multiples of 64.
fn parts((first, count): (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    (0..count).step_by(PART as usize).map(move |at| (first + at, PART.min(count - at)))
}
