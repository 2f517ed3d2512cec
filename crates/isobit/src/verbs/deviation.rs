//! `deviation`: certified bounds of how far two surfaces are apart, and each vertex' distance for colouring.

use input_text::number;
use mesh_distance::{Deviation, Directed, Mesh, Progress};
use serde_json::{Value, json};

use super::{object, read_mesh};
use crate::cli::{Common, DeviationArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{Precision, extension, refuse_extension};
use crate::output::OutputFile;
use crate::signed_grid::Column;
use crate::vertex_values::{write_ply, write_vtp};

/// Part of the larger diagonal that is the tolerance when none is given.
const DEFAULT_TOLERANCE: f64 = 1e-4;

/// Finds the bounds and writes the file that was asked for.
pub(crate) fn run(args: &DeviationArgs, common: &Common, console: Console) -> Result<(), Failure> {
    match args.precision {
        Precision::F32 => bounds::<f32>(args, common, console),
        Precision::F64 => bounds::<f64>(args, common, console),
    }
}

/// Numbers of deviations.
trait Bounds: Column {
    fn of(engine: &Engine, a: &Mesh, b: &Mesh, tolerance: f64, progress: &Progress<'_>) -> Found<Self>;
}

type Found<R> = Result<Deviation<R>, mesh_distance::Error>;

impl Bounds for f32 {
    fn of(engine: &Engine, a: &Mesh, b: &Mesh, tolerance: f64, progress: &Progress<'_>) -> Found<f32> {
        match engine {
            Engine::Cpu => mesh_distance::deviation_cpu(a, b, tolerance, progress),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => mesh_distance::deviation(context, a, b, tolerance, progress),
        }
    }
}

impl Bounds for f64 {
    fn of(engine: &Engine, a: &Mesh, b: &Mesh, tolerance: f64, progress: &Progress<'_>) -> Found<f64> {
        match engine {
            Engine::Cpu => mesh_distance::deviation_double_cpu(a, b, tolerance, progress),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => mesh_distance::deviation_double(context, a, b, tolerance, progress),
        }
    }
}

fn bounds<R: Bounds>(args: &DeviationArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let out = args.out.as_ref().map(|path| match extension(path).as_str() {
        "ply" | "vtp" => OutputFile::check(path),
        _ => Err(refuse_extension(path, ".ply, .vtp")),
    });
    let out = out.transpose()?;
    let mut phases = Phases::default();
    let (a, b) =
        phases.time("read", || Ok::<_, Failure>((read_mesh(&args.a, console)?, read_mesh(&args.b, console)?)))?;
    // Two meshes that are points have no diagonal.
    let usual = || (DEFAULT_TOLERANCE * diagonal(&a).max(diagonal(&b))).max(f64::from(f32::MIN_POSITIVE));
    let tolerance = args.tolerance.unwrap_or_else(usual);
    let engine = Engine::open(common, console)?;
    let query = |progress: &mesh_distance::Progress<'_>| R::of(&engine, &a, &b, tolerance, progress);
    let found: Found<R> = phases.time("query", || console.watch("points", query));
    let found = found.map_err(|e| Failure::of_mesh(&args.a, e))?;
    if let (Some(file), Some(path)) = (out, &args.out) {
        let values = &found.forward.vertices;
        phases.time("write", || match extension(path).as_str() {
            "ply" => file.write(|out| write_ply(&a, "deviation", values, out)),
            _ => file.write(|out| write_vtp(&a, "deviation", values, out)),
        })?;
    }
    let [lower, upper] = found.hausdorff();
    let reached = reached(&found, tolerance, console);
    let fields = json!({
        "precision": R::NAME,
        "tolerance": tolerance,
        "reached": reached,
        "a_to_b": directed(&found.forward),
        "b_to_a": directed(&found.backward),
        "hausdorff": {"lower": lower, "upper": upper},
    });
    let summary = summary(args, &found, &engine, &phases);
    console.answer(object("deviation", engine.describe(), phases, fields), &summary)
}

fn diagonal(mesh: &Mesh) -> f64 {
    mesh.bounds().map_or(0.0, |b| (0..3).map(|k| (b.hi[k] - b.lo[k]).powi(2)).sum::<f64>().sqrt())
}

/// Whether the bounds of both directions are at most the tolerance apart; a line says when they are not.
pub(super) fn reached<R: Column>(found: &Deviation<R>, tolerance: f64, console: Console) -> bool {
    let gap = [&found.forward, &found.backward].map(|d| d.upper - d.lower).into_iter().fold(0.0, f64::max);
    let reached = gap <= tolerance;
    if !reached {
        let (gap, tolerance) = (number(gap), number(tolerance));
        console.note(&format!(
            "the tolerance is not reached (bounds {gap} apart, asked {tolerance}): {} distances are not exact enough for it",
            R::NAME
        ));
    }
    reached
}

fn directed<R>(d: &Directed<R>) -> Value {
    json!({"lower": d.lower, "upper": d.upper, "points": d.queries})
}

fn summary<R>(args: &DeviationArgs, found: &Deviation<R>, engine: &Engine, phases: &Phases) -> String {
    let [lower, upper] = found.hausdorff();
    let mut text = format!(
        "{} and {}: Hausdorff distance {} to {}\n  from the first to the second {} to {}\n  from the second to the first {} to {}\n  \
         on {}: {} points in {:.3} s",
        args.a.display(),
        args.b.display(),
        number(lower),
        number(upper),
        number(found.forward.lower),
        number(found.forward.upper),
        number(found.backward.lower),
        number(found.backward.upper),
        engine.label(),
        super::grouped(found.forward.queries + found.backward.queries),
        phases.get("query"),
    );
    if let Some(path) = &args.out {
        text.push_str(&format!("\n  wrote {}", path.display()));
    }
    text
}
