//! One launch of `decode` on a device: the selection uploaded, decoded, read back, in one submission.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use gpu_runtime::{Context, DeviceVec, Timestamps};
use mesh_decode::{Decoded, DeviceAttributes, DeviceFile, DeviceMesh, Error, File, Outputs, Selection, VertexOutput};

use super::launches::Times;

/// A file on a device, or one whose bytes stay in host memory.
pub(super) struct OnDevice<'a> {
    context: &'a Context,
    file: &'a File,
    resident: Option<DeviceFile>,
    /// The buffers of the largest selection so far.
    buffers: RefCell<Option<Buffers>>,
}

/// What a launch writes.
struct Buffers {
    outputs: Outputs,
    mesh: DeviceMesh,
    grid: Option<DeviceMesh>,
    attributes: Option<DeviceAttributes>,
    /// Units, vertices and triangles that they have room for.
    room: [u32; 3],
}

impl<'a> OnDevice<'a> {
    /// Uploads the file, unless it is to be streamed.
    pub(super) fn new(context: &'a Context, file: &'a File, streamed: bool) -> Result<Self, Error> {
        let resident = if streamed { None } else { Some(DeviceFile::upload(context, file)?) };
        Ok(Self { context, file, resident, buffers: RefCell::new(None) })
    }

    /// Decodes a list of units, or all, and reads the arrays back. The places of faults are the CPU reference's.
    pub(super) fn launch(&self, list: Option<&[u32]>, outputs: Outputs) -> Result<(Decoded, Times), Error> {
        let all: Vec<u32>;
        let list = match list {
            Some(list) => list,
            None => {
                all = (0..self.file.unit_count()).collect();
                &all
            }
        };
        let none = self.file.decode_units_cpu(&[], outputs)?;
        if list.is_empty() {
            return Ok((none, Times::default()));
        }
        let mut times = Times::default();
        let start = Instant::now();
        let subset = self.resident.is_none().then(|| self.file.subset(list)).transpose()?;
        times.gather = start.elapsed();
        let streamed = subset.as_ref().map(|subset| DeviceFile::upload(self.context, subset)).transpose()?;
        let (device, selection) = match (&self.resident, &streamed) {
            (Some(device), _) => (device, device.select(list)?),
            (None, Some(device)) => (device, device.select_all()?),
            // One of the two is there.
            (None, None) => return Ok((none, times)),
        };
        times.upload = start.elapsed() - times.gather;
        times.upload_bytes = streamed.as_ref().map_or(0, DeviceFile::bytes) + selection.jobs().byte_len();
        let mut buffers = self.buffers.borrow_mut();
        let buffers = Buffers::with_room(&mut buffers, device, &selection, outputs)?;
        let mut decoded = buffers.decode(self.context, device, &selection, none, (start, &mut times))?;
        for (range, unit) in decoded.units.iter_mut().zip(list) {
            range.unit = *unit;
        }
        let damaged = list.iter().zip(&decoded.statuses).filter(|(_, status)| **status != 0).map(|(unit, _)| *unit);
        let damaged: Vec<u32> = damaged.collect();
        decoded.faults = self.file.decode_units_cpu(&damaged, Outputs { attributes: true, ..Outputs::MESH })?.faults;
        Ok((decoded, times))
    }
}

impl Buffers {
    /// The buffers kept, or larger ones.
    fn with_room<'b>(
        kept: &'b mut Option<Buffers>,
        device: &DeviceFile,
        selection: &Selection,
        outputs: Outputs,
    ) -> Result<&'b mut Buffers, Error> {
        let needed = [selection.jobs().len() as u32, selection.vertex_count(), selection.triangle_count()];
        let enough = |b: &Buffers| b.outputs == outputs && (0..3).all(|k| needed[k] <= b.room[k]);
        let buffers = match kept.take().filter(enough) {
            Some(buffers) => buffers,
            None => {
                let grid = outputs.grid.then(|| device.allocate(selection, VertexOutput::Grid)).transpose()?;
                let attributes = outputs.attributes.then(|| device.allocate_attributes(selection)).transpose()?;
                let mesh = device.allocate(selection, VertexOutput::Positions)?;
                Buffers { outputs, mesh, grid, attributes, room: needed }
            }
        };
        Ok(kept.insert(buffers))
    }

    /// Everything in one submission, with the device's clock around the dispatches.
    fn decode(
        &self,
        context: &Context,
        device: &DeviceFile,
        selection: &Selection,
        none: Decoded,
        (start, times): (Instant, &mut Times),
    ) -> Result<Decoded, Error> {
        let mut recording = context.record("decode").with_timestamps(Timestamps::Whole);
        device.record(&mut recording, selection, &self.mesh)?;
        if let Some(grid) = &self.grid {
            device.record(&mut recording, selection, grid)?;
        }
        if let Some(attributes) = &self.attributes {
            device.record_attributes(&mut recording, selection, &self.mesh, attributes)?;
        }
        let (units, vertices) = (selection.jobs().len(), selection.vertex_count() as usize);
        let triangles = selection.triangle_count() as usize;
        // Formats have not every array.
        let part = |length: usize, count: usize| 0..length.min(count);
        let statuses = recording.download_range(&self.mesh.statuses, part(units, units));
        let positions = recording.download_range(&self.mesh.positions, part(self.mesh.positions.len(), vertices));
        let references = recording.download_range(&self.mesh.references, part(self.mesh.references.len(), vertices));
        let corners = recording.download_range(&self.mesh.triangles, part(triangles, triangles));
        let grid = self.grid.as_ref().map(|mesh| recording.download_range(&mesh.grid, part(mesh.grid.len(), vertices)));
        let mut words = |buffer: &DeviceVec<u32>, count| recording.download_range(buffer, part(buffer.len(), count));
        let attributes = self.attributes.as_ref().map(|a| {
            [
                words(&a.geometry_ids, triangles),
                words(&a.opaque, triangles),
                words(&a.primitive_ids, triangles),
                words(&a.user_words, units),
            ]
        });
        times.submit = start.elapsed();
        let mut completed = recording.submit()?;
        times.decode = completed.timings().iter().map(|(_, seconds)| Duration::from_secs_f64(*seconds)).sum();
        let mut decoded = Decoded {
            units: selection.units().to_vec(),
            statuses: completed.take(statuses)?,
            positions: completed.take(positions)?,
            vertex_references: completed.take(references)?,
            triangles: completed.take(corners)?,
            grid: grid.map(|grid| completed.take(grid)).transpose()?.unwrap_or_default(),
            ..none
        };
        if let Some([ids, opaque, primitives, user]) = attributes {
            decoded.geometry_ids = completed.take(ids)?;
            decoded.opaque = completed.take(opaque)?.into_iter().map(|flag| flag as u8).collect();
            decoded.primitive_ids = completed.take(primitives)?;
            decoded.user_words = completed.take(user)?;
        }
        times.total = start.elapsed();
        times.readback = times.total.saturating_sub(times.submit + times.decode);
        Ok(decoded)
    }
}
