//! Functions of affine-arith over the words of all floats: the device's enclosures against the CPU's as words, and the CPU's against f64 references.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use affine_arith::{Interval, Sweep, Unary, WordQuery, enclose_word, swept_functions};
use gpu_runtime::{AdapterSelector, Context, ContextOptions};
use rayon::prelude::*;

use super::function_parts::{self, Part};
use crate::error::Error;
use crate::report;

/// Ranges of one dispatch: 16 MiB.
const CHUNK: u64 = 1 << 21;

/// Options of `conformance functions`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    pub device: AdapterSelector,
    /// Every STRIDE-th word; 1 compares all 2^32, which takes some 15 minutes of one core a function.
    #[arg(long, default_value_t = 251, value_parser = clap::value_parser!(u32).range(1..))]
    pub stride: u32,
    /// Functions whose names contain this; then no report is written.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// A part of the words, such as 3/8: its findings go to functions-3-of-8.json in the folder of the report.
    #[arg(long, value_name = "K/N", conflicts_with = "only")]
    pub part: Option<Part>,
    /// Add up the parts in this folder and write the report; asks no device.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["only", "part", "device", "stride"])]
    pub add: Option<PathBuf>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    pub out: PathBuf,
}

/// What came out for one function.
pub(super) struct Found {
    pub(super) function: Unary,
    pub(super) different: u64,
    pub(super) first_different: Option<u32>,
    pub(super) sweep: Sweep,
    pub(super) seconds: f64,
}

/// The report up to its rows.
pub(super) struct Head {
    pub(super) text: String,
}

/// Runs the sweeps and writes the report.
///
/// # Errors
/// [`Error::Differs`] when a word differs or a bound does not hold, and errors of the device and the files.
pub fn run(options: &Options) -> Result<(), Error> {
    if let Some(folder) = &options.add {
        let (head, device, rows) = function_parts::add(folder)?;
        rows.iter().for_each(|found| println!("{}", row(found)));
        let path = report::write(&options.out, &device, "-functions", &text(&head, &rows))?;
        println!("report: {}", path.display());
        return verdict(&rows, true);
    }
    let context = Context::new(&ContextOptions { selector: options.device.clone(), ..ContextOptions::default() })?;
    println!("on {}, form {}, one word in {}", context.adapter(), context.numerics().form, options.stride);
    let mut rows = Vec::new();
    for function in swept_functions() {
        if options.only.as_ref().is_some_and(|text| !label(function).contains(text.as_str())) {
            continue;
        }
        let found = compare(&context, function, options.stride, options.part.unwrap_or(Part::WHOLE))?;
        println!("{}", row(&found));
        rows.push(found);
    }
    let head = head(&context, options);
    if let Some(part) = options.part {
        let path = function_parts::write(&options.out, part, &context, options.stride, &head, &rows)?;
        println!("part: {}", path.display());
    } else if options.only.is_none() {
        let path = report::write(&options.out, &context.adapter().name, "-functions", &text(&head, &rows))?;
        println!("report: {}", path.display());
    }
    verdict(&rows, options.part.is_none())
}

/// A part may lie outside the domain of a function; all words do not.
fn verdict(rows: &[Found], whole: bool) -> Result<(), Error> {
    let failed = rows.iter().filter(|found| !passed(found) || whole && found.sweep.compared == 0).count();
    println!("{} passed, {failed} failed", rows.len() - failed);
    if failed == 0 { Ok(()) } else { Err(Error::Differs { failed, checks: rows.len() }) }
}

fn passed(found: &Found) -> bool {
    found.different == 0 && found.sweep.missed == 0
}

pub(super) fn label(function: Unary) -> String {
    match function {
        Unary::Powi(n) => format!("x^{n}"),
        Unary::Powf(y) => format!("x^{}", f64::from_bits(y)),
        _ => function.name().to_owned(),
    }
}

/// The device computes one chunk while the host compares the last.
fn compare(context: &Context, function: Unary, stride: u32, part: Part) -> Result<Found, Error> {
    let start = Instant::now();
    let query = WordQuery::new(context, function)?;
    let count = (1_u64 << 32).div_ceil(u64::from(stride));
    let words = part.range(count);
    let end = words.end;
    let chunks = || {
        let starts = words.clone().step_by(CHUNK as usize);
        starts.map(move |at| (at * u64::from(stride), CHUNK.min(end - at) as u32))
    };
    let mut found = Found { function, different: 0, first_different: None, sweep: Sweep::default(), seconds: 0.0 };
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::scope(|scope| -> Result<(), Error> {
        let (query, chunks) = (&query, &chunks);
        scope.spawn(move || {
            for (first, length) in chunks() {
                // A closed channel means that the other side has given up.
                if sender.send(query.ranges(first as u32, stride, length)).is_err() {
                    break;
                }
            }
        });
        for ((first, _), ranges) in chunks().zip(receiver) {
            found.add(first as u32, stride, &ranges?);
        }
        Ok(())
    })?;
    found.seconds = start.elapsed().as_secs_f64();
    Ok(found)
}

/// Words without the sign of zeros, which no result shows.
fn words(range: Interval<f32>) -> [u32; 2] {
    [range.lower(), range.upper()].map(|bound| (bound + 0.0).to_bits())
}

impl Found {
    /// With the findings of the words behind these.
    pub(super) fn join(&mut self, more: &Self) {
        self.different += more.different;
        self.first_different = self.first_different.or(more.first_different);
        self.sweep = self.sweep.and(more.sweep);
        self.seconds += more.seconds;
    }

    fn add(&mut self, first: u32, stride: u32, ranges: &[Interval<f32>]) {
        let function = self.function;
        let piece = |(part, ranges): (usize, &[Interval<f32>])| {
            let mut sweep = Sweep::default();
            let (mut different, mut first_different) = (0, None);
            for (i, range) in ranges.iter().enumerate() {
                let word = first.wrapping_add((part * PIECE + i) as u32 * stride);
                let expected = enclose_word(function, word);
                if let Some(expected) = expected {
                    sweep.add(function, word, expected);
                }
                if words(*range) != words(expected.unwrap_or(Interval::point(0.0))) {
                    different += 1;
                    first_different.get_or_insert(word);
                }
            }
            (sweep, different, first_different)
        };
        let parts: Vec<_> = ranges.par_chunks(PIECE).enumerate().map(piece).collect();
        for (sweep, different, first_different) in parts {
            self.sweep = self.sweep.and(sweep);
            self.different += different;
            self.first_different = self.first_different.or(first_different);
        }
    }
}

/// Words that one thread looks at in turn.
const PIECE: usize = 4096;

fn row(found: &Found) -> String {
    let sweep = &found.sweep;
    let at = |word: u32| format!("{:e}", f32::from_bits(word));
    let first = found.first_different.or(sweep.first_missed).map(at).unwrap_or_default();
    format!(
        "| {:8} | {:10} | {:9} | {:6} | {:6} | {:13} | {:8.4} | {first} | {:5.1} |",
        label(found.function),
        sweep.compared,
        found.different,
        sweep.missed,
        sweep.widest,
        at(sweep.widest_word),
        100.0 * sweep.tightest as f64 / sweep.compared.max(1) as f64,
        found.seconds
    )
}

fn head(context: &Context, options: &Options) -> Head {
    let mut text = report::head("Functions of affine-arith", context);
    let _ = write!(
        text,
        "| strict form | {} |\n\nOne word in {} of all 2^32. different: enclosures of the device that are not those of the CPU, as words; missed: \
         enclosures of the CPU that do not contain the f64 reference; widest: floats between the bounds, and where; tight: share of enclosures that \
         are one float or two neighbours, in percent.\n\n\
         | function | compared | different | missed | widest | at | tight | first fault at | s |\n\
         |---|---:|---:|---:|---:|---|---:|---|---:|\n",
        context.numerics().form,
        options.stride
    );
    Head { text }
}

fn text(head: &Head, rows: &[Found]) -> String {
    rows.iter().fold(head.text.clone(), |text, found| text + &row(found) + "\n")
}
