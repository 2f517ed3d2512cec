//! mesh-decode: closed boxes from the lookup in the tree to the filtered triangles on the host, in three modes, on the CPU or a device.
//!
//! 402 boxes: 100 places on the surface times four parts of the volume of the mesh's box, the whole box, and one that nothing meets. `independent` decodes
//! what a box needs every time, `growing` keeps the units that it has seen (cleared before each sequence), `warm` has them all.

pub mod report;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::{Duration, Instant};

use conformance::error::Error;
use gpu_runtime::Context;
use mesh_decode::{
    DeviceFile, DeviceQuery, File, GridBox, Outputs, UnitBvh, UnitRange, VertexOutput, triangle_meets_box,
};
use rayon::prelude::*;

/// Parts of the volume of the mesh's box.
const PARTS: [f64; 4] = [0.001, 0.01, 0.1, 0.5];
/// Places on the surface.
const PLACES: usize = 100;

/// The modes, in the order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Mode {
    /// Nothing is kept between boxes.
    Independent,
    /// Decoded units are kept; cleared before each sequence of boxes.
    Growing,
    /// Every unit that the boxes need was decoded before.
    Warm,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Independent, Self::Growing, Self::Warm];

    fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Growing => "growing",
            Self::Warm => "warm",
        }
    }
}

/// How much is run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Modes.
    pub modes: Vec<Mode>,
    /// Boxes of a cell before the timed ones.
    pub warmup: usize,
    /// Timed boxes of a cell, round-robin.
    pub launches: usize,
    /// Growing: sequences, each from an empty cache.
    pub repeats: usize,
}

/// A box with its cell: a part of the volume, `full` or `empty`.
#[derive(Debug, Clone)]
pub struct QueryBox {
    /// Low corner.
    pub low: [f64; 3],
    /// High corner.
    pub high: [f64; 3],
    /// Cell.
    pub cell: usize,
}

/// Names of the cells.
pub const CELLS: [&str; 6] = ["0.001", "0.01", "0.1", "0.5", "full", "empty"];

/// The 402 boxes of a mesh: for each place on the surface the four parts, then the whole box, then one beside it.
pub fn boxes(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<QueryBox> {
    let ends = |k: usize| {
        let xs = triangles.iter().flatten().map(|v| f64::from(positions[*v as usize][k]));
        (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max))
    };
    let ends = [ends(0), ends(1), ends(2)];
    let side = [0, 1, 2].map(|k| ends[k].1 - ends[k].0);
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut out = Vec::with_capacity(PLACES * PARTS.len() + 2);
    for _ in 0..PLACES {
        let corners = triangles[next() % triangles.len()].map(|v| positions[v as usize].map(f64::from));
        let centre = [0, 1, 2].map(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0);
        for (cell, part) in PARTS.iter().enumerate() {
            let half = side.map(|s| 0.5 * s * part.cbrt());
            let (low, high) = ([0, 1, 2].map(|k| centre[k] - half[k]), [0, 1, 2].map(|k| centre[k] + half[k]));
            out.push(QueryBox { low, high, cell });
        }
    }
    out.push(QueryBox { low: ends.map(|e| e.0), high: ends.map(|e| e.1), cell: 4 });
    let beside = ends.map(|e| e.1 + 1.0 + (e.1 - e.0));
    out.push(QueryBox { low: beside, high: beside.map(|x| x + 1.0), cell: 5 });
    out
}

/// One timed box.
#[derive(Debug, Clone, Default)]
pub struct Row {
    mode: &'static str,
    query: usize,
    cell: usize,
    repeat: usize,
    launch: usize,
    selected: usize,
    decoded: usize,
    bytes_accessed: u64,
    tris_decoded: usize,
    tris_examined: usize,
    tris_returned: usize,
    cache_bytes: usize,
    lookup: Duration,
    submit: Duration,
    decode: Duration,
    readback: Duration,
    cache: Duration,
    filter: Duration,
    total: Duration,
}

/// Columns of the CSV file.
pub const COLUMNS: &str = "mode,query,cell,repeat,launch,selected_units,units_decoded,cache_hits,bytes_accessed,tris_decoded,tris_examined,\
tris_returned,cache_bytes,lookup_us,submit_us,decode_us,readback_us,cache_us,filter_us,total_us,gather_us,upload_us,upload_bytes";

impl Row {
    fn csv(&self, out: &mut String) {
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        // Writing to a string cannot fail. Files are resident: nothing is gathered, and the list alone goes up.
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{:.2},{:.2},{:.2},{:.2},{:.2},{:.2},{:.2},0,0,{}",
            self.mode,
            self.query,
            CELLS[self.cell],
            self.repeat,
            self.launch,
            self.selected,
            self.decoded,
            self.selected - self.decoded,
            self.bytes_accessed,
            self.tris_decoded,
            self.tris_examined,
            self.tris_returned,
            self.cache_bytes,
            us(self.lookup),
            us(self.submit),
            us(self.decode),
            us(self.readback),
            us(self.cache),
            us(self.filter),
            us(self.total),
            16 * self.decoded,
        );
    }
}

/// Grid points and triangles of some units, one after the other; triangles count the vertices of the whole.
struct Part {
    units: Vec<UnitRange>,
    grid: Vec<[i32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// A kept unit: its grid points, and its triangles by local vertices.
type Kept = (Vec<[i32; 3]>, Vec<[u32; 3]>);

/// A file to ask, with its tree, on the CPU or a device.
pub struct Session<'a> {
    file: &'a File,
    bvh: &'a UnitBvh,
    device: Option<&'a DeviceFile>,
    query: Option<&'a DeviceQuery<'a>>,
    cache: HashMap<u32, Kept>,
    cache_bytes: usize,
}

/// What a box gave: the chosen units, and the triangles by their numbers in a whole decode.
pub type Answer = (Vec<u32>, Vec<u32>);

impl<'a> Session<'a> {
    /// A session with nothing kept.
    pub fn new(file: &'a File, bvh: &'a UnitBvh, device: Option<&'a DeviceFile>) -> Self {
        Self { file, bvh, device, query: None, cache: HashMap::new(), cache_bytes: 0 }
    }

    /// Lets the device choose, decode and filter by itself where nothing is kept.
    #[must_use]
    pub fn with_query(self, query: Option<&'a DeviceQuery<'a>>) -> Self {
        Self { query, ..self }
    }

    fn clear(&mut self) {
        self.cache.clear();
        self.cache_bytes = 0;
    }

    fn decode(&self, list: &[u32], row: &mut Row) -> Result<Part, Error> {
        let start = Instant::now();
        let Some(device) = self.device else {
            let outputs = Outputs { positions: false, grid: true, triangles: true, attributes: false };
            let decoded = self.file.decode_units_cpu(list, outputs).map_err(corpus)?;
            row.decode = start.elapsed();
            return Ok(Part { units: decoded.units, grid: decoded.grid, triangles: decoded.triangles });
        };
        if list.is_empty() {
            return Ok(Part { units: Vec::new(), grid: Vec::new(), triangles: Vec::new() });
        }
        let selection = device.select(list).map_err(corpus)?;
        let mesh = device.decode(&selection, VertexOutput::Grid).map_err(corpus)?;
        row.submit = start.elapsed();
        mesh.check(selection.units()).map_err(corpus)?;
        row.decode = start.elapsed() - row.submit;
        let (grid, triangles) = (mesh.grid.download()?, mesh.triangles.download()?);
        row.readback = start.elapsed() - row.submit - row.decode;
        Ok(Part { units: selection.units().to_vec(), grid, triangles })
    }

    /// Answers a box and says what it took.
    fn ask(&mut self, mode: Mode, query: &QueryBox) -> Result<(Row, Answer), Error> {
        let mut row = Row { mode: mode.name(), cell: query.cell, ..Row::default() };
        if let (Mode::Independent, Some(device)) = (mode, self.query) {
            return self.ask_device(device, query, row);
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
        let triangles = if mode == Mode::Independent {
            let begin = Instant::now();
            let found = filter_part(self.file, &part, &closed_box);
            row.filter = begin.elapsed();
            row.tris_examined = part.triangles.len();
            found
        } else {
            let begin = Instant::now();
            self.keep(&part);
            row.cache = begin.elapsed();
            let begin = Instant::now();
            let found = self.filter_kept(&list, &closed_box);
            row.filter = begin.elapsed();
            row.tris_examined = list.iter().map(|unit| self.file.units()[*unit as usize].triangle_count as usize).sum();
            found
        };
        row.total = start.elapsed();
        row.bytes_accessed = missing.iter().map(|unit| self.file.unit_bytes(*unit)).map(|r| r.end - r.start).sum();
        (row.selected, row.decoded, row.tris_returned) = (list.len(), missing.len(), triangles.len());
        row.cache_bytes = self.cache_bytes;
        Ok((row, (list, triangles)))
    }

    /// Lookup, decode and filter in one submission; the list of units is only for the row.
    fn ask_device(&self, device: &DeviceQuery<'_>, query: &QueryBox, mut row: Row) -> Result<(Row, Answer), Error> {
        let start = Instant::now();
        let closed_box = self.bvh.frame().grid_box(query.low, query.high).map_err(corpus)?;
        let triangles = device.triangles_in(&closed_box).map_err(corpus)?;
        row.total = start.elapsed();
        let list = self.bvh.units_in(&closed_box);
        let range = |unit: &u32| self.file.units()[*unit as usize];
        row.tris_decoded = list.iter().map(|unit| range(unit).triangle_count as usize).sum();
        row.tris_examined = row.tris_decoded;
        row.bytes_accessed = list.iter().map(|unit| self.file.unit_bytes(*unit)).map(|r| r.end - r.start).sum();
        (row.selected, row.decoded, row.tris_returned) = (list.len(), list.len(), triangles.len());
        Ok((row, (list, triangles)))
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
}

fn places(first: u32, count: u32) -> Range<usize> {
    first as usize..(first + count) as usize
}

fn filter_part(file: &File, part: &Part, closed_box: &GridBox) -> Vec<u32> {
    let lists: Vec<Vec<u32>> = part
        .units
        .par_iter()
        .map(|range| {
            let first = file.units()[range.unit as usize].triangle_offset;
            let triangles = &part.triangles[places(range.triangle_offset, range.triangle_count)];
            let meets = |t: &[u32; 3]| triangle_meets_box(t.map(|v| part.grid[v as usize]), closed_box);
            (first..).zip(triangles).filter(|(_, t)| meets(t)).map(|(number, _)| number).collect()
        })
        .collect();
    lists.concat()
}

fn corpus(error: mesh_decode::Error) -> Error {
    Error::Corpus(error.to_string())
}

/// What a run gave: rows, and the answer of each box in each mode.
#[derive(Default)]
pub struct Results {
    /// Timed boxes.
    pub rows: Vec<Row>,
    /// (mode, box, answer) of the first timed launch.
    pub answers: Vec<(Mode, usize, Answer)>,
}

/// Runs every mode over every cell.
///
/// # Errors
/// Those of the decoders; [`Error::Corpus`] when a mode gives another answer than the one before it.
pub fn run(session: &mut Session<'_>, boxes: &[QueryBox], plan: &Plan) -> Result<Results, Error> {
    let mut results = Results::default();
    let mut first: HashMap<usize, Answer> = HashMap::new();
    for &mode in &plan.modes {
        for cell in 0..CELLS.len() {
            let members: Vec<usize> = (0..boxes.len()).filter(|k| boxes[*k].cell == cell).collect();
            session.clear();
            if mode == Mode::Warm {
                for member in &members {
                    session.ask(mode, &boxes[*member])?;
                }
            }
            for k in 0..plan.warmup {
                session.ask(mode, &boxes[members[k % members.len()]])?;
            }
            let repeats = if mode == Mode::Growing { plan.repeats } else { 1 };
            for repeat in 0..repeats {
                if mode == Mode::Growing {
                    session.clear();
                }
                for launch in 0..plan.launches {
                    let query = members[launch % members.len()];
                    let (row, answer) = session.ask(mode, &boxes[query])?;
                    results.rows.push(Row { query, repeat, launch, ..row });
                    match first.get(&query) {
                        Some(known) if *known != answer => {
                            let what =
                                format!("box {query}: {} triangles, before it {}", answer.1.len(), known.1.len());
                            return Err(Error::Corpus(format!("mode {}: {what}", mode.name())));
                        }
                        Some(_) => {}
                        None => {
                            first.insert(query, answer.clone());
                        }
                    }
                    if repeat == 0 && launch < members.len() {
                        results.answers.push((mode, query, answer));
                    }
                }
            }
        }
    }
    session.clear();
    Ok(results)
}

impl Results {
    /// The CSV file.
    pub fn csv(&self) -> String {
        let mut text = format!("{COLUMNS}\n");
        self.rows.iter().for_each(|row| row.csv(&mut text));
        text
    }

    /// The answers file: for each answer the mode (0 independent, 1 growing, 2 warm), the box, the number of units and their ids, the number of triangles
    /// and theirs, all little-endian u32.
    pub fn answer_bytes(&self) -> Vec<u8> {
        let mut words = Vec::new();
        for (mode, query, (units, triangles)) in &self.answers {
            words.extend([*mode as u32, *query as u32, units.len() as u32]);
            words.extend(units);
            words.push(triangles.len() as u32);
            words.extend(triangles);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Medians of a mode and a cell: microseconds from lookup to filtered answer, units, triangles examined and returned.
    pub fn medians(&self, mode: Mode, cell: usize) -> Option<[f64; 4]> {
        let rows: Vec<&Row> = self.rows.iter().filter(|row| row.mode == mode.name() && row.cell == cell).collect();
        let median = |value: &dyn Fn(&Row) -> f64| {
            let mut values: Vec<f64> = rows.iter().map(|row| value(row)).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        Some([
            median(&|row| row.total.as_secs_f64() * 1e6)?,
            median(&|row| row.selected as f64)?,
            median(&|row| row.tris_examined as f64)?,
            median(&|row| row.tris_returned as f64)?,
        ])
    }
}

/// The whole file decoded, read back and searched: what a box costs without a tree.
///
/// # Errors
/// Those of the decoders.
pub fn whole_file(session: &Session<'_>, query: &QueryBox, repeats: usize) -> Result<Duration, Error> {
    let closed_box = session.bvh.frame().grid_box(query.low, query.high).map_err(corpus)?;
    let all: Vec<u32> = (0..session.file.unit_count()).collect();
    let mut times = Vec::with_capacity(repeats);
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        let part = session.decode(&all, &mut Row::default())?;
        let found = filter_part(session.file, &part, &closed_box);
        times.push(start.elapsed());
        std::hint::black_box(found);
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// Opens what is asked on a device; `None` is the CPU.
///
/// # Errors
/// Those of the device.
pub fn upload(context: Option<&Context>, file: &File) -> Result<Option<DeviceFile>, Error> {
    context.map(|context| DeviceFile::upload(context, file).map_err(corpus)).transpose()
}
