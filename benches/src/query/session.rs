//! A file of units that answers boxes through its tree, on the CPU or a device.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use conformance::error::Error;
use gpu_runtime::{Context, Timestamps};
use mesh_decode::{
    DeviceFile, DeviceQuery, File, GridBox, Outputs, Selection, StreamedQuery, UnitBvh, UnitRange, VertexOutput,
    triangle_meets_box,
};
use rayon::prelude::*;

use super::boxes::QueryBox;
use super::{Answer, Answers, Mode, Row, corpus};

/// What decodes, and where the compressed file lies.
pub enum Engine<'a> {
    /// The CPU; streamed: the bytes of the chosen units are put together first.
    Cpu {
        /// Streamed.
        streamed: bool,
    },
    /// A device that holds the file.
    Resident {
        /// The file there.
        device: &'a DeviceFile,
        /// Its buffers of a whole decode.
        query: &'a DeviceQuery<'a>,
        /// Units are chosen on the device too.
        choose: bool,
    },
    /// A device; the file stays on the host.
    Streamed {
        /// The device.
        context: &'a Context,
        /// Its buffers of the largest selection.
        query: Box<StreamedQuery<'a>>,
    },
}

/// Grid points and triangles of some units, one after the other; triangles count the vertices of the whole.
struct Part {
    units: Vec<UnitRange>,
    grid: Vec<[i32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// A kept unit: its grid points, and its triangles by local vertices.
type Kept = (Vec<[i32; 3]>, Vec<[u32; 3]>);

/// A file to ask, with its tree.
pub struct Session<'a> {
    file: &'a File,
    bvh: &'a UnitBvh,
    engine: Engine<'a>,
    cache: HashMap<u32, Kept>,
    cache_bytes: usize,
}

const GRID: Outputs = Outputs { positions: false, grid: true, triangles: true, attributes: false };

impl<'a> Session<'a> {
    /// A session with nothing kept.
    pub fn new(file: &'a File, bvh: &'a UnitBvh, engine: Engine<'a>) -> Self {
        Self { file, bvh, engine, cache: HashMap::new(), cache_bytes: 0 }
    }

    fn decode(&self, list: &[u32], row: &mut Row) -> Result<Part, Error> {
        if list.is_empty() {
            return Ok(Part { units: Vec::new(), grid: Vec::new(), triangles: Vec::new() });
        }
        match &self.engine {
            Engine::Cpu { streamed: false } => {
                let start = Instant::now();
                let decoded = self.file.decode_units_cpu(list, GRID).map_err(corpus)?;
                row.decode = start.elapsed();
                Ok(Part { units: decoded.units, grid: decoded.grid, triangles: decoded.triangles })
            }
            Engine::Cpu { streamed: true } => {
                let start = Instant::now();
                let subset = self.file.subset(list).map_err(corpus)?;
                row.gather = start.elapsed();
                let decoded = subset.decode_cpu(GRID);
                row.decode = start.elapsed() - row.gather;
                Ok(Part { units: named(&decoded.units, list), grid: decoded.grid, triangles: decoded.triangles })
            }
            Engine::Resident { device, .. } => {
                let start = Instant::now();
                let selection = device.select(list).map_err(corpus)?;
                row.upload = start.elapsed();
                row.upload_bytes = selection.jobs().byte_len();
                on_device(device, &selection, list, (start, row))
            }
            Engine::Streamed { context, .. } => {
                let start = Instant::now();
                let subset = self.file.subset(list).map_err(corpus)?;
                row.gather = start.elapsed();
                let device = DeviceFile::upload(context, &subset).map_err(corpus)?;
                let selection = device.select_all().map_err(corpus)?;
                row.upload = start.elapsed() - row.gather;
                row.upload_bytes = device.bytes() + selection.jobs().byte_len();
                on_device(&device, &selection, list, (start, row))
            }
        }
    }

    /// Nothing kept, on a device: choice or lookup, decode and filter in one submission.
    fn ask_device(&mut self, query: &QueryBox, row: &mut Row) -> Result<Option<Answer>, Error> {
        let start = Instant::now();
        let closed_box = self.bvh.frame().grid_box(query.low, query.high).map_err(corpus)?;
        let answer = match &mut self.engine {
            Engine::Cpu { .. } => return Ok(None),
            Engine::Resident { device, query, choose: true } => {
                let triangles = chosen_there(device, query, &closed_box)?;
                row.total = start.elapsed();
                // The list is only for the row.
                return Ok(Some((self.bvh.units_in(&closed_box), triangles)));
            }
            Engine::Resident { query, .. } => query.ask(&closed_box).map_err(corpus)?,
            Engine::Streamed { query, .. } => query.ask(&closed_box).map_err(corpus)?,
        };
        row.total = start.elapsed();
        let times = answer.times;
        (row.lookup, row.gather, row.upload) = (times.lookup, times.gather, times.upload);
        (row.submit, row.decode, row.readback) = (times.submit, times.decode, times.readback);
        (row.filter, row.upload_bytes) = (times.filter, times.upload_bytes);
        Ok(Some((answer.units, answer.triangles)))
    }

    fn keep(&mut self, part: &Part) {
        for range in &part.units {
            let grid = part.grid[places(range.vertex_offset, range.vertex_count)].to_vec();
            let triangles: Vec<[u32; 3]> = part.triangles[places(range.triangle_offset, range.triangle_count)]
                .iter()
                .map(|t| t.map(|v| v - range.vertex_offset))
                .collect();
            self.cache_bytes += 12 * (grid.len() + triangles.len());
            self.cache.insert(range.unit, (grid, triangles));
        }
    }

    fn filter_kept(&self, list: &[u32], closed_box: &GridBox) -> Vec<u32> {
        let lists: Vec<Vec<u32>> = list
            .par_iter()
            .filter_map(|unit| self.cache.get(unit).map(|kept| (unit, kept)))
            .map(|(unit, (grid, triangles))| {
                let first = self.file.units()[*unit as usize].triangle_offset;
                let meets = |t: &[u32; 3]| triangle_meets_box(t.map(|v| grid[v as usize]), closed_box);
                (first..).zip(triangles).filter(|(_, t)| meets(t)).map(|(number, _)| number).collect()
            })
            .collect();
        lists.concat()
    }

    fn filter_part(&self, part: &Part, closed_box: &GridBox) -> Vec<u32> {
        let lists: Vec<Vec<u32>> = part
            .units
            .par_iter()
            .map(|range| {
                let first = self.file.units()[range.unit as usize].triangle_offset;
                let triangles = &part.triangles[places(range.triangle_offset, range.triangle_count)];
                let meets = |t: &[u32; 3]| triangle_meets_box(t.map(|v| part.grid[v as usize]), closed_box);
                (first..).zip(triangles).filter(|(_, t)| meets(t)).map(|(number, _)| number).collect()
            })
            .collect();
        lists.concat()
    }

    /// The whole file decoded, read back and searched: what a box costs without a tree.
    ///
    /// # Errors
    /// Those of the decoders.
    pub fn whole_file(&self, query: &QueryBox, repeats: usize) -> Result<Duration, Error> {
        let closed_box = self.bvh.frame().grid_box(query.low, query.high).map_err(corpus)?;
        let all: Vec<u32> = (0..self.file.unit_count()).collect();
        let mut times = Vec::with_capacity(repeats);
        for _ in 0..repeats.max(1) {
            let start = Instant::now();
            let part = self.decode(&all, &mut Row::default())?;
            let found = self.filter_part(&part, &closed_box);
            times.push(start.elapsed());
            std::hint::black_box(found);
        }
        times.sort();
        Ok(times[times.len() / 2])
    }
}

impl Answers for Session<'_> {
    fn clear(&mut self) {
        self.cache.clear();
        self.cache_bytes = 0;
    }

    fn ask(&mut self, mode: Mode, query: &QueryBox) -> Result<(Row, Answer), Error> {
        let mut row = Row { mode: mode.name(), cell: query.cell, ..Row::default() };
        if mode == Mode::Independent
            && let Some((list, triangles)) = self.ask_device(query, &mut row)?
        {
            let count = |unit: &u32| self.file.units()[*unit as usize].triangle_count as usize;
            row.tris_decoded = list.iter().map(count).sum();
            row.tris_examined = row.tris_decoded;
            row.bytes_accessed = list.iter().map(|unit| self.file.unit_bytes(*unit)).map(|r| r.end - r.start).sum();
            (row.selected, row.decoded, row.tris_returned) = (list.len(), list.len(), triangles.len());
            return Ok((row, (list, triangles)));
        }
        let start = Instant::now();
        let closed_box = self.bvh.frame().grid_box(query.low, query.high).map_err(corpus)?;
        let list = self.bvh.units_in(&closed_box);
        row.lookup = start.elapsed();
        let missing: Vec<u32> = match mode {
            Mode::Independent => list.clone(),
            _ => list.iter().copied().filter(|unit| !self.cache.contains_key(unit)).collect(),
        };
        let part = self.decode(&missing, &mut row)?;
        row.tris_decoded = part.triangles.len();
        let begin = Instant::now();
        let triangles = if mode == Mode::Independent {
            row.tris_examined = part.triangles.len();
            self.filter_part(&part, &closed_box)
        } else {
            self.keep(&part);
            row.cache = begin.elapsed();
            let found = self.filter_kept(&list, &closed_box);
            row.tris_examined = list.iter().map(|unit| self.file.units()[*unit as usize].triangle_count as usize).sum();
            found
        };
        row.filter = begin.elapsed() - row.cache;
        row.total = start.elapsed();
        row.bytes_accessed = missing.iter().map(|unit| self.file.unit_bytes(*unit)).map(|r| r.end - r.start).sum();
        (row.selected, row.decoded, row.tris_returned) = (list.len(), missing.len(), triangles.len());
        row.cache_bytes = self.cache_bytes;
        Ok((row, (list, triangles)))
    }
}

fn places(first: u32, count: u32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// Ranges of a file of some units under the numbers of the whole one.
fn named(ranges: &[UnitRange], list: &[u32]) -> Vec<UnitRange> {
    ranges.iter().zip(list).map(|(range, unit)| UnitRange { unit: *unit, ..*range }).collect()
}

/// Decodes a selection to grid points and reads it back, in one submission.
fn on_device(
    device: &DeviceFile,
    selection: &Selection,
    list: &[u32],
    (start, row): (Instant, &mut Row),
) -> Result<Part, Error> {
    let mesh = device.allocate(selection, VertexOutput::Grid).map_err(corpus)?;
    let mut recording = device.context().record("decode").with_timestamps(Timestamps::Whole);
    device.record(&mut recording, selection, &mesh).map_err(corpus)?;
    let statuses = recording.download(&mesh.statuses);
    let (grid, triangles) = (recording.download(&mesh.grid), recording.download(&mesh.triangles));
    row.submit = start.elapsed();
    let mut completed = recording.submit()?;
    row.decode = completed.timings().iter().map(|(_, seconds)| Duration::from_secs_f64(*seconds)).sum();
    if let Some((word, unit)) = completed.take(statuses)?.into_iter().zip(list).find(|(word, _)| *word != 0) {
        return Err(Error::Corpus(format!("unit {unit}: status {word}, expected 0")));
    }
    let (grid, triangles) = (completed.take(grid)?, completed.take(triangles)?);
    row.readback = start.elapsed().saturating_sub(row.submit + row.decode);
    Ok(Part { units: named(selection.units(), list), grid, triangles })
}

/// Units chosen by the device: everything recorded at the places of a whole decode.
fn chosen_there(device: &DeviceFile, query: &DeviceQuery<'_>, closed_box: &GridBox) -> Result<Vec<u32>, Error> {
    let mut recording = device.context().record("box query");
    query.record(&mut recording, closed_box).map_err(corpus)?;
    let first = query.numbers().len().min(1 << 16);
    let (count, numbers) = (recording.download(query.count()), recording.download_range(query.numbers(), 0..first));
    let mut completed = recording.submit()?;
    let count = completed.take(count)?.first().copied().unwrap_or(0) as usize;
    let mut numbers = completed.take(numbers)?;
    numbers.truncate(count);
    if count > first {
        let mut recording = device.context().record("box query, the rest");
        let rest = recording.download_range(query.numbers(), first..count);
        numbers.extend(recording.submit()?.take(rest)?);
    }
    Ok(numbers)
}
