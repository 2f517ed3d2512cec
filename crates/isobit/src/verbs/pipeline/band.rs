//! `pipeline band`: a mesh to the voxels of its narrow band.

use std::path::Path;

use isobit::pipeline::{self, BandGrid};
use mesh_distance::{Grid, Mesh, Surface};
use serde_json::json;
use sparse_topology::GridBatch;

use super::args::BandArgs;
use super::failed;
use super::source::Source;
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::table::write_header;
use crate::verbs::topology::describe;
use crate::verbs::{counted, file_name, grouped, object};

/// Builds the band and writes it.
pub(super) fn run(args: &BandArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let place = args.grids.place()?;
    let rows = args.grids.out.with_extension("npy");
    let rows_place = OutputFile::check(&rows)?;
    let engine = Engine::open(common, console)?;
    let mut phases = Phases::default();
    let source = Source::read(args, &engine, &mut phases, console)?;
    let triangles = source.triangles();
    let grid = args.grid.around(&args.mesh, source.bounds())?;
    let width = args.band.unwrap_or_else(|| 3.0 * grid.half_diagonal());
    let (sign, sign_reason) = source.sign(args, console)?;
    let job = Job { args, grid: &grid, width, sign: sign.into() };
    let (band, second) = job.run(source, &engine, console, &mut phases)?;
    phases.time("write", || {
        rows_place.write(|out| {
            write_header("'<f4'", &[band.distance.len() as u64], out)?;
            band.distance.iter().try_for_each(|d| out.write_all(&d.to_le_bytes()))
        })
    })?;
    let title = file_name(&args.mesh);
    let grids = args.grids.write(&place, &title, &band.grid, second.as_ref(), &mut phases)?;
    let mut summary = format!(
        "{}: {} of {} cells within {} of {}, sign {}\n  {}",
        args.mesh.display(),
        grouped(band.grid.voxels()),
        grouped(grid.counts.iter().map(|&n| u64::from(n)).product()),
        input_text::number(width),
        counted(triangles as u64, "triangle", "triangles"),
        sign.name(),
        describe::summary(&grids),
    );
    let seconds = phases.get("band") + phases.get("second");
    summary += &format!("\n  on {}: build {:.3} s, voxels {seconds:.3} s", engine.label(), phases.get("build"));
    summary +=
        &format!("\n  wrote {}\n  wrote {} (distances of the first grid)", args.grids.out.display(), rows.display());
    let fields = json!({
        "operation": "band",
        "triangles": triangles,
        "band": width,
        "sign": sign.name(),
        "sign_reason": sign_reason,
        "grid": {"cells": grid.counts, "low": grid.lo, "cell": grid.cell},
        "rows": rows.display().to_string(),
        "topology": grids,
    });
    console.answer(object("pipeline", engine.describe(), phases, fields), &summary)
}

/// A surface that can be asked.
enum Built {
    Host(Box<Surface>),
    #[cfg(feature = "gpu")]
    Device(Box<mesh_distance::DeviceSurface>),
}

/// What is asked of the mesh.
struct Job<'a> {
    args: &'a BandArgs,
    grid: &'a Grid,
    width: f64,
    sign: mesh_distance::Sign,
}

impl Job<'_> {
    fn path(&self) -> &Path {
        &self.args.mesh
    }

    /// The band, and the second grid where one is asked for.
    fn run(
        &self,
        source: Source,
        engine: &Engine,
        console: Console,
        phases: &mut Phases,
    ) -> Result<(BandGrid, Option<GridBatch>), Failure> {
        let surface = console.wait("building the tree", || self.build(source, engine, phases))?;
        let made = console.watch("band", |progress| match &surface {
            Built::Host(surface) => self.on_host(surface, progress, phases),
            #[cfg(feature = "gpu")]
            Built::Device(surface) => self.on_device(surface, progress, phases),
        });
        made.map_err(|e| failed(self.path(), e))
    }

    /// The surface where it will be asked.
    fn build(&self, source: Source, engine: &Engine, phases: &mut Phases) -> Result<Built, Failure> {
        match source {
            Source::Host(mesh) => self.build_of(&mesh, engine, phases),
            #[cfg(feature = "gpu")]
            Source::Device(surface, _) => Ok(Built::Device(surface)),
        }
    }

    fn build_of(&self, mesh: &Mesh, engine: &Engine, phases: &mut Phases) -> Result<Built, Failure> {
        let surface = phases.time("build", || Surface::build(mesh)).map_err(|e| Failure::of_mesh(self.path(), e))?;
        match engine {
            Engine::Cpu => Ok(Built::Host(Box::new(surface))),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => {
                let uploaded = phases.time("upload", || mesh_distance::DeviceSurface::upload(context, &surface));
                Ok(Built::Device(Box::new(uploaded.map_err(|e| Failure::of_mesh(self.path(), e))?)))
            }
        }
    }

    fn on_host(
        &self,
        surface: &Surface,
        progress: &mesh_distance::Progress<'_>,
        phases: &mut Phases,
    ) -> Result<(BandGrid, Option<GridBatch>), pipeline::Error> {
        let band =
            phases.time("band", || pipeline::band_grid_cpu(surface, self.grid, self.width, self.sign, progress))?;
        let second = phases.time("second", || super::second(self.args.grids.morphology(), &band.grid))?;
        Ok((band, second))
    }

    #[cfg(feature = "gpu")]
    fn on_device(
        &self,
        surface: &mesh_distance::DeviceSurface,
        progress: &mesh_distance::Progress<'_>,
        phases: &mut Phases,
    ) -> Result<(BandGrid, Option<GridBatch>), pipeline::Error> {
        let topology = sparse_topology::device::TopologyDevice::new(surface.context(), &Default::default());
        let band = phases
            .time("band", || pipeline::band_grid(surface, &topology, self.grid, self.width, self.sign, progress))?;
        let second = phases.time("second", || super::second_on(self.args.grids.morphology(), &band.grid))?;
        Ok((phases.time("read back", || band.download())?, second))
    }
}
