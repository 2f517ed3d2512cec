//! vusvna 1.0.2 on the inputs of this report: medians depend on how inputs are drawn.
//!
//! Its rules in f64, without the errors that it adds for rounding: never wider than its own result for the same input.

use std::f64::consts::{LN_2, LN_10, PI};
use std::fmt::Write;

use affine_arith::Interval;
use rayon::prelude::*;

use super::inputs::{Input, Random};
use super::rows::{Domain, ROWS};
use super::{measured, median, plan};
use crate::error::Error;

/// A range of x or y.
type Range = (f64, f64);

/// Width of vusvna's result for x and y; None where it is entire.
type Width = fn(Range, Range) -> Option<f64>;

/// Label of the row in the first table, and vusvna's rules.
const RULES: [(&str, Width); 10] = [
    ("x y", |x, y| {
        let [(middle, radius), (other, far)] = [x, y].map(|(low, high)| (0.5 * (low + high), 0.5 * (high - low)));
        Some(2.0 * (middle.abs() * far + other.abs() * radius + radius * far))
    }),
    ("exp2", |x, _| Some(secant(x, None, f64::exp2, |x| x.exp2() * LN_2))),
    ("exp10", |x, _| Some(secant(x, None, |x| 10f64.powf(x), |x| 10f64.powf(x) * LN_10))),
    ("log10", |x, _| Some(secant(x, None, f64::log10, |x| 1.0 / (x * LN_10)))),
    ("x^-2", |x, _| Some(secant(x, None, |x| x.powi(-2), |x| -2.0 * x.powi(-3)))),
    ("x^4", |x, _| Some(secant(x, None, |x| x.powi(4), |x| 4.0 * x.powi(3)))),
    ("x^1.5", |x, _| Some(secant(x, None, |x| x.powf(1.5), |x| 1.5 * x.sqrt()))),
    ("cot", |x, _| {
        let branch = (x.0 / PI).floor();
        let pole = branch != (x.1 / PI).floor() || x.0 == branch * PI;
        (!pole).then(|| secant(x, Some((branch + 0.5) * PI), |x| 1.0 / x.tan(), |x| -x.sin().powi(-2)))
    }),
    ("fmod(x, y)", |x, y| {
        remainder(x, y, f64::trunc, |x, size| {
            let sides = [x.0 < 0.0, x.1 > 0.0].map(|there| if there { size } else { 0.0 });
            sides[0] + sides[1]
        })
    }),
    ("remainder(x, y)", |x, y| remainder(x, y, f64::round_ties_even, |_, size| size)),
];

const WIDTHS: [f64; 2] = [0.1, 2.0];

/// The secant of f over a range, and what is left beside it on both pieces of the range round an inflection.
fn secant((low, high): Range, inflection: Option<f64>, f: fn(f64) -> f64, slope: fn(f64) -> f64) -> f64 {
    let alpha = (f(high) - f(low)) / (high - low);
    let middle = inflection.map_or(high, |x| x.clamp(low, high));
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for (from, to) in [(low, middle), (middle, high)].into_iter().filter(|(from, to)| from < to) {
        // [1] One side by the ends.
        for end in [from, to] {
            least = least.min(f(end) - alpha * end);
            most = most.max(f(end) - alpha * end);
        }
        // [2] The other by the tangent at the point where f' = alpha, found by halving.
        let convex = slope(to) > slope(from);
        let (mut left, mut right) = (from, to);
        for _ in 0..16 {
            let x = 0.5 * (left + right);
            if (slope(x) < alpha) == convex { left = x } else { right = x }
        }
        let point = 0.5 * (left + right);
        for end in [from, to] {
            let tangent = f(point) - alpha * point + (slope(point) - alpha) * (end - point);
            least = if convex { least.min(tangent) } else { least };
            most = if convex { most } else { most.max(tangent) };
        }
    }
    alpha.abs() * (high - low) + (most - least)
}

/// x - n y while the integer n of the quotient is known, else a range whose width `whole` gives.
fn remainder(x: Range, y: Range, integer: fn(f64) -> f64, whole: fn(Range, f64) -> f64) -> Option<f64> {
    if y.0 <= 0.0 && y.1 >= 0.0 {
        return None;
    }
    let quotients = [x.0 / y.0, x.0 / y.1, x.1 / y.0, x.1 / y.1].map(integer);
    let least = quotients.into_iter().fold(f64::INFINITY, f64::min);
    let most = quotients.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if least == most {
        return Some((x.1 - x.0) + least.abs() * (y.1 - y.0));
    }
    Some(whole(x, y.0.abs().max(y.1.abs())))
}

const HEAD: &str = "\n## On the same inputs\n\nRows in which the draw of the inputs may tell. *Published*: vusvna's median for its own inputs. *Model*: the median of its rules in f64 \
    without its rounding errors, never wider than its own result; *here*: of the forms, both over the inputs at which both are bounded. *Wider*: the largest (width of the form)/(width by the model) of \
    any input.\n\n\
    | | centres | width | published | model | here | wider |\n|---|---|---|---|---|---|---|\n";

/// The table.
///
/// # Errors
/// [`Error::Affine`] of an expression.
pub(super) fn table(count: usize, chosen: impl Fn(&str) -> bool) -> Result<String, Error> {
    let mut text = HEAD.to_owned();
    for (stream, (label, width_of)) in RULES.into_iter().enumerate().filter(|(_, (label, _))| chosen(label)) {
        let Some(row) = ROWS.iter().find(|row| row.label == label) else { continue };
        let plan = plan(row.text)?;
        let everywhere = (row.domain != Domain::Any).then_some((Domain::Any, "[-10, 10]"));
        // Roots and logarithms are not there.
        let everywhere =
            everywhere.filter(|_| row.domain == Domain::Cotangent || plan.sets().iter().any(|set| set & 2 != 0));
        for (domain, centres) in [(row.domain, "as above")].into_iter().chain(everywhere) {
            for (width, published) in WIDTHS.into_iter().zip(&row.medians[1..]) {
                let pairs: Vec<[f64; 2]> = (0..count)
                    .into_par_iter()
                    .filter_map(|i| {
                        let mut random = Random::of(1000 + stream, i);
                        let inputs = [0; 2].map(|_| Input { range: random.range(domain, width), error: 0.0 });
                        let [x, y] = inputs.map(|input| ends(input.range));
                        let (range, truth) = measured(&plan, inputs, 257);
                        let [here, theirs] = [truth.ratio(range)?, truth.ratio_of(width_of(x, y)?)?];
                        Some([theirs, here])
                    })
                    .collect();
                let wider = pairs.iter().map(|[theirs, here]| here / theirs).fold(f64::NEG_INFINITY, f64::max);
                let [theirs, here] = [0, 1].map(|k| median(pairs.iter().map(|pair| pair[k]).collect()));
                let line = format!(
                    "| {label} | {centres} | {width} | {published:.3} | {theirs:.4} | {here:.4} | {wider:.4} |\n"
                );
                print!("{line}");
                let _ = write!(text, "{line}");
            }
        }
    }
    Ok(text)
}

fn ends(range: Interval<f32>) -> Range {
    (range.lower().into(), range.upper().into())
}
