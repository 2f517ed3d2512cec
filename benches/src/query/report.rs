//! The protocol over the formats of a terrain, with its table.

use std::path::PathBuf;
use std::time::Instant;

use conformance::corpus::Device;
use conformance::error::Error;
use gpu_runtime::{Context, ContextOptions};
use mesh_decode::meshopt::{decode_indices, decode_vertices, encode_clusters, encode_indices, encode_vertices};
use mesh_decode::{
    DeviceQuery, DgfOptions, GridBox, GridStep, Md1Mode, Md1Options, MeshletLimits, StrideOptions, UnitBvh, encode_dgf,
    encode_md1, encode_stride, grid_points, open, triangle_meets_box,
};
use mesh_distance::make;

use super::{CELLS, Mode, Plan, QueryBox, Results, Session, boxes, run, upload, whole_file};
use crate::table::{markdown, median};

/// Options of the box queries.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Formats: dgf, md1, md1-fixed, stride, clusters.
    #[arg(default_values = ["dgf", "md1"], value_parser = ["dgf", "md1", "md1-fixed", "stride", "clusters"])]
    pub formats: Vec<String>,
    /// What decodes: cpu, auto, gpu, an index, or a part of an adapter's name.
    #[arg(long, default_value = "cpu")]
    pub device: Device,
    /// Triangles of the terrain.
    #[arg(long, default_value_t = 999_698)]
    pub triangles: usize,
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

/// The terrain as the encoders take it.
struct Terrain {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

const STEP: GridStep = GridStep::Bits(12);

impl Terrain {
    fn encode(&self, format: &str) -> Result<Vec<u8>, mesh_decode::Error> {
        let (positions, triangles) = (&self.positions, &self.triangles);
        let limits = MeshletLimits { vertices: 64, triangles: 96 };
        match format {
            "dgf" => Ok(encode_dgf(positions, triangles, &DgfOptions { step: STEP, ..DgfOptions::default() })?.bytes),
            "md1" => Ok(encode_md1(positions, triangles, &Md1Options { step: STEP, ..Md1Options::default() })?.bytes),
            "md1-fixed" => {
                let options = Md1Options { step: STEP, mode: Md1Mode::Fixed, ..Md1Options::default() };
                Ok(encode_md1(positions, triangles, &options)?.bytes)
            }
            "clusters" => Ok(encode_clusters(positions, triangles, STEP, limits)?.bytes),
            _ => Ok(encode_stride(positions, triangles, &StrideOptions::default())?.bytes),
        }
    }

    /// The baseline of a whole-file codec: meshoptimizer's vertex and index streams decoded, every triangle looked at.
    fn baseline(&self, closed_box: &GridBox, repeats: usize) -> Result<[f64; 2], mesh_decode::Error> {
        let points = grid_points(&self.positions, STEP)?.points;
        let bytes: Vec<u8> = points.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let vertices = encode_vertices(&bytes, 12, 1)?;
        let indices = encode_indices(self.triangles.as_flattened(), 1)?;
        let mut times = Vec::new();
        for _ in 0..repeats {
            let start = Instant::now();
            let bytes = decode_vertices(&vertices, points.len(), 12)?;
            let word = |k: usize| i32::from_le_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]);
            let corners = decode_indices(&indices, 3 * self.triangles.len(), None)?;
            let point = |v: u32| [0, 4, 8].map(|k| word(12 * v as usize + k));
            let found =
                corners.as_chunks::<3>().0.iter().filter(|t| triangle_meets_box(t.map(point), closed_box)).count();
            times.push(start.elapsed().as_secs_f64() * 1e6);
            std::hint::black_box(found);
        }
        Ok([median(times), (vertices.len() + indices.len()) as f64])
    }
}

/// Runs the protocol and prints the tables.
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
    let mesh = make::terrain(options.triangles);
    let positions = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let terrain = Terrain { positions, triangles: mesh.triangles };
    let queries = boxes(&terrain.positions, &terrain.triangles);
    let mut text = head(options, &terrain, context.as_ref());
    for format in &options.formats {
        text += &one_format(options, &terrain, format, &queries, context.as_ref())?;
    }
    if let Some(path) = &options.out {
        write(path, text.as_bytes())?;
    }
    println!("{text}");
    Ok(())
}

fn head(options: &Options, terrain: &Terrain, context: Option<&Context>) -> String {
    let device = context.map_or_else(
        || format!("cpu, {} threads", rayon::current_num_threads()),
        |context| format!("{}, {} form", context.adapter(), context.numerics().form),
    );
    format!(
        "## Box queries: terrain, {} triangles, 12 bit\n\n{device}; commit {}, {}. {} boxes of a cell before {} timed ones; growing: {} sequences. Microseconds from the lookup to the \
         filtered triangles on the host, median.\n\n",
        terrain.triangles.len(),
        conformance::report::commit(),
        conformance::report::today(),
        options.query_warmup,
        options.query_launches,
        options.query_sequence_repeats,
    )
}

fn one_format(
    options: &Options,
    terrain: &Terrain,
    format: &str,
    queries: &[QueryBox],
    context: Option<&Context>,
) -> Result<String, Error> {
    let failed = |error: mesh_decode::Error| Error::Corpus(format!("{format}: {error}"));
    let bytes = terrain.encode(format).map_err(failed)?;
    let file = open(&bytes).map_err(failed)?;
    let start = Instant::now();
    let bvh = UnitBvh::build(&file, &bytes).map_err(failed)?;
    let tree = start.elapsed();
    let device = upload(context, &file)?;
    let modes = options.query_mode.map_or_else(|| Mode::ALL.to_vec(), |mode| vec![mode]);
    let plan = Plan {
        modes,
        warmup: options.query_warmup,
        launches: options.query_launches,
        repeats: options.query_sequence_repeats,
    };
    let query = device.as_ref().map(|device| DeviceQuery::new(device, &bvh)).transpose().map_err(failed)?;
    let mut session = Session::new(&file, &bvh, device.as_ref()).with_query(query.as_ref());
    let results = run(&mut session, queries, &plan)?;
    if context.is_some() {
        same_as_cpu(&results, &mut Session::new(&file, &bvh, None), queries)?;
    }
    for (path, bytes) in
        [(&options.query_csv, results.csv().into_bytes()), (&options.query_answers, results.answer_bytes())]
    {
        if let Some(path) = path {
            let ending = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
            write(&path.with_extension(format!("{format}.{ending}")), &bytes)?;
        }
    }
    // A box of the smallest cell: what it costs without a tree.
    let whole = whole_file(&session, &queries[0], 7)?.as_secs_f64() * 1e6;
    let closed_box = bvh.frame().grid_box(queries[0].low, queries[0].high).map_err(failed)?;
    let [streams, stream_bytes] = terrain.baseline(&closed_box, 5).map_err(failed)?;
    let title = format!(
        "### {format}: {} bytes, {} {}s, tree {:.0} ms and {} bytes\n\n",
        bytes.len(),
        file.unit_count(),
        file.format().unit_name(),
        1e3 * tree.as_secs_f64(),
        bvh.to_bytes().len(),
    );
    Ok(title
        + &table(&results, &plan.modes, whole)
        + &format!(
            "\nWhole file decoded, read back and searched: {whole:.0}. meshoptimizer streams ({stream_bytes:.0} bytes), whole file on one thread: {streams:.0}.\n\n"
        ))
}

fn table(results: &Results, modes: &[Mode], whole: f64) -> String {
    let mut rows = Vec::new();
    for (cell, name) in CELLS.iter().enumerate() {
        for mode in modes {
            let Some([total, units, examined, returned]) = results.medians(*mode, cell) else { continue };
            let mode = format!("{mode:?}").to_lowercase();
            rows.push(vec![
                format!("{name}, {mode}"),
                format!("{total:.1}"),
                format!("{units:.0}"),
                format!("{examined:.0}"),
                format!("{returned:.0}"),
                format!("{:.1}", whole / total),
            ]);
        }
    }
    markdown(
        &["part of the volume, mode", "us", "units", "triangles examined", "returned", "times the whole file"],
        &rows,
    )
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

fn write(path: &std::path::Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(path, bytes).map_err(|source| Error::File { path: path.to_owned(), source })
}
