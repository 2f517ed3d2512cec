//! The seam between the program and the engines: one grid of distances from one mesh, on whatever computes.

use std::ops::ControlFlow;
use std::path::Path;

use mesh_distance::{Grid, Mesh, Surface};

use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::Sign;

/// What is asked.
pub(crate) struct Job<'a> {
    /// The mesh's file, for messages.
    pub(crate) path: &'a Path,
    /// The mesh.
    pub(crate) mesh: &'a Mesh,
    /// Where.
    pub(crate) grid: &'a Grid,
    /// How inside is decided.
    pub(crate) sign: Sign,
    /// Squares instead of distances.
    pub(crate) squared: bool,
}

/// Distances at the cell centres, x fastest; books the phases `build`, `upload` (devices only) and `query`.
pub(crate) fn signed_grid(
    engine: &Engine,
    job: &Job<'_>,
    console: Console,
    phases: &mut Phases,
) -> Result<Vec<f32>, Failure> {
    let spinner = console.spinner("building the tree");
    let surface = phases.time("build", || Surface::build(job.mesh)).map_err(|e| Failure::of_mesh(job.path, e))?;
    spinner.finish_and_clear();
    match engine {
        Engine::Cpu => on_cpu(&surface, job, console, phases),
        #[cfg(feature = "gpu")]
        Engine::Gpu(_) => Err(Failure::Device(format!(
            "{}: distances on a device are not available in this version (allowed: --device cpu)",
            engine.label()
        ))),
    }
}

fn on_cpu(surface: &Surface, job: &Job<'_>, console: Console, phases: &mut Phases) -> Result<Vec<f32>, Failure> {
    let bar = console.bar("distances", job.grid.counts.iter().map(|&n| u64::from(n)).product());
    // An interrupt ends the program by itself; progress never stops the work.
    let progress = |done: usize, _: usize| {
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    };
    let ask = || surface.grid_distance_cpu(job.grid, job.sign.into(), job.squared, &progress);
    let values = phases.time("query", ask).map_err(|e| Failure::of_mesh(job.path, e));
    bar.finish_and_clear();
    values
}
