//! Box queries on a device: units are chosen, decoded and filtered without a read-back between.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::primitives::Compact;
use gpu_runtime::{DeviceVec, KernelEntry, Recording, WgslModule};
use gpu_shaders::folded_grid::{self, FOLDED_GRID};

use super::file::DeviceFile;
use super::mesh::{DeviceMesh, VertexOutput};
use super::selection::Selection;
use crate::error::Error;
use crate::format::Format;
use crate::kernels::box_filter::BOX_FILTER;
use crate::query::{GridBox, UnitBvh};

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
struct Params {
    zero: u32,
    units: u32,
    groups_x: u32,
    triangles: u32,
    low: [i32; 3],
    pad0: u32,
    high: [i32; 3],
    pad1: u32,
}

fn entry(name: &'static str, module: WgslModule) -> KernelEntry {
    let modules = vec![FOLDED_GRID, QUERY_PARAMS, BOX_FILTER, module];
    KernelEntry { name, constants: Vec::new(), modules, trusted: true }
}

/// The kernels of box queries.
pub(super) fn entries() -> Vec<KernelEntry> {
    vec![entry("select_units", SELECT_UNITS), entry("filter_triangles", FILTER_TRIANGLES)]
}

/// A file on a device with the boxes of its units and buffers of a whole decode: asked for boxes as often as you like.
///
/// Memory: 24 bytes a vertex and triangle together, 8 a triangle, 64 a unit.
#[derive(Debug)]
pub struct DeviceQuery<'a> {
    file: &'a DeviceFile,
    all: Selection,
    boxes: DeviceVec<[i32; 4]>,
    chosen: Selection,
    mesh: DeviceMesh,
    flags: DeviceVec<u32>,
    compact: Compact,
    numbers: DeviceVec<u32>,
}

impl<'a> DeviceQuery<'a> {
    /// Buffers for a file that is on the device as a whole, with its tree.
    ///
    /// # Errors
    /// [`Error::Input`] when the tree has not as many units as the file; [`Error::Unsupported`] for grid points of 2^24 and more and for a format
    /// without positions; [`Error::Device`].
    pub fn new(file: &'a DeviceFile, bvh: &UnitBvh) -> Result<Self, Error> {
        let context = file.context();
        bvh.check_units(file.units().len() as u32)?;
        if file.format() == Format::MeshoptMeshlets {
            let what = "a meshlet set holds no positions".to_owned();
            return Err(Error::Unsupported { format: file.format(), what });
        }
        let good = bvh.boxes.iter().filter(|ends| ends[0][0] <= ends[1][0]);
        if good.flatten().flatten().any(|x| x.unsigned_abs() >= COORDINATE_LIMIT) {
            let what = format!("grid points of {COORDINATE_LIMIT} and more in a box query on a device");
            return Err(Error::Unsupported { format: file.format(), what });
        }
        let boxes: Vec<[i32; 4]> = bvh.boxes.iter().flatten().map(|p| [p[0], p[1], p[2], 0]).collect();
        let all = file.select_all()?;
        let (vertices, triangles) = (all.vertex_count(), all.triangle_count());
        let jobs = context.zeroed("chosen jobs", all.jobs().len())?;
        let chosen = Selection::from_device(jobs, vertices, triangles);
        Ok(Self {
            boxes: context.upload("unit boxes", &boxes)?,
            mesh: file.allocate(&chosen, VertexOutput::Grid)?,
            flags: context.zeroed("triangle flags", triangles as usize)?,
            compact: Compact::new(context, triangles as usize)?,
            numbers: context.zeroed("triangle numbers", triangles as usize)?,
            file,
            all,
            chosen,
        })
    }

    /// Adds a query to a recording: the units that meet the box are chosen, decoded to grid points, and the numbers of their triangles that meet it are written in order.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn record(&self, recording: &mut Recording, closed_box: &GridBox) -> Result<(), Error> {
        let context = self.file.context();
        let limit = context.adapter().limits.max_workgroups_per_dimension;
        let units = self.all.jobs().len() as u32;
        let params = |groups_x| Params {
            zero: 0,
            units,
            groups_x,
            triangles: self.all.triangle_count(),
            low: closed_box.low,
            pad0: 0,
            high: closed_box.high,
            pad1: 0,
        };
        let groups = folded_grid::plan(units.div_ceil(64), limit);
        let bindings =
            [("all_jobs", self.all.jobs().bind()), ("boxes", self.boxes.bind()), ("jobs", self.chosen.jobs().bind())];
        let kernel = context.kernel(&entry("select_units", SELECT_UNITS).source())?;
        recording.dispatch(&kernel, &bindings, &params(groups[0]), groups)?;
        self.file.record(recording, &self.chosen, &self.mesh)?;
        recording.clear(&self.flags)?;
        let groups = folded_grid::plan(units, limit);
        let bindings = [
            ("jobs", self.chosen.jobs().bind()),
            ("statuses", self.mesh.statuses.bind()),
            ("grid", self.mesh.grid.bind()),
            ("triangles", self.mesh.triangles.bind()),
            ("flags", self.flags.bind()),
        ];
        let kernel = context.kernel(&entry("filter_triangles", FILTER_TRIANGLES).source())?;
        recording.dispatch(&kernel, &bindings, &params(groups[0]), groups)?;
        self.compact.record_indices(recording, &self.flags, &self.numbers, self.flags.len())?;
        Ok(())
    }

    /// The triangles that meet a box, by their numbers in a whole decode, increasing: those of [`crate::File::query_box_cpu`].
    ///
    /// One submission, with the count and the first 65,536 numbers in its read-back; a larger answer takes a second copy. Cost: 24 bytes a unit, 8 a triangle
    /// of the file, and the decode of the chosen units.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn triangles_in(&self, closed_box: &GridBox) -> Result<Vec<u32>, Error> {
        if self.flags.is_empty() || closed_box.is_empty() {
            return Ok(Vec::new());
        }
        let context = self.file.context();
        let mut recording = context.record("box query");
        self.record(&mut recording, closed_box)?;
        let first = FIRST_NUMBERS.min(self.numbers.len());
        let count = recording.download(self.compact.count());
        let numbers = recording.download_range(&self.numbers, 0..first);
        let mut completed = recording.submit()?;
        let count = completed.take(count)?.first().copied().unwrap_or(0) as usize;
        let mut numbers = completed.take(numbers)?;
        numbers.truncate(count);
        if count > first {
            let mut recording = context.record("box query, the rest");
            let rest = recording.download_range(&self.numbers, first..count);
            numbers.extend(recording.submit()?.take(rest)?);
        }
        Ok(numbers)
    }

    /// The jobs of the last query, those of units that were not chosen with [`super::NO_UNIT`].
    pub fn chosen(&self) -> &Selection {
        &self.chosen
    }

    /// Grid points and triangles of the units of the last query, at their places in a whole decode; what lies between is left from earlier queries.
    pub fn mesh(&self) -> &DeviceMesh {
        &self.mesh
    }

    /// Numbers of triangles, of which the first [`DeviceQuery::count`] are the last query's.
    pub fn numbers(&self) -> &DeviceVec<u32> {
        &self.numbers
    }

    /// How many triangles the last query found: one word.
    pub fn count(&self) -> &DeviceVec<u32> {
        self.compact.count()
    }
}
