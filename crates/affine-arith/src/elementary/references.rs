//! f64 references of the sweeps: the system's library, good to a few ulp of f64, and never part of a result.

use std::f64::consts::PI;

use super::sweep::{Sweep, sweep};
use crate::function::Unary;

/// A function, and its reference.
type Reference = (Unary, fn(f64) -> f64);

/// Relative accuracy that the references are trusted with: 2^-46.
const ACCURACY: f64 = 1.421_085_471_520_200_4e-14;

/// Functions with a reference.
const REFERENCES: [Reference; 33] = [
    (Unary::Sqrt, f64::sqrt),
    (Unary::Reciprocal, f64::recip),
    (Unary::Sqr, |x| x * x),
    (Unary::Rsqrt, |x| 1.0 / x.sqrt()),
    (Unary::Cbrt, f64::cbrt),
    (Unary::Rcbrt, |x| 1.0 / x.cbrt()),
    (Unary::Exp, f64::exp),
    (Unary::Exp2, f64::exp2),
    (Unary::Exp10, |x| 10f64.powf(x)),
    (Unary::Expm1, f64::exp_m1),
    (Unary::Log, f64::ln),
    (Unary::Log2, f64::log2),
    (Unary::Log10, f64::log10),
    (Unary::Log1p, f64::ln_1p),
    (Unary::Sin, f64::sin),
    (Unary::Cos, f64::cos),
    (Unary::Tan, f64::tan),
    (Unary::Cot, |x| 1.0 / x.tan()),
    (Unary::SinPi, sin_pi),
    (Unary::CosPi, cos_pi),
    (Unary::Asin, f64::asin),
    (Unary::Acos, f64::acos),
    (Unary::Atan, f64::atan),
    (Unary::Sinh, f64::sinh),
    (Unary::Cosh, f64::cosh),
    (Unary::Tanh, f64::tanh),
    (Unary::Asinh, asinh),
    (Unary::Acosh, acosh),
    (Unary::Atanh, atanh),
    (Unary::Powi(3), |x| x * x * x),
    (Unary::Powi(-2), |x| 1.0 / (x * x)),
    (Unary::Powf(0x3ff8_0000_0000_0000), |x| x * x.sqrt()),
    (Unary::Powf(0xbfe6_6666_6666_6666), |x| x.powf(-0.7)),
];

/// Sweeps every function with a reference over all f32, every `step`-th word; 1 is exhaustive.
pub fn sweep_all(step: usize) -> Vec<(Unary, Sweep)> {
    REFERENCES.iter().map(|(function, _)| (*function, sweep_function(*function, step, 0, 1))).collect()
}

/// Sweeps one function over every `step`-th word of the `part`-th of `parts` equal pieces of the words; empty without a reference.
pub fn sweep_function(function: Unary, step: usize, part: u32, parts: u32) -> Sweep {
    let Some((_, reference)) = REFERENCES.iter().find(|(known, _)| *known == function) else {
        return Sweep::default();
    };
    let length = (1_u64 << 32) / u64::from(parts.max(1));
    let first = (u64::from(part) * length) as u32;
    let last = first + (length - 1) as u32;
    sweep(function, first..=last, step, ACCURACY, reference)
}

fn sin_pi(x: f64) -> f64 {
    let rest = x - 2.0 * (x * 0.5).round_ties_even();
    if rest.abs() <= 0.25 {
        (PI * rest).sin()
    } else if rest.abs() <= 0.75 {
        (PI * (0.5 - rest.abs())).cos().copysign(rest)
    } else {
        (PI * (1.0 - rest.abs())).sin().copysign(rest)
    }
}

fn cos_pi(x: f64) -> f64 {
    let rest = (x - 2.0 * (x * 0.5).round_ties_even()).abs();
    if rest <= 0.25 {
        (PI * rest).cos()
    } else if rest <= 0.75 {
        (PI * (0.5 - rest)).sin()
    } else {
        -(PI * (1.0 - rest)).cos()
    }
}

fn asinh(x: f64) -> f64 {
    let t = x.abs();
    (t + t * t / (1.0 + (1.0 + t * t).sqrt())).ln_1p().copysign(x)
}

fn acosh(x: f64) -> f64 {
    if x < 1.0 {
        return f64::NAN;
    }
    let t = x - 1.0;
    (t + (t * (t + 2.0)).sqrt()).ln_1p()
}

fn atanh(x: f64) -> f64 {
    0.5 * (2.0 * x / (1.0 - x)).ln_1p()
}
