//! Point enclosures: the interval of f(x) for a float x, one float wide where the last bit is not in doubt.

use super::composed as f;
use super::constants as c;
use super::erf::{enclose_erf, enclose_erfc, enclose_normcdf};
use super::gamma::{enclose_lgamma, enclose_tgamma};
use super::kernels::{exp, expm1, log, log1p, to_i32};
use crate::double_word::DoubleWord;
use crate::function::Unary;
use crate::interval::Interval;
use crate::real::Real;

/// The floats round a value with a relative error up to `relative`.
pub(super) fn round_out<T: Real>(value: DoubleWord<T>, relative: T) -> Interval<T> {
    // Strict comparisons: where the low word or the slack underflows to 0, a step is made.
    let slack = (value.high.abs() * relative).flush();
    let low = value.low.flush();
    let lo = if low > slack { value.high } else { value.high.next_down() };
    let hi = if low < -slack { value.high } else { value.high.next_up() };
    Interval::outward(lo, hi)
}

/// The same with the error bound of the elementary functions.
pub(super) fn near<T: Real>(value: DoubleWord<T>) -> Interval<T> {
    round_out(value, T::DOUBLE_WORD_ERROR)
}

/// A constant of 106 bits.
pub(crate) fn constant<T: Real>(pair: (f64, f64)) -> Interval<T> {
    near(T::double_word(pair))
}

/// f(x) for an f(x) above x by less than half an ulp.
pub(super) fn just_above<T: Real>(x: T) -> Interval<T> {
    Interval::outward(x, x.next_up())
}

/// f(x) for an f(x) below x by less than half an ulp.
pub(super) fn just_below<T: Real>(x: T) -> Interval<T> {
    Interval::outward(x.next_down(), x)
}

/// f(x) for an |f(x)| below |x| by less than half an ulp.
pub(super) fn just_inside<T: Real>(x: T) -> Interval<T> {
    if x < T::ZERO { just_above(x) } else { just_below(x) }
}

/// f(x) for an |f(x)| below |c x| by less than half an ulp; the product is taken at a convenient magnitude.
pub(super) fn just_inside_multiple<T: Real>(c: (f64, f64), x: T) -> Interval<T> {
    let exponent = x.exponent();
    let product = near(T::double_word(c).mul_real(x.scale_pow2(-exponent)));
    just_inside(product.lo.scale_pow2(exponent)).join(just_inside(product.hi.scale_pow2(exponent)))
}

/// f(x) for an |f(x)| above |x| by less than half an ulp.
pub(super) fn just_outside<T: Real>(x: T) -> Interval<T> {
    if x < T::ZERO { just_below(x) } else { just_above(x) }
}

/// Below it, x^2/3 is under half of u: odd functions with f'(0) = 1 are within one float of x, and cosine of 1.
pub(crate) fn odd_small<T: Real>() -> T {
    T::ONE.scale_pow2(-(T::DIGITS as i32 / 2) - 1)
}

/// f(x) of the functions that are monotone on their domain and powers; x in the domain, x bounded. See `sine_quadrant` for the others.
pub(crate) fn enclose<T: Real>(function: Unary, x: T) -> Interval<T> {
    // [1] Exact values.
    if let Some(exact) = exact(function, x) {
        return Interval::outward(exact, exact);
    }
    // [2] Functions that are the identity near 0.
    let tiny = x.abs() < T::TABLES.small * T::ROUNDOFF;
    let odd_tiny = x.abs() < odd_small();
    match function {
        Unary::Expm1 if tiny => just_above(x),
        Unary::Log1p if tiny => just_below(x),
        Unary::Tanh | Unary::Asinh | Unary::Atan if odd_tiny => just_inside(x),
        Unary::Sinh | Unary::Atanh | Unary::Asin if odd_tiny => just_outside(x),
        Unary::Exp => exponential(DoubleWord::new(x)),
        Unary::Exp2 => exponential(T::double_word(c::LN_2).mul_real(x)),
        Unary::Exp10 => exponential(T::double_word(c::LN_10).mul_real(x)),
        Unary::Expm1 => exponential_minus_one(x),
        Unary::Log => near(log(DoubleWord::new(x))),
        Unary::Log2 => near(f::log_times(x, f::TO_BASE_2)),
        Unary::Log10 => near(f::log_times(x, f::TO_BASE_10)),
        Unary::Log1p => near(log1p(DoubleWord::new(x))),
        Unary::Sinh if x.abs() > T::from_f64(upper_exponent::<T>()) => unbounded(x),
        Unary::Sinh => near(f::odd(x, f::sinh)),
        Unary::Cosh if x.abs() > T::from_f64(upper_exponent::<T>()) => unbounded(T::ONE),
        Unary::Cosh => near(f::cosh(x)).intersect(Interval { lo: T::ONE, hi: T::HUGE }),
        Unary::Tanh if x.abs() >= T::from_i32(20) => one_below(x),
        Unary::Tanh => near(f::odd(x, f::tanh)).intersect(Interval { lo: -T::ONE, hi: T::ONE }),
        Unary::Asinh => near(f::odd(x, f::asinh)),
        Unary::Acosh => near(f::acosh(x)),
        Unary::Atanh => near(f::odd(x, f::atanh)),
        Unary::Asin => near(f::odd(x, f::asin)),
        Unary::Acos => near(f::acos(x)),
        Unary::Atan => near(f::odd(x, f::arc_tangent)),
        Unary::Erf => enclose_erf(x),
        Unary::Erfc => enclose_erfc(x),
        Unary::NormCdf => enclose_normcdf(x),
        Unary::Tgamma => enclose_tgamma(x),
        Unary::Lgamma => enclose_lgamma(x),
        Unary::Cbrt => near(f::odd(x, |x| f::third_power(x, 1))),
        Unary::Rcbrt => near(f::odd(x, |x| f::third_power(x, -1))),
        Unary::Rsqrt => near(f::reciprocal_root(x)),
        _ => Interval::ENTIRE,
    }
}

/// Values that are floats, or that the kernels leave out.
fn exact<T: Real>(function: Unary, x: T) -> Option<T> {
    let zero = x == T::ZERO;
    let one = x == T::ONE;
    match function {
        Unary::Exp | Unary::Exp2 | Unary::Exp10 | Unary::Cosh if zero => Some(T::ONE),
        Unary::Expm1 | Unary::Log1p | Unary::Sinh | Unary::Tanh | Unary::Asinh | Unary::Atanh if zero => Some(T::ZERO),
        Unary::Asin | Unary::Atan | Unary::Cbrt if zero => Some(T::ZERO),
        Unary::Log | Unary::Log2 | Unary::Log10 | Unary::Acosh | Unary::Acos if one => Some(T::ZERO),
        Unary::Rsqrt | Unary::Cbrt | Unary::Rcbrt if one => Some(T::ONE),
        Unary::Exp2 if x.abs() < T::from_i32(64) && x.floor() == x => Some(T::ONE.scale_pow2(to_i32(x))),
        Unary::Log2 if T::ONE.scale_pow2(x.exponent()) == x => Some(T::from_i32(x.exponent())),
        _ => None,
    }
}

/// A little above the logarithm of LIMIT.
fn upper_exponent<T: Real>() -> f64 {
    f64::from(T::LIMIT.exponent()) * std::f64::consts::LN_2 + 1.0
}

/// e^x: beyond the range a side is open.
pub(super) fn exponential<T: Real>(x: DoubleWord<T>) -> Interval<T> {
    if x.high > T::from_f64(upper_exponent::<T>()) {
        return unbounded(T::ONE);
    }
    let least = f64::from(T::TINY.exponent()) * std::f64::consts::LN_2;
    if x.high < T::from_f64(least) {
        return Interval { lo: T::ZERO, hi: T::TINY };
    }
    if x.high.abs() < T::TABLES.small * T::ROUNDOFF {
        return if x.high < T::ZERO { just_below(T::ONE) } else { just_above(T::ONE) };
    }
    near(exp(x)).intersect(Interval { lo: T::ZERO, hi: T::HUGE })
}

fn exponential_minus_one<T: Real>(x: T) -> Interval<T> {
    if x > T::from_f64(upper_exponent::<T>()) {
        return unbounded(T::ONE);
    }
    // e^-40 is below u for both precisions.
    if x < T::from_i32(-40) {
        return one_below(x);
    }
    near(expm1(DoubleWord::new(x)))
}

/// Above LIMIT, with the sign of x.
pub(super) fn unbounded<T: Real>(x: T) -> Interval<T> {
    if x < T::ZERO { Interval { lo: -T::HUGE, hi: -T::LIMIT } } else { Interval { lo: T::LIMIT, hi: T::HUGE } }
}

/// The last float step before 1 or -1.
pub(super) fn one_below<T: Real>(x: T) -> Interval<T> {
    if x < T::ZERO {
        return Interval { lo: -T::ONE, hi: (-T::ONE).next_up() };
    }
    Interval { lo: T::ONE.next_down(), hi: T::ONE }
}
