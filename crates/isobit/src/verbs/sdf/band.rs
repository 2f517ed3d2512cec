//! `sdf --band`: only the cells near the surface, as a list, voxels, or a volume with a fill value.

use std::path::PathBuf;

use isobit::pipeline::BandGrid;
use mesh_distance::{Band, Grid, Mesh};
use serde_json::json;
use sparse_topology::nvdb;

use super::{Counts, picture, require_memory, sign_for, write_volume};
use crate::cli::{Common, SdfArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{DistanceOutput, OutputKind, Sign};
use crate::output::OutputFile;
use crate::signed_grid::Column;
use crate::table::write_header;
use crate::verbs::report::report_json;
use crate::verbs::{file_name, grouped, object, pipeline, read_mesh};
use crate::vertex_values::write_number;
use crate::volume::Volume;

/// Finds the band and writes what was asked for.
pub(super) fn run<R: Column>(
    args: &SdfArgs,
    width: f64,
    out: Option<OutputFile>,
    common: &Common,
    console: Console,
) -> Result<(), Failure> {
    let place = Place::check(args)?;
    let png = args.png.as_ref().map(|path| OutputFile::picture(path)).transpose()?;
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    if png.is_some() || matches!(place, Place::Volume(_)) {
        require_memory(args)?;
    }
    let grid = args.grid.around(&args.mesh, mesh.bounds())?;
    let engine = Engine::open(common, console)?;
    let report = phases.time("report", || mesh.report());
    let (sign, sign_reason) = sign_for(args.sign, &args.mesh, &report, console)?;
    let job = Job { args, mesh: &mesh, grid: &grid, width, sign };
    let band: Band<R> = job.band(&engine, console, &mut phases)?;
    if let Some(file) = out {
        phases.time("write", || job.write(&place, &band, &file))?;
    }
    if let Some(file) = png {
        phases.time("picture", || picture(args, sign, &job.volume(&band), &file))?;
    }
    let counts = Counts::of(&band.distance, grid.half_diagonal(), false);
    let extreme = |value: R| (!band.cells.is_empty()).then(|| Into::<serde_json::Value>::into(value));
    let cells: u64 = grid.counts.iter().map(|&n| u64::from(n)).product();
    let fields = json!({
        "triangles": mesh.triangles.len(),
        "cells": cells,
        "band": width,
        "band_cells": counts.cells,
        "inside": counts.inside,
        "outside": counts.outside,
        "cut": counts.cut,
        "inside_by_sign": counts.inside_by_sign,
        "min": extreme(counts.min),
        "max": extreme(counts.max),
        "sign": sign.name(),
        "sign_reason": sign_reason,
        "precision": R::NAME,
        "grid": {"cells": grid.counts, "low": grid.lo, "cell": grid.cell},
        "report": report_json(&report)?,
    });
    let mut summary = job.summary(&counts, cells, &engine, &phases);
    let rows = if let Place::Voxels(rows) = &place { Some(rows.path.as_path()) } else { None };
    for path in args.out.iter().map(DistanceOutput::path).chain(rows).chain(args.png.as_deref()) {
        summary.push_str(&format!("\n  wrote {}", path.display()));
    }
    console.answer(object("sdf", engine.describe(), phases, fields), &summary)
}

/// Distances beside a file of voxels.
struct Rows {
    path: PathBuf,
    file: OutputFile,
}

/// What is written.
enum Place<'a> {
    /// A value a cell of the grid.
    Volume(&'a OutputKind),
    /// .npy of n x 4.
    List,
    /// Lines.
    Csv,
    /// .nvdb, and the distances beside it.
    Voxels(Rows),
    /// No file, or only a picture.
    Nothing,
}

impl Place<'_> {
    /// Checked before any work.
    fn check(args: &SdfArgs) -> Result<Place<'_>, Failure> {
        let wrong = |path: &std::path::Path, allowed: &str| {
            Failure::Usage(format!("{}: --sparse writes a list of cells (allowed: {allowed})", path.display()))
        };
        match &args.out {
            None => Ok(Place::Nothing),
            Some(DistanceOutput::Csv(_)) => Ok(Place::Csv),
            Some(DistanceOutput::Nvdb(path)) => {
                let path = path.with_extension("npy");
                let file = OutputFile::check(&path)?;
                Ok(Place::Voxels(Rows { path, file }))
            }
            Some(DistanceOutput::Volume(OutputKind::Npy(_))) if args.sparse => Ok(Place::List),
            Some(DistanceOutput::Volume(kind)) if args.sparse => Err(wrong(kind.path(), ".npy, .csv, .nvdb")),
            Some(DistanceOutput::Volume(kind)) => Ok(Place::Volume(kind)),
        }
    }
}

/// What is asked of the mesh.
struct Job<'a> {
    args: &'a SdfArgs,
    mesh: &'a Mesh,
    grid: &'a Grid,
    width: f64,
    sign: Sign,
}

impl Job<'_> {
    fn band<R: Column>(&self, engine: &Engine, console: Console, phases: &mut Phases) -> Result<Band<R>, Failure> {
        let failed = |e| Failure::of_mesh(&self.args.mesh, e);
        let build = || phases.time("build", || R::surface(self.mesh)).map_err(failed);
        let surface = console.wait("building the tree", build)?;
        let (grid, width, sign) = (self.grid, self.width, self.sign.into());
        let band = console.watch("band", |progress| match engine {
            Engine::Cpu => phases.time("query", || surface.band_cpu(grid, width, sign, progress)),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => {
                let uploaded = phases.time("upload", || mesh_distance::DeviceSurface::upload(context, &surface));
                uploaded.and_then(|device| phases.time("query", || device.band(grid, width, sign, progress)))
            }
        });
        band.map_err(failed)
    }

    fn write<R: Column>(&self, place: &Place<'_>, band: &Band<R>, file: &OutputFile) -> Result<(), Failure> {
        match place {
            Place::Nothing => Ok(()),
            Place::Volume(kind) => write_volume(kind, &self.volume(band), file),
            Place::Csv => file.write(|out| {
                writeln!(out, "i,j,k,distance")?;
                let mut lines = band.cells.iter().zip(&band.distance);
                lines.try_for_each(|(&cell, d)| {
                    let [i, j, k] = self.cell(cell);
                    writeln!(out, "{i},{j},{k},{d:?}")
                })
            }),
            Place::List => file.write(|out| {
                write_header("'<f8'", &[band.cells.len() as u64, 4], out)?;
                let mut rows = band.cells.iter().zip(&band.distance);
                rows.try_for_each(|(&cell, &d)| {
                    let [i, j, k] = self.cell(cell).map(f64::from);
                    out.write_all([i, j, k, d.to_f64()].map(f64::to_le_bytes).as_flattened())
                })
            }),
            Place::Voxels(rows) => self.voxels(band, file, &rows.file),
        }
    }

    fn voxels<R: Column>(&self, band: &Band<R>, file: &OutputFile, rows: &OutputFile) -> Result<(), Failure> {
        let voxels = BandGrid::of(self.grid, band).map_err(|e| pipeline::failed(&self.args.mesh, e))?;
        // The format's longest name has 255 bytes.
        let title: String = file_name(&self.args.mesh).chars().take(50).collect();
        let bytes = nvdb::write(&voxels.grid, &[&title], &nvdb::WriteOptions::default());
        let bytes = bytes.map_err(|e| Failure::of_topology(&self.args.mesh, e))?;
        rows.write(|out| {
            write_header(if R::WORDS == 1 { "'<f4'" } else { "'<f8'" }, &[voxels.distance.len() as u64], out)?;
            voxels.distance.iter().try_for_each(|d| write_number(*d, out))
        })?;
        file.write(|out| out.write_all(&bytes))
    }

    fn summary<R>(&self, counts: &Counts<R>, cells: u64, engine: &Engine, phases: &Phases) -> String {
        format!(
            "{}: {} of {} cells within {}, sign {}\n  {} of them inside by the sign\n  on {}: build {:.3} s, query {:.3} s",
            self.args.mesh.display(),
            grouped(counts.cells),
            grouped(cells),
            input_text::number(self.width),
            self.sign.name(),
            grouped(counts.inside_by_sign),
            engine.label(),
            phases.get("build"),
            phases.get("query"),
        )
    }

    /// Index (i, j, k) of a cell.
    fn cell(&self, cell: u32) -> [u32; 3] {
        let [nx, ny, _] = self.grid.counts;
        [cell % nx, cell / nx % ny, cell / nx / ny]
    }

    /// The whole grid, filled outside of the band.
    fn volume<R: Column>(&self, band: &Band<R>) -> Volume {
        let cells = self.grid.counts.map(|n| n as usize);
        let mut values = vec![R::from_f64(f64::from(self.args.fill)); cells.iter().product()];
        band.cells.iter().zip(&band.distance).for_each(|(&cell, &d)| values[cell as usize] = d);
        Volume { cells, first: self.grid.centre([0; 3]), spacing: self.grid.cell, values: R::values(values) }
    }
}
