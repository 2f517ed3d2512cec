//! Grids, block by block: neighbouring cells have neighbouring answers.

use super::{Hit, nearest};
use crate::double::Precision;
use crate::grid::FrameGrid;
use crate::{Sign, Surface};

/// Cells of a block along an axis.
const SIDE: u32 = 4;
/// Cells of a block.
const CELLS: usize = (SIDE * SIDE * SIDE) as usize;

/// A grid cut into blocks of 4 × 4 × 4 cells.
pub(crate) struct Blocks<R = f32> {
    grid: FrameGrid<R>,
    counts: [usize; 3],
}

impl<R: Precision> Blocks<R> {
    pub(crate) fn new(grid: FrameGrid<R>) -> Blocks<R> {
        Blocks { grid, counts: grid.counts.map(|n| n.div_ceil(SIDE) as usize) }
    }

    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.counts.iter().product()
    }

    /// Values of the cells of a block, in the order of [`Blocks::cells`].
    pub(crate) fn answer(&self, surface: &Surface<R>, block: usize, sign: Sign, squared: bool) -> [R; CELLS] {
        let mut values = [R::ZERO; CELLS];
        let mut hit = Hit::NONE;
        for (value, index) in values.iter_mut().zip(self.cells(block)) {
            let p = self.grid.point(index);
            hit = nearest(surface, p, hit.slot);
            *value = surface.value(p, hit, sign, squared);
        }
        values
    }

    /// Puts the values of a block into the grid's array and returns how many.
    pub(crate) fn scatter(&self, block: usize, values: &[R; CELLS], out: &mut [R]) -> usize {
        let [nx, ny, _] = self.grid.counts.map(|n| n as usize);
        let mut count = 0;
        for (value, [i, j, k]) in values.iter().zip(self.cells(block)) {
            out[(k as usize * ny + j as usize) * nx + i as usize] = *value;
            count += 1;
        }
        count
    }

    /// Cells of a block that lie in the grid, along a path whose steps are neighbours.
    fn cells(&self, block: usize) -> impl Iterator<Item = [u32; 3]> + use<R> {
        let [bx, by, _] = self.counts;
        let corner = [block % bx, block / bx % by, block / (bx * by)].map(|b| b as u32 * SIDE);
        let counts = self.grid.counts;
        let path = (0..SIDE).flat_map(|k| (0..SIDE).flat_map(move |j| (0..SIDE).map(move |i| turned(i, j, k))));
        path.map(move |step| [corner[0] + step[0], corner[1] + step[1], corner[2] + step[2]])
            .filter(move |cell| (0..3).all(|axis| cell[axis] < counts[axis]))
    }
}

/// Turns every second row and layer, so that consecutive cells touch.
fn turned(i: u32, j: u32, k: u32) -> [u32; 3] {
    let y = if k.is_multiple_of(2) { j } else { SIDE - 1 - j };
    let x = if (j + k * SIDE).is_multiple_of(2) { i } else { SIDE - 1 - i };
    [x, y, k]
}
