//! Where a function vanishes on an edge of the grid and along a line through a cell.

use super::{CORNERS, Grid};
use crate::error::Error;

/// Evaluations of a search for a zero between two signs: smooth functions take some six, and every fourth is a halving.
const MOST_STEPS: u32 = 4 * 48;
/// How closely a vertex is looked for, in parts of the way that is searched.
pub(super) const CLOSE: f64 = 1.0 / (1_u64 << 48) as f64;
/// How closely zeros on edges are, whose mean a vertex starts from.
pub(super) const NEAR: f64 = 1.0 / 128.0;

pub(super) fn negative(value: f64) -> bool {
    value < 0.0
}

/// The zero of `f` between 0 and 1, of the values there, which have different signs; within `least`.
///
/// False position after the Illinois rule (Dowell and Jarratt, 1971): the value at an end that stays twice in a row is halved. No step is shorter than
/// `least`, so that the interval closes once a value is that near the zero (Brent, 1973). It is halved instead where values are no numbers or not finite,
/// and at every fourth step.
pub(super) fn zero_between(ends: [f64; 2], least: f64, f: impl Fn(f64) -> Result<f64, Error>) -> Result<f64, Error> {
    let ([mut a, mut b], [mut at_a, mut at_b]) = ([0.0, 1.0], ends);
    let first = negative(at_a);
    let mut kept = 0_i32;
    let secant = |a: f64, b: f64, at_a: f64, at_b: f64| {
        let position = a + (b - a) * (at_a / (at_a - at_b));
        if position >= a && position <= b { position } else { a + (b - a) * 0.5 }
    };
    for step in 1..=MOST_STEPS {
        if at_a == 0.0 {
            return Ok(a);
        }
        if b - a <= least {
            break;
        }
        let middle = a + (b - a) * 0.5;
        let aside = least.min((b - a) * 0.5);
        let t = if step % 4 == 0 { middle } else { secant(a, b, at_a, at_b).max(a + aside).min(b - aside) };
        let value = f(t)?;
        if negative(value) == first {
            (a, at_a) = (t, value);
            at_b *= if kept > 0 { 0.5 } else { 1.0 };
            kept = 1;
        } else {
            (b, at_b) = (t, value);
            at_a *= if kept < 0 { 0.5 } else { 1.0 };
            kept = -1;
        }
    }
    Ok(secant(a, b, at_a, at_b))
}

/// A point of the surface near `inside`, a point of the cell in its units: along the gradient of the corners' values, or where that meets no change of
/// sign in the cell towards the nearest corner of the other sign. Some corner has it.
pub(super) fn onto_surface(
    grid: &Grid<'_>,
    cell: [u32; 3],
    corners: &[f64; 8],
    inside: [f64; 3],
) -> Result<[f64; 3], Error> {
    let here = grid.inside(cell, inside)?;
    // [1] Along the gradient twice as far as it says, else to the side of the cell.
    let gradient = gradient(corners);
    let square: f64 = gradient.iter().map(|g| g * g).sum();
    let towards = gradient.map(|g| if negative(here) { g } else { -g });
    let way = |k: usize| (if towards[k] > 0.0 { 1.0 - inside[k] } else { inside[k] }) / towards[k].abs();
    let far = (0..3).filter(|k| towards[*k] != 0.0).map(way).fold(f64::INFINITY, f64::min);
    let near = (2.0 * here.abs() / square).min(far);
    let mut ends = Vec::new();
    if square > 0.0 && square.is_finite() && here.is_finite() {
        ends.extend([near, far].map(|length| std::array::from_fn(|k| inside[k] + length * towards[k])));
    }
    // [2] Towards a corner.
    let corner = |a: usize| CORNERS[a].map(f64::from);
    let distance = |a: &usize| corner(*a).iter().zip(inside).map(|(c, x)| (c - x) * (c - x)).sum::<f64>();
    let others = (0..8).filter(|a| negative(corners[*a]) != negative(here));
    ends.extend(others.min_by(|a, b| distance(a).total_cmp(&distance(b))).map(corner));
    for end in ends {
        let there = grid.inside(cell, end)?;
        if negative(there) != negative(here) {
            let at = |t: f64| std::array::from_fn(|k| inside[k] + t * (end[k] - inside[k]));
            let t = zero_between([here, there], CLOSE, |t| grid.inside(cell, at(t)))?;
            return Ok(at(t));
        }
    }
    Ok(inside)
}

/// Of the function that is linear along every axis between the corners, in the middle of the cell.
fn gradient(corners: &[f64; 8]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let difference = |a: usize| corners[a | 1 << axis] - corners[a];
        (0..8).filter(|a| a >> axis & 1 == 0).map(difference).sum::<f64>() / 4.0
    })
}

#[cfg(test)]
mod tests {
    use super::{CLOSE, NEAR, zero_between};

    #[test]
    fn zeros_are_found_whatever_the_values_are() {
        let zero = |f: fn(f64) -> f64| zero_between([f(0.0), f(1.0)], CLOSE, |t| Ok(f(t))).expect("no error");
        assert!((zero(|t| t * t * t - 0.3) - 0.3_f64.cbrt()).abs() < 1e-14);
        // Flat on one side, steep on the other; a jump; a pole; infinities.
        assert!((zero(|t| (t - 0.7).powi(9)) - 0.7).abs() < 1e-14);
        assert!((zero(|t| if t < 0.4 { -1.0 } else { 1e300 }) - 0.4).abs() < 1e-14);
        assert!((zero(|t| 1.0 / (t - 0.25)) - 0.25).abs() < 1e-14);
        assert!((zero(|t| if t > 0.6 { f64::INFINITY } else { f64::NEG_INFINITY }) - 0.6).abs() < 1e-14);
        assert!((zero(|t| if t > 0.1 { f64::NAN } else { -1.0 }) - 0.1).abs() < 1e-14);
        assert_eq!(zero(|t| t), 0.0);
    }

    #[test]
    fn smooth_functions_take_few_evaluations() {
        let count = std::cell::Cell::new(0);
        let f = |t: f64| {
            count.set(count.get() + 1);
            Ok((1.7 * t).sin() - 0.4 + 0.3 * t * t)
        };
        let zero = |least| zero_between([-0.4, 1.7_f64.sin() - 0.1], least, f).expect("no error");
        let (near, few) = (zero(NEAR), count.replace(0));
        let (close, more) = (zero(CLOSE), count.get());
        assert!((near - close).abs() < NEAR && f(close).expect("no error").abs() < 1e-14, "{near} {close}");
        assert!(few <= 4 && more <= 9, "{few} {more}");
    }
}
