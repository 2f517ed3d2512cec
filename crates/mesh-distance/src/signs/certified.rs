//! The winding sign without asking every triangle: sums of expansions with a proven error.
//!
//! Nothing here decides a bit. A walk gives an angle and a bound of how far it is from the exact sum of [`super::exact`]; only when
//! half a turn lies outside of that does it give an answer, which is then the exact sum's. `docs/numerics.md`, section 7.

use super::moments::{cross, dot, sub};
use crate::kernels::Vec3;
use crate::kernels::cylinder_bound::WIDTH;
use crate::kernels::real::{Real, Record};
use crate::kernels::solid_angle::solid_angle;
use crate::kernels::winding_expansion::Moments;
use crate::tree::{MAX_DEPTH, Node};

/// Largest radius of an expansion over its distance, pass by pass: the coarsest that decides is enough.
pub(crate) const REACHES: [f64; 3] = [1.0 / 3.0, 1.0 / 8.0, 1.0 / 32.0];
/// What the sum of all errors is multiplied by: the rounding of that sum itself.
const SLACK: f64 = 1.0625;

/// The surface and the moments of its tree for the radius criterion.
#[derive(Clone, Copy)]
pub(crate) struct Certified<'a, R: Real> {
    pub(crate) records: &'a [R::Record],
    pub(crate) nodes: &'a [Node],
    pub(crate) moments: &'a [Moments<R>],
}

/// Rounding of the exact sum to its fixed point, all triangles together, in radians.
pub(crate) fn quantum(triangles: usize) -> f64 {
    triangles as f64 / (1u64 << 32) as f64
}

/// `g(t) = (3.5 - 2.5 t) / (1 - t)^2`: the error of an expansion is at most g spread / d^4.
pub(crate) fn growth(reach: f64) -> f64 {
    (3.5 - 2.5 * reach) / ((1.0 - reach) * (1.0 - reach))
}

impl<R: Real> Certified<'_, R> {
    /// Whether the winding number at `p` is above 1/2, or `None` when that is too close to call.
    pub(crate) fn inside(&self, p: Vec3<R>) -> Option<bool> {
        if p.iter().any(|x| x.abs() > R::FAR_AWAY) {
            return Some(false);
        }
        REACHES.iter().find_map(|&reach| {
            let (sum, error) = self.walk(p, reach);
            let beyond = sum - std::f64::consts::TAU;
            (beyond.abs() > error * SLACK).then_some(beyond > 0.0)
        })
    }

    /// The angle at `p` in radians (4 pi is the sphere) and the sum of its errors.
    fn walk(&self, working: Vec3<R>, reach: f64) -> (f64, f64) {
        let p = working.map(R::to_f64);
        let (reach2, growth) = (reach * reach, growth(reach));
        let (mut sum, mut error) = (0.0, quantum(self.records.len()));
        let mut stack = [0u32; (WIDTH - 1) * MAX_DEPTH + 1];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let index = stack[height] as usize;
            let node = &self.nodes[index];
            for k in 0..node.children {
                let m = &self.moments[index * WIDTH + k as usize];
                let d = sub(m.centre.map(R::to_f64), p);
                let d2 = dot(d, d);
                let (value, bound) = if m.size2.to_f64() <= reach2 * d2 {
                    far(m, d, d2, growth)
                } else if k < node.inner {
                    stack[height] = node.child_base + k;
                    height += 1;
                    continue;
                } else {
                    near::<R>(&self.records[(node.slot_base + k - node.inner) as usize], p, working)
                };
                sum += value;
                error += bound + sum.abs() / f64::from(1 << 23);
            }
        }
        (sum, error)
    }
}

/// An expansion and its error.
fn far<R: Real>(m: &Moments<R>, d: [f64; 3], d2: f64, growth: f64) -> (f64, f64) {
    let [xx, xy, xz, yy, yz, zz] = m.tensor.map(R::to_f64);
    let md = [dot([xx, xy, xz], d), dot([xy, yy, yz], d), dot([xz, yz, zz], d)];
    let (i2, i3) = (1.0 / d2, 1.0 / (d2 * d2.sqrt()));
    let value = i3 * (dot(m.normal.map(R::to_f64), d) + (xx + yy + zz) - 3.0 * dot(d, md) * i2);
    (value, (m.rounding.to_f64() + m.spread.to_f64() * growth * i2) * i2)
}

/// A triangle's angle and the error that its strict twin may make as well.
fn near<R: Real>(r: &R::Record, p: [f64; 3], working: Vec3<R>) -> (f64, f64) {
    let [a, b, c] = r.corners().map(|v| sub(v.map(R::to_f64), p));
    let (ab, ac) = (sub(b, a), sub(c, a));
    let [la, lb, lc] = [a, b, c].map(|v| dot(v, v).sqrt());
    let y = dot(a, cross(ab, ac));
    let volume = la * lb * lc;
    let x = volume + dot(a, b) * lc + dot(a, c) * lb + dot(b, c) * la;
    let size = (x * x + y * y).sqrt();
    let part = (volume + la * dot(ab, ab).max(dot(ac, ac))) / (131_072.0 * size);
    if part.is_nan() || part > 0.125 || (x < 0.0 && y.abs() <= 2.0 * part * size) {
        // The exact sum's own term: nothing to differ.
        let sphere = 2.0 * std::f64::consts::TAU;
        return (sphere * solid_angle::<R>(r, working).to_f64(), 1.0 / f64::from(1 << 20));
    }
    (2.0 * y.atan2(x), 2.5 * part + 1.0 / f64::from(1 << 20))
}
