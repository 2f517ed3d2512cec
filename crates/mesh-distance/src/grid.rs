//! Regular grids of query points.

use crate::kernels::Vec3;
use crate::kernels::real::Real;
use crate::{Bounds, Error, Frame};
use input_text::number;

/// Most cells along one axis: up to here index + 0.5 is exact in f32.
pub(crate) const MAX_COUNT: u32 = 1 << 23;

/// A box cut into equal cells; the query points are the cell centres, lo + (index + 0.5) * cell.
///
/// Values are stored with x fastest: value (i, j, k) is at `(k * counts[1] + j) * counts[0] + i`, an array of shape (NZ, NY, NX) in C order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Grid {
    /// Lower corner of the box.
    pub lo: [f64; 3],
    /// Size of a cell along each axis.
    pub cell: [f64; 3],
    /// Number of cells along each axis.
    pub counts: [u32; 3],
}

impl Grid {
    /// The grid of `counts` cells over `bounds` grown by `margin` times its size on every side.
    ///
    /// A flat box gets cells of size 0 along that axis if its margin is 0 too: all its points then lie in the plane.
    ///
    /// # Errors
    /// [`Error::Grid`] for a count of 0 or above 2^23, a negative or non-finite margin, or bounds that are not ordered and finite.
    pub fn around(bounds: &Bounds, counts: [u32; 3], margin: f64) -> Result<Grid, Error> {
        if !(margin >= 0.0 && margin.is_finite()) {
            return Err(Error::Grid { what: format!("margin {}, allowed are finite numbers from 0", number(margin)) });
        }
        for k in 0..3 {
            let (lo, hi) = (bounds.lo[k], bounds.hi[k]);
            if !(lo <= hi && (hi - lo).is_finite()) {
                let (axis, lo, hi) = (crate::mesh::axis_name(k), number(lo), number(hi));
                return Err(Error::Grid {
                    what: format!("bounds {lo} to {hi} along {axis}, allowed are finite numbers in order"),
                });
            }
        }
        let size: [f64; 3] = std::array::from_fn(|k| bounds.hi[k] - bounds.lo[k]);
        let lo = std::array::from_fn(|k| bounds.lo[k] - margin * size[k]);
        let cell = std::array::from_fn(|k| size[k] * (1.0 + 2.0 * margin) / f64::from(counts[k].max(1)));
        let grid = Grid { lo, cell, counts };
        grid.check()?;
        Ok(grid)
    }

    /// Checks that every axis has 1 to 2^23 cells and that corner and cell sizes are finite, cell sizes not negative.
    ///
    /// # Errors
    /// [`Error::Grid`] with the axis and the value.
    pub fn check(&self) -> Result<(), Error> {
        for k in 0..3 {
            let (axis, count, cell, lo) = (crate::mesh::axis_name(k), self.counts[k], self.cell[k], self.lo[k]);
            if count == 0 || count > MAX_COUNT {
                return Err(Error::Grid { what: format!("{count} cells along {axis}, allowed are 1 to {MAX_COUNT}") });
            }
            if !(cell >= 0.0 && cell.is_finite() && lo.is_finite()) {
                let (lo, cell) = (number(lo), number(cell));
                let what =
                    format!("corner {lo} and cell size {cell} along {axis}, allowed are finite numbers, sizes from 0");
                return Err(Error::Grid { what });
            }
        }
        self.cells().map(|_| ())
    }

    /// Number of cells.
    ///
    /// # Errors
    /// [`Error::Memory`] when the values of so many cells cannot be addressed.
    pub fn cells(&self) -> Result<usize, Error> {
        let cells = self.counts.iter().map(|&n| u128::from(n)).product::<u128>();
        let allowed = isize::MAX as u64;
        if cells * 4 > u128::from(allowed) {
            let needed = u64::try_from(cells * 4).unwrap_or(u64::MAX);
            return Err(Error::Memory { what: self.describe(), needed, allowed });
        }
        Ok(cells as usize)
    }

    /// Bytes of the f32 values of this grid, if they fit into `allowed` bytes (see [`host_memory::available`]).
    ///
    /// # Errors
    /// [`Error::Memory`] with the bytes needed and allowed.
    pub fn check_memory(&self, allowed: u64) -> Result<u64, Error> {
        self.check_memory_of::<f32>(allowed)
    }

    /// The same for the values of another type.
    ///
    /// # Errors
    /// As [`Grid::check_memory`].
    pub fn check_memory_of<T>(&self, allowed: u64) -> Result<u64, Error> {
        let needed = (self.cells()? as u64).saturating_mul(size_of::<T>() as u64);
        if needed > allowed {
            return Err(Error::Memory { what: self.describe(), needed, allowed });
        }
        Ok(needed)
    }

    /// Centre of a cell, in f64.
    pub fn centre(&self, index: [u32; 3]) -> [f64; 3] {
        std::array::from_fn(|k| self.lo[k] + (f64::from(index[k]) + 0.5) * self.cell[k])
    }

    /// Half the diagonal of a cell.
    pub fn half_diagonal(&self) -> f64 {
        0.5 * self.cell.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    fn describe(&self) -> String {
        format!("a grid of {} x {} x {} cells", self.counts[0], self.counts[1], self.counts[2])
    }
}

/// A grid in the working coordinates of a frame: point = (index + 1/2) * h + lo in strict arithmetic, snapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameGrid<R = f32> {
    /// Lower corner.
    pub(crate) lo: Vec3<R>,
    /// Cell size.
    pub(crate) h: Vec3<R>,
    /// Number of cells along each axis.
    pub(crate) counts: [u32; 3],
}

impl<R: Real> FrameGrid<R> {
    /// The grid in the frame's coordinates.
    ///
    /// # Errors
    /// [`Error::TooFar`] when a corner lies more than 2^58 units of the frame from its centre; [`Error::Grid`] as [`Grid::check`].
    pub(crate) fn new(grid: &Grid, frame: &Frame) -> Result<FrameGrid<R>, Error> {
        grid.check()?;
        let lo = frame.point("grid corner", 0, &grid.lo)?;
        let hi = std::array::from_fn(|k| grid.lo[k] + f64::from(grid.counts[k]) * grid.cell[k]);
        frame.point::<R>("grid corner", 1, &hi)?;
        let scale = frame.scale();
        let h = grid.cell.map(|size| R::from_f64(size * scale));
        Ok(FrameGrid { lo, h, counts: grid.counts })
    }

    /// The point of a cell.
    pub(crate) fn point(&self, index: [u32; 3]) -> Vec3<R> {
        crate::kernels::grid_point::grid_point(index, self.lo, self.h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_grows_on_every_side() {
        let bounds = Bounds { lo: [0.0, -1.0, 2.0], hi: [1.0, 1.0, 2.0] };
        let grid = Grid::around(&bounds, [3, 4, 5], 0.25).unwrap();
        assert_eq!((grid.lo, grid.cell), ([-0.25, -1.5, 2.0], [0.5, 0.75, 0.0]));
        assert_eq!(grid.centre([0, 1, 4]), [0.0, -0.375, 2.0]);
    }

    #[test]
    fn impossible_grids_are_errors_with_numbers() {
        let bounds = Bounds { lo: [0.0; 3], hi: [1.0; 3] };
        let error = |counts, margin| Grid::around(&bounds, counts, margin).unwrap_err().to_string();
        assert_eq!(error([1, 0, 1], 0.0), "grid: 0 cells along y, allowed are 1 to 8388608");
        assert_eq!(error([1, 1, 1 << 24], 0.0), "grid: 16777216 cells along z, allowed are 1 to 8388608");
        assert!(error([1; 3], f64::NAN).contains("margin NaN"));
        assert!(error([1 << 23; 3], 0.0).contains("needs 18446744073709551615 bytes, allowed are 9223372036854775807"));
        let grid = Grid::around(&bounds, [100, 10, 10], 0.0).unwrap();
        assert_eq!(
            grid.check_memory(39_999).unwrap_err().to_string(),
            "a grid of 100 x 10 x 10 cells needs 40000 bytes, allowed are 39999"
        );
        assert_eq!(grid.check_memory(40_000).unwrap(), 40_000);
    }
}
