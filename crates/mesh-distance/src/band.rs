//! The narrow band: only the cells within a distance of the surface, found block by block.

use crate::answers::reach2;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::kernels::Vec3;
use crate::kernels::real::Real;
use crate::query::Progress;
use crate::search::{self, Hit};
use crate::{Error, Grid, Sign, Surface};
use rayon::prelude::*;

/// Cells of a block along an axis, and blocks of a larger block.
const STEP: u32 = 4;
/// Blocks between two progress calls.
const WAVE: usize = 1 << 10;

/// The cells of a grid within a distance of the surface, ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band<R = f32> {
    /// Cell (i, j, k) is `(k * counts[1] + j) * counts[0] + i`.
    pub cells: Vec<u32>,
    /// Distances of their centres: the words of [`Surface::grid_distance_cpu`].
    pub distance: Vec<R>,
}

impl<R: Real> Band<R> {
    /// From unordered pairs.
    pub(crate) fn sorted(mut pairs: Vec<(u32, R)>) -> Band<R> {
        pairs.par_sort_unstable_by_key(|pair| pair.0);
        let (cells, distance) = pairs.into_iter().unzip();
        Band { cells, distance }
    }
}

/// A checked band of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandGrid<R = f32> {
    pub(crate) grid: FrameGrid<R>,
    /// Largest distance in the caller's unit.
    pub(crate) limit: R,
    /// The same in the frame, with room for every rounding.
    reach: f64,
}

impl<R: Real> BandGrid<R> {
    /// # Errors
    /// [`Error::Question`] for a negative or NaN width, [`Error::Grid`] for a grid of 2^32 - 1 cells or more, and those of the grid.
    pub(crate) fn new(surface: &crate::Frame, grid: &Grid, width: f64) -> Result<BandGrid<R>, Error> {
        if width.is_nan() || width < 0.0 {
            let problem = format!("width {}, allowed are numbers from 0", input_text::number(width));
            return Err(Error::Question { what: "band", index: None, problem });
        }
        let cells = grid.cells()? as u64;
        let allowed = u64::from(u32::MAX) - 1;
        if cells > allowed {
            let what = format!("a band over {cells} cells, allowed are at most {allowed}: cells have 32-bit indices");
            return Err(Error::Grid { what });
        }
        let largest = f64::from(f32::MAX);
        let reach = (width.min(largest) * surface.scale()).min(largest);
        Ok(BandGrid { grid: FrameGrid::new(grid, surface)?, limit: R::rounded_down(width), reach })
    }

    /// Squared distance (frame) of a block's centre up to which a cell of the block may be in the band; `ratio` cells along an axis.
    ///
    /// Every centre lies within half the block's diagonal of the block's; the pads cover the rounding of all points and distances.
    pub(crate) fn block_reach2(&self, ratio: u32) -> f32 {
        let half = self.grid.h.iter().map(|h| (0.5 * h.to_f64() * f64::from(ratio)).powi(2)).sum::<f64>().sqrt();
        let span = (0..3).fold(2.0f64, |m, k| {
            let (lo, h, n) = (self.grid.lo[k].to_f64(), self.grid.h[k].to_f64(), f64::from(self.grid.counts[k]));
            m.max(lo.abs()).max((lo + h * (n + f64::from(ratio))).abs())
        });
        let reach = (self.reach + half) * (1.0 + 1e-5) + 1e-5 * span;
        (reach * reach).min(f64::from(f32::MAX)) as f32
    }

    /// Blocks of `ratio` cells along each axis.
    pub(crate) fn counts(&self, ratio: u32) -> [u32; 3] {
        self.grid.counts.map(|n| n.div_ceil(ratio))
    }

    /// The middle of a block. Where bits count it is a cell and this is its point.
    fn centre(&self, block: [u32; 3], ratio: u32) -> Vec3<R> {
        if ratio == 1 {
            return self.grid.point(block);
        }
        std::array::from_fn(|k| {
            let middle = (f64::from(block[k]) + 0.5) * f64::from(ratio);
            R::from_f64(middle) * self.grid.h[k] + self.grid.lo[k]
        })
    }
}

impl<R: Precision> Surface<R> {
    /// The cells whose centre's distance (the value of [`Surface::grid_distance_cpu`]) is at most `width`, with that distance.
    ///
    /// Found from large blocks to small ones, so the work grows with the band and hardly with the grid.
    ///
    /// # Errors
    /// As [`Surface::grid_distance_cpu`]; [`Error::Question`] for a width below 0; [`Error::Memory`] from 2^32 - 1 cells on.
    pub fn band_cpu(&self, grid: &Grid, width: f64, sign: Sign, progress: &Progress<'_>) -> Result<Band<R>, Error> {
        let band = BandGrid::<R>::new(self.frame(), grid, width)?;
        self.ready_for(sign);
        let mut ratio = STEP;
        while band.counts(ratio).iter().map(|&n| u64::from(n)).product::<u64>() > 4096 {
            ratio *= STEP;
        }
        let [bx, by, bz] = band.counts(ratio).map(|n| n as usize);
        let total = bx * by * bz;
        let mut pairs = Vec::new();
        for start in (0..total).step_by(WAVE) {
            if progress(start, total).is_break() {
                return Err(Error::Interrupted { done: start, total });
            }
            let found = (start..total.min(start + WAVE)).into_par_iter().flat_map_iter(|block| {
                let mut found = Vec::new();
                let index = [block % bx, block / bx % by, block / (bx * by)].map(|i| i as u32);
                self.descend(&band, index, ratio, u32::MAX, sign, &mut found);
                found
            });
            pairs.par_extend(found);
        }
        let _ = progress(total, total);
        Ok(Band::sorted(pairs))
    }

    fn descend(
        &self,
        band: &BandGrid<R>,
        block: [u32; 3],
        ratio: u32,
        seed: u32,
        sign: Sign,
        found: &mut Vec<(u32, R)>,
    ) {
        let p = band.centre(block, ratio);
        let cell = ratio == 1;
        let reach2 = if cell { reach2(band.limit, self.frame().exponent) } else { band.block_reach2(ratio) };
        let hit: Hit<R> = search::nearest_within(self, p, seed, reach2);
        if hit.d2 > R::from_f64(f64::from(reach2)) {
            return;
        }
        if cell {
            let distance = self.value(p, hit, sign, false);
            if distance.abs() <= band.limit {
                let [nx, ny, _] = band.grid.counts;
                found.push(((block[2] * ny + block[1]) * nx + block[0], distance));
            }
            return;
        }
        let (finer, counts) = (ratio / STEP, band.counts(ratio / STEP));
        for part in 0..STEP * STEP * STEP {
            let offset = [part % STEP, part / STEP % STEP, part / (STEP * STEP)];
            let child: [u32; 3] = std::array::from_fn(|k| block[k] * STEP + offset[k]);
            if (0..3).all(|k| child[k] < counts[k]) {
                self.descend(band, child, finer, hit.slot, sign, found);
            }
        }
    }
}
