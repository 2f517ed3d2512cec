//! Distances on made meshes and on those of a folder: device against CPU, and CPU against brute force; in f32, and in f64 where the
//! device has it.

use std::ops::ControlFlow;
use std::path::Path;

use gpu_runtime::Context;
use mesh_distance::{
    Bounds, Closest, DeviceSurface, Grid, Mesh, Precision, Sign, Surface, brute_force, make, read_mesh,
};

use super::outcome::Outcome;
use super::{Bench, Options};
use crate::adapters::has_f64;
use crate::error::Error;
use crate::meshes;

/// Random points a mesh.
const POINTS: usize = 100_000;

/// Points that are answered by brute force too.
const BRUTE_FORCE_POINTS: usize = 2_000;

/// Cells of the grids: cubes, slabs and odd numbers.
const GRIDS: [[u32; 3]; 3] = [[64, 64, 64], [127, 1, 65], [97, 101, 89]];

/// Compares every mesh.
pub(crate) fn run(bench: &mut Bench<'_>) -> Result<(), Error> {
    let (context, options) = (bench.context, bench.options);
    for (name, mesh) in all(options)? {
        let Some(bounds) = mesh.bounds() else { continue };
        compare(bench, context, &format!("distance, {name}"), &Surface::build(&mesh)?, bounds)?;
        if has_f64(context) {
            let surface = Surface::build_double(&mesh)?;
            compare(bench, context, &format!("distance in f64, {name}"), &surface, bounds)?;
        }
    }
    Ok(())
}

/// The checks of one surface.
fn compare<R: Precision>(
    bench: &mut Bench<'_>,
    context: &Context,
    name: &str,
    surface: &Surface<R>,
    bounds: Bounds,
) -> Result<(), Error> {
    let device = DeviceSurface::upload(context, surface)?;
    let check = Check { surface, device: &device, bounds, quick: bench.options.quick };
    if bench.first_form {
        bench.check(&format!("{name}, CPU against brute force"), |outcome| check.brute_force(outcome))?;
    }
    bench.check(&format!("{name}, points"), |outcome| check.points(outcome))?;
    bench.check(&format!("{name}, grids"), |outcome| check.grids(outcome))
}

/// Made meshes, and those of the folder.
pub(super) fn all(options: &Options) -> Result<Vec<(String, Mesh)>, Error> {
    let size = if options.quick { 10_000 } else { 200_000 };
    let mut found = vec![
        ("knot".to_owned(), make::knot(size)),
        ("terrain".to_owned(), make::terrain(size)),
        ("cube".to_owned(), make::cube(12)),
        ("sphere".to_owned(), make::sphere(size)),
    ];
    for path in options.meshes.iter().flat_map(|folder| meshes::files(folder)) {
        found.push((name_of(&path), read_mesh(&path)?));
    }
    Ok(found)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// One mesh on one device.
struct Check<'a, R: Precision> {
    surface: &'a Surface<R>,
    device: &'a DeviceSurface<R>,
    bounds: Bounds,
    quick: bool,
}

/// Sign, and whether the square is asked for.
const QUESTIONS: [(Sign, bool); 4] =
    [(Sign::None, false), (Sign::None, true), (Sign::PseudoNormal, false), (Sign::PseudoNormal, true)];

fn bits<R: Precision>(values: &[R]) -> Vec<[u32; 2]> {
    values.iter().map(|value| value.words()).collect()
}

/// An answer as words: floats that compare equal need not be the same.
fn closest_words<R: Precision>(values: &[Closest<R>]) -> Vec<[u64; 8]> {
    let word = |x: R| x.words().into_iter().rev().fold(0, |word, part| word << 32 | u64::from(part));
    let words = |c: &Closest<R>| {
        let [x, y, z] = c.point.map(f64::to_bits);
        let [u, v] = c.uv.map(word);
        [word(c.distance), x, y, z, c.triangle.into(), u, v, c.feature.code() as u64]
    };
    values.iter().map(words).collect()
}

impl<R: Precision> Check<'_, R> {
    /// Points in the box grown by half its size on every side.
    fn random_points(&self, count: usize) -> Vec<[f64; 3]> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let Bounds { lo, hi } = &self.bounds;
        let mut point = || std::array::from_fn(|k| lo[k] + (2.0 * next() - 0.5) * (hi[k] - lo[k]));
        std::iter::repeat_with(&mut point).take(count).collect()
    }

    fn points(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let points = self.random_points(if self.quick { POINTS / 10 } else { POINTS });
        for (sign, squared) in QUESTIONS {
            let expected = bits(&self.surface.distance_cpu(&points, sign, squared)?);
            let got = bits(&self.device.distance(&points, sign, squared)?);
            outcome.compare(&expected, &got, |index| format!("{sign:?}, point {index} {:?}", points[index]));
        }
        let expected = closest_words(&self.surface.closest_cpu(&points, Sign::PseudoNormal)?);
        let got = closest_words(&self.device.closest(&points, Sign::PseudoNormal)?);
        outcome.compare(&expected, &got, |index| format!("closest point, point {index} {:?}", points[index]));
        outcome.note = format!("{} points", points.len());
        Ok(())
    }

    /// The reference itself, with and without its tree; no device takes part.
    fn brute_force(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let points = self.random_points(BRUTE_FORCE_POINTS);
        for sign in [Sign::None, Sign::PseudoNormal] {
            let expected = bits(&brute_force::distance(self.surface, &points, sign, false)?);
            let got = bits(&self.surface.distance_cpu(&points, sign, false)?);
            outcome.compare(&expected, &got, |index| format!("{sign:?}, point {:?}", points[index]));
        }
        outcome.note = format!("{} points", points.len());
        Ok(())
    }

    fn grids(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let go_on = |_, _| ControlFlow::Continue(());
        let grids = if self.quick { &GRIDS[1..2] } else { &GRIDS[..] };
        for counts in grids {
            let grid = Grid::around(&self.bounds, *counts, 0.25)?;
            for (sign, squared) in QUESTIONS {
                let expected = bits(&self.surface.grid_distance_cpu(&grid, sign, squared, &go_on)?);
                let got = bits(&self.device.grid_distance(&grid, sign, squared, &go_on)?);
                outcome.compare(&expected, &got, |index| format!("{counts:?}, {sign:?}, cell {index}"));
            }
        }
        outcome.note = format!("grids {grids:?}");
        Ok(())
    }
}
