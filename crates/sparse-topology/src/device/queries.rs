//! Questions about coordinates and points, answered on the device.

use gpu_runtime::{Binding, DeviceVec, Recording};

use super::arena::Purpose;
use super::grid::DeviceGrid;
use super::list_params::{InvertParams, PointParams, RowParams};
use super::list_program::ListProgram;
use super::session::TopologyDevice;
use super::voxels::tile_words;
use crate::Error;

/// Invocations of a workgroup.
pub(crate) const GROUP: u32 = 64;
/// Answers of a dispatch: 8 bytes each, within every device's binding.
const MOST_ANSWERS: u64 = 1 << 22;

/// The box of coordinates around every query.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    /// Coordinates along an axis.
    side: u32,
    /// Smallest offset.
    origin: i32,
    /// Queries are multiplied by 2^shift.
    shift: u32,
}

pub(crate) const ITSELF: Around = Around { side: 1, origin: 0, shift: 0 };

impl DeviceGrid {
    /// As [`GridBatch::coordinates_to_index_cpu`](crate::GridBatch::coordinates_to_index_cpu).
    ///
    /// # Errors
    /// [`Error::Index`] for the item; [`Error::Memory`], [`Error::Device`].
    pub fn coordinates_to_index(&self, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        self.rows(item, queries, ITSELF)
    }

    /// As [`GridBatch::coordinates_in_grid_cpu`](crate::GridBatch::coordinates_in_grid_cpu).
    ///
    /// # Errors
    /// As [`coordinates_to_index`](Self::coordinates_to_index).
    pub fn coordinates_in_grid(&self, item: usize, queries: &[[i32; 3]]) -> Result<Vec<bool>, Error> {
        Ok(self.rows(item, queries, ITSELF)?.into_iter().map(|row| row >= 0).collect())
    }

    /// As [`GridBatch::neighbour_indices_cpu`](crate::GridBatch::neighbour_indices_cpu).
    ///
    /// # Errors
    /// As [`coordinates_to_index`](Self::coordinates_to_index); [`Error::Parameter`] for `extent > 512` or `shift > 31`.
    pub fn neighbour_indices(
        &self,
        item: usize,
        queries: &[[i32; 3]],
        extent: u32,
        shift: u32,
    ) -> Result<Vec<i64>, Error> {
        for (what, value, most) in [("extent", extent, 512), ("shift", shift, 31)] {
            if value > most {
                let (value, allowed) = (value.to_string(), format!("0 to {most}"));
                return Err(Error::Parameter { what: what.into(), value, allowed });
            }
        }
        self.rows(item, queries, Around { side: 2 * extent + 1, origin: -(extent as i32), shift })
    }

    /// As [`GridBatch::cubes_in_grid_cpu`](crate::GridBatch::cubes_in_grid_cpu).
    ///
    /// # Errors
    /// As [`coordinates_to_index`](Self::coordinates_to_index).
    pub fn cubes_in_grid(&self, item: usize, corners: &[[i32; 3]]) -> Result<Vec<bool>, Error> {
        let rows = self.rows(item, corners, Around { side: 2, origin: 0, shift: 0 })?;
        Ok(rows.chunks_exact(8).map(|cube| cube.iter().all(|&row| row >= 0)).collect())
    }

    /// As [`GridBatch::points_in_grid_cpu`](crate::GridBatch::points_in_grid_cpu).
    ///
    /// # Errors
    /// As [`coordinates_to_index`](Self::coordinates_to_index).
    pub fn points_in_grid(&self, item: usize, points: &[[f32; 3]]) -> Result<Vec<bool>, Error> {
        self.check_item(item)?;
        let device = self.device();
        let transform = self.transforms()[item];
        let frame: Vec<f32> = transform.origin.into_iter().chain(transform.voxel_size).map(|v| v as f32).collect();
        let kernel = device.list_kernel(ListProgram::PointVoxels { status: true })?;
        let mut out = Vec::with_capacity(points.len());
        for part in points.chunks(MOST_ANSWERS as usize) {
            let count = part.len() as u32;
            let context = device.context();
            let uploaded = context.upload("points", part.as_flattened())?;
            let voxels = context.zeroed::<i32>("voxels of points", 3 * part.len())?;
            let failed = context.zeroed::<u32>("points without a voxel", part.len().div_ceil(32))?;
            let groups = device.list_groups(count, GROUP);
            let params = PointParams { count, items: 1, add: 0.5, groups, ..PointParams::default() };
            let mut recording = context.record("voxels of points");
            let (ends, frame) = (recording.data(&[count]), recording.data(&frame));
            let bindings = [
                ("points", uploaded.bind()),
                ("item_ends", ends.bind()),
                ("frames", frame.bind()),
                ("voxels", voxels.bind()),
                ("failed", failed.bind()),
            ];
            recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
            let failed = recording.download(&failed);
            let failed = recording.submit()?.take(failed)?;
            let rows = self.rows_on(item, &voxels, count, ITSELF)?;
            out.extend(rows.iter().enumerate().map(|(i, &row)| row >= 0 && (failed[i >> 5] >> (i & 31)) & 1 == 0));
        }
        Ok(out)
    }

    /// As [`GridBatch::inverse_index_cpu`](crate::GridBatch::inverse_index_cpu).
    ///
    /// # Errors
    /// As [`coordinates_to_index`](Self::coordinates_to_index); [`Error::TooMany`] for an item of 2^32 voxels or more, and as many queries.
    pub fn inverse_index(&self, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        self.check_item(item)?;
        let voxels = self.item_voxels(item)?;
        let allowed = u64::from(u32::MAX);
        for (what, needed) in [("voxels of the item", voxels), ("queries", queries.len() as u64)] {
            if needed >= allowed {
                return Err(Error::TooMany { what, needed, allowed });
            }
        }
        let rows = voxels as u32;
        let context = self.device().context();
        let inverse = context.zeroed::<u32>("inverse rows", rows.max(1) as usize)?;
        let kernel = self.device().list_kernel(ListProgram::InvertRows)?;
        // Rows go to the device again: queries are taken from the host, and so are their answers.
        let answers = self.rows(item, queries, ITSELF)?;
        let pairs: Vec<u32> = answers.iter().flat_map(|&row| [row as u32, (row >> 32) as u32]).collect();
        let uploaded = context.upload("rows of queries", &pairs)?;
        let groups = self.device().list_groups(queries.len() as u32, GROUP);
        let params = InvertParams { count: queries.len() as u32, rows, groups, ..InvertParams::default() };
        let mut recording = context.record("inverse rows");
        if !queries.is_empty() && rows > 0 {
            let bindings = [("rows", uploaded.bind()), ("inverse", inverse.bind())];
            recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        }
        let found = recording.download_range(&inverse, 0..rows as usize);
        Ok(recording.submit()?.take(found)?.into_iter().map(|q| i64::from(q) - 1).collect())
    }

    pub(crate) fn check_item(&self, item: usize) -> Result<(), Error> {
        if item >= self.items() {
            return Err(Error::Index { what: "item", index: item as i64, count: self.items() as u64 });
        }
        Ok(())
    }

    /// Number of voxels of an item.
    pub(crate) fn item_voxels(&self, item: usize) -> Result<u64, Error> {
        let mut voxels = 0;
        for page in self.page_batches() {
            voxels += page.item_start(item + 1)?.1 - page.item_start(item)?.1;
        }
        Ok(voxels)
    }

    /// First leaf and first row of an item of a batch of one page; of the item behind the last: their numbers.
    pub(crate) fn item_start(&self, item: usize) -> Result<(u32, u64), Error> {
        if item != self.items() {
            self.check_item(item)?;
        }
        let resident = self.resident();
        let tile = resident.tiles.tiles.partition_point(|t| (t.item as usize) < item);
        let counts = self.counts();
        if tile == 0 {
            return Ok((0, 0));
        }
        if tile == resident.tiles.len() {
            return Ok((counts.leaves, counts.voxels));
        }
        let read = |buffer: &DeviceVec<u32>, at: usize| -> Result<[u32; 2], Error> {
            let mut recording = self.device().context().record("start of an item");
            let words = recording.download_range(buffer, at..at + 2);
            let words = recording.submit()?.take(words)?;
            Ok([words[0], words[1]])
        };
        let structure = &resident.structure;
        let lower = read(&structure.upper, 2048 * tile)?[1];
        if lower >= counts.lower {
            return Ok((counts.leaves, counts.voxels));
        }
        let leaf = read(&structure.lower, 256 * lower as usize)?[1];
        if leaf >= counts.leaves {
            return Ok((counts.leaves, counts.voxels));
        }
        let [low, high] = read(&structure.rows, 2 * leaf as usize)?;
        Ok((leaf, u64::from(low) | (u64::from(high) << 32)))
    }

    /// Rows of the coordinates around queries.
    fn rows(&self, item: usize, queries: &[[i32; 3]], around: Around) -> Result<Vec<i64>, Error> {
        self.check_item(item)?;
        let cube = u64::from(around.side).pow(3);
        if cube > MOST_ANSWERS * 64 {
            return Err(Error::Memory {
                what: "the rows around a query",
                needed: cube * 8,
                allowed: MOST_ANSWERS * 512,
            });
        }
        let each = (MOST_ANSWERS / cube).max(1) as usize;
        let mut out = Vec::new();
        for part in queries.chunks(each) {
            let uploaded = self.device().context().upload("queries", part.as_flattened())?;
            out.extend(self.rows_on(item, &uploaded, part.len() as u32, around)?);
        }
        Ok(out)
    }

    fn rows_on(&self, item: usize, queries: &DeviceVec<i32>, count: u32, around: Around) -> Result<Vec<i64>, Error> {
        if self.pages().len() > 1 {
            return self.rows_of_pages(item, queries, count, around);
        }
        let device: &TopologyDevice = self.device();
        let answers = count * around.side.pow(3);
        if self.resident().tiles.len() == 0 || self.leaves() == 0 {
            return Ok(vec![-1; answers as usize]);
        }
        let rows = device.arena().take(Purpose::Scratch, 2 * u64::from(answers))?;
        let first = self.item_start(item)?.1;
        let mut recording = device.context().record("rows of coordinates");
        let (queries, out) = (queries.bind(), rows.words()?);
        self.record_rows(&mut recording, (item, first), queries, count, around, out)?;
        let found = recording.download_range(&rows, 0..2 * answers as usize);
        let found = recording.submit()?.take(found)?;
        Ok(found.as_chunks().0.iter().map(|&[low, high]| (u64::from(low) | (u64::from(high) << 32)) as i64).collect())
    }

    /// Rows, in an item that begins at row `first`, of the coordinates around `count` queries: two words each, all ones where not active.
    pub(crate) fn record_rows(
        &self,
        recording: &mut Recording,
        (item, first): (usize, u64),
        queries: Binding<'_>,
        count: u32,
        around: Around,
        rows: Binding<'_>,
    ) -> Result<(), Error> {
        let device: &TopologyDevice = self.device();
        let resident = self.resident();
        let groups = device.list_groups(count * around.side.pow(3), GROUP);
        let params = RowParams {
            zero: 0,
            count,
            extent: around.side,
            shift: around.shift,
            item: item as i32,
            tiles: resident.tiles.len() as u32,
            lower_capacity: resident.capacity().lower,
            leaf_capacity: resident.capacity().leaves,
            first_row: [first as u32, (first >> 32) as u32],
            groups,
            origin: around.origin,
        };
        let structure = &resident.structure;
        let tiles = recording.data(&tile_words(&resident.tiles.tiles));
        let bindings = [
            ("queries", queries),
            ("tiles", tiles.bind()),
            ("tree_upper", structure.upper.words()?),
            ("tree_lower", structure.lower.words()?),
            ("tree_masks", resident.masks.words()?),
            ("tree_rows", structure.rows.words()?),
            ("rows", rows),
        ];
        let kernel = device.list_kernel(ListProgram::FindRows)?;
        recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        Ok(())
    }

    /// A coordinate is in one page at most; rows count on from page to page.
    fn rows_of_pages(
        &self,
        item: usize,
        queries: &DeviceVec<i32>,
        count: u32,
        around: Around,
    ) -> Result<Vec<i64>, Error> {
        let mut rows = vec![-1; (count * around.side.pow(3)) as usize];
        let mut before = 0;
        for page in self.page_batches() {
            for (row, found) in rows.iter_mut().zip(page.rows_on(item, queries, count, around)?) {
                if found >= 0 {
                    *row = before + found;
                }
            }
            before += page.item_voxels(item)? as i64;
        }
        Ok(rows)
    }
}
