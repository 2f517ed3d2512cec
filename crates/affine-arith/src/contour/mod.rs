//! Surfaces from the cells of a subdivision: a vertex a cell, a quadrilateral an edge of the grid on which the sign changes.
//!
//! Source: Gibson, Constrained elastic surface nets, 1998. Not rigorous: signs are those of floats at the corners.

mod crossings;

use std::collections::HashMap;

use rayon::prelude::*;

use crate::error::Error;
use crate::expr::Plan;
use crossings::{NEAR, negative, onto_surface, zero_between};

/// A triangle mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// Vertices.
    pub positions: Vec<[f64; 3]>,
    /// Vertices of the triangles, counter-clockwise as seen from where the function is positive.
    pub triangles: Vec<[u32; 3]>,
}

/// The corners of a cell, as offsets.
const CORNERS: [[u32; 3]; 8] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

fn corner_of(cell: [u32; 3], corner: usize) -> [u32; 3] {
    std::array::from_fn(|k| cell[k] + CORNERS[corner][k])
}

/// An edge of the grid: its lower corner and its axis.
type Edge = ([u32; 3], usize);

/// The function over the grid of a level.
struct Grid<'a> {
    plan: &'a Plan,
    bounds: [(f64, f64); 3],
    level: u32,
}

impl Grid<'_> {
    fn position(&self, corner: [f64; 3]) -> [f64; 3] {
        let cells = f64::from(1_u32 << self.level);
        std::array::from_fn(|k| self.bounds[k].0 + (self.bounds[k].1 - self.bounds[k].0) * (corner[k] / cells))
    }

    fn value(&self, point: [f64; 3]) -> Result<f64, Error> {
        self.plan.evaluate(&self.position(point))
    }

    /// The value at a point of a cell, given in the cell's units.
    fn inside(&self, cell: [u32; 3], point: [f64; 3]) -> Result<f64, Error> {
        self.value(std::array::from_fn(|k| f64::from(cell[k]) + point[k]))
    }

    /// Where the function vanishes on an edge, between 0 and 1.
    fn crossing(&self, (corner, axis): Edge, ends: [f64; 2]) -> Result<f64, Error> {
        zero_between(ends, NEAR, |t| {
            let mut point = corner.map(f64::from);
            point[axis] += t;
            self.value(point)
        })
    }

    /// Values of a function of corners or edges, each computed once, side by side.
    fn each<K: Copy + Ord + std::hash::Hash + Send + Sync>(
        mut keys: Vec<K>,
        value: impl Fn(K) -> Result<f64, Error> + Sync,
    ) -> Result<HashMap<K, f64>, Error> {
        keys.par_sort_unstable();
        keys.dedup();
        keys.into_par_iter().map(|key| Ok((key, value(key)?))).collect()
    }
}

/// The surface on which a plan in three variables vanishes, through `cells` of a level of the box (those of a subdivision, in any order).
///
/// A vertex is on the surface but for rounding, in its cell: from the mean of the zeros on the cell's edges (each to 1/128 of a cell) a zero is looked for
/// along the gradient, else towards a corner of the other sign. Where two sheets share a cell they share its vertex, which is that mean. Zeros are found by false
/// position in f64. Edges of the box have no quadrilaterals, so surfaces that leave it are open there. Numbers that are no numbers count as positive.
///
/// Errors: another number of variables. Cost: some 12 evaluations in f64 a vertex, on all threads.
pub fn contour(plan: &Plan, bounds: [(f64, f64); 3], level: u32, cells: &[[u16; 3]]) -> Result<Contour, Error> {
    let grid = Grid { plan, bounds, level };
    let cells: Vec<[u32; 3]> = cells.iter().map(|cell| cell.map(u32::from)).collect();
    // [1] Values at corners, and zeros on the edges with a change of sign.
    let corners = cells.par_iter().flat_map_iter(|cell| (0..8).map(|corner| corner_of(*cell, corner))).collect();
    let values = Grid::each(corners, |corner: [u32; 3]| grid.value(corner.map(f64::from)))?;
    let of_cell = |cell: &[u32; 3]| -> [f64; 8] { std::array::from_fn(|corner| values[&corner_of(*cell, corner)]) };
    let crossed = |cell: &[u32; 3]| crossed_edges(*cell, &of_cell(cell));
    let edges = cells.par_iter().flat_map_iter(crossed).collect();
    let ends = |(corner, axis): Edge| [values[&corner], values[&corner_of(corner, 1 << axis)]];
    let crossings = Grid::each(edges, |edge| grid.crossing(edge, ends(edge)))?;
    // [2] A vertex for every cell that has one of them.
    let vertex = |cell: &[u32; 3]| vertex(&grid, *cell, &of_cell(cell), &crossings);
    let placed: Vec<Option<[f64; 3]>> = cells.par_iter().map(vertex).collect::<Result<_, Error>>()?;
    let mut mesh = Contour::default();
    let mut vertices: HashMap<[u32; 3], u32> = HashMap::new();
    for (cell, position) in cells.iter().zip(placed) {
        if let Some(position) = position
            && vertices.insert(*cell, mesh.positions.len() as u32).is_none()
        {
            mesh.positions.push(position);
        }
    }
    // [3] Quadrilaterals round the edges from the lowest corner of each.
    let mut order: Vec<[u32; 3]> = vertices.keys().copied().collect();
    order.sort_unstable_by_key(|cell| vertices[cell]);
    for cell in order {
        for axis in 0..3 {
            quadrilateral(ends((cell, axis)), &vertices, cell, axis, &mut mesh);
        }
    }
    Ok(mesh)
}

/// The edges of a cell on which the sign changes.
fn crossed_edges(cell: [u32; 3], corners: &[f64; 8]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for a in 0..8_usize {
        for axis in (0..3).filter(|axis| a >> axis & 1 == 0) {
            if negative(corners[a]) != negative(corners[a | 1 << axis]) {
                edges.push((corner_of(cell, a), axis));
            }
        }
    }
    edges
}

/// The vertex of a cell; none where no edge has a zero.
fn vertex(
    grid: &Grid<'_>,
    cell: [u32; 3],
    corners: &[f64; 8],
    crossings: &HashMap<Edge, f64>,
) -> Result<Option<[f64; 3]>, Error> {
    // [1] The mean of the zeros, in units of the cell.
    let edges = crossed_edges(cell, corners);
    if edges.is_empty() {
        return Ok(None);
    }
    let mut inside = [0.0; 3];
    for edge in &edges {
        for (k, sum) in inside.iter_mut().enumerate() {
            *sum += f64::from(edge.0[k] - cell[k]) + if k == edge.1 { crossings[edge] } else { 0.0 };
        }
    }
    let mut inside = inside.map(|sum| sum / edges.len() as f64);
    // [2] Onto the surface.
    if is_one_sheet(corners) {
        inside = onto_surface(grid, cell, corners, inside)?;
    }
    Ok(Some(grid.position(std::array::from_fn(|k| f64::from(cell[k]) + inside[k]))))
}

/// Whether the corners of either sign hang together along edges: then one sheet parts them.
fn is_one_sheet(corners: &[f64; 8]) -> bool {
    [false, true].into_iter().all(|sign| {
        let of_sign = (0..8_usize).filter(|a| negative(corners[*a]) == sign).fold(0_u32, |set, a| set | 1 << a);
        let mut reached = of_sign & of_sign.wrapping_neg();
        for _ in 0..8 {
            let beside = (0..8_usize).filter(|a| reached >> a & 1 == 1);
            reached |= beside.fold(0, |set, a| set | 1 << (a ^ 1) | 1 << (a ^ 2) | 1 << (a ^ 4)) & of_sign;
        }
        reached == of_sign
    })
}

/// The quadrilateral round the edge along `axis` from the lowest corner of a cell, of the values at the edge's ends.
fn quadrilateral(ends: [f64; 2], vertices: &HashMap<[u32; 3], u32>, cell: [u32; 3], axis: usize, mesh: &mut Contour) {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let [first, second] = ends.map(negative);
    if cell[u] == 0 || cell[v] == 0 || first == second {
        return;
    }
    let beside = |du: u32, dv: u32| {
        let mut other = cell;
        other[u] -= du;
        other[v] -= dv;
        vertices.get(&other).copied()
    };
    let (Some(a), Some(b), Some(c), Some(d)) = (beside(0, 0), beside(1, 0), beside(1, 1), beside(0, 1)) else {
        // A cell that was not handed over: the surface ends here.
        return;
    };
    // Round the axis in its positive sense when the function grows along it.
    let [a, b, c, d] = if first { [a, b, c, d] } else { [a, d, c, b] };
    mesh.triangles.extend([[a, b, c], [a, c, d]]);
}

#[cfg(test)]
mod tests;
