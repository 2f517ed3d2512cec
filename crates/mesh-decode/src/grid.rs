//! One global grid for a mesh: integer points times a power of two.

use rayon::prelude::*;

use crate::error::Error;

/// How fine a grid is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GridStep {
    /// The smallest power-of-two step with which every axis needs at most this many bits (1 to 16).
    Bits(u32),
    /// The largest power-of-two step that is not above this length, in the mesh's unit.
    Length(f64),
}

/// Points of a mesh on a grid; shared vertices stay shared, so nothing cracks.
#[derive(Clone, Debug, PartialEq)]
pub struct GridPoints {
    /// The step is 2^exponent.
    pub exponent: i32,
    /// A point a vertex: the nearest one, halves away from zero.
    pub points: Vec<[i32; 3]>,
    /// Largest distance of a coordinate from its point's, measured in f64; at most half a step.
    pub max_error: f64,
}

/// Largest magnitude of a grid coordinate: an anchor of 24 bits, and exact in f32 together with a 16-bit code.
const MAX_COORDINATE: f64 = ((1 << 23) - (1 << 16) - 1) as f64;
/// Most steps along an axis: a code has 16 bits.
const LARGEST_CODE: f64 = 65535.0;
const EXPONENTS: std::ops::RangeInclusive<i32> = -126..=103;

/// Rounds positions to a power-of-two grid.
///
/// point = round(position / step), halves away from zero; |position - point * step| <= step / 2 on every axis, exactly.
///
/// # Errors
/// [`Error::Input`] for a coordinate that is not finite, bits outside 1 to 16, or a step that is not positive; [`Error::TooFine`] when the
/// mesh needs more than 16 bits on an axis or lies too far from the origin for the step.
pub fn grid_points(positions: &[[f32; 3]], step: GridStep) -> Result<GridPoints, Error> {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for (index, position) in positions.iter().enumerate() {
        for axis in 0..3 {
            let x = f64::from(position[axis]);
            if !x.is_finite() {
                let (what, allowed) = ("coordinate of vertex", "finite numbers".to_owned());
                return Err(Error::Input { what, index: index as u64, value: x.to_string(), allowed });
            }
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    let exponent = match step {
        GridStep::Bits(bits) if (1..=16).contains(&bits) => fitting_exponent(low, high, bits)?,
        GridStep::Length(length) if length.is_finite() && length > 0.0 => floor_log2(length),
        GridStep::Bits(bits) => return Err(bad_step(bits.to_string(), "1 to 16 bits")),
        GridStep::Length(length) => return Err(bad_step(length.to_string(), "positive lengths")),
    };
    if !EXPONENTS.contains(&exponent) {
        return Err(bad_step(format!("2^{exponent}"), "steps from 2^-126 to 2^103"));
    }
    if !positions.is_empty() {
        check_extent(low, high, exponent)?;
    }
    let step = power_of_two(exponent);
    let points: Vec<[i32; 3]> = positions.par_iter().map(|p| p.map(|x| (f64::from(x) / step).round() as i32)).collect();
    let error = |(p, g): (&[f32; 3], &[i32; 3])| {
        (0..3).map(|k| (f64::from(p[k]) - f64::from(g[k]) * step).abs()).fold(0.0, f64::max)
    };
    let max_error = positions.par_iter().zip(&points).map(error).reduce(|| 0.0, f64::max);
    Ok(GridPoints { exponent, points, max_error })
}

fn bad_step(value: String, allowed: &str) -> Error {
    Error::Input { what: "grid step", index: 0, value, allowed: allowed.to_owned() }
}

/// 2^exponent as f64, exponents of normal numbers.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The largest e with 2^e <= x.
fn floor_log2(x: f64) -> i32 {
    let bits = x.to_bits() >> 52;
    bits as i32 - 1023
}

/// Grid cells that an axis needs at a step.
fn cells(low: f64, high: f64, step: f64) -> f64 {
    (high / step).round() - (low / step).round()
}

fn count(steps: f64) -> String {
    if steps < 1e15 { format!("{steps:.0}") } else { format!("{steps:.1e}") }
}

fn fits(low: [f64; 3], high: [f64; 3], exponent: i32, largest: f64) -> bool {
    let step = power_of_two(exponent);
    (0..3).all(|k| cells(low[k], high[k], step) <= largest && low[k].abs().max(high[k].abs()) / step <= MAX_COORDINATE)
}

fn fitting_exponent(low: [f64; 3], high: [f64; 3], bits: u32) -> Result<i32, Error> {
    let largest = f64::from((1_u32 << bits) - 1);
    let needed = |k: usize| ((high[k] - low[k]) / largest).max(low[k].abs().max(high[k].abs()) / MAX_COORDINATE);
    let estimate = (0..3).map(needed).fold(0.0, f64::max);
    if estimate <= 0.0 || !estimate.is_finite() {
        return Ok(0);
    }
    // The answer is within a factor of 4 of the estimate.
    let first = (floor_log2(estimate) - 2).max(*EXPONENTS.start());
    let found = (first..first + 6).find(|exponent| fits(low, high, *exponent, largest));
    found.ok_or_else(|| bad_step(format!("{bits} bits, about {estimate}"), "steps from 2^-126 to 2^103"))
}

/// Refuses a step with which codes would not fit, and says which one would do.
fn check_extent(low: [f64; 3], high: [f64; 3], exponent: i32) -> Result<(), Error> {
    if fits(low, high, exponent, LARGEST_CODE) {
        return Ok(());
    }
    let step = power_of_two(exponent);
    let finest = fitting_exponent(low, high, 16)?;
    let most = |steps: fn(f64, f64, f64) -> f64| (0..3).map(|k| steps(low[k], high[k], step)).fold(0.0, f64::max);
    let needed = most(cells);
    if needed > LARGEST_CODE {
        return Err(Error::TooFine {
            exponent,
            needed: count(needed),
            along: "along an axis",
            allowed: LARGEST_CODE as u32,
            finest,
        });
    }
    let needed = most(|low, high, step| low.abs().max(high.abs()) / step);
    Err(Error::TooFine {
        exponent,
        needed: count(needed),
        along: "from the origin",
        allowed: MAX_COORDINATE as u32,
        finest,
    })
}

#[cfg(test)]
mod tests {
    use super::{GridStep, grid_points};

    #[test]
    fn the_error_is_at_most_half_a_step() {
        let positions: Vec<[f32; 3]> =
            (0..1000).map(|k| [k as f32 * 0.37, (k as f32).sin() * 5.0, 1000.0 + k as f32 * 0.01]).collect();
        for step in [GridStep::Bits(12), GridStep::Bits(16), GridStep::Length(0.1)] {
            let grid = grid_points(&positions, step).expect("a usable step");
            assert!(grid.max_error <= 0.5 * super::power_of_two(grid.exponent) && grid.max_error > 0.0);
        }
        assert_eq!(grid_points(&positions, GridStep::Length(0.3)).expect("a usable step").exponent, -2);
        let point = grid_points(&[[3.25; 3]; 2], GridStep::Bits(4)).expect("a usable step");
        assert_eq!((point.exponent, point.max_error), (-21, 0.0), "as fine as a 24-bit anchor allows");
        let bits = grid_points(&positions, GridStep::Bits(12)).expect("a usable step");
        let xs = bits.points.iter().map(|p| p[0]);
        let cells = xs.clone().max().expect("points") - xs.min().expect("points");
        assert!((2048..4096).contains(&cells), "{cells} cells");
    }

    #[test]
    fn unusable_input_is_refused() {
        assert!(grid_points(&[[f32::NAN, 0.0, 0.0]], GridStep::Bits(12)).is_err());
        assert!(grid_points(&[[0.0; 3]], GridStep::Bits(17)).is_err());
        assert!(grid_points(&[[0.0; 3], [1e9, 0.0, 0.0]], GridStep::Length(1.0)).is_err());
        assert!(grid_points(&[[0.0; 3], [1e30, 0.0, 0.0]], GridStep::Bits(16)).is_ok());
        assert!(grid_points(&[], GridStep::Bits(8)).is_ok());
        assert_eq!(grid_points(&[[0.0; 3]], GridStep::Bits(8)).expect("a point").points, [[0; 3]]);
    }
}
