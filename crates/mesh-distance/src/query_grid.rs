//! Chosen outputs at the cells of a grid.

use crate::answers::chosen;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::kernels::real::Real;
use crate::query::Progress;
use crate::search::Hit;
use crate::{Answers, Error, Grid, MaxDistance, Question, Surface};
use rayon::prelude::*;

/// Rows of cells between two progress calls.
const WAVE: usize = 1 << 10;

impl<R: Precision> Surface<R> {
    /// Everything that `question` chooses about the closest point of each cell centre, x fastest; the points are those of
    /// [`Surface::grid_distance_cpu`].
    ///
    /// # Errors
    /// As [`Surface::grid_distance_cpu`]; [`Error::Question`] for a maximum distance of each query or a motion: a grid has neither.
    pub fn query_grid_cpu(
        &self,
        grid: &Grid,
        question: &Question<'_>,
        progress: &Progress<'_>,
    ) -> Result<Answers<R>, Error> {
        let limit = grid_limits::<R>(question)?.first().copied();
        let frame_grid = FrameGrid::<R>::new(grid, self.frame())?;
        let (total, stride) = (grid.cells()?, question.outputs.words::<R>());
        let [nx, ny, nz] = grid.counts.map(|n| n as usize);
        let mut words = zeroed_words(grid, 0)?;
        words.reserve_exact(total * stride);
        for start in (0..ny * nz).step_by(WAVE) {
            if progress(start * nx, total).is_break() {
                return Err(Error::Interrupted { done: start * nx, total });
            }
            let row = |row: usize| {
                let mut hit = Hit::NONE;
                let mut own = Vec::with_capacity(nx * stride);
                for i in 0..nx {
                    let p = frame_grid.point([i, row % ny, row / ny].map(|i| i as u32));
                    hit = self.nearest_within(p, hit, limit);
                    chosen::<R>(question.outputs, &self.answer_words(p, hit, question.sign, limit), &mut own);
                }
                own
            };
            let end = (ny * nz).min(start + WAVE);
            let rows: Vec<Vec<u32>> = (start..end).into_par_iter().map(row).collect();
            rows.iter().for_each(|own| words.extend_from_slice(own));
        }
        let _ = progress(total, total);
        Ok(Answers::from_words(&words, question, self.frame()))
    }
}

/// The one maximum distance of a grid, or none.
pub(crate) fn grid_limits<R: Real>(question: &Question<'_>) -> Result<Vec<R>, Error> {
    let refused = |problem: &str| Error::Question { what: "a grid", index: None, problem: problem.into() };
    if matches!(question.max_distance, MaxDistance::Each(_)) {
        return Err(refused("a maximum distance for each cell, allowed is one for all"));
    }
    if question.motion.is_some() {
        return Err(refused("a motion, allowed are listed points or a grid moved by the caller"));
    }
    question.limits(0)
}

/// Room for `stride` words a cell, or an error instead of an abort when they do not fit.
pub(crate) fn zeroed_words(grid: &Grid, stride: usize) -> Result<Vec<u32>, Error> {
    let allowed = host_memory::available();
    let needed = (grid.cells()? as u64).saturating_mul(4 * stride as u64);
    let memory = || Error::Memory { what: "the answers of a grid".into(), needed, allowed };
    if needed > allowed {
        return Err(memory());
    }
    let mut words = Vec::new();
    let len = grid.cells()? * stride;
    words.try_reserve_exact(len).map_err(|_| memory())?;
    words.resize(len, 0);
    Ok(words)
}
