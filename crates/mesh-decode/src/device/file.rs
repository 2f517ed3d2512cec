//! A file in the memory of a device.

use gpu_runtime::{Binding, Context, DeviceVec, Recording};
use gpu_shaders::folded_grid;

use super::image::Image;
use super::mesh::{DeviceMesh, VertexOutput};
use super::program::{Params, Program};
use super::selection::Selection;
use crate::error::Error;
use crate::file::File;
use crate::format::Format;
use crate::units::{UnitRange, check_units, compact_ranges};

/// A file's compressed words on one device: decode it as often as you like. Dropping it frees the device's memory.
#[derive(Debug)]
pub struct DeviceFile {
    format: Format,
    /// Units of the words on the device, whose own numbers are their places here.
    units: Vec<UnitRange>,
    program: Program,
    words: DeviceVec<u32>,
    table: [usize; 2],
    body: [usize; 2],
}

impl DeviceFile {
    /// Copies a whole file to the device of `context` in one piece.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn upload(context: &Context, file: &File) -> Result<DeviceFile, Error> {
        DeviceFile::upload_copies(context, file, 1)
    }

    /// Copies only the bytes of the units of a list (strictly increasing), in one piece: the compressed file stays on the host. The units
    /// are numbered from 0 on the device, in the order of the list.
    ///
    /// # Errors
    /// Those of [`File::subset`], and [`Error::Device`].
    pub fn upload_units(context: &Context, file: &File, list: &[u32]) -> Result<DeviceFile, Error> {
        DeviceFile::upload(context, &file.subset(list)?)
    }

    /// Copies a whole file several times, as if its units stood in it so often: to measure large inputs.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn upload_copies(context: &Context, file: &File, copies: usize) -> Result<DeviceFile, Error> {
        let all = (0..copies).flat_map(|_| file.units()).zip(0..);
        let units = compact_ranges(all.map(|(range, unit)| (unit, range.vertex_count, range.triangle_count)))?;
        let image = Image::of(file.payload(), file.units(), copies);
        Ok(DeviceFile {
            format: file.format(),
            units,
            program: Program::new(file),
            words: context.upload("compressed words", &image.words)?,
            table: image.table,
            body: image.body,
        })
    }

    /// The context whose device holds it.
    pub fn context(&self) -> &Context {
        self.words.context()
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The units on the device with their ranges in a decode of all of them.
    pub fn units(&self) -> &[UnitRange] {
        &self.units
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.words.byte_len()
    }

    /// The words of the units.
    pub(super) fn bind_body(&self) -> Result<Binding<'_>, Error> {
        let [first, length] = self.body;
        Ok(self.words.bind_range(first..first + length)?)
    }

    /// All units.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn select_all(&self) -> Result<Selection, Error> {
        Selection::new(self.context(), self.units.clone(), &[0])
    }

    /// The units of a list, strictly increasing; they come out one after the other. An empty list gives empty outputs and no dispatch.
    ///
    /// # Errors
    /// [`Error::UnitOrder`], [`Error::UnitRange`], [`Error::Device`].
    pub fn select(&self, list: &[u32]) -> Result<Selection, Error> {
        self.select_batch(&[list])
    }

    /// Several lists for one dispatch: their outputs follow each other, and the triangles of each list count its own vertices from 0.
    ///
    /// # Errors
    /// [`Error::UnitOrder`] and [`Error::UnitRange`] with the place in its own list, [`Error::TooLarge`], [`Error::Device`].
    pub fn select_batch(&self, lists: &[&[u32]]) -> Result<Selection, Error> {
        let mut starts = Vec::with_capacity(lists.len());
        let mut all = Vec::with_capacity(lists.iter().map(|list| list.len()).sum());
        for list in lists {
            check_units(list, self.units.len() as u32)?;
            starts.push(all.len());
            all.extend_from_slice(list);
        }
        let counts = all.iter().map(|&unit| {
            let range = self.units[unit as usize];
            (unit, range.vertex_count, range.triangle_count)
        });
        Selection::new(self.context(), compact_ranges(counts)?, &starts)
    }

    /// Buffers for the outputs of a selection.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn allocate(&self, selection: &Selection, output: VertexOutput) -> Result<DeviceMesh, Error> {
        DeviceMesh::new(self.context(), self.format, selection, output, self.program.scratch_words())
    }

    /// Adds the decode of a selection to a recording: one dispatch, three for MD1 with a predictor, five for STRIDE. `mesh` is of [`DeviceFile::allocate`] for this or a larger selection.
    ///
    /// # Errors
    /// [`Error::Device`], also for buffers that are too small.
    pub fn record(&self, recording: &mut Recording, selection: &Selection, mesh: &DeviceMesh) -> Result<(), Error> {
        mesh.check_room(self.format, selection, self.program.scratch_words())?;
        let [table, table_words] = self.table;
        let all: [(&str, Binding<'_>); 10] = [
            ("jobs", selection.jobs.bind()),
            ("body", self.bind_body()?),
            ("table", self.words.bind_range(table..table + table_words)?),
            ("vertices", mesh.vertices(self.format)),
            ("triangles", mesh.triangles.bind()),
            ("statuses", mesh.statuses.bind()),
            ("strips", mesh.strips.bind()),
            ("contexts", mesh.contexts.bind()),
            ("residuals", mesh.residuals.bind()),
            ("codes", mesh.codes.bind()),
        ];
        let jobs = selection.jobs.len() as u32;
        let limit = self.context().adapter().limits.max_workgroups_per_dimension;
        for step in self.program.steps(mesh.output) {
            let kernel = self.context().kernel(&step.entry.source())?;
            let groups = folded_grid::plan(jobs.div_ceil(step.units_a_group), limit);
            let in_order = u32::from(selection.in_order);
            let params = Params { jobs, groups_x: groups[0], in_order, ..self.program.params };
            let wanted = all.iter().filter(|(name, _)| step.buffers.contains(name));
            let bindings: Vec<(&str, Binding<'_>)> = wanted.cloned().collect();
            recording.dispatch(&kernel, &bindings, &params, groups)?;
        }
        Ok(())
    }

    /// Decodes a selection: one submission. The outputs stay on the device.
    ///
    /// Cost: linear in the output.
    ///
    /// # Errors
    /// [`Error::Device`]. Damaged units are no error: see [`DeviceMesh::statuses`].
    pub fn decode(&self, selection: &Selection, output: VertexOutput) -> Result<DeviceMesh, Error> {
        let mesh = self.allocate(selection, output)?;
        let mut recording = self.context().record("decode");
        self.record(&mut recording, selection, &mesh)?;
        recording.submit()?;
        Ok(mesh)
    }
}
