//! The seam between the program and the engines: one grid of distances from one mesh, on whatever computes.

use std::path::Path;

use mesh_distance::{Grid, Mesh, Precision, Surface};

use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::Sign;
use crate::volume::Values;

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

/// The numbers of a program's distances.
pub(crate) trait Number: Precision + Into<serde_json::Value> + std::fmt::Display {
    /// The surface that answers in these numbers.
    fn surface(mesh: &Mesh) -> Result<Surface<Self>, mesh_distance::Error>;

    /// Numbers of a volume.
    fn values(numbers: Vec<Self>) -> Values;
}

impl Number for f32 {
    fn surface(mesh: &Mesh) -> Result<Surface, mesh_distance::Error> {
        Surface::build(mesh)
    }

    fn values(numbers: Vec<f32>) -> Values {
        Values::F32(numbers)
    }
}

impl Number for f64 {
    fn surface(mesh: &Mesh) -> Result<Surface<f64>, mesh_distance::Error> {
        Surface::build_double(mesh)
    }

    fn values(numbers: Vec<f64>) -> Values {
        Values::F64(numbers)
    }
}

/// Numbers in files of points.
pub(crate) trait Column: Number {
    /// The type in PLY and in VTK.
    const NAMES: (&'static str, &'static str);
}

impl Column for f32 {
    const NAMES: (&'static str, &'static str) = ("float", "Float32");
}

impl Column for f64 {
    const NAMES: (&'static str, &'static str) = ("double", "Float64");
}

/// Distances at the cell centres, x fastest: the same words whatever the engine. Books the phases `build`, `upload` (on a
/// device) and `query`.
pub(crate) fn signed_grid<R: Number>(
    engine: &Engine,
    job: &Job<'_>,
    console: Console,
    phases: &mut Phases,
) -> Result<Vec<R>, Failure> {
    let build = || phases.time("build", || R::surface(job.mesh)).map_err(|e| Failure::of_mesh(job.path, e));
    let surface = console.wait("building the tree", build)?;
    let (grid, sign) = (job.grid, job.sign.into());
    let values = console.watch("distances", |progress| match engine {
        Engine::Cpu => phases.time("query", || surface.grid_distance_cpu(grid, sign, job.squared, progress)),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => {
            let uploaded = phases.time("upload", || mesh_distance::DeviceSurface::upload(context, &surface));
            uploaded.and_then(|s| phases.time("query", || s.grid_distance(grid, sign, job.squared, progress)))
        }
    });
    values.map_err(|e| Failure::of_mesh(job.path, e))
}
