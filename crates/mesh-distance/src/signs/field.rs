//! How far an answer reaches: away from the surface the winding number of a mesh changes only with the solid angle of its rim.
//!
//! Between two points that no triangle separates, the angle changes by at most the way between them times the integral of 1 / r^2 along
//! the rim (Biot and Savart); a closed mesh has none. The exact sum differs from the angle by rounding, which is bounded by
//! the distance to the surface. Both bounds together let the cells of a block take the answer of its middle, bit for bit.
//! `docs/numerics.md`, section 7, has the proof.

use super::certified::quantum;
use super::moments::{dot, sub};
use crate::kernels::real::{Real, Record};
use crate::mesh::equal_positions;
use rayon::prelude::*;

/// Bounds of the winding field of a surface; they decide no bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Field {
    /// Rounding of the exact sum at distance D: `squares / D^2 + cubes / D^3 + quantum`, in radians.
    pub(crate) squares: f32,
    /// See `squares`.
    pub(crate) cubes: f32,
    /// See `squares`.
    pub(crate) quantum: f32,
    /// Length of the rim, each edge times how many triangles it lacks on one side.
    pub(crate) rim: f32,
    /// Nearer to the surface nothing is promised: a 16th of the longest edge.
    pub(crate) nearest: f32,
}

impl Field {
    /// The bounds for the triangles of these records. Cost O(triangles).
    pub(crate) fn new<R: Real>(records: &[R::Record]) -> Field {
        let lengths = |r: &R::Record| {
            let [a, b, c] = r.corners().map(|p| p.map(R::to_f64));
            let longest = [sub(b, a), sub(c, b), sub(a, c)].iter().fold(0.0f64, |m, e| m.max(dot(*e, *e)));
            (longest, longest * longest.sqrt(), longest)
        };
        let sum = |x: (f64, f64, f64), y: (f64, f64, f64)| (x.0 + y.0, x.1 + y.1, x.2.max(y.2));
        let (squares, cubes, longest) = records.par_iter().map(lengths).reduce(|| (0.0, 0.0, 0.0), sum);
        let unit = 1.0 / f64::from(1 << 24);
        Field {
            squares: (404.0 * unit * squares) as f32,
            cubes: (202.0 * unit * cubes) as f32,
            quantum: (1.01 * quantum(records.len())) as f32,
            rim: (1.001 * rim::<R>(records)) as f32,
            nearest: (longest.sqrt() / 15.9) as f32,
        }
    }
}

/// Sum over edges of their length times |uses in one direction - uses in the other|, by position.
fn rim<R: Real>(records: &[R::Record]) -> f64 {
    let corners: Vec<[f64; 3]> = records.iter().flat_map(|r| r.corners().map(|p| p.map(R::to_f64))).collect();
    let (ids, kept) = equal_positions(&corners);
    let mut edges: Vec<(u32, u32, i32)> = (0..corners.len())
        .map(|at| {
            let next = if at % 3 == 2 { at - 2 } else { at + 1 };
            let (from, to) = (ids[at], ids[next]);
            if from < to { (from, to, 1) } else { (to, from, -1) }
        })
        .filter(|(from, to, _)| from != to)
        .collect();
    edges.par_sort_unstable();
    let position = |id: u32| corners[kept[id as usize] as usize];
    let same = |x: &(u32, u32, i32), y: &(u32, u32, i32)| (x.0, x.1) == (y.0, y.1);
    let of_edge = |uses: &[(u32, u32, i32)]| {
        let surplus: i32 = uses.iter().map(|u| u.2).sum();
        let e = sub(position(uses[0].1), position(uses[0].0));
        f64::from(surplus.abs()) * dot(e, e).sqrt()
    };
    edges.chunk_by(same).map(of_edge).sum()
}

#[cfg(test)]
mod tests {
    use crate::{Mesh, Surface, make};

    fn rim(mesh: &Mesh) -> f64 {
        let surface = Surface::build(mesh).unwrap();
        super::rim::<f32>(surface.records()) * 2f64.powi(surface.frame().exponent)
    }

    #[test]
    fn closed_meshes_have_no_rim_and_open_ones_their_length() {
        assert_eq!(rim(&make::sphere(500)), 0.0);
        let cube = make::cube(12);
        assert_eq!(rim(&cube), 0.0);
        let open = Mesh::new(cube.positions.clone(), cube.triangles[1..].to_vec()).unwrap();
        assert!((rim(&open) - (2.0 + 2f64.sqrt())).abs() < 1e-6, "{}", rim(&open));
        let mut double = open.clone();
        double.triangles.extend(open.triangles.clone());
        assert!((rim(&double) - 2.0 * (2.0 + 2f64.sqrt())).abs() < 1e-6);
    }
}
