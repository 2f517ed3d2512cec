//! mesh-distance: listed points in no order, rays, marks and bands.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use conformance::error::Error;
use gpu_runtime::{Context, Timestamps};
use mesh_distance::mark::Cut;
use mesh_distance::ray::Ray;
use mesh_distance::{Bounds, DeviceSurface, Grid, MaxDistance, Outputs, Question, Sign, Surface};
use serde::Serialize;

use crate::clock::Clock;
use crate::distance::Plan;
use crate::table::{markdown, median};

/// Points and rays of a row.
const COUNT: usize = 1_000_000;
/// Time of arithmetic before each row, so that the clock is up.
const WARM_UP: Duration = Duration::from_millis(60);

/// One kind of question.
#[derive(Debug, Clone, Serialize)]
pub struct QueryRow {
    /// Mesh.
    pub mesh: String,
    /// What is asked.
    pub what: String,
    /// Queries.
    pub queries: u64,
    /// Milliseconds by the device's clock, result left on the device; none where the call is timed by the host alone.
    pub device_milliseconds: Option<f64>,
    /// Milliseconds of the whole call with all transfers.
    pub call_milliseconds: f64,
    /// Million queries a second: by the device's clock where there is one.
    pub rate: f64,
    /// Arithmetic rate before the row, relative to the best seen.
    pub clock: Option<f64>,
}

/// Repeatable numbers in [0, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Points in the box grown by a quarter of its size on every side, in no order.
fn points(bounds: &Bounds, count: usize) -> Vec<[f64; 3]> {
    let mut state = 1;
    let mut one =
        || std::array::from_fn(|k| bounds.lo[k] + (1.5 * random(&mut state) - 0.25) * (bounds.hi[k] - bounds.lo[k]));
    std::iter::repeat_with(&mut one).take(count).collect()
}

/// Measures all kinds on all meshes.
///
/// # Errors
/// Device errors and unreadable meshes.
pub fn run(context: &Context, plan: &Plan<'_>) -> Result<Vec<QueryRow>, Error> {
    let mut rows = Vec::new();
    let mut clock = Clock::new(context)?;
    for (name, mesh) in plan.meshes()? {
        let surface = Surface::build(&mesh)?;
        let device = DeviceSurface::upload(context, &surface)?;
        let Some(bounds) = mesh.bounds() else { continue };
        let mut bench =
            Bench { name, device: &device, clock: &mut clock, repeats: plan.repeats.min(7), rows: &mut rows };
        bench.points(&bounds)?;
        bench.rays(&bounds)?;
        bench.cells(&bounds)?;
    }
    Ok(rows)
}

struct Bench<'a> {
    name: &'static str,
    device: &'a DeviceSurface,
    clock: &'a mut Clock,
    repeats: usize,
    rows: &'a mut Vec<QueryRow>,
}

impl Bench<'_> {
    /// Times calls; `call` gives the device's seconds where it knows them.
    fn row(
        &mut self,
        what: &str,
        queries: u64,
        mut call: impl FnMut(&DeviceSurface) -> Result<Option<f64>, Error>,
    ) -> Result<(), Error> {
        call(self.device)?;
        let clock = self.clock.warm_up(WARM_UP)?;
        let (mut device, mut whole) = (Vec::new(), Vec::new());
        for _ in 0..self.repeats {
            let started = Instant::now();
            device.extend(call(self.device)?.map(|seconds| seconds * 1e3));
            whole.push(started.elapsed().as_secs_f64() * 1e3);
        }
        let call_milliseconds = median(whole);
        let device_milliseconds = (!device.is_empty()).then(|| median(device));
        let rate = queries as f64 / device_milliseconds.unwrap_or(call_milliseconds) / 1e3;
        let (mesh, what) = (self.name.to_owned(), what.to_owned());
        self.rows.push(QueryRow { mesh, what, queries, device_milliseconds, call_milliseconds, rate, clock });
        Ok(())
    }

    fn points(&mut self, bounds: &Bounds) -> Result<(), Error> {
        let listed = points(bounds, COUNT);
        let count = listed.len() as u64;
        for sign in [Sign::None, Sign::PseudoNormal] {
            let query = self.device.point_query(&listed, sign, false)?;
            let what = format!("random points, sign {sign:?}, sort and search");
            self.row(&what, count, |_| Ok(query.run(Timestamps::Whole)?.first().map(|(_, seconds)| *seconds)))?;
            if sign == Sign::PseudoNormal {
                let timings = query.run(Timestamps::EachDispatch)?;
                let parts: Vec<String> = timings.iter().map(|(name, s)| format!("{name} {:.3}", s * 1e3)).collect();
                eprintln!("{}: {}", self.name, parts.join(", "));
            }
        }
        let question = Question { outputs: Outputs::ALL, sign: Sign::PseudoNormal, ..Question::default() };
        self.row("random points, all outputs", count, |d| {
            d.query(&listed, &question).map(|_| None).map_err(Error::from)
        })?;
        let winding = Question { sign: Sign::Winding, ..question };
        self.row("random points, all outputs, sign Winding", count, |d| {
            d.query(&listed, &winding).map(|_| None).map_err(Error::from)
        })?;
        let size = (0..3).map(|k| bounds.hi[k] - bounds.lo[k]).fold(0.0, f64::max);
        let near = Question { max_distance: MaxDistance::All(0.01 * size), ..question };
        self.row("random points, within 1 %", count, |d| d.query(&listed, &near).map(|_| None).map_err(Error::from))
    }

    fn rays(&mut self, bounds: &Bounds) -> Result<(), Error> {
        let ends = points(bounds, 2 * COUNT);
        let ray = |pair: &[[f64; 3]]| Ray::new(pair[0], std::array::from_fn(|k| pair[1][k] - pair[0][k]));
        let rays: Vec<Ray> = ends.chunks_exact(2).map(ray).collect();
        let count = rays.len() as u64;
        self.row("random rays, first", count, |d| d.ray_first(&rays).map(|_| None).map_err(Error::from))?;
        self.row("random rays, any", count, |d| d.ray_any(&rays).map(|_| None).map_err(Error::from))?;
        self.row("random rays, count", count, |d| d.ray_count(&rays).map(|_| None).map_err(Error::from))?;
        self.row("random rays, all", count, |d| d.ray_all(&rays).map(|_| None).map_err(Error::from))
    }

    fn cells(&mut self, bounds: &Bounds) -> Result<(), Error> {
        let go_on = |_, _| ControlFlow::Continue(());
        let grid = Grid::around(bounds, [256; 3], 0.25)?;
        let cells = grid.cells()? as u64;
        let sign = Sign::PseudoNormal;
        self.row("mark 256^3, diagonal", cells, |d| Ok(d.mark(&grid, sign, Cut::Diagonal, &go_on).map(|_| None)?))?;
        self.row("mark 256^3, surface", cells, |d| Ok(d.mark(&grid, sign, Cut::Surface, &go_on).map(|_| None)?))?;
        let width = 2.0 * grid.half_diagonal();
        self.row("band of a diagonal, 256^3", cells, |d| Ok(d.band(&grid, width, sign, &go_on).map(|_| None)?))?;
        let winding = Sign::Winding;
        self.row("band of a diagonal, 256^3, sign Winding", cells, |d| {
            Ok(d.band(&grid, width, winding, &go_on).map(|_| None)?)
        })?;
        let fine = Grid::around(bounds, [1024; 3], 0.25)?;
        let width = 2.0 * fine.half_diagonal();
        let cells = fine.cells()? as u64;
        self.row("band of a diagonal, 1024^3", cells, |d| Ok(d.band(&fine, width, sign, &go_on).map(|_| None)?))
    }
}

/// The rows as a table of Markdown.
pub fn table(rows: &[QueryRow]) -> String {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|r| {
            vec![
                format!("{}, {}", r.mesh, r.what),
                r.queries.to_string(),
                r.device_milliseconds.map_or_else(|| "-".into(), |ms| format!("{ms:.3}")),
                format!("{:.3}", r.call_milliseconds),
                format!("{:.1}", r.rate),
                r.clock.map_or_else(|| "-".into(), |x| format!("{x:.2}")),
            ]
        })
        .collect();
    let head = ["question", "queries", "device, ms", "call, ms", "Mq/s", "clock"];
    format!(
        "## Points, rays, cells\n\n{}\ndevice: by the device's clock, points resident, result left on the device. call: the whole call with \
         all transfers and the work of the host; its rate is given where the first is missing.\n",
        markdown(&head, &cells)
    )
}
