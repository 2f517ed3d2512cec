//! The protocol over the formats of a terrain or a file of the user's, with its table.

use std::path::PathBuf;

use conformance::corpus::Device;
use conformance::error::Error;
use conformance::report::write_whole;
use gpu_runtime::{Context, ContextOptions};
use mesh_decode::{DeviceFile, DeviceQuery, StreamedQuery, grid_points};

use super::boxes::{CELLS, QueryBox, boxes, read, to_bytes};
use super::session::{Engine, Session};
use super::sources::{STEP, Source, Terrain};
use super::whole::{Codec, WholeFile};
use super::{Answers, Mode, Plan, Results, corpus, run};
use crate::table::markdown;

/// Codecs of whole files.
const WHOLE: [(&str, Codec); 2] = [("meshopt-library", Codec::Library), ("meshopt-ours", Codec::Ours)];

/// Options of the box queries.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Formats of the terrain: dgf, md1, md1-fixed, md1-offsets, stride, clusters; codecs of whole files: meshopt-library, meshopt-ours.
    #[arg(default_values = ["dgf", "md1", "meshopt-library", "meshopt-ours"],
          value_parser = ["dgf", "md1", "md1-fixed", "md1-offsets", "stride", "clusters", "meshopt-library", "meshopt-ours"])]
    pub formats: Vec<String>,
    /// A compressed file to ask instead of the terrain.
    #[arg(long, value_name = "FILE")]
    pub blob: Option<PathBuf>,
    /// The tree of that file; built anew without it.
    #[arg(long, value_name = "FILE", requires = "blob")]
    pub sidecar: Option<PathBuf>,
    /// What decodes: cpu, auto, gpu, an index, or a part of an adapter's name.
    #[arg(long, default_value = "cpu")]
    pub device: Device,
    /// The compressed file stays in host memory; only the bytes of chosen units are handed over.
    #[arg(long)]
    pub streamed: bool,
    /// Units are chosen on the device too, at their places in a whole decode.
    #[arg(long, conflicts_with = "streamed")]
    pub choose_on_device: bool,
    /// Triangles of the terrain.
    #[arg(long, default_value_t = 999_698)]
    pub triangles: usize,
    /// The 402 boxes: six little-endian f64 each.
    #[arg(long, value_name = "FILE")]
    pub query_boxes: Option<PathBuf>,
    /// Write the boxes that are asked.
    #[arg(long, value_name = "FILE")]
    pub write_boxes: Option<PathBuf>,
    /// independent, growing, warm; all without it.
    #[arg(long, value_enum)]
    pub query_mode: Option<Mode>,
    /// Boxes of a cell that are not timed.
    #[arg(long, default_value_t = 100)]
    pub query_warmup: usize,
    /// Timed boxes of a cell.
    #[arg(long, default_value_t = 300)]
    pub query_launches: usize,
    /// Sequences of the growing mode.
    #[arg(long, default_value_t = 3)]
    pub query_sequence_repeats: usize,
    /// One row for each timed box; the format's name goes before the ending.
    #[arg(long, value_name = "FILE")]
    pub query_csv: Option<PathBuf>,
    /// Units and triangles of each box in each mode; the format's name goes before the ending.
    #[arg(long, value_name = "FILE")]
    pub query_answers: Option<PathBuf>,
    /// Also write the tables to this file.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Runs the protocol and prints the tables, and behind them a line of `key=value` for each format.
///
/// # Errors
/// Those of the device, of the decoders, of files; [`Error::Corpus`] when two modes or devices give different answers.
pub fn start(options: &Options) -> Result<(), Error> {
    let context = match &options.device {
        Device::Cpu => None,
        Device::Adapter(selector) => {
            gpu_runtime::quiet_drivers();
            Some(Context::new(&ContextOptions { selector: selector.clone(), ..ContextOptions::default() })?)
        }
    };
    let given = options.query_boxes.as_deref().map(read).transpose()?;
    let protocol = Protocol::new(options, context.as_ref());
    let mut tables = Vec::new();
    if let Some(path) = &options.blob {
        let source = Source::read(path, options.sidecar.as_ref())?;
        let queries = given.map_or_else(|| source.boxes(), Ok)?;
        tables.push(protocol.head(&source.name, &queries)?);
        tables.push(protocol.units(&source, &queries)?);
    } else {
        let terrain = Terrain::new(options.triangles);
        let queries = given.unwrap_or_else(|| boxes(&terrain.positions, &terrain.triangles));
        tables.push(protocol.head(&format!("terrain, {} triangles, 12 bit", terrain.triangles.len()), &queries)?);
        for format in &options.formats {
            tables.push(match WHOLE.iter().find(|(name, _)| name == format) {
                Some((name, codec)) => protocol.whole(&terrain, name, *codec, &queries)?,
                None => protocol.units(&Source::of(&terrain, format)?, &queries)?,
            });
        }
    }
    let text: String = tables.iter().map(|table| table.text.as_str()).collect();
    if let Some(path) = &options.out {
        write_whole(path, &text)?;
    }
    println!("{text}");
    tables.iter().filter(|table| !table.summary.is_empty()).for_each(|table| println!("{}", table.summary));
    Ok(())
}

/// What is printed of a format.
struct Printed {
    text: String,
    summary: String,
}

struct Protocol<'a> {
    options: &'a Options,
    context: Option<&'a Context>,
    plan: Plan,
}

impl<'a> Protocol<'a> {
    fn new(options: &'a Options, context: Option<&'a Context>) -> Self {
        let plan = Plan {
            modes: options.query_mode.map_or_else(|| Mode::ALL.to_vec(), |mode| vec![mode]),
            warmup: options.query_warmup,
            launches: options.query_launches,
            repeats: options.query_sequence_repeats,
        };
        Self { options, context, plan }
    }

    fn head(&self, what: &str, queries: &[QueryBox]) -> Result<Printed, Error> {
        if let Some(path) = &self.options.write_boxes {
            write_whole(path, to_bytes(queries))?;
        }
        let device = self.context.map_or_else(
            || format!("cpu, {} threads", rayon::current_num_threads()),
            |context| format!("{}, {} form", context.adapter(), context.numerics().form),
        );
        let place = match (self.options.streamed, self.options.choose_on_device) {
            (true, _) => ", the file stays on the host",
            (_, true) => ", units chosen on the device",
            _ => "",
        };
        let (warmup, launches, repeats) = (self.plan.warmup, self.plan.launches, self.plan.repeats);
        let text = format!(
            "## Box queries: {what}\n\n{device}{place}; commit {}, {}. {} boxes; {warmup} of a cell before {launches} timed ones; growing: {repeats} sequences. Microseconds from the \
             lookup to the filtered triangles on the host, median.\n\n",
            conformance::report::commit(),
            conformance::report::today(),
            queries.len(),
        );
        Ok(Printed { text, summary: String::new() })
    }

    /// A file of units.
    fn units(&self, source: &Source, queries: &[QueryBox]) -> Result<Printed, Error> {
        let Source { name, file, bvh, tree } = source;
        eprintln!("{name} ..");
        let device = match (self.context, self.options.streamed) {
            (Some(context), false) => Some(DeviceFile::upload(context, file).map_err(corpus)?),
            _ => None,
        };
        let query = device.as_ref().map(|device| DeviceQuery::new(device, bvh)).transpose().map_err(corpus)?;
        let engine = match (self.context, &device, &query) {
            (_, Some(device), Some(query)) => Engine::Resident { device, query, choose: self.options.choose_on_device },
            (Some(context), ..) => {
                Engine::Streamed { context, query: Box::new(StreamedQuery::new(context, file, bvh).map_err(corpus)?) }
            }
            _ => Engine::Cpu { streamed: self.options.streamed },
        };
        let mut session = Session::new(file, bvh, engine);
        let results = run(&mut session, queries, &self.plan)?;
        if self.context.is_some() {
            same_as_cpu(&results, &mut Session::new(file, bvh, Engine::Cpu { streamed: false }), queries)?;
        }
        self.write(name, &results)?;
        // A box of the smallest cell: what it costs without a tree.
        let whole = session.whole_file(&queries[0], 7)?.as_secs_f64() * 1e6;
        let (unit, count) = (file.format().unit_name(), file.unit_count());
        let text = format!(
            "### {name}: {} bytes, {count} {unit}s, tree {:.0} ms and {} bytes\n\n{}\nWhole file decoded, read back and searched: {whole:.0}.\n\n",
            file.length(),
            1e3 * tree.as_secs_f64(),
            bvh.to_bytes().len(),
            table(&results, &self.plan.modes, Some(whole)),
        );
        Ok(Printed { text, summary: results.summary(name) })
    }

    /// A codec of whole files.
    fn whole(&self, terrain: &Terrain, name: &str, codec: Codec, queries: &[QueryBox]) -> Result<Printed, Error> {
        eprintln!("{name} ..");
        let grid = grid_points(&terrain.positions, STEP).map_err(corpus)?;
        let mut file = WholeFile::encode(codec, &grid, f64::from(grid.exponent).exp2(), &terrain.triangles)?;
        let results = run(&mut file, queries, &self.plan)?;
        self.write(name, &results)?;
        let table = table(&results, &self.plan.modes, None);
        let text = format!("### {name}: {} bytes, one unit, on the CPU\n\n{table}\n", file.bytes());
        Ok(Printed { text, summary: results.summary(name) })
    }

    fn write(&self, name: &str, results: &Results) -> Result<(), Error> {
        let files = [
            (&self.options.query_csv, results.csv().into_bytes()),
            (&self.options.query_answers, results.answer_bytes()),
        ];
        for (path, bytes) in files {
            if let Some(path) = path {
                let ending = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
                write_whole(&path.with_extension(format!("{name}.{ending}")), &bytes)?;
            }
        }
        Ok(())
    }
}

fn table(results: &Results, modes: &[Mode], whole: Option<f64>) -> String {
    let mut rows = Vec::new();
    for (cell, name) in CELLS.iter().enumerate() {
        for mode in modes {
            let Some([total, units, examined, returned, up]) = results.medians(*mode, cell) else { continue };
            let mode = mode.name();
            rows.push(vec![
                format!("{name}, {mode}"),
                format!("{total:.1}"),
                format!("{units:.0}"),
                format!("{examined:.0}"),
                format!("{returned:.0}"),
                format!("{up:.0}"),
                whole.map_or_else(|| "-".to_owned(), |whole| format!("{:.1}", whole / total)),
            ]);
        }
    }
    let head = [
        "part of the volume, mode",
        "us",
        "units",
        "triangles examined",
        "returned",
        "bytes up",
        "times the whole file",
    ];
    markdown(&head, &rows)
}

/// Every answer of a device is that of the CPU.
fn same_as_cpu(results: &Results, session: &mut Session<'_>, queries: &[QueryBox]) -> Result<(), Error> {
    for (_, query, answer) in &results.answers {
        if session.ask(Mode::Independent, &queries[*query])?.1 != *answer {
            return Err(Error::Corpus(format!("box {query}: the device's answer is not the CPU's")));
        }
    }
    Ok(())
}
