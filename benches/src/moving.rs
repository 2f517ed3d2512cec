//! mesh-distance: surfaces made anew on the device, after their vertices moved (refit) and from a mesh in device buffers (build).

use std::time::Instant;

use conformance::adapters::has_f64;
use conformance::error::Error;
use gpu_runtime::{Context, DeviceVec, Timestamps};
use mesh_distance::{DeviceSurface, Mesh, Precision, Surface};
use serde::Serialize;

use crate::clock::Clock;
use crate::distance::WARM_UP;
use crate::table::{markdown, median};

/// A surface made anew.
#[derive(Debug, Clone, Serialize)]
pub struct MoveRow {
    /// Mesh.
    pub mesh: String,
    /// `refit`, `build`, or `rebuild` in the buffers of the last one; of f32 or of f64.
    pub what: &'static str,
    /// Triangles.
    pub triangles: usize,
    /// Milliseconds by the device's clock round all dispatches, or of the whole call where it has none.
    pub milliseconds: f64,
    /// Milliseconds of the whole call on the host's clock, the checks and the small read-back before included.
    pub call_milliseconds: f64,
    /// The longest dispatches, each timed apart: name and milliseconds.
    pub longest: Vec<(String, f64)>,
    /// Million triangles a second by `milliseconds`.
    pub rate: f64,
    /// Rate of the arithmetic before the row, relative to the best seen.
    pub clock: Option<f64>,
}

/// Names of dispatches in the table.
const NAMED: usize = 5;

/// Refit and build of one mesh, its vertices rounded to f32; of surfaces of f64 too where the device has it.
///
/// # Errors
/// Of the device.
pub(crate) fn rows(
    context: &Context,
    (name, mesh): (&str, &Mesh),
    surface: &Surface,
    repeats: usize,
    clock: &mut Clock,
) -> Result<Vec<MoveRow>, Error> {
    let single: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let positions = context.upload("positions", &single)?;
    let triangles = context.upload("triangles", &mesh.triangles)?;
    let count = mesh.triangles.len();
    let mut movable = DeviceSurface::upload_movable(context, surface)?;
    let refit = |timestamps| Ok(movable.update_positions_on(&positions, timestamps)?);
    let mut rows = vec![row((name, "refit", count), repeats, clock, refit)?];
    drop(movable);
    let build = |timestamps| Ok(DeviceSurface::build_timed(&positions, &triangles, timestamps)?.1);
    rows.push(row((name, "build", count), repeats, clock, build)?);
    let first = || DeviceSurface::build(&positions, &triangles);
    rows.push(row((name, "rebuild", count), repeats, clock, rebuild(first, &positions, &triangles))?);
    if has_f64(context) {
        match double_rows(context, (name, mesh), (&positions, &triangles), repeats, clock) {
            Ok(more) => rows.extend(more),
            // Numbers of twice the size may be too many for a binding.
            Err(Error::Mesh(error)) if is_limit(&error) => eprintln!("skipped: {name} moved in f64: {error}"),
            Err(error) => return Err(error),
        }
    }
    Ok(rows)
}

fn is_limit(error: &mesh_distance::Error) -> bool {
    matches!(error, mesh_distance::Error::Device(gpu_runtime::Error::Limit { .. }))
}

fn double_rows(
    context: &Context,
    (name, mesh): (&str, &Mesh),
    (positions, triangles): (&DeviceVec<[f32; 3]>, &DeviceVec<[u32; 3]>),
    repeats: usize,
    clock: &mut Clock,
) -> Result<Vec<MoveRow>, Error> {
    let count = mesh.triangles.len();
    let mut movable = DeviceSurface::upload_movable(context, &Surface::build_double(mesh)?)?;
    let refit = |timestamps| Ok(movable.update_positions_on(positions, timestamps)?);
    let refit = row((name, "refit, f64", count), repeats, clock, refit)?;
    drop(movable);
    let first = || DeviceSurface::build_double(positions, triangles);
    Ok(vec![refit, row((name, "rebuild, f64", count), repeats, clock, rebuild(first, positions, triangles))?])
}

/// Builds in the buffers of the last surface; `first` makes the first one.
fn rebuild<R: Precision>(
    first: impl Fn() -> Result<DeviceSurface<R>, mesh_distance::Error>,
    positions: &DeviceVec<[f32; 3]>,
    triangles: &DeviceVec<[u32; 3]>,
) -> impl FnMut(Timestamps) -> Result<Vec<(String, f64)>, Error> {
    let mut kept = None;
    move |timestamps| {
        let old = match kept.take() {
            Some(old) => old,
            None => first()?,
        };
        let (surface, timings) = old.rebuild(positions, triangles, timestamps)?;
        kept = Some(surface);
        Ok(timings)
    }
}

fn row(
    (mesh, what, triangles): (&str, &'static str, usize),
    repeats: usize,
    clock: &mut Clock,
    mut run: impl FnMut(Timestamps) -> Result<Vec<(String, f64)>, Error>,
) -> Result<MoveRow, Error> {
    run(Timestamps::None)?;
    let up = clock.warm_up(WARM_UP)?;
    let (mut whole, mut call) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let started = Instant::now();
        let timings = run(Timestamps::Whole)?;
        call.push(started.elapsed().as_secs_f64() * 1e3);
        whole.extend(timings.first().map(|(_, seconds)| seconds * 1e3));
    }
    let mut longest = run(Timestamps::EachDispatch)?;
    longest.iter_mut().for_each(|(_, seconds)| *seconds *= 1e3);
    longest.sort_by(|a, b| b.1.total_cmp(&a.1));
    longest.truncate(NAMED);
    let call_milliseconds = median(call);
    let milliseconds = if whole.is_empty() { call_milliseconds } else { median(whole) };
    let rate = triangles as f64 / milliseconds / 1e3;
    Ok(MoveRow { mesh: mesh.into(), what, triangles, milliseconds, call_milliseconds, longest, rate, clock: up })
}

/// The rows as a table of Markdown.
pub(crate) fn table(rows: &[MoveRow]) -> String {
    let cells = |r: &MoveRow| {
        let longest: Vec<String> = r.longest.iter().map(|(name, ms)| format!("{name} {ms:.3}")).collect();
        vec![
            r.mesh.clone(),
            r.what.to_owned(),
            r.triangles.to_string(),
            format!("{:.3}", r.milliseconds),
            format!("{:.3}", r.call_milliseconds),
            format!("{:.1}", r.rate),
            longest.join(", "),
            r.clock.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}")),
        ]
    };
    let head = ["mesh", "what", "triangles", "ms", "call, ms", "M triangles/s", "longest dispatches, ms", "clock"];
    markdown(&head, &rows.iter().map(cells).collect::<Vec<_>>())
}
