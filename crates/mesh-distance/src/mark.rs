//! Marks of the cells of a grid: outside, cut by the surface, inside. The immersed-boundary marker.

use crate::answers::require_sign;
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::kernels::Vec3;
use crate::kernels::cell_triangle::{boxes_meet, cell_corner, cell_mark, cell_meets_triangle};
use crate::kernels::real::{Real, Record};
use crate::query::Progress;
use crate::tree::MAX_DEPTH;
use crate::{Error, Grid, Sign, Surface};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// A cell is outside and not cut.
pub const OUTSIDE: u8 = 0;
/// A cell is cut by the surface.
pub const CUT: u8 = 1;
/// A cell is inside and not cut.
pub const INSIDE: u8 = 2;

/// When a cell counts as cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// The distance of its centre is at most half its diagonal: cheap, and never misses a cell that the surface crosses.
    #[default]
    Diagonal,
    /// A triangle meets the closed cell. Also never misses one; what it reports lies within rounding (2^-15, in f64 2^-44,
    /// of the sizes of triangle and cell) of the cell.
    Surface,
}

/// Children left behind by a walk.
const STACK: usize = 7 * MAX_DEPTH + 1;

/// Cells between two progress calls.
const WAVE: usize = 1 << 16;

/// The largest distance of a centre whose cell counts as cut under [`Cut::Diagonal`].
pub(crate) fn half_diagonal<R: Real>(grid: &Grid) -> R {
    R::rounded_down(grid.half_diagonal())
}

/// A distance beyond which no triangle meets a cell, whatever the rounding: only to skip cells.
#[cfg(feature = "gpu")]
pub(crate) fn surface_limit(grid: &Grid, frame: &crate::Frame) -> f32 {
    let span = (0..3).fold(2.0f64, |m, k| {
        let corners = [grid.lo[k], grid.lo[k] + f64::from(grid.counts[k]) * grid.cell[k]];
        corners.iter().fold(m, |m, x| m.max(((x - frame.centre[k]) * frame.scale()).abs()))
    });
    // Margins and the rounding of distances are below 2^-13 of the coordinates.
    let limit = grid.half_diagonal() * 1.01 + span / frame.scale() / 4096.0;
    limit.min(f64::from(f32::MAX)) as f32
}

impl<R: Precision> Surface<R> {
    /// The mark of each cell ([`OUTSIDE`], [`CUT`] or [`INSIDE`]), x fastest; inside by `sign` at the cell's centre.
    ///
    /// # Errors
    /// As [`Surface::grid_distance_cpu`]; [`Error::Question`] without a sign.
    pub fn mark_cpu(&self, grid: &Grid, sign: Sign, cut: Cut, progress: &Progress<'_>) -> Result<Vec<u8>, Error> {
        require_sign(sign)?;
        let distances = self.grid_distance_cpu(grid, sign, false, progress)?;
        let frame_grid = FrameGrid::<R>::new(grid, self.frame())?;
        let limit = half_diagonal::<R>(grid);
        let [nx, ny, _] = grid.counts.map(|n| n as usize);
        let mark = |(cell, distance): (usize, &R)| {
            let index = [cell % nx, cell / nx % ny, cell / (nx * ny)].map(|i| i as u32);
            let is_cut = match cut {
                Cut::Diagonal => distance.abs() <= limit,
                Cut::Surface => self.meets_cell(&frame_grid, index),
            };
            cell_mark(is_cut, distance.words()[R::WORDS - 1]) as u8
        };
        let total = distances.len();
        let mut marks = Vec::with_capacity(total);
        for (wave, part) in distances.chunks(WAVE).enumerate() {
            if cut == Cut::Surface && progress(wave * WAVE, total).is_break() {
                return Err(Error::Interrupted { done: wave * WAVE, total });
            }
            marks.par_extend(part.par_iter().enumerate().map(|(k, distance)| mark((wave * WAVE + k, distance))));
        }
        let _: ControlFlow<()> = progress(total, total);
        Ok(marks)
    }

    /// Whether a triangle meets the cell.
    fn meets_cell(&self, grid: &FrameGrid<R>, index: [u32; 3]) -> bool {
        let lo = cell_corner(index, grid.lo, grid.h);
        let hi = cell_corner(index.map(|i| i + 1), grid.lo, grid.h);
        self.any_triangle_of_box(lo, hi, |slot| {
            let [a, b, c] = self.records()[slot as usize].corners();
            cell_meets_triangle(lo, hi, a, b, c)
        })
    }

    /// Whether `test` holds for a slot whose box of ancestors meets the box.
    fn any_triangle_of_box(&self, lo: Vec3<R>, hi: Vec3<R>, test: impl Fn(u32) -> bool) -> bool {
        let mut stack = [0u32; STACK];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height] as usize;
            let (node, own) = (&self.tree().nodes[at], &self.boxes()[at]);
            for k in 0..node.children {
                let (low, high) = own.child_in::<R>(k as usize);
                if !boxes_meet(lo, hi, low, high) {
                    continue;
                }
                match k.checked_sub(node.inner) {
                    None => {
                        stack[height] = node.child_base + k;
                        height += 1;
                    }
                    Some(leaf) if test(node.slot_base + leaf) => return true,
                    Some(_) => {}
                }
            }
        }
        false
    }
}

/// The oracle of [`Cut::Surface`]: for each cell whether any triangle meets it, all triangles asked. One thread.
///
/// # Errors
/// As [`Surface::mark_cpu`].
pub fn cut_brute_force<R: Real>(surface: &Surface<R>, grid: &Grid) -> Result<Vec<bool>, Error> {
    let frame_grid = FrameGrid::<R>::new(grid, surface.frame())?;
    let [nx, ny, _] = grid.counts.map(|n| n as usize);
    let cut = |cell: usize| {
        let index = [cell % nx, cell / nx % ny, cell / (nx * ny)].map(|i| i as u32);
        let lo = cell_corner(index, frame_grid.lo, frame_grid.h);
        let hi = cell_corner(index.map(|i| i + 1), frame_grid.lo, frame_grid.h);
        surface.records().iter().map(Record::corners).any(|[a, b, c]| cell_meets_triangle(lo, hi, a, b, c))
    };
    Ok((0..grid.cells()?).map(cut).collect())
}
