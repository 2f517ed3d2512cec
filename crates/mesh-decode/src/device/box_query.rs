//! Box queries on a device: units are chosen, decoded and filtered without a read-back between.

use std::time::Instant;

use gpu_runtime::{DeviceVec, Recording};
use gpu_shaders::folded_grid;

use super::box_filter::{BoxFilter, DeviceAnswer, check, params, select_units};
use super::file::DeviceFile;
use super::mesh::DeviceMesh;
use super::selection::Selection;
use crate::error::Error;
use crate::query::{GridBox, UnitBvh};

/// A file on a device with its tree and buffers of a whole decode: asked for boxes as often as you like.
///
/// Memory: 24 bytes a vertex and triangle together, 8 a triangle, 64 a unit.
#[derive(Debug)]
pub struct DeviceQuery<'a> {
    file: &'a DeviceFile,
    bvh: &'a UnitBvh,
    all: Selection,
    boxes: DeviceVec<[i32; 4]>,
    chosen: Selection,
    filter: BoxFilter,
}

impl<'a> DeviceQuery<'a> {
    /// Buffers for a file that is on the device as a whole, with its tree.
    ///
    /// # Errors
    /// [`Error::Input`] when the tree has not as many units as the file; [`Error::Unsupported`] for grid points of 2^24 and more and for a format
    /// without positions; [`Error::Device`].
    pub fn new(file: &'a DeviceFile, bvh: &'a UnitBvh) -> Result<Self, Error> {
        let context = file.context();
        check(file.format(), file.units().len(), bvh)?;
        let boxes: Vec<[i32; 4]> = bvh.boxes.iter().flatten().map(|p| [p[0], p[1], p[2], 0]).collect();
        let all = file.select_all()?;
        let jobs = context.zeroed("chosen jobs", all.jobs().len())?;
        let chosen = Selection::from_device(jobs, all.vertex_count(), all.triangle_count());
        let boxes = context.upload("unit boxes", &boxes)?;
        let filter = BoxFilter::new(context, file, &chosen)?;
        Ok(Self { file, bvh, all, boxes, chosen, filter })
    }

    /// Adds a query to a recording, with the choice of units on the device too: the units that meet the box are decoded to grid points at their places of a whole decode, and the numbers of their triangles that meet it are written in order.
    ///
    /// Cost: 24 bytes a unit and 8 a triangle of the file, and the decode of the chosen units.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn record(&self, recording: &mut Recording, closed_box: &GridBox) -> Result<(), Error> {
        let context = self.file.context();
        let units = self.all.jobs().len() as u32;
        let groups = folded_grid::plan(units.div_ceil(64), context.adapter().limits.max_workgroups_per_dimension);
        let bindings =
            [("all_jobs", self.all.jobs().bind()), ("boxes", self.boxes.bind()), ("jobs", self.chosen.jobs().bind())];
        let kernel = context.kernel(&select_units().source())?;
        let params = params(units, groups[0], self.all.triangle_count(), closed_box);
        recording.dispatch(&kernel, &bindings, &params, groups)?;
        // The filter writes the flags of chosen units alone.
        recording.clear(&self.filter.flags)?;
        self.filter.record(recording, self.file, &self.chosen, closed_box)
    }

    /// The triangles that meet a box, by their numbers in a whole decode, increasing: those of [`crate::File::query_box_cpu`].
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn triangles_in(&self, closed_box: &GridBox) -> Result<Vec<u32>, Error> {
        Ok(self.ask(closed_box)?.triangles)
    }

    /// The units and triangles that meet a box, with what it took.
    ///
    /// The tree is asked on the host, then one submission decodes the chosen units one after the other and filters them; the count and the first 65,536 numbers come back with it, a
    /// larger answer takes a second copy. A box that no unit meets costs the lookup alone. Cost: that of the chosen units, whatever the file holds.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn ask(&self, closed_box: &GridBox) -> Result<DeviceAnswer, Error> {
        let start = Instant::now();
        let mut answer = DeviceAnswer { units: self.bvh.units_in(closed_box), ..DeviceAnswer::default() };
        answer.times.lookup = start.elapsed();
        answer.times.total = answer.times.lookup;
        if answer.units.is_empty() {
            return Ok(answer);
        }
        let selection = self.file.select(&answer.units)?;
        answer.times.upload = start.elapsed() - answer.times.lookup;
        answer.times.upload_bytes = selection.jobs().byte_len();
        let ranges: Vec<_> = answer.units.iter().map(|unit| self.file.units()[*unit as usize]).collect();
        self.filter.ask(self.file, &selection, closed_box, &ranges, (start, &mut answer))?;
        Ok(answer)
    }

    /// The jobs of the last recorded query, those of units that were not chosen with [`super::NO_UNIT`].
    pub fn chosen(&self) -> &Selection {
        &self.chosen
    }

    /// Grid points and triangles of the units of the last query: recorded ones at their places in a whole decode, those of [`DeviceQuery::ask`] one after the other; what lies between and behind is left from earlier queries.
    pub fn mesh(&self) -> &DeviceMesh {
        &self.filter.mesh
    }

    /// Numbers of triangles in [`DeviceQuery::mesh`], of which the first [`DeviceQuery::count`] are the last query's.
    pub fn numbers(&self) -> &DeviceVec<u32> {
        &self.filter.numbers
    }

    /// How many triangles the last query found: one word.
    pub fn count(&self) -> &DeviceVec<u32> {
        self.filter.compact.count()
    }
}
