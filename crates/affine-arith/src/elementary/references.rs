//! f64 references of the sweeps: the system's library and libm, and never part of a result.

use std::f64::consts::PI;

use super::sweep::{Sweep, sweep};
use crate::function::Unary;

/// An f64 function, and how far it is trusted.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    function: Unary,
    pub(super) value: fn(f64) -> f64,
    /// Relative accuracy.
    pub(super) accuracy: f64,
    /// Absolute accuracy: of values that vanish elsewhere than at 0.
    pub(super) absolute: f64,
}

/// Relative accuracy that most references are trusted with: 2^-46.
const ACCURACY: f64 = 1.421_085_471_520_200_4e-14;

const fn near(function: Unary, value: fn(f64) -> f64) -> Reference {
    Reference { function, value, accuracy: ACCURACY, absolute: 0.0 }
}

/// Functions with a reference.
const REFERENCES: [Reference; 38] = [
    near(Unary::Sqrt, f64::sqrt),
    near(Unary::Reciprocal, f64::recip),
    near(Unary::Sqr, |x| x * x),
    near(Unary::Rsqrt, |x| 1.0 / x.sqrt()),
    near(Unary::Cbrt, f64::cbrt),
    near(Unary::Rcbrt, |x| 1.0 / x.cbrt()),
    near(Unary::Exp, f64::exp),
    near(Unary::Exp2, f64::exp2),
    near(Unary::Exp10, |x| 10f64.powf(x)),
    near(Unary::Expm1, f64::exp_m1),
    near(Unary::Log, f64::ln),
    near(Unary::Log2, f64::log2),
    near(Unary::Log10, f64::log10),
    near(Unary::Log1p, f64::ln_1p),
    near(Unary::Sin, f64::sin),
    near(Unary::Cos, f64::cos),
    near(Unary::Tan, f64::tan),
    near(Unary::Cot, |x| 1.0 / x.tan()),
    near(Unary::SinPi, sin_pi),
    near(Unary::CosPi, cos_pi),
    near(Unary::Asin, f64::asin),
    near(Unary::Acos, f64::acos),
    near(Unary::Atan, f64::atan),
    near(Unary::Sinh, f64::sinh),
    near(Unary::Cosh, f64::cosh),
    near(Unary::Tanh, f64::tanh),
    near(Unary::Asinh, asinh),
    near(Unary::Acosh, acosh),
    near(Unary::Atanh, atanh),
    near(Unary::Powi(3), |x| x * x * x),
    near(Unary::Powi(-2), |x| 1.0 / (x * x)),
    near(Unary::Powf(0x3ff8_0000_0000_0000), |x| x * x.sqrt()),
    near(Unary::Powf(0xbfe6_6666_6666_6666), |x| x.powf(-0.7)),
    near(Unary::Erf, libm::erf),
    near(Unary::Erfc, libm::erfc),
    // The argument's rounding grows with its square.
    Reference {
        accuracy: 2.0 * ACCURACY,
        ..near(Unary::NormCdf, |x| 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2))
    },
    near(Unary::Tgamma, gamma),
    Reference { absolute: 4.0 * ACCURACY, ..near(Unary::Lgamma, log_gamma) },
];

/// The reference of a function.
pub(super) fn reference(function: Unary) -> Option<&'static Reference> {
    REFERENCES.iter().find(|known| known.function == function)
}

/// Functions of the sweeps.
pub fn swept_functions() -> impl Iterator<Item = Unary> {
    REFERENCES.iter().map(|known| known.function)
}

/// Sweeps every function with a reference over all f32, every `step`-th word; 1 is exhaustive.
pub fn sweep_all(step: usize) -> Vec<(Unary, Sweep)> {
    swept_functions().map(|function| (function, sweep_function(function, step, 0, 1))).collect()
}

/// Sweeps one function over every `step`-th word of the `part`-th of `parts` equal pieces of the words; empty without a reference.
pub fn sweep_function(function: Unary, step: usize, part: u32, parts: u32) -> Sweep {
    let length = (1_u64 << 32) / u64::from(parts.max(1));
    let first = (u64::from(part) * length) as u32;
    let last = first + (length - 1) as u32;
    sweep(function, first..=last, step)
}

/// Gamma; no number at a pole.
fn gamma(x: f64) -> f64 {
    if x <= 0.0 && x.floor() == x { f64::NAN } else { libm::tgamma(x) }
}

fn log_gamma(x: f64) -> f64 {
    if x <= 0.0 && x.floor() == x { f64::NAN } else { libm::lgamma(x) }
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
