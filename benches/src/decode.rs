//! mesh-decode: decoding resident files on a device, outputs left there, and the CPU reference.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use conformance::encoders::ENCODERS;
use conformance::error::Error;
use gpu_runtime::{Context, Timestamps};
use mesh_decode::{DeviceFile, DeviceMesh, File, Outputs, Selection, VertexOutput, open};
use mesh_distance::make;
use serde::Serialize;

use crate::anchors::Anchors;
use crate::clock::Clock;
use crate::roofline::copy_microseconds;
use crate::table::{markdown, median};

/// Time of arithmetic before each row, so that the clock is up.
const WARM_UP: Duration = Duration::from_millis(60);
/// Dispatches of a row in one submission.
const IN_A_ROW: usize = 10;

/// What is measured.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// Triangles of the terrain.
    pub triangles: usize,
    /// How many times over each file is laid on the device.
    pub copies: &'a [usize],
    /// Parts of the names of formats to measure; all when empty.
    pub formats: &'a [String],
    /// Runs of each row; the median counts.
    pub repeats: usize,
}

/// A file decoded on a device.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    /// Format, and mode where there are several.
    pub format: String,
    /// How many times over the file lies on the device.
    pub copies: usize,
    /// Units.
    pub units: usize,
    /// Triangles that come out.
    pub triangles: u32,
    /// Vertices that come out.
    pub vertices: u32,
    /// Compressed bytes and tables read.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
    /// Microseconds of one dispatch by the device's clock.
    pub microseconds: f64,
    /// The least of all runs.
    pub least: f64,
    /// The same in a row of ten in one submission, a dispatch.
    pub in_a_row: f64,
    /// Billion triangles a second of one dispatch.
    pub rate: f64,
    /// The same in a row.
    pub rate_in_a_row: f64,
    /// Bytes moved in a row over time, to the rate of a copy of as many bytes in a row.
    pub of_copy: f64,
    /// `rate` over the peer's on an H200.
    pub to_peer: Option<f64>,
    /// Rate of the arithmetic before the row, relative to the best seen: below about 0.9 the clock had fallen.
    pub clock: Option<f64>,
    /// Kernels of a decode of several dispatches, and the microseconds of each when they are kept apart.
    pub dispatches: Vec<(String, f64)>,
    /// Whether every word is the CPU reference's.
    pub same_words: bool,
}

/// A file made and decoded on the CPU.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CpuRow {
    /// Format.
    pub format: String,
    /// Bytes of the file.
    pub bytes: usize,
    /// Seconds to encode.
    pub encode_seconds: f64,
    /// Million triangles a second decoded with one thread, and with all.
    pub rates: [f64; 2],
}

/// All rows.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Results {
    /// Device.
    pub device: Vec<Row>,
    /// CPU.
    pub cpu: Vec<CpuRow>,
    /// Threads of the CPU rows.
    pub threads: usize,
}

/// Measures everything of the plan.
///
/// # Errors
/// Of the device and the encoders.
pub fn run(context: &Context, plan: &Plan<'_>, anchors: &Anchors) -> Result<Results, Error> {
    let mesh = make::terrain(plan.triangles);
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let mut clock = Clock::new(context)?;
    let mut results = Results { threads: rayon::current_num_threads(), ..Results::default() };
    for (name, encoder) in ENCODERS {
        if !plan.formats.is_empty() && !plan.formats.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        eprintln!("{name} ..");
        let started = Instant::now();
        let bytes = encoder(&positions, &mesh.triangles)?;
        let encode_seconds = started.elapsed().as_secs_f64();
        let file = open(&bytes)?;
        let rates = [cpu_rate(&file, 1)?, cpu_rate(&file, results.threads)?];
        results.cpu.push(CpuRow { format: name.into(), bytes: bytes.len(), encode_seconds, rates });
        for &copies in plan.copies {
            let mut row = device_row(context, &file, copies, &mut clock, plan.repeats)?;
            row.format = name.into();
            let peer = anchors.decode(name, copies);
            row.to_peer = peer.map(|rate| row.rate / rate);
            results.device.push(row);
        }
    }
    Ok(results)
}

/// Million triangles a second of the CPU reference, best of three.
fn cpu_rate(file: &File, threads: usize) -> Result<f64, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let once = || {
        let started = Instant::now();
        let decoded = file.decode_cpu(Outputs::MESH);
        std::hint::black_box(&decoded);
        started.elapsed().as_secs_f64()
    };
    let run = || (0..3).map(|_| once()).fold(f64::INFINITY, f64::min);
    let seconds = pool.as_ref().map_or_else(|_| run(), |pool| pool.install(run));
    Ok(f64::from(file.triangle_count()) / seconds / 1e6)
}

fn device_row(context: &Context, file: &File, copies: usize, clock: &mut Clock, repeats: usize) -> Result<Row, Error> {
    let device = DeviceFile::upload_copies(context, file, copies)?;
    let selection = device.select_all()?;
    let mesh = device.decode(&selection, VertexOutput::Positions)?;
    let same_words = same_words(file, copies, &mesh)?;
    let up = clock.warm_up(WARM_UP)?;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..repeats {
        for (dispatches, times) in [1, IN_A_ROW].into_iter().zip(&mut times) {
            let mut recording = context.record("decode").with_timestamps(Timestamps::Whole);
            for _ in 0..dispatches {
                device.record(&mut recording, &selection, &mesh)?;
            }
            let started = Instant::now();
            let completed = recording.submit()?;
            let wall = started.elapsed().as_secs_f64();
            let seconds = completed.timings().first().map_or(wall, |(_, seconds)| *seconds);
            times.push(seconds * 1e6 / dispatches as f64);
        }
    }
    let dispatches = dispatch_times(&device, &selection, &mesh, repeats)?;
    let least = times[0].iter().copied().fold(f64::INFINITY, f64::min);
    let [one, row] = times.map(median);
    let vertex_bytes = if mesh.references.is_empty() { 12 } else { 4 };
    let (vertices, triangles) = (selection.vertex_count(), selection.triangle_count());
    let bytes_in = device.bytes() + selection.jobs().byte_len();
    let bytes_out = vertex_bytes * u64::from(vertices) + 12 * u64::from(triangles) + mesh.statuses.byte_len();
    let copy = copy_microseconds(context, (bytes_in + bytes_out) / 2, repeats)?;
    let rate = |microseconds: f64| f64::from(triangles) / microseconds / 1e3;
    Ok(Row {
        copies,
        units: selection.units().len(),
        triangles,
        vertices,
        bytes_in,
        bytes_out,
        microseconds: one,
        least,
        in_a_row: row,
        rate: rate(one),
        rate_in_a_row: rate(row),
        of_copy: copy / row,
        clock: up,
        dispatches,
        same_words,
        ..Row::default()
    })
}

/// Median microseconds of each dispatch of a decode of several.
fn dispatch_times(
    device: &DeviceFile,
    selection: &Selection,
    mesh: &DeviceMesh,
    repeats: usize,
) -> Result<Vec<(String, f64)>, Error> {
    let mut times: Vec<(String, Vec<f64>)> = Vec::new();
    for _ in 0..repeats {
        let mut recording = device.context().record("decode").with_timestamps(Timestamps::EachDispatch);
        device.record(&mut recording, selection, mesh)?;
        let completed = recording.submit()?;
        for (k, (name, seconds)) in completed.timings().iter().enumerate() {
            match times.get_mut(k) {
                Some((_, times)) => times.push(seconds * 1e6),
                None => times.push((name.clone(), vec![seconds * 1e6])),
            }
        }
    }
    let several = times.len() > 1;
    Ok(times.into_iter().filter(|_| several).map(|(name, times)| (name, median(times))).collect())
}

/// Decodes every file of units below a folder on the device and on the CPU, as it is and with random damage, and counts those of which a word differs.
///
/// # Errors
/// Of the device and the folder.
pub fn check(context: &Context, folder: &Path, rounds: u32) -> Result<[usize; 2], Error> {
    let (mut compared, mut differ) = (0, 0);
    let mut state = 9_u32;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|source| Error::File { path: folder.clone(), source })?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            for round in 0..=rounds {
                let mut bytes = bytes.clone();
                for _ in 0..round.min(4) {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let at = (state >> 8) as usize % bytes.len();
                    bytes[at] ^= 1 << (state >> 29);
                }
                let Ok(file) = open(&bytes) else { continue };
                compared += 1;
                if !same_as_cpu(context, &file)? {
                    differ += 1;
                    eprintln!("{}, round {round}: words differ", path.display());
                }
            }
        }
    }
    Ok([compared, differ])
}

fn same_as_cpu(context: &Context, file: &File) -> Result<bool, Error> {
    let device = DeviceFile::upload(context, file)?;
    let all = device.select_all()?;
    let expected = file.decode_cpu(Outputs::ALL);
    let mesh = device.decode(&all, VertexOutput::Positions)?;
    let grid = device.decode(&all, VertexOutput::Grid)?;
    let bits = |p: &[f32; 3]| p.map(f32::to_bits);
    Ok(mesh.statuses.download()? == expected.statuses
        && mesh.triangles.download()? == expected.triangles
        && mesh.references.download()? == expected.vertex_references
        && grid.grid.download()? == expected.grid
        && mesh.positions.download()?.iter().map(bits).eq(expected.positions.iter().map(bits)))
}

/// Compares every word with the CPU reference.
fn same_words(file: &File, copies: usize, mesh: &DeviceMesh) -> Result<bool, Error> {
    let expected = file.decode_cpu(Outputs { attributes: true, ..Outputs::MESH });
    let (positions, triangles) = (mesh.positions.download()?, mesh.triangles.download()?);
    let (references, statuses) = (mesh.references.download()?, mesh.statuses.download()?);
    let mut same = statuses.iter().all(|word| *word == 0);
    same &= triangles.len() == copies * expected.triangles.len();
    for copy in 0..copies {
        let part = |length: usize| copy * length..(copy + 1) * length;
        let bits = |p: &[f32; 3]| p.map(f32::to_bits);
        if !expected.positions.is_empty() {
            let got = &positions[part(expected.positions.len())];
            same &= got.iter().map(bits).eq(expected.positions.iter().map(bits));
        }
        if !expected.vertex_references.is_empty() {
            same &= references[part(expected.vertex_references.len())] == expected.vertex_references;
        }
        let base = copy as u32 * file.vertex_count();
        let got = triangles[part(expected.triangles.len())].iter();
        same &= got.zip(&expected.triangles).all(|(got, expected)| *got == expected.map(|v| v + base));
    }
    Ok(same)
}

impl Results {
    /// A line of `key=value` for each row, for programs.
    pub fn summaries(&self) -> String {
        let line = |row: &Row| {
            let (format, copies) = (row.format.replace(' ', "_"), row.copies);
            let (least, one, ten) = (row.least, row.microseconds, row.in_a_row);
            format!(
                "decode_summary format={format} copies={copies} one_min_us={least:.2} one_median_us={one:.2} ten_median_us={ten:.2}\n"
            )
        };
        self.device.iter().map(line).collect()
    }

    /// The rows as tables of Markdown.
    pub fn tables(&self, anchors: &Anchors) -> String {
        let head = [
            "format",
            "times",
            "units",
            "triangles",
            "us",
            "G tri/s",
            "us, ten",
            "G tri/s, ten",
            "MB",
            "TB/s, ten",
            "of copy",
            "to peer",
            "clock",
            "words",
            "dispatches, us",
        ];
        let device: Vec<Vec<String>> = self.device.iter().map(device_cells).collect();
        let cpu: Vec<Vec<String>> = self
            .cpu
            .iter()
            .map(|r| {
                let rate = |rate: f64| format!("{rate:.1}");
                vec![
                    r.format.clone(),
                    r.bytes.to_string(),
                    format!("{:.2}", r.encode_seconds),
                    rate(r.rates[0]),
                    rate(r.rates[1]),
                ]
            })
            .collect();
        let threads = format!("{} threads", self.threads);
        format!(
            "## Decoding on the device\n\n{}\nus: the device's clock around one dispatch, file resident, outputs left on the device, median; ten: in a row in one \
             submission, a dispatch. MB, TB/s: compressed words, tables and outputs, each once. of copy: to a copy of as many bytes. words: compared with the CPU \
             reference. dispatches: kept apart. To peer: {}\n\n## CPU reference, M triangles/s\n\n{}",
            markdown(&head, &device),
            anchors.decode_about,
            markdown(&["format", "bytes", "encode, s", "1 thread", &threads], &cpu),
        )
    }
}

fn device_cells(r: &Row) -> Vec<String> {
    let moved = (r.bytes_in + r.bytes_out) as f64;
    vec![
        r.format.clone(),
        r.copies.to_string(),
        r.units.to_string(),
        r.triangles.to_string(),
        format!("{:.1}", r.microseconds),
        format!("{:.1}", r.rate),
        format!("{:.1}", r.in_a_row),
        format!("{:.1}", r.rate_in_a_row),
        format!("{:.1}", moved / 1e6),
        format!("{:.2}", moved / r.in_a_row / 1e6),
        format!("{:.2}", r.of_copy),
        r.to_peer.map_or_else(|| "-".to_owned(), |x| format!("{x:.1}x")),
        r.clock.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}")),
        if r.same_words { "same" } else { "DIFFER" }.to_owned(),
        r.dispatches.iter().map(|(name, us)| format!("{name} {us:.1}")).collect::<Vec<_>>().join(", "),
    ]
}
