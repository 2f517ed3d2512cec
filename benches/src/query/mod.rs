//! mesh-decode: closed boxes from the lookup in the tree to the filtered triangles on the host, in three modes, on the CPU or a device.
//!
//! 402 boxes: 100 places on the surface times four parts of the volume of the mesh's box, the whole box, and one that nothing meets. `independent` decodes
//! what a box needs every time, `growing` keeps the units that it has seen (cleared before each sequence), `warm` has them all. Codecs of whole files answer the same boxes ([`whole`]).

pub mod boxes;
pub mod report;
mod row;
pub mod session;
mod sources;
mod triangle_tree;
pub mod whole;

use std::collections::HashMap;

use conformance::error::Error;

use boxes::{CELLS, QueryBox};
pub use row::{COLUMNS, Row};

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

/// What a box gave: the chosen units, and the triangles by their numbers in a whole decode.
pub type Answer = (Vec<u32>, Vec<u32>);

/// What answers boxes.
pub trait Answers {
    /// Forgets what it has kept.
    fn clear(&mut self);

    /// Answers a box and says what it took.
    ///
    /// # Errors
    /// Those of its decoder.
    fn ask(&mut self, mode: Mode, query: &QueryBox) -> Result<(Row, Answer), Error>;
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
pub fn run(session: &mut dyn Answers, boxes: &[QueryBox], plan: &Plan) -> Result<Results, Error> {
    let mut results = Results::default();
    let mut first: HashMap<usize, Answer> = HashMap::new();
    for &mode in &plan.modes {
        for cell in 0..CELLS.len() {
            let members: Vec<usize> = (0..boxes.len()).filter(|k| boxes[*k].cell == cell).collect();
            if members.is_empty() {
                continue;
            }
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
                    let known = first.entry(query).or_insert_with(|| answer.clone());
                    if *known != answer {
                        let what = format!("box {query}: {} triangles, before it {}", answer.1.len(), known.1.len());
                        return Err(Error::Corpus(format!("mode {}: {what}", mode.name())));
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

    /// Medians of a mode and a cell: microseconds from lookup to filtered answer, units, triangles examined and returned, and bytes that went up.
    pub fn medians(&self, mode: Mode, cell: usize) -> Option<[f64; 5]> {
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
            median(&|row| row.upload_bytes as f64)?,
        ])
    }

    /// One line of `key=value` for programs: medians and least times of every mode and cell.
    pub fn summary(&self, format: &str) -> String {
        let mut line = format!("r1_query_summary format={format} rows={}", self.rows.len());
        for mode in Mode::ALL {
            for (cell, name) in CELLS.iter().enumerate() {
                let Some([median, ..]) = self.medians(mode, cell) else { continue };
                let rows = self.rows.iter().filter(|row| row.mode == mode.name() && row.cell == cell);
                let least = rows.map(|row| row.total.as_secs_f64() * 1e6).fold(f64::INFINITY, f64::min);
                let mode = mode.name();
                line += &format!(" {mode}_{name}_min_us={least:.2} {mode}_{name}_median_us={median:.2}");
            }
        }
        line
    }
}
