//! `mark`: which cells of a grid are outside, cut and inside; the immersed-boundary marker.

use mesh_distance::{Grid, Mesh, mark};
use serde_json::json;

use super::{grouped, object, read_mesh};
use crate::cli::{Common, MarkArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{OutputKind, Precision, Sign, SignChoice};
use crate::output::OutputFile;
use crate::signed_grid::Number;
use crate::volume::{Values, Volume, npy, vti};

/// Marks the cells and writes what was asked for.
pub(crate) fn run(args: &MarkArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let out = args.out.as_ref().map(|kind| OutputFile::check(kind.path())).transpose()?;
    if args.sign == SignChoice::Asked(Sign::None) {
        return Err(Failure::Usage("--sign none tells no inside (allowed: a sign that does)".to_owned()));
    }
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    // The CPU keeps a distance and a mark a cell.
    args.grid.require(if args.precision == Precision::F64 { 9 } else { 5 })?;
    let grid = args.grid.around(&args.mesh, mesh.bounds())?;
    let engine = Engine::open(common, console)?;
    let (sign, sign_reason) = super::sign_for(args.sign, &args.mesh, &mesh.report(), console)?;
    let asked = (&mesh, &grid, sign);
    let marks = match args.precision {
        Precision::F32 => marks::<f32>(args, &engine, asked, console, &mut phases)?,
        Precision::F64 => marks::<f64>(args, &engine, asked, console, &mut phases)?,
    };
    let count = |m: u8| marks.iter().filter(|x| **x == m).count() as u64;
    let [outside, cut, inside] = [mark::OUTSIDE, mark::CUT, mark::INSIDE].map(count);
    let volume = Volume {
        cells: grid.counts.map(|n| n as usize),
        first: grid.centre([0; 3]),
        spacing: grid.cell,
        values: Values::U8(marks),
    };
    if let (Some(kind), Some(file)) = (&args.out, out) {
        phases.time("write", || match kind {
            OutputKind::Npy(_) => file.write(|out| npy::write(&volume, out)),
            OutputKind::Vti(_) => file.write(|out| vti::write(&volume, out)),
        })?;
    }
    let fields = json!({
        "triangles": mesh.triangles.len(),
        "cells": volume.values.len(),
        "outside": outside,
        "cut": cut,
        "inside": inside,
        "rule": args.cut.name(),
        "sign": sign.name(),
        "sign_reason": sign_reason,
        "precision": args.precision.name(),
        "grid": {"cells": grid.counts, "low": grid.lo, "cell": grid.cell},
    });
    let [nx, ny, nz] = grid.counts;
    let mut summary = format!(
        "{}: {nx} x {ny} x {nz} cells: outside {}, cut {}, inside {}, on {}: {:.3} s",
        args.mesh.display(),
        grouped(outside),
        grouped(cut),
        grouped(inside),
        engine.label(),
        phases.get("query")
    );
    if let Some(kind) = &args.out {
        summary += &format!("\n  wrote {}", kind.path().display());
    }
    console.answer(object("mark", engine.describe(), phases, fields), &summary)
}

fn marks<R: Number>(
    args: &MarkArgs,
    engine: &Engine,
    (mesh, grid, sign): (&Mesh, &Grid, Sign),
    console: Console,
    phases: &mut Phases,
) -> Result<Vec<u8>, Failure> {
    let failed = |e| Failure::of_mesh(&args.mesh, e);
    let surface = phases.time("build", || R::surface(mesh)).map_err(failed)?;
    let (sign, cut) = (sign.into(), args.cut.into());
    let marks = console.watch("marks", |progress| match engine {
        Engine::Cpu => phases.time("query", || surface.mark_cpu(grid, sign, cut, progress)),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => {
            let uploaded = phases.time("upload", || mesh_distance::DeviceSurface::upload(context, &surface));
            uploaded.and_then(|device| phases.time("query", || device.mark(grid, sign, cut, progress)))
        }
    });
    marks.map_err(failed)
}
