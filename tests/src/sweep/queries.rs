//! Chosen outputs, rays, marks, bands, robust signs and winding numbers on made meshes and on those of a folder: device against CPU; in f32,
//! and in f64 where the device has it.

use std::ops::ControlFlow;

use gpu_runtime::{Context, DeviceVec};
use mesh_distance::mark::Cut;
use mesh_distance::ray::{Ray, RayHit};
use mesh_distance::{
    Answers, Bounds, Criterion, DeviceSurface, Grid, MaxDistance, Mesh, Outputs, Precision, Question, Sign, Surface,
    WindingOptions,
};

use super::Bench;
use super::distance::all;
use super::outcome::Outcome;
use crate::adapters::has_f64;
use crate::error::Error;

/// Points and rays a mesh.
const COUNT: usize = 100_000;

/// Compares every mesh.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let (context, options) = (bench.context, bench.options);
    for (name, mesh) in all(options)? {
        let Some(bounds) = mesh.bounds() else { continue };
        let count = if options.quick { COUNT / 10 } else { COUNT };
        all_queries(bench, context, &format!("distance, {name}"), &Surface::build(&mesh)?, (bounds, count))?;
        if has_f64(context) {
            let surface = Surface::build_double(&mesh)?;
            all_queries(bench, context, &format!("distance in f64, {name}"), &surface, (bounds, count))?;
            bench.check(&format!("distance in f64, {name}, moved on the device"), |outcome| {
                moved(context, &mesh, count, Surface::build_double, outcome)
            })?;
            bench.check(&format!("distance in f64, {name}, built on the device"), |outcome| {
                built(context, &mesh, count, (DeviceSurface::build_double, Surface::build_double), outcome)
            })?;
        }
        bench.check(&format!("distance, {name}, built on the device"), |outcome| {
            built(context, &mesh, count, (DeviceSurface::build, Surface::build), outcome)
        })?;
        bench.check(&format!("distance, {name}, moved on the device"), |outcome| {
            moved(context, &mesh, count, Surface::build, outcome)
        })?;
    }
    Ok(())
}

/// The checks of one surface, by so many points and rays.
fn all_queries<R: Precision>(
    bench: &mut Bench<'_>,
    context: &Context,
    name: &str,
    surface: &Surface<R>,
    (bounds, count): (Bounds, usize),
) -> Result<(), Error> {
    let device = DeviceSurface::upload(context, surface)?;
    let check = Check { surface, device: &device, bounds, count };
    bench.check(&format!("{name}, chosen outputs"), |outcome| check.outputs(outcome))?;
    bench.check(&format!("{name}, rays"), |outcome| check.rays(outcome))?;
    bench.check(&format!("{name}, marks and band"), |outcome| check.cells(outcome))?;
    bench.check(&format!("{name}, robust signs"), |outcome| check.signs(outcome))?;
    bench.check(&format!("{name}, winding numbers"), |outcome| check.numbers(outcome))
}

/// Builds a surface on the host.
type Build<R> = fn(&Mesh) -> Result<Surface<R>, mesh_distance::Error>;
/// Builds one on a device.
type BuildThere<R> = fn(&DeviceVec<[f32; 3]>, &DeviceVec<[u32; 3]>) -> Result<DeviceSurface<R>, mesh_distance::Error>;

/// A surface whose tree and records the device has made, of positions in f32.
fn built<R: Precision>(
    context: &Context,
    mesh: &Mesh,
    count: usize,
    (there, here): (BuildThere<R>, Build<R>),
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let rounded: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let positions = context.upload("positions", &rounded)?;
    let triangles = context.upload("triangles", &mesh.triangles)?;
    let device = there(&positions, &triangles)?;
    let wide = rounded.iter().map(|p| p.map(f64::from)).collect();
    let mesh = Mesh::new(wide, mesh.triangles.clone())?;
    compare(&mesh, &here(&mesh)?, &device, count, outcome)
}

/// A surface that the device has moved.
fn moved<R: Precision>(
    context: &Context,
    mesh: &Mesh,
    count: usize,
    build: Build<R>,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let mut device = DeviceSurface::upload_movable(context, &build(mesh)?)?;
    let bent = |p: &[f64; 3]| [p[0] + 0.25 * p[1], 1.5 * p[1], p[2] - 0.125 * p[0]];
    let positions: Vec<[f64; 3]> = mesh.positions.iter().map(bent).collect();
    device.update_positions(&positions)?;
    let mesh = Mesh::new(positions, mesh.triangles.clone())?;
    compare(&mesh, &build(&mesh)?, &device, count, outcome)
}

/// The outputs and rays of a device's surface and of one that is built of the same mesh on the CPU.
fn compare<R: Precision>(
    mesh: &Mesh,
    surface: &Surface<R>,
    device: &DeviceSurface<R>,
    count: usize,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let Some(bounds) = mesh.bounds() else { return Ok(()) };
    let check = Check { surface, device, bounds, count };
    check.rays(outcome)?;
    check.outputs(outcome)
}

/// One mesh on one device.
struct Check<'a, R: Precision> {
    surface: &'a Surface<R>,
    device: &'a DeviceSurface<R>,
    bounds: Bounds,
    count: usize,
}

fn go_on(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A number's words as one.
fn word<R: Precision>(x: R) -> u64 {
    let [low, high] = x.words();
    u64::from(high) << 32 | u64::from(low)
}

fn words<R: Precision>(values: &[R]) -> Vec<u64> {
    values.iter().copied().map(word).collect()
}

pub(crate) fn hit_words<R: Precision>(h: &RayHit<R>) -> [u64; 8] {
    let [x, y, z] = h.point.map(f64::to_bits);
    [word(h.t), h.triangle.into(), word(h.uv[0]), word(h.uv[1]), h.front.into(), x, y, z]
}

/// All words of answers that hold every output.
pub(crate) fn answer_words<R: Precision>(a: &Answers<R>) -> Vec<[u64; 16]> {
    let of = |i: usize| {
        let [u, v] = a.uv[i].map(word);
        let [x, y, z] = a.point[i].map(f64::to_bits);
        let [nx, ny, nz] = a.normal[i].map(word);
        let [gx, gy, gz] = a.gradient[i].map(word);
        let code = a.feature[i].code() as u64;
        let (d, d2, inside) = (word(a.distance[i]), word(a.squared[i]), a.inside[i].into());
        [d, d2, a.triangle[i].into(), code, inside, u, v, x, y, z, nx, ny, nz, gx, gy, gz]
    };
    (0..a.distance.len()).map(of).collect()
}

impl<R: Precision> Check<'_, R> {
    /// Points in the box grown by half its size on every side.
    fn points(&self, seed: u64, count: usize) -> Vec<[f64; 3]> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let Bounds { lo, hi } = &self.bounds;
        let mut point = || std::array::from_fn(|k| lo[k] + (2.0 * next() - 0.5) * (hi[k] - lo[k]));
        std::iter::repeat_with(&mut point).take(count).collect()
    }

    fn size(&self) -> f64 {
        (0..3).map(|k| self.bounds.hi[k] - self.bounds.lo[k]).fold(0.0, f64::max)
    }

    fn outputs(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let points = self.points(3, self.count);
        for (sign, max_distance) in [
            (Sign::PseudoNormal, MaxDistance::Unlimited),
            (Sign::None, MaxDistance::All(0.1 * self.size())),
            (Sign::Winding, MaxDistance::Unlimited),
            (Sign::Rays, MaxDistance::All(0.1 * self.size())),
        ] {
            let question = Question { outputs: Outputs::ALL, sign, max_distance, motion: None };
            let expected = answer_words(&self.surface.query_cpu(&points, &question)?);
            let got = answer_words(&self.device.query(&points, &question)?);
            outcome.compare(&expected, &got, |index| format!("{sign:?}, point {index} {:?}", points[index]));
        }
        outcome.note = format!("{} points", points.len());
        Ok(())
    }

    fn rays(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let ends = self.points(5, 2 * self.count);
        let ray = |pair: &[[f64; 3]]| Ray::new(pair[0], std::array::from_fn(|k| pair[1][k] - pair[0][k]));
        let rays: Vec<Ray> = ends.chunks_exact(2).map(ray).collect();
        let (expected, got) = (self.surface.ray_all_cpu(&rays)?, self.device.ray_all(&rays)?);
        outcome.compare(&expected.offsets, &got.offsets, |index| format!("number of hits, ray {index}"));
        let words = |hits: &[RayHit<R>]| hits.iter().map(hit_words).collect::<Vec<_>>();
        outcome.compare(&words(&expected.hits), &words(&got.hits), |index| format!("hit {index}"));
        let firsts = |hits: &[Option<RayHit<R>>]| hits.iter().map(|h| h.as_ref().map(hit_words)).collect::<Vec<_>>();
        let (expected, got) = (self.surface.ray_first_cpu(&rays)?, self.device.ray_first(&rays)?);
        outcome.compare(&firsts(&expected), &firsts(&got), |index| format!("first hit, ray {index} {:?}", rays[index]));
        outcome.note = format!("{} rays", rays.len());
        Ok(())
    }

    fn cells(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let grid = Grid::around(&self.bounds, [61, 47, 53], 0.25)?;
        for (sign, cut) in [
            (Sign::PseudoNormal, Cut::Diagonal),
            (Sign::PseudoNormal, Cut::Surface),
            (Sign::Winding, Cut::Surface),
            (Sign::Rays, Cut::Diagonal),
        ] {
            let expected = self.surface.mark_cpu(&grid, sign, cut, &go_on)?;
            let got = self.device.mark(&grid, sign, cut, &go_on)?;
            outcome.compare(&expected, &got, |index| format!("{sign:?} {cut:?}, cell {index}"));
        }
        let width = 0.03 * self.size();
        let mut cells = 0;
        for sign in [Sign::PseudoNormal, Sign::Winding, Sign::Rays] {
            let expected = self.surface.band_cpu(&grid, width, sign, &go_on)?;
            let got = self.device.band(&grid, width, sign, &go_on)?;
            outcome.compare(&expected.cells, &got.cells, |index| format!("band, {sign:?}, entry {index}"));
            let (expected, got) = (words(&expected.distance), words(&got.distance));
            outcome.compare(&expected, &got, |index| format!("band, {sign:?}, distance {index}"));
            cells = expected.len();
        }
        outcome.note = format!("grid {:?}, {cells} cells in the band", grid.counts);
        Ok(())
    }

    /// Grids, large enough that blocks share a side, and points.
    fn signs(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let grid = Grid::around(&self.bounds, [61, 47, 53], 0.25)?;
        for (sign, squared) in [(Sign::Winding, false), (Sign::Rays, false), (Sign::Winding, true)] {
            let expected = words(&self.surface.grid_distance_cpu(&grid, sign, squared, &go_on)?);
            let got = words(&self.device.grid_distance(&grid, sign, squared, &go_on)?);
            outcome.compare(&expected, &got, |index| format!("{sign:?}, cell {index}"));
        }
        let points = self.points(7, self.count / 1000);
        for sign in [Sign::Winding, Sign::Rays, Sign::SolidAngle] {
            let expected = words(&self.surface.distance_cpu(&points, sign, false)?);
            let got = words(&self.device.distance(&points, sign, false)?);
            outcome.compare(&expected, &got, |index| format!("{sign:?}, point {index} {:?}", points[index]));
        }
        outcome.note = format!("grid {:?}, {} points by all triangles too", grid.counts, points.len());
        Ok(())
    }

    /// By all triangles for a few points, by expansions for more.
    fn numbers(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let points = self.points(9, self.count / 10);
        let few = self.count / 1000;
        let expansions = [Criterion::Radius, Criterion::Diagonal].map(|c| (WindingOptions::new(2.0, c), points.len()));
        for (options, count) in [(WindingOptions::EXACT, few)].into_iter().chain(expansions) {
            let points = &points[..count];
            let bits = |values: &[f64]| values.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
            let expected = bits(&self.surface.winding_cpu(points, options)?);
            let got = bits(&self.device.winding(points, options)?);
            outcome.compare(&expected, &got, |index| format!("{options:?}, point {index} {:?}", points[index]));
        }
        outcome.note = format!("{} points, {few} by all triangles", points.len());
        Ok(())
    }
}
