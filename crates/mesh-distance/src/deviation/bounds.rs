//! Branch and bound in one direction.

use super::patch::{Corner, Patch, length};
use super::{Ask, Directed};
use crate::kernels::real::Real;
use crate::{Closest, Error, Frame, Mesh, Progress};
use rayon::prelude::*;

/// Patches that are quartered in a round.
const BATCH: usize = 1 << 16;
/// Points asked in one piece, between two progress calls.
const PIECE: usize = 1 << 18;
/// Most points of a search.
const MOST: u64 = 1 << 28;

/// Asks points and keeps the books.
struct Search<'a, R> {
    ask: &'a Ask<'a, R>,
    frame: &'a Frame,
    progress: &'a Progress<'a>,
    queries: u64,
    lower: f64,
    /// Rounding of points that are made between others, and of differences of large coordinates.
    rounding: f64,
}

impl<R: Real> Search<'_, R> {
    /// Bound of the error of a distance from the other mesh.
    fn error(&self, point: &[f64; 3]) -> f64 {
        let from_centre = length(std::array::from_fn(|k| point[k] - self.frame.centre[k]));
        let part = if R::WORDS == 1 { f64::from(1 << 20) } else { (1u64 << 48) as f64 };
        (2.0 / self.frame.scale() + from_centre) / part + self.rounding
    }

    /// The closest points, in order; raises the lower bound.
    fn ask(&mut self, points: &[[f64; 3]]) -> Result<Vec<Closest<R>>, Error> {
        let mut answers = Vec::with_capacity(points.len());
        let total = self.queries + points.len() as u64;
        if total > MOST {
            let problem = format!("the tolerance needs more than {MOST} points; a larger one needs fewer");
            return Err(Error::Question { what: "deviation", index: None, problem });
        }
        for piece in points.chunks(PIECE) {
            if (self.progress)(self.queries as usize, total as usize).is_break() {
                return Err(Error::Interrupted { done: self.queries as usize, total: total as usize });
            }
            let found = (self.ask)(piece)?;
            for (point, closest) in piece.iter().zip(&found) {
                self.lower = self.lower.max(closest.distance.to_f64() - self.error(point));
            }
            self.queries += piece.len() as u64;
            answers.extend(found);
        }
        Ok(answers)
    }
}

/// Bounds of the largest distance from `a` to `b`, whose frame and closest points these are.
pub(super) fn directed<R: Real>(
    a: &Mesh,
    b: &Mesh,
    frame: &Frame,
    ask: &Ask<'_, R>,
    tolerance: f64,
    progress: &Progress<'_>,
) -> Result<Directed<R>, Error> {
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        let problem = format!("tolerance {}, allowed are finite numbers above 0", input_text::number(tolerance));
        return Err(Error::Question { what: "deviation", index: None, problem });
    }
    a.check()?;
    if a.triangles.is_empty() {
        return Err(Error::EmptyMesh);
    }
    let largest =
        [a, b].into_iter().flat_map(|mesh| mesh.positions.iter().flatten()).fold(0.0f64, |m, x| m.max(x.abs()));
    let mut search = Search { ask, frame, progress, queries: 0, lower: 0.0, rounding: 4e-15 * largest };
    let answers = search.ask(&a.positions)?;
    // Vertices without a triangle are no part of the surface.
    search.lower = 0.0;
    for &v in a.triangles.iter().flatten() {
        let (point, distance) = (&a.positions[v as usize], answers[v as usize].distance);
        search.lower = search.lower.max(distance.to_f64() - search.error(point));
    }
    let finest = a.triangles.iter().flatten().fold(0.0f64, |m, &v| m.max(search.error(&a.positions[v as usize])));
    let tolerance = tolerance.max(4.0 * finest);
    let corner = |v: u32| Corner { point: a.positions[v as usize], triangle: answers[v as usize].triangle };
    let mut patches: Vec<Patch> = a.triangles.par_iter().map(|t| Patch::new(t.map(corner), b)).collect();
    loop {
        // What cannot be the farthest needs no look any more.
        let lower = search.lower;
        patches.retain(|patch| patch.upper > lower);
        let open = patches.iter().filter(|patch| patch.upper > lower + tolerance).count();
        if open == 0 {
            break;
        }
        let count = open.min(BATCH);
        patches.select_nth_unstable_by(count - 1, |x, y| y.upper.total_cmp(&x.upper));
        let taken: Vec<Patch> = patches.drain(..count).collect();
        let points: Vec<[f64; 3]> = taken.iter().flat_map(Patch::middles).collect();
        let answers = search.ask(&points)?;
        let quarter = |(i, patch): (usize, &Patch)| {
            let middle = |k: usize| Corner { point: points[3 * i + k], triangle: answers[3 * i + k].triangle };
            patch.quarters([middle(0), middle(1), middle(2)], b)
        };
        let quarters: Vec<[Patch; 4]> = taken.par_iter().enumerate().map(quarter).collect();
        patches.extend(quarters.into_iter().flatten());
    }
    let upper = patches.iter().fold(search.lower, |m, patch| m.max(patch.upper)) + search.rounding;
    let vertices = answers.iter().map(|closest| closest.distance).collect();
    Ok(Directed { lower: search.lower, upper, vertices, queries: search.queries })
}
