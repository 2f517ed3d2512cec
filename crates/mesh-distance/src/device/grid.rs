//! Distances at the cell centres of a grid, made on the device.

use std::ops::ControlFlow;
use std::time::Instant;

use gpu_runtime::{DeviceVec, Kernel, Recording, Timestamps};

use super::levels::{self, Level};
use super::params::Params;
use super::program::{self, Output, Reach, Source};
use super::signs::{self, Piece, Place, SignQuery};
use super::surface::DeviceSurface;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::query::{Progress, zeroed};
use crate::{Error, Grid, Sign};

/// Cells of the first submission to a software device, which is then resized to take about [`PIECE_SECONDS`].
const FIRST_PIECE: u64 = 1 << 15;
/// Cells of a submission to a hardware device.
const HARDWARE_PIECE: u64 = 1 << 26;
/// Long enough to hide what a submission costs, short enough to be interrupted and to keep within time limits.
const PIECE_SECONDS: f64 = 0.5;

/// A prepared grid query: kernels compiled and buffers made once, to be run as often as wanted without a new allocation.
///
/// The grid is answered in one submission and stays on the device.
#[derive(Debug)]
pub struct GridQuery<'a, R: Precision = f32> {
    surface: &'a DeviceSurface<R>,
    grid: FrameGrid<R>,
    kernels: Kernels,
    buffers: Buffers<R>,
}

/// One kernel a level; they depend on what is asked and on sizes, not on the grid's place.
#[derive(Debug)]
pub(super) struct Kernels {
    levels: Vec<(Level, u32, Kernel)>,
    /// A sign that is made after the distances.
    signs: Option<SignQuery>,
    squared: bool,
    /// Squared distance beyond which the last level does not look.
    reach2: f32,
}

/// Scratch and results of the largest piece.
#[derive(Debug)]
pub(super) struct Buffers<R: Precision = f32> {
    seeds: [DeviceVec<u32>; 2],
    /// Distances, or the slots that won.
    pub(super) results: DeviceVec<R>,
}

impl Kernels {
    /// The last level writes `output`, or the slots that won.
    pub(super) fn new<R: Precision>(
        surface: &DeviceSurface<R>,
        counts: [u32; 3],
        output: Option<Output>,
    ) -> Result<Kernels, Error> {
        Self::within(surface, counts, output, None)
    }

    /// [`Self::new`] with the squared distance beyond which nothing is looked for.
    pub(super) fn within<R: Precision>(
        surface: &DeviceSurface<R>,
        counts: [u32; 3],
        output: Option<Output>,
        reach2: Option<f32>,
    ) -> Result<Kernels, Error> {
        let reach = if reach2.is_some() { Reach::All } else { Reach::None };
        let context = surface.context();
        let widest = context.subgroups().map_or(1, |s| s.min_size);
        let levels = levels::of_grid(counts, surface.triangles());
        let last = levels.len() - 1;
        let kernel = |(i, level): (usize, Level)| {
            let lanes = level.lanes(widest);
            let kernel = match i {
                0 => program::first::<R>(context, Source::Grid)?,
                _ if i == last => program::packet::<R>(context, Source::Grid, lanes, output, reach)?,
                _ => program::packet::<R>(context, Source::Grid, lanes, None, Reach::None)?,
            };
            Ok((level, lanes.count, kernel))
        };
        let (sign, squared) = output.map_or((Sign::None, false), Output::sign);
        let signs = SignQuery::new(surface, sign, Source::Grid, counts)?;
        let levels = levels.into_iter().enumerate().map(kernel).collect::<Result<_, Error>>()?;
        Ok(Kernels { levels, signs, squared, reach2: reach2.unwrap_or(f32::MAX) })
    }
}

impl<R: Precision> Buffers<R> {
    pub(super) fn new(surface: &DeviceSurface<R>, counts: [u32; 3]) -> Result<Buffers<R>, Error> {
        let context = surface.context();
        let levels = levels::of_grid(counts, surface.triangles());
        let coarse = |skip: usize| levels.iter().rev().skip(skip).step_by(2).map(|l| l.queries() as usize).max();
        // The level before the last writes to the first buffer, the one before it to the second, and so on in turns.
        let seeds = |skip| context.zeroed("seeds", coarse(skip).unwrap_or(1));
        let cells: u64 = counts.iter().map(|&n| u64::from(n)).product();
        let results = context.zeroed("distances", cells as usize)?;
        Ok(Buffers { seeds: [seeds(1)?, seeds(2)?], results })
    }
}

/// What one submission gives.
struct Answer<R> {
    /// The distances, where they were asked for.
    values: Vec<R>,
    /// The device's seconds by level or in all.
    timings: Vec<(String, f64)>,
}

/// Answers the cells `first .. first + counts`; the results lie as in a grid of `counts`.
fn run<R: Precision>(
    surface: &DeviceSurface<R>,
    grid: &FrameGrid<R>,
    first: [u32; 3],
    kernels: &Kernels,
    buffers: &Buffers<R>,
    read_back: bool,
    timestamps: Timestamps,
) -> Result<Answer<R>, Error> {
    let mut recording = surface.context().record("grid_distance").with_timestamps(timestamps);
    record(surface, grid, first, kernels, buffers, &mut recording)?;
    let read = read_back.then(|| recording.download(&buffers.results));
    let mut done = recording.submit()?;
    let timings = done.timings().to_vec();
    Ok(Answer { values: read.map_or(Ok(Vec::new()), |r| done.take(r))?, timings })
}

/// Records all levels.
pub(super) fn record<R: Precision>(
    surface: &DeviceSurface<R>,
    grid: &FrameGrid<R>,
    first: [u32; 3],
    kernels: &Kernels,
    buffers: &Buffers<R>,
    recording: &mut Recording,
) -> Result<(), Error> {
    if let Some(signs) = &kernels.signs {
        signs.clear(recording)?;
    }
    let levels = &kernels.levels;
    let mut coarser: Option<Level> = None;
    for (i, (level, lanes, kernel)) in levels.iter().enumerate() {
        let turn = (levels.len() - 1 - i) % 2;
        let (written, read) = (&buffers.seeds[1 - turn], &buffers.seeds[turn]);
        let size = levels::block_size(*lanes);
        let blocks: [u32; 3] = std::array::from_fn(|k| level.counts[k].div_ceil(size[k]));
        let group_count = match coarser {
            None => level.queries() as u32,
            Some(_) => blocks.iter().product(),
        };
        let seed = coarser.unwrap_or(*level);
        let params = Params {
            counts: level.counts,
            first,
            ratio: level.ratio,
            blocks,
            group_count,
            seed_counts: seed.counts,
            seed_ratio: seed.ratio,
            // The coarser levels are not bounded: they find seeds for cells that may be nearer.
            reach2: kernels.reach2,
            ..Params::of_grid(grid)
        };
        let last = i + 1 == levels.len();
        let (seeds, results) = match last {
            true => (read.bind(), buffers.results.bind()),
            false => (read.bind(), written.bind()),
        };
        surface.dispatch(recording, kernel, params, seeds, results, &[])?;
        coarser = Some(*level);
    }
    if let (Some(signs), Some(finest)) = (&kernels.signs, coarser) {
        let (points, results) = (surface.records(), buffers.results.bind());
        let place = Place { grid: Some((grid, first, finest.counts)), points, order: None };
        let words = R::WORDS as u32;
        let piece = Piece { place, results, stride: words, upper: words - 1, squared: kernels.squared };
        signs.record(surface, recording, &piece)?;
    }
    Ok(())
}

impl<'a, R: Precision> GridQuery<'a, R> {
    fn new(surface: &'a DeviceSurface<R>, grid: &Grid, sign: Sign, squared: bool) -> Result<GridQuery<'a, R>, Error> {
        let needed = grid.cells()? as u64 * size_of::<R>() as u64;
        let allowed = surface.context().adapter().limits.max_binding_bytes.min(u64::from(u32::MAX));
        if needed > allowed {
            let what = "a grid that stays on the device".to_owned();
            return Err(gpu_runtime::Error::Limit { what, needed, allowed, unit: "bytes a binding" }.into());
        }
        let frame_grid = FrameGrid::new(grid, &surface.frame)?;
        let kernels = Kernels::new(surface, grid.counts, Some(Output::Distance { sign, squared }))?;
        let buffers = Buffers::new(surface, grid.counts)?;
        Ok(GridQuery { surface, grid: frame_grid, kernels, buffers })
    }

    /// Answers the whole grid: one submission, nothing read back.
    ///
    /// Gives the device's seconds of each level, coarsest first, with [`Timestamps::EachDispatch`], or of all with
    /// [`Timestamps::Whole`]; nothing where the device has no clock.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn run(&self, timestamps: Timestamps) -> Result<Vec<(String, f64)>, Error> {
        Ok(run(self.surface, &self.grid, [0; 3], &self.kernels, &self.buffers, false, timestamps)?.timings)
    }

    /// The distances of the last run, x fastest.
    pub fn distances(&self) -> &DeviceVec<R> {
        &self.buffers.results
    }

    /// Gives the device buffer of the distances away.
    pub fn into_distances(self) -> DeviceVec<R> {
        self.buffers.results
    }
}

impl<R: Precision> DeviceSurface<R> {
    /// Prepares distances at all cells of a grid that stay on the device (see [`GridQuery`]).
    ///
    /// # Errors
    /// [`Error::Device`] when the values do not fit into one binding of the device, and as
    /// [`crate::Surface::grid_distance_cpu`].
    pub fn grid_query(&self, grid: &Grid, sign: Sign, squared: bool) -> Result<GridQuery<'_, R>, Error> {
        GridQuery::new(self, grid, sign, squared)
    }

    /// Distance at every cell centre of a grid, in a buffer of the device, x fastest: no read-back.
    ///
    /// # Errors
    /// As [`DeviceSurface::grid_query`].
    pub fn grid_distance_on(&self, grid: &Grid, sign: Sign, squared: bool) -> Result<DeviceVec<R>, Error> {
        let query = self.grid_query(grid, sign, squared)?;
        query.run(Timestamps::None)?;
        Ok(query.into_distances())
    }

    /// Distance at every cell centre of a grid, x fastest: the words of [`crate::Surface::grid_distance_cpu`].
    ///
    /// The grid is cut into boxes that fit the device; between them `progress` is called and may stop the work.
    ///
    /// # Errors
    /// As [`crate::Surface::grid_distance_cpu`], and [`Error::Device`].
    pub fn grid_distance(
        &self,
        grid: &Grid,
        sign: Sign,
        squared: bool,
        progress: &Progress<'_>,
    ) -> Result<Vec<R>, Error> {
        let frame_grid = FrameGrid::new(grid, &self.frame)?;
        let total = grid.cells()?;
        let mut values = zeroed(grid, total)?;
        let adapter = self.context().adapter();
        let most = (adapter.limits.max_binding_bytes / size_of::<R>() as u64)
            .min(HARDWARE_PIECE)
            .min(signs::most_queries::<R>(sign, self.triangles(), adapter.is_hardware()));
        let mut cells = if adapter.is_hardware() { most } else { FIRST_PIECE.min(most) };
        let mut prepared: Option<([u32; 3], Kernels, Buffers<R>)> = None;
        let (mut first, mut done) = ([0; 3], 0);
        let mut piece = piece_counts(grid.counts, cells);
        while first[2] < grid.counts[2] {
            if progress(done, total).is_break() {
                return Err(Error::Interrupted { done, total });
            }
            let counts: [u32; 3] = std::array::from_fn(|k| piece[k].min(grid.counts[k] - first[k]));
            if prepared.as_ref().is_none_or(|(made, ..)| *made != counts) {
                let kernels = Kernels::new(self, counts, Some(Output::Distance { sign, squared }))?;
                prepared = Some((counts, kernels, Buffers::new(self, counts)?));
            }
            let Some((_, kernels, buffers)) = &prepared else { continue };
            let started = Instant::now();
            let Answer { values: answers, .. } =
                run(self, &frame_grid, first, kernels, buffers, true, Timestamps::None)?;
            scatter(&answers, 1, counts, first, grid.counts, &mut values);
            done += answers.len();
            first = next_piece(first, piece, grid.counts);
            if !adapter.is_hardware() && first[0] == 0 && first[1] == 0 {
                // Only whole layers are left, so the piece may change without leaving a gap.
                let rate = answers.len() as f64 / started.elapsed().as_secs_f64().max(1e-6);
                cells = ((rate * PIECE_SECONDS) as u64).clamp(FIRST_PIECE.min(most), most);
                piece = piece_counts(grid.counts, cells);
            }
        }
        // The work is complete: a late request to stop changes nothing.
        let _: ControlFlow<()> = progress(done, total);
        Ok(values)
    }
}

/// The largest box of whole packets with at most `cells` cells (but at least one packet): whole layers where they fit,
/// else whole rows, else parts of rows.
pub(super) fn piece_counts(counts: [u32; 3], cells: u64) -> [u32; 3] {
    let mut piece = counts;
    for axis in [2, 1, 0] {
        let others: u64 = (0..3).filter(|&k| k != axis).map(|k| u64::from(piece[k])).product();
        let fit = (cells / others).min(u64::from(counts[axis])) as u32;
        // Multiples of 4 keep packets whole.
        piece[axis] = if fit == counts[axis] { fit } else { (fit / 4 * 4).max(4).min(counts[axis]) };
        if u64::from(piece[axis]) * others <= cells {
            break;
        }
    }
    piece
}

/// The corner of the piece after the one at `first`: x fastest.
pub(super) fn next_piece(first: [u32; 3], piece: [u32; 3], counts: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = std::array::from_fn(|k| first[k].saturating_add(piece[k]));
    match (x < counts[0], y < counts[1]) {
        (true, _) => [x, first[1], first[2]],
        (false, true) => [0, y, first[2]],
        (false, false) => [0, 0, z],
    }
}

/// Copies the rows of a piece to their places in the grid; `stride` values a cell.
pub(super) fn scatter<T: Copy>(
    answers: &[T],
    stride: usize,
    piece: [u32; 3],
    first: [u32; 3],
    counts: [u32; 3],
    values: &mut [T],
) {
    let [nx, ny, _] = counts.map(|n| n as usize);
    let [fx, fy, fz] = first.map(|n| n as usize);
    let [px, py, _] = piece.map(|n| n as usize);
    if stride == 0 {
        return;
    }
    for (row, answers) in answers.chunks_exact(px * stride).enumerate() {
        let (y, z) = (fy + row % py, fz + row / py);
        let at = ((z * ny + y) * nx + fx) * stride;
        values[at..at + px * stride].copy_from_slice(answers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_cell_once() {
        for counts in [[1, 1, 1], [5, 7, 9], [64, 64, 64], [33, 2, 17], [1000, 1, 3], [3, 1000, 2]] {
            for cells in [1, 64, 100, 1000, 1 << 20] {
                let piece = piece_counts(counts, cells);
                let mut values = vec![0.0; counts.iter().product::<u32>() as usize];
                let mut first = [0; 3];
                while first[2] < counts[2] {
                    let size: [u32; 3] = std::array::from_fn(|k| piece[k].min(counts[k] - first[k]));
                    let number = size.iter().product::<u32>() as usize;
                    assert!(number as u64 <= cells.max(64), "{counts:?} {cells} {piece:?}");
                    scatter(&vec![1.0; number], 1, size, first, counts, &mut values);
                    first = next_piece(first, piece, counts);
                }
                assert!(values.iter().all(|&v| v == 1.0), "{counts:?} {cells} {piece:?}");
            }
        }
    }
}
