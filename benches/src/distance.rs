//! mesh-distance: signed and unsigned distances on grids, resident tree, result left on the device; and the CPU reference.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use conformance::adapters::has_f64;
use conformance::error::Error;
use gpu_runtime::translate::{Target, Translation};
use gpu_runtime::{Context, Timestamps};
use mesh_distance::{Bounds, DeviceSurface, Grid, GridQuery, Mesh, Precision, Sign, Surface, make, read_mesh};
use serde::Serialize;

use crate::anchors::Anchors;
use crate::clock::Clock;
use crate::moving::{self, MoveRow};
use crate::table::{markdown, median};

/// Time of arithmetic before each row, so that the clock is up.
pub(crate) const WARM_UP: Duration = Duration::from_millis(60);

/// What is measured.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// Folder with bunny-fcpw.obj and dragon-fine.stl; only the generated mesh is measured without it.
    pub meshes: Option<&'a Path>,
    /// Cells along each axis.
    pub sizes: &'a [u32],
    /// Runs of each row; the median counts.
    pub repeats: usize,
    /// Knots of 10 thousand to 10 million triangles instead of the meshes of the peers' figures.
    pub growth: bool,
    /// A knot of a tenth of the triangles, for software devices.
    pub quick: bool,
}

impl Plan<'_> {
    /// The meshes that are measured.
    ///
    /// # Errors
    /// Those of the files.
    pub(crate) fn meshes(&self) -> Result<Vec<(&'static str, Mesh)>, Error> {
        if self.growth {
            let knots =
                [("knot-10k", 10_000), ("knot-100k", 100_000), ("knot-1m", 1_000_000), ("knot-10m", 10_000_000)];
            return Ok(knots.map(|(name, triangles)| (name, make::knot(triangles))).into());
        }
        meshes(self.meshes, self.quick)
    }
}

/// A grid query on the device.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceRow {
    /// Mesh.
    pub mesh: String,
    /// Cells along each axis.
    pub n: u32,
    /// `f32` or `f64`.
    pub precision: &'static str,
    /// Whether with the pseudo-normal sign.
    pub signed: bool,
    /// Milliseconds by the device's clock, or of the whole call where it has none.
    pub milliseconds: f64,
    /// Milliseconds of each level, coarsest first, timed apart.
    pub levels: Vec<f64>,
    /// Million queries a second.
    pub rate: f64,
    /// `rate` over Warp's with the same sign on an H200, which is of f32; none for f64.
    pub to_warp: Option<f64>,
    /// Milliseconds of the whole call on the host's clock: one submission, nothing read back.
    pub call_milliseconds: f64,
    /// The same with all values read back to the host.
    pub read_back_milliseconds: f64,
    /// Operations of the reference's walk for as many queries: counted as it goes; none for f64.
    pub operations: Option<f64>,
    /// Rate of the arithmetic before the row, relative to the best seen: below about 0.9 the clock had fallen.
    pub clock: Option<f64>,
}

/// A grid query on the CPU.
#[derive(Debug, Clone, Serialize)]
pub struct CpuRow {
    /// Mesh.
    pub mesh: String,
    /// Cells along each axis.
    pub n: u32,
    /// Threads.
    pub threads: usize,
    /// Nanoseconds a query, unsigned.
    pub unsigned: f64,
    /// Nanoseconds a query, signed.
    pub signed: f64,
}

/// A mesh made ready.
#[derive(Debug, Clone, Serialize)]
pub struct BuildRow {
    /// Mesh.
    pub mesh: String,
    /// Triangles.
    pub triangles: usize,
    /// Seconds of `Surface::build` on all threads, the best of three.
    pub build_seconds: f64,
    /// Seconds of the upload.
    pub upload_seconds: f64,
    /// Bytes on the device.
    pub device_bytes: u64,
}

/// All rows.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Results {
    /// Builds and uploads.
    pub builds: Vec<BuildRow>,
    /// Device queries.
    pub device: Vec<DeviceRow>,
    /// Surfaces made anew on the device.
    pub moves: Vec<MoveRow>,
    /// CPU queries.
    pub cpu: Vec<CpuRow>,
}

/// The meshes of the peers' figures.
fn meshes(folder: Option<&Path>, quick: bool) -> Result<Vec<(&'static str, Mesh)>, Error> {
    let mut found = Vec::new();
    for (name, file) in [("bunny-fcpw", "bunny-fcpw.obj"), ("dragon-fine", "dragon-fine.stl")] {
        match folder.map(|folder| folder.join(file)).filter(|path| path.is_file()) {
            Some(path) => found.push((name, read_mesh(&path)?)),
            None => eprintln!("skipped: {file} is not in the folder of --meshes"),
        }
    }
    let (name, triangles) = if quick { ("knot-100k", 100_000) } else { ("knot-1m", 1_000_000) };
    found.push((name, make::knot(triangles)));
    Ok(found)
}

/// Measures everything of the plan.
///
/// # Errors
/// Of the device and the files.
pub fn run(context: &Context, plan: &Plan<'_>, anchors: &Anchors) -> Result<Results, Error> {
    let mut clock = Clock::new(context)?;
    let mut results = Results::default();
    for (name, mesh) in plan.meshes()? {
        eprintln!("{name} ..");
        let mut surface = None;
        let build_seconds = (0..3).try_fold(f64::INFINITY, |best, _| -> Result<f64, Error> {
            let started = Instant::now();
            surface = Some(Surface::build(&mesh)?);
            Ok(best.min(started.elapsed().as_secs_f64()))
        })?;
        let Some(surface) = surface else { continue };
        let started = Instant::now();
        let device = DeviceSurface::upload(context, &surface)?;
        let (triangles, upload_seconds) = (mesh.triangles.len(), started.elapsed().as_secs_f64());
        let device_bytes = device.bytes();
        results.builds.push(BuildRow { mesh: name.into(), triangles, build_seconds, upload_seconds, device_bytes });
        let Some(bounds) = mesh.bounds() else { continue };
        let signs = [Sign::None, Sign::PseudoNormal];
        let operations = walk_operations(context, &surface, &bounds)?;
        let mut rows = device_rows(&device, (name, &bounds), &signs, plan, anchors, &mut clock)?;
        rows.iter_mut().for_each(|row| row.operations = operations.map(|a_query| a_query * f64::from(row.n).powi(3)));
        results.device.extend(rows);
        drop(device);
        results.moves.extend(moving::rows(context, (name, &mesh), &surface, plan.repeats, &mut clock)?);
        if has_f64(context) {
            let double = DeviceSurface::upload(context, &Surface::build_double(&mesh)?)?;
            let rows = device_rows(&double, (name, &bounds), &signs[1..], plan, anchors, &mut clock)?;
            results.device.extend(rows);
        }
        for threads in [1, rayon::current_num_threads()] {
            results.cpu.push(cpu_row(name, &mesh, &surface, threads)?);
        }
    }
    Ok(results)
}

/// Operations a query of the reference's walk that begins with the right answer, over the cells of a grid of 32^3: the bounds of children and the triangles
/// that it looks at, times the operations of both functions in the translated kernel. None where a translation has not both.
fn walk_operations(context: &Context, surface: &Surface, bounds: &Bounds) -> Result<Option<f64>, Error> {
    let form = context.numerics().form;
    let functions = mesh_distance::device_kernels().into_iter().find_map(|entry| {
        let translation = Translation::new(&entry.source(), form, &Target::default()).ok()?;
        Some((translation.operations("cylinder_bound")?, translation.operations("triangle_distance")?))
    });
    let Some((bound, triangle)) = functions else { return Ok(None) };
    let walks = surface.count_walks(&Grid::around(bounds, [32; 3], 0.25)?)?;
    let all = walks.bounds as f64 * bound as f64 + walks.triangles as f64 * triangle as f64;
    Ok(Some(all / walks.queries as f64))
}

/// All sizes and signs of one surface.
fn device_rows<R: Precision>(
    device: &DeviceSurface<R>,
    (name, bounds): (&str, &Bounds),
    signs: &[Sign],
    plan: &Plan<'_>,
    anchors: &Anchors,
    clock: &mut Clock,
) -> Result<Vec<DeviceRow>, Error> {
    let mut rows = Vec::new();
    for &n in plan.sizes {
        let grid = Grid::around(bounds, [n; 3], 0.25)?;
        for &sign in signs {
            let query = device.grid_query(&grid, sign, false)?;
            let mut row = device_row(&query, clock, plan.repeats)?;
            (row.mesh, row.n, row.signed) = (name.into(), n, sign != Sign::None);
            row.rate = f64::from(n).powi(3) / row.milliseconds / 1e3;
            let anchor = anchors.distance(name, n).filter(|_| R::WORDS == 1);
            let warp = anchor.map(|a| if row.signed { a.warp_sign_normal } else { a.warp_unsigned });
            row.to_warp = warp.map(|warp| row.rate / warp);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn device_row<R: Precision>(query: &GridQuery<'_, R>, clock: &mut Clock, repeats: usize) -> Result<DeviceRow, Error> {
    query.run(Timestamps::None)?;
    let up = clock.warm_up(WARM_UP)?;
    let (mut whole, mut call, mut read_back) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..repeats {
        let started = Instant::now();
        let timings = query.run(Timestamps::Whole)?;
        call.push(started.elapsed().as_secs_f64() * 1e3);
        whole.extend(timings.first().map(|(_, seconds)| seconds * 1e3));
    }
    let mut levels: Vec<Vec<f64>> = Vec::new();
    for _ in 0..repeats {
        let timings = query.run(Timestamps::EachDispatch)?;
        levels.resize(timings.len(), Vec::new());
        levels.iter_mut().zip(&timings).for_each(|(level, (_, seconds))| level.push(seconds * 1e3));
    }
    for _ in 0..repeats.min(3) {
        let started = Instant::now();
        query.run(Timestamps::None)?;
        query.distances().download()?;
        read_back.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let call_milliseconds = median(call);
    Ok(DeviceRow {
        mesh: String::new(),
        n: 0,
        precision: R::NAME,
        signed: false,
        milliseconds: if whole.is_empty() { call_milliseconds } else { median(whole) },
        levels: levels.into_iter().map(median).collect(),
        rate: 0.0,
        to_warp: None,
        call_milliseconds,
        read_back_milliseconds: median(read_back),
        operations: None,
        clock: up,
    })
}

fn cpu_row(name: &str, mesh: &Mesh, surface: &Surface, threads: usize) -> Result<CpuRow, Error> {
    let n = 48;
    let mut nanoseconds = [0.0; 2];
    if let Some(bounds) = mesh.bounds() {
        let grid = Grid::around(&bounds, [n; 3], 0.25)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        for (sign, out) in [Sign::None, Sign::PseudoNormal].into_iter().zip(&mut nanoseconds) {
            let run = || -> Result<f64, Error> {
                let started = Instant::now();
                surface.grid_distance_cpu(&grid, sign, false, &|_, _| ControlFlow::Continue(()))?;
                Ok(started.elapsed().as_secs_f64() * 1e9 / f64::from(n).powi(3))
            };
            let one = || pool.as_ref().map_or_else(|_| run(), |pool| pool.install(run));
            *out = (0..3).try_fold(f64::INFINITY, |best, _| one().map(|t| best.min(t)))?;
        }
    }
    Ok(CpuRow { mesh: name.into(), n, threads, unsigned: nanoseconds[0], signed: nanoseconds[1] })
}

impl Results {
    /// The rows as tables of Markdown.
    pub fn tables(&self, anchors: &Anchors) -> String {
        let seconds = |s: f64| format!("{s:.3}");
        let builds: Vec<Vec<String>> = self
            .builds
            .iter()
            .map(|r| {
                let mib = format!("{:.1}", r.device_bytes as f64 / f64::from(1 << 20));
                vec![r.mesh.clone(), r.triangles.to_string(), seconds(r.build_seconds), seconds(r.upload_seconds), mib]
            })
            .collect();
        let device: Vec<Vec<String>> = self.device.iter().map(device_cells).collect();
        let cpu: Vec<Vec<String>> = self
            .cpu
            .iter()
            .map(|r| {
                let ns = |t: f64| format!("{t:.0}");
                vec![r.mesh.clone(), r.n.to_string(), r.threads.to_string(), ns(r.unsigned), ns(r.signed)]
            })
            .collect();
        let device_head = [
            "mesh",
            "N",
            "precision",
            "sign",
            "ms",
            "levels, ms",
            "Mq/s",
            "to Warp",
            "call, ms",
            "with read-back, ms",
            "clock",
        ];
        format!(
            "## Distances on N x N x N grids\n\n{}\nms: the device's clock around all levels, tree resident, result left on the device, median. \
             levels: each timed apart. clock: arithmetic rate just before, relative to the best seen.\n\
             To Warp: {}\n\n## Builds\n\n{}\n## Surfaces made anew on the device\n\n{}\n## CPU reference, ns a query\n\n{}",
            markdown(&device_head, &device),
            anchors.about,
            markdown(&["mesh", "triangles", "build, s", "upload, s", "device, MiB"], &builds),
            moving::table(&self.moves),
            markdown(&["mesh", "N", "threads", "unsigned", "signed"], &cpu),
        )
    }
}

fn device_cells(r: &DeviceRow) -> Vec<String> {
    let levels: Vec<String> = r.levels.iter().map(|ms| format!("{ms:.3}")).collect();
    vec![
        r.mesh.clone(),
        r.n.to_string(),
        r.precision.to_owned(),
        if r.signed { "pseudo-normal" } else { "none" }.to_owned(),
        format!("{:.3}", r.milliseconds),
        levels.join(" + "),
        format!("{:.1}", r.rate),
        r.to_warp.map_or_else(|| "-".to_owned(), |x| format!("{x:.1}x")),
        format!("{:.3}", r.call_milliseconds),
        format!("{:.3}", r.read_back_milliseconds),
        r.clock.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}")),
    ]
}
