//! Intervals that know whether what led to them is continuous on the whole box.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::scalar::Scalar;

/// The range of an expression, empty where no point of the box has a value, and whether it has one that depends continuously on the point everywhere in the
/// box. Only then do theorems about zeros of continuous functions say anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuous {
    pub(crate) range: Interval<f64>,
    pub(crate) everywhere: bool,
}

impl Continuous {
    /// A variable.
    pub(crate) fn variable(range: Interval<f64>) -> Self {
        Self { range, everywhere: true }
    }
}

fn without_zero(x: Interval<f64>) -> bool {
    x.lo > 0.0 || x.hi < 0.0
}

fn is_point(x: Interval<f64>) -> bool {
    x.lo == x.hi
}

/// Whether a function is defined and continuous on a range that is not empty; false where that is not certain.
fn continuous(function: Unary, x: Interval<f64>) -> bool {
    match function {
        Unary::Sqrt => x.lo >= 0.0,
        Unary::Powf(y) => x.lo > 0.0 || x.lo >= 0.0 && f64::from_bits(y) >= 0.0,
        Unary::Rsqrt | Unary::Log | Unary::Log2 | Unary::Log10 => x.lo > 0.0,
        Unary::Log1p => x.lo > -1.0,
        Unary::Reciprocal | Unary::Rcbrt => without_zero(x),
        Unary::Powi(n) => n >= 0 || without_zero(x),
        Unary::Tan | Unary::Cot => {
            let value = x.apply(function);
            value.lower().is_finite() && value.upper().is_finite()
        }
        Unary::Asin | Unary::Acos => x.lo >= -1.0 && x.hi <= 1.0,
        Unary::Acosh => x.lo >= 1.0,
        Unary::Atanh => x.lo > -1.0 && x.hi < 1.0,
        Unary::Tgamma | Unary::Lgamma => x.lo > 0.0 || x.hi < 0.0 && x.lo.ceil() > x.hi,
        Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round | Unary::Rint => is_point(x.apply(function)),
        Unary::Fract => is_point(x.apply(Unary::Floor)),
        Unary::Modf => is_point(x.apply(Unary::Trunc)),
        Unary::Neg | Unary::Abs | Unary::PositivePart | Unary::Sqr | Unary::Cbrt => true,
        Unary::Exp | Unary::Exp2 | Unary::Exp10 | Unary::Expm1 => true,
        Unary::Sin | Unary::Cos | Unary::SinPi | Unary::CosPi | Unary::Atan => true,
        Unary::Sinh | Unary::Cosh | Unary::Tanh | Unary::Asinh => true,
        Unary::Erf | Unary::Erfc | Unary::NormCdf => true,
    }
}

/// The same of a function of two variables.
fn continuous2(function: Binary, x: Interval<f64>, y: Interval<f64>) -> bool {
    match function {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Min | Binary::Max => true,
        Binary::Div => without_zero(y),
        // The cut lies along the half line where y (here x) is 0 and x is not positive.
        Binary::Atan2 => without_zero(x) || y.lo > 0.0,
        Binary::Fmod => without_zero(y) && is_point((x / y).apply(Unary::Trunc)),
        Binary::Remainder => without_zero(y) && is_point((x / y).apply(Unary::Rint)),
        Binary::Pow => x.lo > 0.0 || x.lo >= 0.0 && y.lo > 0.0,
    }
}

impl Scalar for Continuous {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self::variable(Interval::constant_between(lo, hi))
    }

    fn unary(&self, function: Unary) -> Self {
        let everywhere = self.everywhere && continuous(function, self.range);
        Self { range: self.range.apply(function), everywhere }
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        let everywhere = self.everywhere && y.everywhere && continuous2(function, self.range, y.range);
        Self { range: self.range.apply2(function, y.range), everywhere }
    }
}

impl Neg for Continuous {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Unary::Neg)
    }
}

macro_rules! operators {
    ($($name:ident $method:ident),*) => {$(
        impl $name for Continuous {
            type Output = Self;

            fn $method(self, y: Self) -> Self {
                self.binary(Binary::$name, &y)
            }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

#[cfg(test)]
mod tests {
    use super::Continuous;
    use crate::{Interval, Plan};

    fn everywhere(text: &str, lo: f64, hi: f64) -> bool {
        let plan = Plan::new(&text.parse().expect("an expression"), &["x"]).expect("its variable");
        let x = Continuous::variable(Interval::new(lo, hi).expect("a range"));
        plan.evaluate(&[x]).expect("one variable").everywhere
    }

    #[test]
    fn functions_are_continuous_inside_their_domain_alone() {
        for (text, (lo, hi), (bad_lo, bad_hi)) in [
            ("sqrt(x)", (0.0, 1.0), (-1e-9, 1.0)),
            ("x^0.3", (0.0, 1.0), (-1e-9, 1.0)),
            ("x^-0.3", (1e-9, 1.0), (0.0, 1.0)),
            ("log(x)+x", (1e-9, 1.0), (0.0, 1.0)),
            ("log1p(x)", (-0.5, 1.0), (-1.0, 1.0)),
            ("rsqrt(x)", (1e-9, 1.0), (0.0, 1.0)),
            ("1/x", (-2.0, -1.0), (-1.0, 1.0)),
            ("1/(x^2+1)", (-2.0, 2.0), (f64::NEG_INFINITY, f64::INFINITY)),
            ("x^-2", (1.0, 2.0), (-1.0, 2.0)),
            ("rcbrt(x)", (1.0, 2.0), (0.0, 2.0)),
            ("tan(x)", (-1.5, 1.5), (1.5, 1.6)),
            ("cot(x)", (0.1, 3.1), (-0.1, 0.1)),
            ("asin(x)", (-1.0, 1.0), (-1.0, 1.5)),
            ("acos(x)", (-1.0, 1.0), (-1.5, 1.0)),
            ("acosh(x)", (1.0, 2.0), (0.9, 2.0)),
            ("atanh(x)", (-0.9, 0.9), (-1.0, 0.9)),
            ("tgamma(x)", (-0.9, -0.1), (-1.0, -0.1)),
            ("lgamma(x)", (0.1, 2.0), (0.0, 2.0)),
            ("floor(x)", (0.0, 0.9), (0.0, 1.0)),
            ("ceil(x)", (0.1, 1.0), (0.0, 1.0)),
            ("trunc(x)", (-0.9, 0.9), (-1.0, 0.9)),
            ("round(x)", (0.6, 1.4), (0.4, 1.4)),
            ("rint(x)", (0.6, 1.4), (0.4, 1.4)),
            ("fract(x)", (0.0, 0.9), (0.5, 1.5)),
            ("modf(x)", (-0.5, 0.5), (0.5, 1.5)),
            ("fmod(x, 2)", (0.0, 1.9), (1.0, 3.0)),
            ("remainder(x, 2)", (-0.9, 0.9), (0.0, 1.5)),
            ("atan2(x, 1)", (-1.0, 1.0), (f64::NAN, 0.0)),
            ("atan2(x, -1)", (0.1, 1.0), (-1.0, 1.0)),
            ("pow(x, x)", (0.1, 1.0), (0.0, 1.0)),
            ("0*sqrt(x)", (0.0, 1.0), (-1.0, 1.0)),
        ] {
            assert!(everywhere(text, lo, hi), "{text} on [{lo}, {hi}]");
            if bad_lo.is_finite() {
                assert!(!everywhere(text, bad_lo, bad_hi), "{text} on [{bad_lo}, {bad_hi}]");
            }
        }
        assert!(everywhere("abs(x)+min(x,0)*sin(x)^3-erf(exp(x))", -5.0, 5.0));
    }
}
