//! How much a walk looks at: for rooflines.

use rayon::prelude::*;

use super::walk::{Visitor, nearest, nearest_visited};
use crate::grid::FrameGrid;
use crate::{Error, Grid, Surface};

/// What the walks of some queries looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkCounts {
    /// Queries.
    pub queries: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Bounds of their children.
    pub bounds: u64,
    /// Triangles.
    pub triangles: u64,
}

impl Visitor for WalkCounts {
    fn node(&mut self, children: usize) {
        self.nodes += 1;
        self.bounds += children as u64;
    }

    fn triangle(&mut self) {
        self.triangles += 1;
    }
}

impl Surface {
    /// What the walks to the closest triangles of a grid's cells look at when each begins with the right answer: the least that a walk of this tree
    /// down to these answers can do for a point by itself.
    ///
    /// Cost: two walks a cell, in parallel.
    ///
    /// # Errors
    /// Those of [`Surface::grid_distance_cpu`] but for memory.
    pub fn count_walks(&self, grid: &Grid) -> Result<WalkCounts, Error> {
        let grid = FrameGrid::<f32>::new(grid, self.frame())?;
        let [nx, ny, nz] = grid.counts;
        let row = |row: u32| {
            let mut counts = WalkCounts::default();
            for i in 0..nx {
                let p = grid.point([i, row % ny, row / ny]);
                let hit = nearest(self, p, u32::MAX);
                counts.queries += 1;
                nearest_visited(self, p, hit.slot, f32::MAX, &mut counts);
            }
            counts
        };
        let add = |a: WalkCounts, b: WalkCounts| WalkCounts {
            queries: a.queries + b.queries,
            nodes: a.nodes + b.nodes,
            bounds: a.bounds + b.bounds,
            triangles: a.triangles + b.triangles,
        };
        Ok((0..ny * nz).into_par_iter().map(row).reduce(WalkCounts::default, add))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Grid, Mesh, Surface};

    #[test]
    fn walks_of_one_triangle_and_of_many_are_counted() {
        let one = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).expect("a mesh");
        let grid = Grid { lo: [0.0; 3], cell: [0.25; 3], counts: [4; 3] };
        let counts = Surface::build(&one).expect("a surface").count_walks(&grid).expect("counts");
        // The root, its only child, and the triangle twice: as the answer to begin with and as the child.
        assert_eq!([counts.queries, counts.nodes, counts.bounds, counts.triangles], [64, 64, 64, 128]);
        let sphere = Surface::build(&crate::make::sphere(2000)).expect("a surface");
        let many = sphere.count_walks(&grid).expect("counts");
        assert!(many.nodes > 2 * many.queries && many.bounds > many.nodes && many.triangles < 300 * many.queries);
    }
}
