//! mesh-distance: distances on grids with the robust signs, and what the steps of the winding sign leave to the next.

use std::ops::ControlFlow;
use std::time::Instant;

use conformance::adapters::has_f64;
use conformance::error::Error;
use gpu_runtime::{Context, Timestamps};
use mesh_distance::{Bounds, DeviceSurface, Grid, Precision, Sign, Surface};
use serde::Serialize;

use crate::anchors::Anchors;
use crate::clock::Clock;
use crate::distance::{Plan, WARM_UP};
use crate::table::{markdown, median};

/// Largest grid whose every word is compared with the CPU's.
const CHECKED: u32 = 128;

/// A grid with one sign.
#[derive(Debug, Clone, Serialize)]
pub struct SignRow {
    /// Mesh.
    pub mesh: String,
    /// Cells along each axis.
    pub n: u32,
    /// The sign.
    pub sign: String,
    /// Milliseconds by the device's clock, or of the whole call where it has none.
    pub milliseconds: f64,
    /// Milliseconds of each kernel, timed apart: the distance's levels, then the sign's passes.
    pub kernels: Vec<(String, f64)>,
    /// Million queries a second.
    pub rate: f64,
    /// `rate` over Warp's `sign_winding` on an H200.
    pub to_warp: Option<f64>,
    /// Words that differ from the CPU's, where they were compared.
    pub different: Option<usize>,
    /// Arithmetic rate just before, relative to the best seen.
    pub clock: Option<f64>,
}

/// Measures the grids of the plan with every robust sign, in f32, and in f64 where the device has it.
///
/// # Errors
/// Of the device and the files.
pub fn run(context: &Context, plan: &Plan<'_>, anchors: &Anchors) -> Result<Vec<SignRow>, Error> {
    let mut clock = Clock::new(context)?;
    let mut rows = Vec::new();
    for (name, mesh) in plan.meshes()? {
        let Some(bounds) = mesh.bounds() else { continue };
        let asked = (name, bounds, anchors);
        of_surface(context, &Surface::build(&mesh)?, plan, asked, &mut clock, &mut rows)?;
        if has_f64(context) {
            of_surface(context, &Surface::build_double(&mesh)?, plan, asked, &mut clock, &mut rows)?;
        }
    }
    Ok(rows)
}

/// The rows of one surface.
fn of_surface<R: Precision>(
    context: &Context,
    surface: &Surface<R>,
    plan: &Plan<'_>,
    (name, bounds, anchors): (&str, Bounds, &Anchors),
    clock: &mut Clock,
    rows: &mut Vec<SignRow>,
) -> Result<(), Error> {
    let device = DeviceSurface::upload(context, surface)?;
    let started = Instant::now();
    let tiny = Grid::around(&bounds, [4; 3], 0.25)?;
    device.grid_query(&tiny, Sign::Winding, false)?.run(Timestamps::None)?;
    let seconds = started.elapsed().as_secs_f64();
    eprintln!("{name}, {}: moments and kernels of the winding sign in {seconds:.3} s", R::NAME);
    for &n in plan.sizes {
        let grid = Grid::around(&bounds, [n; 3], 0.25)?;
        for sign in [Sign::PseudoNormal, Sign::Winding, Sign::Rays] {
            let mut row = measure(&device, &grid, sign, clock, plan.repeats)?;
            (row.mesh, row.n) = (name.into(), n);
            row.rate = f64::from(n).powi(3) / row.milliseconds / 1e3;
            match R::WORDS {
                1 => row.to_warp = anchors.distance(name, n).and_then(|a| a.warp_sign_winding).map(|w| row.rate / w),
                _ => row.sign += ", f64",
            }
            if n <= CHECKED {
                row.different = Some(differences(&device, surface, &grid, sign)?);
            }
            rows.push(row);
        }
    }
    Ok(())
}

fn measure<R: Precision>(
    device: &DeviceSurface<R>,
    grid: &Grid,
    sign: Sign,
    clock: &mut Clock,
    repeats: usize,
) -> Result<SignRow, Error> {
    let query = device.grid_query(grid, sign, false)?;
    query.run(Timestamps::None)?;
    let up = clock.warm_up(WARM_UP)?;
    let (mut whole, mut call) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let started = Instant::now();
        let timings = query.run(Timestamps::Whole)?;
        call.push(started.elapsed().as_secs_f64() * 1e3);
        whole.extend(timings.first().map(|(_, seconds)| seconds * 1e3));
    }
    let kernels = query.run(Timestamps::EachDispatch)?.into_iter().map(|(name, s)| (name, s * 1e3)).collect();
    let milliseconds = median(if whole.is_empty() { call } else { whole });
    let (mesh, n, rate) = (String::new(), 0, 0.0);
    let sign = format!("{sign:?}");
    Ok(SignRow { mesh, n, sign, milliseconds, kernels, rate, to_warp: None, different: None, clock: up })
}

fn differences<R: Precision>(
    device: &DeviceSurface<R>,
    surface: &Surface<R>,
    grid: &Grid,
    sign: Sign,
) -> Result<usize, Error> {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let expected = surface.grid_distance_cpu(grid, sign, false, &go_on)?;
    let got = device.grid_distance(grid, sign, false, &go_on)?;
    Ok(got.iter().zip(&expected).filter(|(g, e)| g.words() != e.words()).count())
}

/// The rows as a table of Markdown.
pub fn table(rows: &[SignRow], anchors: &Anchors) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let head = ["mesh", "N", "sign", "ms", "kernels, ms", "Mq/s", "to Warp", "words that differ", "clock"];
    format!(
        "## Robust signs on N x N x N grids\n\n{}\nms: the device's clock round the distance and its sign, surface resident, result left on the device, median. \
         kernels: each timed apart. to Warp: over its sign_winding; {}\n",
        markdown(&head, &cells),
        anchors.about
    )
}

fn cells(r: &SignRow) -> Vec<String> {
    let kernels: Vec<String> = r.kernels.iter().map(|(_, ms)| format!("{ms:.3}")).collect();
    let or_dash = |x: Option<String>| x.unwrap_or_else(|| "-".to_owned());
    vec![
        r.mesh.clone(),
        r.n.to_string(),
        r.sign.clone(),
        format!("{:.3}", r.milliseconds),
        kernels.join(" + "),
        format!("{:.1}", r.rate),
        or_dash(r.to_warp.map(|x| format!("{x:.1}x"))),
        or_dash(r.different.map(|n| n.to_string())),
        or_dash(r.clock.map(|x| format!("{x:.2}"))),
    ]
}
