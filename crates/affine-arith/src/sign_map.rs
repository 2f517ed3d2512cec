//! Signs of a function of two variables over a square of pixels, proven pixel by pixel.

use rayon::prelude::*;

use crate::error::Error;
use crate::expr::Plan;
use crate::interval::{Interval, Sign};
use crate::mixed::Mixed;

/// The finest map: 2^13 pixels along each axis.
pub const MAX_MAP_LEVEL: u32 = 13;

/// Signs of a plan in two variables over 2^level x 2^level pixels of a box, the first variable fastest, both ascending: certainly negative,
/// certainly positive, or unknown, which holds every zero.
///
/// A quadtree of forms with intervals beside them, f32: squares of one sign are not divided. Pixels are rounded outward.
///
/// Errors: a plan that has not two variables; bounds that are not finite and increasing; a level above [`MAX_MAP_LEVEL`].
pub fn sign_map(plan: &Plan, bounds: [(f64, f64); 2], level: u32) -> Result<Vec<Sign>, Error> {
    if plan.variables().len() != 2 {
        return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: 2 });
    }
    if level > MAX_MAP_LEVEL {
        return Err(Error::Level { level, allowed: MAX_MAP_LEVEL });
    }
    let allowed = 2f64.powi(59);
    for (axis, (lower, upper)) in bounds.into_iter().enumerate() {
        let fits = lower.abs() <= allowed && upper.abs() <= allowed;
        if !fits || lower.partial_cmp(&upper) != Some(std::cmp::Ordering::Less) {
            return Err(Error::Bounds { axis, lower, upper, allowed });
        }
    }
    let side = 1_usize << level;
    // Blocks of rows side by side; a block is a square of the quadtree.
    let block = side.min(64);
    let blocks = side / block;
    let map = Map { plan, bounds, side };
    let parts: Vec<Vec<Sign>> = (0..blocks * blocks)
        .into_par_iter()
        .map(|i| {
            let mut signs = vec![Sign::Unknown; block * block];
            map.square([i % blocks * block, i / blocks * block], block, [0, 0], block, &mut signs)?;
            Ok(signs)
        })
        .collect::<Result<_, Error>>()?;
    let mut signs = vec![Sign::Unknown; side * side];
    for (i, part) in parts.iter().enumerate() {
        for (row, values) in part.chunks_exact(block).enumerate() {
            let at = (i / blocks * block + row) * side + i % blocks * block;
            signs[at..at + block].copy_from_slice(values);
        }
    }
    Ok(signs)
}

struct Map<'a> {
    plan: &'a Plan,
    bounds: [(f64, f64); 2],
    side: usize,
}

impl Map<'_> {
    /// Fills the square of `size` pixels at `at` of the block that begins at `first` and has rows of `stride` pixels.
    fn square(
        &self,
        first: [usize; 2],
        stride: usize,
        at: [usize; 2],
        size: usize,
        signs: &mut [Sign],
    ) -> Result<(), Error> {
        let range = |k: usize| {
            let (lower, upper) = self.bounds[k];
            let end = |i: usize| lower + (upper - lower) * (i as f64 / self.side as f64);
            let i = first[k] + at[k];
            Interval::<f32>::from_f64(end(i)).join(Interval::from_f64(end(i + size)))
        };
        let inputs = [Mixed::<f32, 2>::variable(0, range(0)), Mixed::variable(1, range(1))];
        let value = self.plan.evaluate(&inputs)?;
        let sign = value.interval().intersect(value.form().interval()).sign();
        if sign != Sign::Unknown || size == 1 {
            for row in at[1]..at[1] + size {
                signs[row * stride + at[0]..row * stride + at[0] + size].fill(sign);
            }
            return Ok(());
        }
        let half = size / 2;
        for q in 0..4 {
            self.square(first, stride, [at[0] + (q & 1) * half, at[1] + (q >> 1) * half], half, signs)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Sign, sign_map};
    use crate::Plan;

    #[test]
    fn signs_are_those_of_the_function_and_the_unknown_are_few() {
        let text = "x^2+y^2+x*y-(x*y)^2/2-1/4";
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y"]).expect("x and y");
        let signs = sign_map(&plan, [(-2.0, 2.0); 2], 8).expect("two variables");
        let mut unknown = 0;
        for (i, sign) in signs.iter().enumerate() {
            let at = |k: usize| -2.0 + 4.0 * (k as f64 + 0.5) / 256.0;
            let (x, y) = (at(i % 256), at(i / 256));
            let truth = x * x + y * y + x * y - (x * y).powi(2) / 2.0 - 0.25;
            match sign {
                Sign::Positive => assert!(truth > 0.0),
                Sign::Negative => assert!(truth < 0.0),
                Sign::Unknown => unknown += 1,
            }
        }
        assert!(unknown > 400 && unknown < 1100, "{unknown}");
        assert!(sign_map(&plan, [(-2.0, 2.0); 2], 14).is_err());
    }
}
