//! Surfaces from the cells of a subdivision: a vertex a cell, a quadrilateral an edge of the grid on which the sign changes.
//!
//! Source: Gibson, Constrained elastic surface nets, 1998. Not rigorous: signs are those of floats at the corners.

use std::collections::HashMap;

use crate::error::Error;
use crate::expr::Plan;

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

/// Values at the corners of the grid, each evaluated once.
struct Values<'a> {
    plan: &'a Plan,
    bounds: [(f64, f64); 3],
    level: u32,
    known: HashMap<[u32; 3], f64>,
}

impl Values<'_> {
    fn position(&self, corner: [f64; 3]) -> [f64; 3] {
        let cells = f64::from(1_u32 << self.level);
        std::array::from_fn(|k| self.bounds[k].0 + (self.bounds[k].1 - self.bounds[k].0) * (corner[k] / cells))
    }

    fn at(&mut self, corner: [u32; 3]) -> Result<f64, Error> {
        if let Some(value) = self.known.get(&corner) {
            return Ok(*value);
        }
        let value = self.plan.evaluate(&self.position(corner.map(f64::from)))?;
        self.known.insert(corner, value);
        Ok(value)
    }
}

/// The surface on which a plan in three variables vanishes, through `cells` of a level of the box (those of a subdivision, in any order).
///
/// A vertex is the mean of the points where the function, taken as linear, vanishes on the edges of its cell. Edges of the box have no
/// quadrilaterals, so surfaces that leave it are open there. Where two sheets share a cell they share its vertex. Numbers that are no numbers count
/// as positive.
///
/// Errors: another number of variables. Cost: an evaluation in f64 a corner.
pub fn contour(plan: &Plan, bounds: [(f64, f64); 3], level: u32, cells: &[[u16; 3]]) -> Result<Contour, Error> {
    let mut values = Values { plan, bounds, level, known: HashMap::new() };
    let mut mesh = Contour::default();
    let mut vertices: HashMap<[u32; 3], u32> = HashMap::new();
    for cell in cells {
        let cell = cell.map(u32::from);
        let mut corners = [0.0; 8];
        for (value, offset) in corners.iter_mut().zip(CORNERS) {
            *value = values.at(std::array::from_fn(|k| cell[k] + offset[k]))?;
        }
        if let Some(inside) = mean_crossing(&corners) {
            vertices.insert(cell, mesh.positions.len() as u32);
            let corner = std::array::from_fn(|k| f64::from(cell[k]) + inside[k]);
            mesh.positions.push(values.position(corner));
        }
    }
    let mut order: Vec<[u32; 3]> = vertices.keys().copied().collect();
    order.sort_unstable_by_key(|cell| vertices[cell]);
    for cell in order {
        for axis in 0..3 {
            quadrilateral(&mut values, &vertices, cell, axis, &mut mesh)?;
        }
    }
    Ok(mesh)
}

fn negative(value: f64) -> bool {
    value < 0.0
}

/// The mean of the zeros on the twelve edges, in units of the cell.
fn mean_crossing(corners: &[f64; 8]) -> Option<[f64; 3]> {
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for a in 0..8_usize {
        for axis in 0..3 {
            let b = a | 1 << axis;
            if a == b || negative(corners[a]) == negative(corners[b]) {
                continue;
            }
            let t = corners[a] / (corners[a] - corners[b]);
            let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.5 };
            for (k, sum) in sum.iter_mut().enumerate() {
                *sum += f64::from(CORNERS[a][k]) + if k == axis { t } else { 0.0 };
            }
            count += 1.0;
        }
    }
    (count > 0.0).then(|| sum.map(|s| s / count))
}

/// The quadrilateral round the edge along `axis` from the lowest corner of a cell.
fn quadrilateral(
    values: &mut Values<'_>,
    vertices: &HashMap<[u32; 3], u32>,
    cell: [u32; 3],
    axis: usize,
    mesh: &mut Contour,
) -> Result<(), Error> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    if cell[u] == 0 || cell[v] == 0 {
        return Ok(());
    }
    let mut end = cell;
    end[axis] += 1;
    let (first, second) = (negative(values.at(cell)?), negative(values.at(end)?));
    if first == second {
        return Ok(());
    }
    let beside = |du: u32, dv: u32| {
        let mut other = cell;
        other[u] -= du;
        other[v] -= dv;
        vertices.get(&other).copied()
    };
    let (Some(a), Some(b), Some(c), Some(d)) = (beside(0, 0), beside(1, 0), beside(1, 1), beside(0, 1)) else {
        // A cell that was not handed over: the surface ends here.
        return Ok(());
    };
    // Round the axis in its positive sense when the function grows along it.
    let [a, b, c, d] = if first { [a, b, c, d] } else { [a, d, c, b] };
    mesh.triangles.extend([[a, b, c], [a, c, d]]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::contour;
    use crate::{Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};

    #[test]
    fn a_sphere_is_closed_round_and_turned_outward() {
        let plan = Plan::new(&"x^2+y^2+z^2-1".parse().expect("a sphere"), &["x", "y", "z"]).expect("in x, y, z");
        let options =
            SubdivideOptions { level: 5, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 100_000 };
        let bounds = [(-1.5, 1.5); 3];
        let cells = subdivide_cpu(&plan, bounds, options).expect("within the capacity");
        let mesh = contour(&plan, bounds, 5, &cells.indices).expect("three variables");
        let mut edges = std::collections::HashMap::new();
        let mut volume = 0.0;
        for t in &mesh.triangles {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
            }
            let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
            let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
            volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0;
        }
        assert!(edges.values().all(|sum| *sum == 0), "an edge is not shared by two triangles");
        // The volume of the ball, from inside out.
        assert!((volume - 4.18879).abs() < 0.05, "{volume}");
        assert!(mesh.positions.iter().all(|p| (p.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs() < 0.02));
        assert_eq!(mesh.positions.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64, 2);
    }
}
