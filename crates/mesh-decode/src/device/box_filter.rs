//! The exact triangle filter on a device: what a box query does with a selection, and what it took.

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use gpu_runtime::primitives::Compact;
use gpu_runtime::{Context, DeviceVec, KernelEntry, Recording, Timestamps, WgslModule};
use gpu_shaders::folded_grid::{self, FOLDED_GRID};

use super::file::DeviceFile;
use super::mesh::{DeviceMesh, VertexOutput};
use super::selection::Selection;
use crate::error::Error;
use crate::format::Format;
use crate::kernels::box_filter::BOX_FILTER;
use crate::query::{GridBox, UnitBvh};
use crate::units::UnitRange;

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(QUERY_PARAMS, "query_params");
schedule!(SELECT_UNITS, "select_units");
schedule!(FILTER_TRIANGLES, "filter_triangles");

/// Grid coordinates of the kernels: 1/128 of a step must fit a word.
const COORDINATE_LIMIT: u32 = 1 << 24;
/// Triangle numbers that come down together with their count; a larger answer needs a second copy.
const FIRST_NUMBERS: usize = 1 << 16;

/// `Params` of query_params.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Params {
    pub(super) zero: u32,
    pub(super) units: u32,
    pub(super) groups_x: u32,
    pub(super) triangles: u32,
    pub(super) low: [i32; 3],
    pub(super) pad0: u32,
    pub(super) high: [i32; 3],
    pub(super) pad1: u32,
}

fn entry(name: &'static str, module: WgslModule) -> KernelEntry {
    let modules = vec![FOLDED_GRID, QUERY_PARAMS, BOX_FILTER, module];
    KernelEntry { name, constants: Vec::new(), modules, trusted: true }
}

pub(super) fn select_units() -> KernelEntry {
    entry("select_units", SELECT_UNITS)
}

/// The kernels of box queries.
pub(super) fn entries() -> Vec<KernelEntry> {
    vec![select_units(), entry("filter_triangles", FILTER_TRIANGLES)]
}

/// Fails unless a tree is of the file with this many units, and both fit the kernels.
pub(super) fn check(format: Format, units: usize, bvh: &UnitBvh) -> Result<(), Error> {
    bvh.check_units(units as u32)?;
    if format == Format::MeshoptMeshlets {
        let what = "a meshlet set holds no positions".to_owned();
        return Err(Error::Unsupported { format, what });
    }
    let good = bvh.boxes.iter().filter(|ends| ends[0][0] <= ends[1][0]);
    if good.flatten().flatten().any(|x| x.unsigned_abs() >= COORDINATE_LIMIT) {
        let what = format!("grid points of {COORDINATE_LIMIT} and more in a box query on a device");
        return Err(Error::Unsupported { format, what });
    }
    Ok(())
}

/// What a box query on a device took. All but `decode` by the host's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryTimes {
    /// The tree asked for units.
    pub lookup: Duration,
    /// Streamed: the bytes of the units put together.
    pub gather: Duration,
    /// List and bytes handed to the driver.
    pub upload: Duration,
    /// From the beginning until all work is recorded.
    pub submit: Duration,
    /// Decode, filter and compaction by the device's clock; 0 where it has none.
    pub decode: Duration,
    /// The submission's time without `decode`: mostly the copy down and the wait.
    pub readback: Duration,
    /// Places in the selection turned into numbers of a whole decode.
    pub filter: Duration,
    /// Everything.
    pub total: Duration,
    /// Bytes that went up.
    pub upload_bytes: u64,
}

/// The answer of a box query on a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceAnswer {
    /// The units whose boxes meet the box, increasing.
    pub units: Vec<u32>,
    /// The triangles that meet it, by their numbers in a whole decode, increasing.
    pub triangles: Vec<u32>,
    /// What it took.
    pub times: QueryTimes,
}

/// Buffers of a decode to grid points with a flag for each triangle and the places of those that are set.
#[derive(Debug)]
pub(super) struct BoxFilter {
    pub(super) mesh: DeviceMesh,
    pub(super) flags: DeviceVec<u32>,
    pub(super) compact: Compact,
    pub(super) numbers: DeviceVec<u32>,
}

impl BoxFilter {
    /// Buffers with room for a selection.
    pub(super) fn new(context: &Context, file: &DeviceFile, selection: &Selection) -> Result<Self, Error> {
        let triangles = selection.triangle_count() as usize;
        Ok(Self {
            mesh: file.allocate(selection, VertexOutput::Grid)?,
            flags: context.zeroed("triangle flags", triangles)?,
            compact: Compact::new(context, triangles)?,
            numbers: context.zeroed("triangle numbers", triangles)?,
        })
    }

    /// Whether a selection has room.
    pub(super) fn holds(&self, selection: &Selection) -> bool {
        let vertices = selection.vertex_count() as usize <= self.mesh.grid.len();
        vertices
            && selection.triangle_count() as usize <= self.flags.len()
            && selection.jobs().len() <= self.mesh.statuses.len()
    }

    /// Adds the decode of a selection, the filter, and the compaction of its flags to a recording.
    pub(super) fn record(
        &self,
        recording: &mut Recording,
        file: &DeviceFile,
        selection: &Selection,
        closed_box: &GridBox,
    ) -> Result<(), Error> {
        file.record(recording, selection, &self.mesh)?;
        let context = file.context();
        let units = selection.jobs().len() as u32;
        let groups = folded_grid::plan(units, context.adapter().limits.max_workgroups_per_dimension);
        let bindings = [
            ("jobs", selection.jobs().bind()),
            ("statuses", self.mesh.statuses.bind()),
            ("grid", self.mesh.grid.bind()),
            ("triangles", self.mesh.triangles.bind()),
            ("flags", self.flags.bind()),
        ];
        let kernel = context.kernel(&entry("filter_triangles", FILTER_TRIANGLES).source())?;
        let params = params(units, groups[0], selection.triangle_count(), closed_box);
        recording.dispatch(&kernel, &bindings, &params, groups)?;
        let triangles = selection.triangle_count() as usize;
        Ok(self.compact.record_indices(recording, &self.flags, &self.numbers, triangles)?)
    }

    /// Runs a selection of the host and leaves the numbers of the triangles in `answer`. `ranges`: the units of the selection with their ranges in a whole decode.
    pub(super) fn ask(
        &self,
        file: &DeviceFile,
        selection: &Selection,
        closed_box: &GridBox,
        ranges: &[UnitRange],
        (start, answer): (Instant, &mut DeviceAnswer),
    ) -> Result<(), Error> {
        let times = &mut answer.times;
        let context = file.context();
        let mut recording = context.record("box query").with_timestamps(Timestamps::Whole);
        self.record(&mut recording, file, selection, closed_box)?;
        let first = FIRST_NUMBERS.min(selection.triangle_count() as usize);
        let count = recording.download(self.compact.count());
        let numbers = recording.download_range(&self.numbers, 0..first);
        times.submit = start.elapsed();
        let mut completed = recording.submit()?;
        times.decode = completed.timings().iter().map(|(_, seconds)| Duration::from_secs_f64(*seconds)).sum();
        let count = completed.take(count)?.first().copied().unwrap_or(0) as usize;
        let mut places = completed.take(numbers)?;
        places.truncate(count);
        if count > first {
            let mut recording = context.record("box query, the rest");
            let rest = recording.download_range(&self.numbers, first..count);
            places.extend(recording.submit()?.take(rest)?);
        }
        let down = start.elapsed();
        times.readback = down.saturating_sub(times.submit + times.decode);
        whole_numbers(&mut places, selection.units(), ranges);
        answer.triangles = places;
        times.total = start.elapsed();
        times.filter = times.total - down;
        Ok(())
    }
}

pub(super) fn params(units: u32, groups_x: u32, triangles: u32, closed_box: &GridBox) -> Params {
    let GridBox { low, high } = *closed_box;
    Params { zero: 0, units, groups_x, triangles, low, pad0: 0, high, pad1: 0 }
}

/// Turns increasing places of triangles in a selection into their numbers in a whole decode.
fn whole_numbers(places: &mut [u32], selected: &[UnitRange], whole: &[UnitRange]) {
    let mut rest = places;
    for (here, there) in selected.iter().zip(whole) {
        let end = here.triangle_offset + here.triangle_count;
        let count = rest.iter().take_while(|place| **place < end).count();
        let (of_unit, after) = rest.split_at_mut(count);
        of_unit.iter_mut().for_each(|place| *place = *place - here.triangle_offset + there.triangle_offset);
        rest = after;
    }
}
