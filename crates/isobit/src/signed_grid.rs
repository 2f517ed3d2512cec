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

/// Distances at the cell centres, x fastest: the same words whatever the engine. Books the phases `build`, `upload` (on a
/// device) and `query`.
pub(crate) fn signed_grid(
    engine: &Engine,
    job: &Job<'_>,
    console: Console,
    phases: &mut Phases,
) -> Result<Vec<f32>, Failure> {
    let spinner = console.spinner("building the tree");
    let surface = phases.time("build", || Surface::build(job.mesh)).map_err(|e| Failure::of_mesh(job.path, e))?;
    spinner.finish_and_clear();
    // An interrupt ends the program by itself; progress never stops the work.
    let bar = console.bar("distances", job.grid.counts.iter().map(|&n| u64::from(n)).product());
    let progress = |done: usize, _: usize| {
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    };
    let (grid, sign) = (job.grid, job.sign.into());
    let values = match engine {
        Engine::Cpu => phases.time("query", || surface.grid_distance_cpu(grid, sign, job.squared, &progress)),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => {
            let uploaded = phases.time("upload", || mesh_distance::DeviceSurface::upload(context, &surface));
            uploaded.and_then(|s| phases.time("query", || s.grid_distance(grid, sign, job.squared, &progress)))
        }
    };
    bar.finish_and_clear();
    values.map_err(|e| Failure::of_mesh(job.path, e))
}
