//! A subdivision made ready for a device, and its results.

use std::time::Instant;

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, KernelEntry, Recording, Timestamps};

use super::cells::{CellTest, cell_test};
use super::program::{Kernels, portable_entries};
use super::standard::standard_test;
use super::table::affine_test;
use crate::subdivide::{Cells, Model, SubdivideOptions, check};
use crate::{Error, Interval, Mixed, Plan};

/// Levels below it are expanded by one workgroup.
const HEAD: u32 = 4;
/// Workgroups that walk the tiles of a level: some waves of them fill the largest device.
const HARDWARE_GROUPS: u32 = 4224;
const SOFTWARE_GROUPS: u32 = 32;
/// Room for the cells of the first levels, whatever the capacity.
const LEAST_ROOM: usize = 1 << (3 * HEAD);

/// `Params` of octree_cells.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
struct Params {
    zero: u32,
    level: u32,
    last: u32,
    capacity: u32,
    head: u32,
    alive: u32,
    tiles: u32,
    pad: u32,
    table: [u32; 3],
    pad_b: u32,
}

/// A subdivision made ready: kernels compiled, tables and buffers on the device, to be run as often as wanted.
///
/// The cells are those of [`crate::subdivide_cpu`], word for word.
#[derive(Debug)]
pub struct CellQuery<const D: usize> {
    context: Context,
    kernels: Kernels,
    params: Params,
    table: DeviceVec<f32>,
    cells: [DeviceVec<[u32; 2]>; 2],
    counts: DeviceVec<u32>,
    sums: DeviceVec<u32>,
    bases: DeviceVec<u32>,
    options: SubdivideOptions,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
pub struct CellCounts {
    /// Cells at every level, from level 0 on.
    pub counts: Vec<usize>,
    /// Device seconds, as [`gpu_runtime::Completed::timings`] gives them.
    pub timings: Vec<(String, f64)>,
}

impl<const D: usize> CellQuery<D> {
    /// Makes a subdivision ready; buffers have room for `options.capacity` cells, 8 bytes each, twice.
    ///
    /// # Errors
    /// As [`crate::subdivide_cpu`]; [`Error::NotOnDevice`] for functions of several variables that kernels do not have; [`Error::Symbols`] for
    /// [`Model::Standard`] where a value has more symbols than kernels have room for;
    /// [`Error::Device`].
    pub fn new(
        context: &Context,
        plan: &Plan,
        bounds: [(f64, f64); D],
        options: SubdivideOptions,
    ) -> Result<Self, Error> {
        let CellTest { modules, table, begins, alive } = test_of(plan, &bounds, options)?;
        let kernels = Kernels::new(context, &modules)?;
        // Whole groups of sixteen tiles, and one more than there can be.
        let tiles = (options.capacity / 256 + 1).max(LEAST_ROOM / 256).next_multiple_of(16);
        let room = options.capacity.max(LEAST_ROOM);
        let params = Params {
            last: options.level,
            capacity: options.capacity.min(u32::MAX as usize) as u32,
            head: HEAD,
            alive: u32::from(alive),
            tiles: tiles as u32,
            table: begins,
            ..Params::default()
        };
        Ok(Self {
            kernels,
            params,
            table: context.upload("table", &table)?,
            cells: [context.zeroed("even cells", room)?, context.zeroed("odd cells", room)?],
            counts: context.zeroed("cell counts", options.level as usize + 2)?,
            sums: context.zeroed("tile sums", 2 * tiles)?,
            bases: context.zeroed("tile bases", tiles)?,
            context: context.clone(),
            options,
        })
    }

    /// The kernels that [`Self::new`] compiles, in the form for devices without subgroups: first levels, other levels, sums of tiles; for reading and counting.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn kernels(plan: &Plan, bounds: [(f64, f64); D], options: SubdivideOptions) -> Result<[KernelEntry; 3], Error> {
        Ok(portable_entries(&test_of(plan, &bounds, options)?.modules))
    }

    /// Subdivides: one submission, the counts read back, the cells left on the device.
    ///
    /// # Errors
    /// [`Error::Capacity`] with the first level that does not fit and its number of cells; [`Error::Device`].
    pub fn run(&self, timestamps: Timestamps) -> Result<CellCounts, Error> {
        let mut recording = self.context.record("subdivide").with_timestamps(timestamps);
        recording.clear(&self.counts)?;
        recording.clear(&self.sums)?;
        self.record(&mut recording)?;
        let counts = recording.download(&self.counts);
        let mut done = recording.submit()?;
        let timings = done.timings().to_vec();
        let counts = done.take(counts)?.into_iter().map(|count| count as usize);
        let counts: Vec<usize> = counts.take(self.options.level as usize + 1).collect();
        match counts.iter().position(|count| *count > self.options.capacity) {
            Some(level) => {
                let (needed, allowed) = (counts[level], self.options.capacity);
                Err(Error::Capacity { level: level as u32, needed, allowed })
            }
            None => Ok(CellCounts { counts, timings }),
        }
    }

    fn record(&self, recording: &mut Recording) -> Result<(), Error> {
        let [even, odd] = &self.cells;
        let cells = [
            ("table", self.table.bind()),
            ("even", even.bind()),
            ("odd", odd.bind()),
            ("counts", self.counts.bind()),
            ("sums", self.sums.bind()),
        ];
        recording.dispatch(&self.kernels.head, &cells, &self.params, [1, 1, 1])?;
        let groups = if self.context.adapter().is_hardware() { HARDWARE_GROUPS } else { SOFTWARE_GROUPS };
        for level in HEAD..self.options.level {
            let params = Params { level, ..self.params };
            let scan = [("counts", self.counts.bind()), ("sums", self.sums.bind()), ("bases", self.bases.bind())];
            recording.dispatch(&self.kernels.scan, &scan, &params, [1, 1, 1])?;
            // At most eight times the cells of the level before: the first levels need few workgroups.
            let most = 1_u32 << (D as u32 * level).min(24);
            let groups = groups.min(most.div_ceil(256));
            let expand = [cells.as_slice(), &[("bases", self.bases.bind())]].concat();
            let last = level + 1 == self.options.level;
            let kernel = if last { &self.kernels.leaves } else { &self.kernels.expand };
            recording.dispatch(kernel, &expand, &params, [groups, 1, 1])?;
        }
        Ok(())
    }

    /// The buffer with the cells of the last level of the last run: as many as its last count, x | y << 16 and z in a pair of words.
    pub fn cells(&self) -> &DeviceVec<[u32; 2]> {
        &self.cells[self.options.level as usize % 2]
    }

    /// Reads `count` cells back.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn download(&self, count: usize) -> Result<Vec<[u16; D]>, Error> {
        let exact = self.context.zeroed::<[u32; 2]>("cells", count)?;
        let mut recording = self.context.record("cells");
        recording.copy(self.cells(), 0..count, &exact, 0)?;
        let words = recording.download(&exact);
        let words = recording.submit()?.take(words)?;
        let index = |[low, high]: [u32; 2], k: usize| [low as u16, (low >> 16) as u16, high as u16][k];
        Ok(words.into_iter().map(|cell| std::array::from_fn(|k| index(cell, k))).collect())
    }

    /// The indices of the first `count` cells as [`Self::cells`] has them, left on the device: three words a cell (x, y, z), 0 for axes that there are not.
    ///
    /// # Errors
    /// [`Error::Device`], also when `count` is more than there is room for.
    pub fn coordinates(&self, count: usize) -> Result<DeviceVec<i32>, Error> {
        super::coordinates::coordinates(&self.context, self.cells(), count)
    }

    /// Subdivides and reads the cells back.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn cells_on_host(&self) -> Result<Cells<D>, Error> {
        let counts = self.run(Timestamps::None)?.counts;
        let indices = self.download(counts.last().copied().unwrap_or(0))?;
        Ok(Cells { counts, indices })
    }
}

/// The test of cells and its tables.
fn test_of<const D: usize>(
    plan: &Plan,
    bounds: &[(f64, f64); D],
    options: SubdivideOptions,
) -> Result<CellTest, Error> {
    check(plan, bounds, options)?;
    match options.model {
        Model::Affine => affine_test(plan, bounds, options.level, options.rounding),
        Model::Intervals => cell_test::<Interval<f32>, D>(plan, bounds, options.level),
        Model::Mixed => cell_test::<Mixed<f32, D>, D>(plan, bounds, options.level),
        Model::Standard => standard_test(plan, bounds, options.level),
    }
}

/// Cells from a device, and what they took.
#[derive(Debug, Clone, PartialEq)]
pub struct Subdivided<const D: usize> {
    /// The cells, those of [`crate::subdivide_cpu`].
    pub cells: Cells<D>,
    /// Wall seconds of tables, kernels and buffers.
    pub prepare_seconds: f64,
    /// Wall seconds of the subdivision and of reading the cells back.
    pub run_seconds: f64,
}

/// The first room for cells; more is made when they need it.
const FIRST_ROOM: usize = 1 << 20;

/// [`crate::subdivide_cpu`] on a device: the same cells, the same errors.
///
/// Begins with room for a million cells and grows it by what a level was found to need, up to `options.capacity`, so that memory follows the result.
///
/// # Errors
/// As [`CellQuery::new`] and [`CellQuery::run`]; [`Error::Device`] where the cells of a level exceed a binding of the device.
pub fn subdivide<const D: usize>(
    context: &Context,
    plan: &Plan,
    bounds: [(f64, f64); D],
    options: SubdivideOptions,
) -> Result<Subdivided<D>, Error> {
    let (mut prepare_seconds, mut run_seconds) = (0.0, 0.0);
    let mut room = options.capacity.min(FIRST_ROOM);
    loop {
        let started = Instant::now();
        let query = CellQuery::new(context, plan, bounds, SubdivideOptions { capacity: room, ..options })?;
        prepare_seconds += started.elapsed().as_secs_f64();
        let started = Instant::now();
        let found = query.cells_on_host();
        run_seconds += started.elapsed().as_secs_f64();
        match found {
            Ok(cells) => return Ok(Subdivided { cells, prepare_seconds, run_seconds }),
            Err(Error::Capacity { level, needed, .. }) if needed <= options.capacity => {
                // Surfaces have about 2^(D - 1) times the cells at the next level.
                let growth = (D as u32 - 1) * (options.level - level);
                let guess = needed.saturating_add(needed / 8).saturating_mul(1 << growth.min(30));
                room = guess.clamp(needed, options.capacity);
            }
            Err(Error::Capacity { level, needed, .. }) => {
                return Err(Error::Capacity { level, needed, allowed: options.capacity });
            }
            Err(error) => return Err(error),
        }
    }
}
