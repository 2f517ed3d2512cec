//! `sdf`: distances from the cell centres of a grid to a mesh, as a volume and a picture.

mod band;

use mesh_distance::Grid;
use serde_json::json;

use super::report::report_json;
use super::{file_name, grouped, object, read_mesh, sign_for};
use crate::cli::{Common, SdfArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{DistanceOutput, OutputKind, Precision, Sign};
use crate::output::OutputFile;
use crate::picture::slice::SliceFigure;
use crate::signed_grid::{Job, Number, signed_grid};
use crate::volume::{Volume, npy, vti};

/// Computes the distances and writes what was asked for.
pub(crate) fn run(args: &SdfArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let out = args.out.as_ref().map(|kind| OutputFile::check(kind.path())).transpose()?;
    if let Some(width) = args.band {
        return match args.precision {
            Precision::F32 => band::run::<f32>(args, width, out, common, console),
            Precision::F64 => band::run::<f64>(args, width, out, common, console),
        };
    }
    match args.precision {
        Precision::F32 => grid_of::<f32>(args, out, common, console),
        Precision::F64 => grid_of::<f64>(args, out, common, console),
    }
}

/// A value for each cell.
fn grid_of<R: Number>(
    args: &SdfArgs,
    out: Option<OutputFile>,
    common: &Common,
    console: Console,
) -> Result<(), Failure> {
    let kind = match &args.out {
        None => None,
        Some(DistanceOutput::Volume(kind)) => Some(kind),
        Some(other) => {
            let path = other.path().display();
            return Err(Failure::Usage(format!("{path}: a list of cells needs --band (allowed without: .npy, .vti)")));
        }
    };
    let png = args.png.as_ref().map(|path| OutputFile::picture(path)).transpose()?;
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    require_memory(args)?;
    let grid = args.grid.around(&args.mesh, mesh.bounds())?;
    let engine = Engine::open(common, console)?;
    let report = phases.time("report", || mesh.report());
    let (sign, sign_reason) = sign_for(args.sign, &args.mesh, &report, console)?;
    let job = Job { path: &args.mesh, mesh: &mesh, grid: &grid, sign, squared: args.squared };
    let values: Vec<R> = signed_grid(&engine, &job, console, &mut phases)?;
    let counts = phases.time("count", || Counts::of(&values, grid.half_diagonal(), args.squared));
    let volume = Volume {
        cells: grid.counts.map(|n| n as usize),
        first: grid.centre([0; 3]),
        spacing: grid.cell,
        values: R::values(values),
    };
    if let (Some(kind), Some(file)) = (kind, out) {
        phases.time("write", || write_volume(kind, &volume, &file))?;
    }
    if let Some(file) = png {
        phases.time("picture", || picture(args, sign, &volume, &file))?;
    }
    let fields = json!({
        "triangles": mesh.triangles.len(),
        "cells": counts.cells,
        "inside": counts.inside,
        "outside": counts.outside,
        "cut": counts.cut,
        "inside_by_sign": counts.inside_by_sign,
        "min": Into::<serde_json::Value>::into(counts.min),
        "max": Into::<serde_json::Value>::into(counts.max),
        "sign": sign.name(),
        "sign_reason": sign_reason,
        "squared": args.squared,
        "precision": R::NAME,
        "grid": {"cells": grid.counts, "low": grid.lo, "cell": grid.cell},
        "report": report_json(&report)?,
    });
    let summary = summary(args, &grid, sign, &counts, &engine, &phases);
    console.answer(object("sdf", engine.describe(), phases, fields), &summary)
}

fn write_volume(kind: &OutputKind, volume: &Volume, file: &OutputFile) -> Result<(), Failure> {
    match kind {
        OutputKind::Npy(_) => file.write(|out| npy::write(volume, out)),
        OutputKind::Vti(_) => file.write(|out| vti::write(volume, out)),
    }
}

/// An error unless a value for each cell fits into memory.
fn require_memory(args: &SdfArgs) -> Result<(), Failure> {
    args.grid.require(match args.precision {
        Precision::F32 => size_of::<f32>(),
        Precision::F64 => size_of::<f64>(),
    })
}

/// What the values say about the cells.
#[derive(Debug, PartialEq)]
struct Counts<R> {
    cells: u64,
    /// Negative and not cut.
    inside: u64,
    /// Not negative and not cut.
    outside: u64,
    /// Within half a cell diagonal of the surface.
    cut: u64,
    /// Negative.
    inside_by_sign: u64,
    min: R,
    max: R,
}

impl<R: Number> Counts<R> {
    fn of(values: &[R], half_diagonal: f64, squared: bool) -> Self {
        let infinity = R::from_f64(f64::INFINITY);
        let mut counts = Self {
            cells: values.len() as u64,
            inside: 0,
            outside: 0,
            cut: 0,
            inside_by_sign: 0,
            min: infinity,
            max: -infinity,
        };
        for &value in values {
            let size = if squared { value.to_f64().abs().sqrt() } else { value.to_f64().abs() };
            let negative = value < R::ZERO;
            counts.inside_by_sign += u64::from(negative);
            if size <= half_diagonal {
                counts.cut += 1;
            } else if negative {
                counts.inside += 1;
            } else {
                counts.outside += 1;
            }
            counts.min = if value < counts.min { value } else { counts.min };
            counts.max = if value > counts.max { value } else { counts.max };
        }
        counts
    }
}

fn picture(args: &SdfArgs, sign: Sign, volume: &Volume, file: &OutputFile) -> Result<(), Failure> {
    let [nx, ny, nz] = volume.cells;
    let title = format!("{}, {nx} \u{d7} {ny} \u{d7} {nz} cells", file_name(&args.mesh));
    let subtitle = match sign {
        Sign::None => "unsigned, ".to_owned(),
        _ => format!("sign {}, negative inside, ", sign.name()),
    };
    let figure = SliceFigure {
        volume,
        axis: args.slice.axis,
        fraction: args.slice.fraction,
        title: &title,
        subtitle: &subtitle,
        quantity: if args.squared { "squared distance" } else { "distance" },
        unit: "mesh units",
    };
    let canvas = figure.draw()?;
    file.write(|out| canvas.write_png(out))
}

fn summary<R: Number>(
    args: &SdfArgs,
    grid: &Grid,
    sign: Sign,
    counts: &Counts<R>,
    engine: &Engine,
    phases: &Phases,
) -> String {
    let [nx, ny, nz] = grid.counts;
    let seconds = phases.get("query");
    let rate = if seconds > 0.0 { counts.cells as f64 / seconds / 1e6 } else { 0.0 };
    let mut text = format!(
        "{}: {nx} x {ny} x {nz} cells, sign {}\n  inside {}, outside {}, cut {}; {} {} to {}\n  \
         on {}: build {:.3} s, query {seconds:.3} s ({rate:.2} million cells a second)",
        args.mesh.display(),
        sign.name(),
        grouped(counts.inside),
        grouped(counts.outside),
        grouped(counts.cut),
        match (args.squared, args.precision) {
            (false, Precision::F32) => "distances",
            (true, Precision::F32) => "squared distances",
            (false, Precision::F64) => "distances in f64",
            (true, Precision::F64) => "squared distances in f64",
        },
        counts.min,
        counts.max,
        engine.label(),
        phases.get("build"),
    );
    for path in args.out.iter().map(DistanceOutput::path).chain(args.png.as_deref()) {
        text.push_str(&format!("\n  wrote {}", path.display()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_once_and_squares_as_distances() {
        let values = [-2.0f32, -1.0, -0.5, 0.0, 1.0, 1.5, -0.0];
        let counts = Counts::of(&values, 1.0, false);
        assert_eq!((counts.inside, counts.outside, counts.cut, counts.inside_by_sign), (1, 1, 5, 3));
        assert_eq!((counts.cells, counts.min, counts.max), (7, -2.0, 1.5));
        let squares = values.map(|v| v * v.abs());
        let squared = Counts::of(&squares, 1.0, true);
        assert_eq!((squared.inside, squared.outside, squared.cut), (1, 1, 5));
    }
}
