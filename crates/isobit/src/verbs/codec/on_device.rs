//! One launch of `decode` on a device: the selection uploaded, decoded, read back.

use std::time::{Duration, Instant};

use gpu_runtime::Context;
use mesh_decode::{Decoded, DeviceFile, Error, File, Outputs, UnitRange, VertexOutput};

use super::launches::Times;

/// A file on a device, or one whose bytes stay in host memory.
pub(super) struct OnDevice<'a> {
    context: &'a Context,
    file: &'a File,
    resident: Option<DeviceFile>,
}

impl<'a> OnDevice<'a> {
    /// Uploads the file, unless it is to be streamed.
    pub(super) fn new(context: &'a Context, file: &'a File, streamed: bool) -> Result<Self, Error> {
        let resident = if streamed { None } else { Some(DeviceFile::upload(context, file)?) };
        Ok(Self { context, file, resident })
    }

    /// Decodes a list of units, or all, and reads the arrays back. Attributes and the places of faults are the CPU reference's.
    pub(super) fn launch(&self, list: Option<&[u32]>, outputs: Outputs) -> Result<(Decoded, Times), Error> {
        let all: Vec<u32>;
        let list = match list {
            Some(list) => list,
            None => {
                all = (0..self.file.unit_count()).collect();
                &all
            }
        };
        let mut times = Times::default();
        let start = Instant::now();
        let since = |before: Duration| start.elapsed() - before;
        let streamed = match &self.resident {
            Some(_) => None,
            None => Some(DeviceFile::upload_units(self.context, self.file, list)?),
        };
        times.gather = since(Duration::ZERO);
        let (device, selection) = match (&self.resident, &streamed) {
            (Some(device), _) => (device, device.select(list)?),
            (None, Some(device)) => (device, device.select_all()?),
            // One of the two is there.
            (None, None) => return Ok((self.file.decode_units_cpu(list, outputs)?, times)),
        };
        let mesh = device.decode(&selection, VertexOutput::Positions)?;
        let grid = if outputs.grid { Some(device.decode(&selection, VertexOutput::Grid)?) } else { None };
        times.submit = since(times.gather);
        let statuses = mesh.statuses.download()?;
        times.decode = since(times.gather + times.submit);
        let positions = mesh.positions.download()?;
        let triangles = mesh.triangles.download()?;
        let vertex_references = mesh.references.download()?;
        let grid = grid.map_or_else(|| Ok(Vec::new()), |grid| grid.grid.download())?;
        times.readback = since(times.gather + times.submit + times.decode);
        times.total = start.elapsed();
        times.upload_bytes = if streamed.is_some() { self.file.subset(list)?.length() } else { 16 * list.len() as u64 };
        let attributes = Outputs { positions: false, grid: false, triangles: false, attributes: true };
        let decoded = if outputs.attributes || statuses.iter().any(|status| *status != 0) {
            self.file.decode_units_cpu(list, attributes)?
        } else {
            self.file.decode_units_cpu(&[], attributes)?
        };
        let units = ranges(self.file, list);
        Ok((Decoded { units, statuses, positions, grid, triangles, vertex_references, ..decoded }, times))
    }
}

/// The ranges of a list, one after the other.
fn ranges(file: &File, list: &[u32]) -> Vec<UnitRange> {
    let (mut vertex_offset, mut triangle_offset) = (0, 0);
    let range = |unit: &u32| {
        let range = UnitRange { vertex_offset, triangle_offset, ..file.units()[*unit as usize] };
        vertex_offset += range.vertex_count;
        triangle_offset += range.triangle_count;
        range
    };
    list.iter().map(range).collect()
}
