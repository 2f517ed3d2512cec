//! The oracle: every triangle is asked for every point. Slow, and the definition of what searches must return.

use crate::answers::chosen;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::kernels::Vec3;
use crate::kernels::real::{Real, Record};
use crate::kernels::triangle_distance::triangle_distance;
use crate::search::Hit;
use crate::{Answers, Closest, Error, Grid, Question, Sign, Surface};

/// As [`Surface::distance_cpu`], from all triangles. Cost O(points × triangles), one thread.
///
/// # Errors
/// As [`Surface::distance_cpu`].
pub fn distance<R: Precision>(
    surface: &Surface<R>,
    points: &[[f64; 3]],
    sign: Sign,
    squared: bool,
) -> Result<Vec<R>, Error> {
    each(surface, points, |p, hit| surface.value(p, hit, sign, squared))
}

/// As [`Surface::closest_cpu`], from all triangles. Cost O(points × triangles), one thread.
///
/// # Errors
/// As [`Surface::closest_cpu`].
pub fn closest<R: Precision>(surface: &Surface<R>, points: &[[f64; 3]], sign: Sign) -> Result<Vec<Closest<R>>, Error> {
    each(surface, points, |p, hit| surface.closest(p, hit, sign))
}

/// As [`Surface::query_cpu`], from all triangles. Cost O(points × triangles), one thread.
///
/// # Errors
/// As [`Surface::query_cpu`].
pub fn query<R: Precision>(
    surface: &Surface<R>,
    points: &[[f64; 3]],
    question: &Question<'_>,
) -> Result<Answers<R>, Error> {
    let limits = question.limits::<R>(points.len())?;
    let mut words = Vec::new();
    for (i, &p) in question.working(surface.frame(), points)?.iter().enumerate() {
        let limit = if limits.len() > 1 { limits.get(i) } else { limits.first() };
        let all = surface.answer_words(p, nearest(surface, p), question.sign, limit.copied());
        chosen::<R>(question.outputs, &all, &mut words);
    }
    Ok(Answers::from_words(&words, question, surface.frame()))
}

/// As [`Surface::grid_distance_cpu`], from all triangles. Cost O(cells × triangles), one thread.
///
/// # Errors
/// [`Error::Grid`], [`Error::TooFar`], [`Error::Memory`].
pub fn grid_distance<R: Precision>(
    surface: &Surface<R>,
    grid: &Grid,
    sign: Sign,
    squared: bool,
) -> Result<Vec<R>, Error> {
    let frame_grid = FrameGrid::new(grid, surface.frame())?;
    let [nx, ny, _] = grid.counts.map(|n| n as usize);
    let value = |cell: usize| {
        let p = frame_grid.point([cell % nx, cell / nx % ny, cell / (nx * ny)].map(|i| i as u32));
        surface.value(p, nearest(surface, p), sign, squared)
    };
    Ok((0..grid.cells()?).map(value).collect())
}

fn each<R: Precision, T>(
    surface: &Surface<R>,
    points: &[[f64; 3]],
    answer: impl Fn(Vec3<R>, Hit<R>) -> T,
) -> Result<Vec<T>, Error> {
    let answer = |(index, point)| {
        let p = surface.frame().point("point", index, point)?;
        Ok(answer(p, nearest(surface, p)))
    };
    points.iter().enumerate().map(answer).collect()
}

/// The lexicographic minimum of (squared distance, triangle) over all triangles, for a point in working coordinates.
pub(crate) fn nearest<R: Real>(surface: &Surface<R>, p: Vec3<R>) -> Hit<R> {
    let mut best = Hit::NONE;
    for (slot, record) in surface.records().iter().enumerate() {
        best.offer(triangle_distance(record, p), record.facet(), slot as u32);
    }
    best
}
