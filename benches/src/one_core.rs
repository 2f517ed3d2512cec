//! mesh-distance: one call to a device, points in and distances out, beside one core of the host, and how far apart their answers are.
//!
//! The table that FOSSIL's page has of itself: listed points at the centres of a grid, uploaded surface, no warm-up call of the same size.

use std::time::Instant;

use conformance::adapters::has_f64;
use conformance::error::Error;
use gpu_runtime::Context;
use mesh_distance::{DeviceSurface, Grid, Mesh, Precision, Sign, Surface};
use serde::Serialize;

use crate::distance::Plan;
use crate::table::{markdown, median};

/// Queries of one grid.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Mesh.
    pub mesh: String,
    /// Cells along each axis.
    pub n: u32,
    /// `f32` or `f64`.
    pub precision: &'static str,
    /// The sign.
    pub sign: String,
    /// Milliseconds of the CPU reference on one thread.
    pub cpu: f64,
    /// Milliseconds of the call: points up, distances back, median.
    pub device: f64,
    /// Largest |device - CPU|.
    pub largest_difference: f64,
    /// Distances whose words differ.
    pub different: usize,
}

/// Measures every mesh and size of the plan.
///
/// # Errors
/// Of the device and the files.
pub fn run(context: &Context, plan: &Plan<'_>) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (name, mesh) in plan.meshes()? {
        eprintln!("{name} ..");
        let signs = [Sign::PseudoNormal, Sign::Winding];
        rows.extend(of_surface(context, (name, &mesh), &Surface::build(&mesh)?, &signs, plan)?);
        if has_f64(context) {
            rows.extend(of_surface(context, (name, &mesh), &Surface::build_double(&mesh)?, &signs[..1], plan)?);
        }
    }
    Ok(rows)
}

fn of_surface<R: Precision>(
    context: &Context,
    (name, mesh): (&str, &Mesh),
    surface: &Surface<R>,
    signs: &[Sign],
    plan: &Plan<'_>,
) -> Result<Vec<Row>, Error> {
    let device = DeviceSurface::upload(context, surface)?;
    let Some(bounds) = mesh.bounds() else { return Ok(Vec::new()) };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let mut rows = Vec::new();
    for &n in plan.sizes {
        let grid = Grid::around(&bounds, [n; 3], 0.25)?;
        let cells = 0..n * n * n;
        let points: Vec<[f64; 3]> = cells.map(|i| grid.centre([i % n, i / n % n, i / n / n])).collect();
        for &sign in signs {
            let started = Instant::now();
            let ask = || surface.distance_cpu(&points, sign, false);
            let expected = one.as_ref().map_or_else(|_| ask(), |pool| pool.install(ask))?;
            let cpu = started.elapsed().as_secs_f64() * 1e3;
            // Compiles the kernels.
            device.distance(&points[..1], sign, false)?;
            let mut found = Vec::new();
            let times = (0..plan.repeats).try_fold(Vec::new(), |mut times, _| -> Result<Vec<f64>, Error> {
                let started = Instant::now();
                found = device.distance(&points, sign, false)?;
                times.push(started.elapsed().as_secs_f64() * 1e3);
                Ok(times)
            })?;
            let pairs = || found.iter().zip(&expected);
            let largest_difference = pairs().fold(0.0f64, |m, (a, b)| m.max((a.to_f64() - b.to_f64()).abs()));
            let different = pairs().filter(|(a, b)| a.words() != b.words()).count();
            let (mesh, sign, device) = (name.to_owned(), format!("{sign:?}"), median(times));
            rows.push(Row { mesh, n, precision: R::NAME, sign, cpu, device, largest_difference, different });
        }
    }
    Ok(rows)
}

/// The rows as a table of Markdown.
pub fn table(rows: &[Row]) -> String {
    let cells = |r: &Row| {
        vec![
            r.mesh.clone(),
            format!("{}^3", r.n),
            r.precision.to_owned(),
            r.sign.clone(),
            format!("{:.1}", r.cpu),
            format!("{:.3}", r.device),
            format!("{:.1}x", r.cpu / r.device),
            r.largest_difference.to_string(),
            r.different.to_string(),
        ]
    };
    let head = [
        "mesh",
        "points",
        "precision",
        "sign",
        "one core, ms",
        "device, ms",
        "faster",
        "max |device - CPU|",
        "words that differ",
    ];
    format!(
        "## One call beside one core\n\n{}\ndevice: listed points go up and distances come back; the surface is there, the kernels are compiled. \
         one core: the CPU reference on one thread.\n",
        markdown(&head, &rows.iter().map(cells).collect::<Vec<_>>()),
    )
}
