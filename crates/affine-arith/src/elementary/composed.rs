//! Functions put together from the kernels, for single floats; still in double words.

use super::constants as c;
use super::kernels::{atan, exp, expm1, log, log1p};
use crate::double_word::DoubleWord;
use crate::real::Real;

fn one<T: Real>() -> DoubleWord<T> {
    DoubleWord::new(T::ONE)
}

/// From here on x + sqrt(x^2 +- 1) = 2 x within the error bound.
pub(super) fn is_large<T: Real>(x: T) -> bool {
    x.abs() >= T::ONE.scale_pow2(T::DIGITS as i32 - 2)
}

/// log(x) times a constant, x > 0.
pub(super) fn log_times<T: Real>(x: T, factor: (f64, f64)) -> DoubleWord<T> {
    log(DoubleWord::new(x)).mul(T::double_word(factor))
}

/// Sign of `x` times a value at |x|.
pub(super) fn odd<T: Real>(x: T, value: impl Fn(T) -> DoubleWord<T>) -> DoubleWord<T> {
    if x < T::ZERO { value(-x).neg() } else { value(x) }
}

/// Hyperbolic sine of x > 0: (E + E/(1 + E))/2, E = e^x - 1.
pub(super) fn sinh<T: Real>(x: T) -> DoubleWord<T> {
    let e = expm1(DoubleWord::new(x));
    e.add(e.div(e.add(one()))).scale_pow2(-1)
}

/// Hyperbolic cosine: (e^x + 1/e^x)/2.
pub(super) fn cosh<T: Real>(x: T) -> DoubleWord<T> {
    let e = exp(DoubleWord::new(x.abs()));
    e.add(one().div(e)).scale_pow2(-1)
}

/// Hyperbolic tangent of x > 0: E/(E + 2), E = e^(2x) - 1.
pub(super) fn tanh<T: Real>(x: T) -> DoubleWord<T> {
    let e = expm1(DoubleWord::new(x + x));
    e.div(e.add(DoubleWord::new(T::TWO)))
}

/// Inverse hyperbolic sine of x > 0: ln(1 + (x + x^2/(1 + sqrt(1 + x^2)))).
pub(super) fn asinh<T: Real>(x: T) -> DoubleWord<T> {
    if is_large(x) {
        return log(DoubleWord::new(x + x));
    }
    let square = DoubleWord::product(x, x);
    let root = square.add(one()).sqrt();
    log1p(square.div(root.add(one())).add(DoubleWord::new(x)))
}

/// Inverse hyperbolic cosine of x > 1: ln(1 + (t + sqrt(t (t + 2)))), t = x - 1.
pub(super) fn acosh<T: Real>(x: T) -> DoubleWord<T> {
    if is_large(x) {
        return log(DoubleWord::new(x + x));
    }
    let t = DoubleWord::sum(x, -T::ONE);
    let root = t.mul(t.add(DoubleWord::new(T::TWO))).sqrt();
    log1p(t.add(root))
}

/// Inverse hyperbolic tangent of 0 < x < 1: ln(1 + 2x/(1 - x))/2.
pub(super) fn atanh<T: Real>(x: T) -> DoubleWord<T> {
    let rest = DoubleWord::sum(T::ONE, -x);
    log1p(DoubleWord::new(x + x).div(rest)).scale_pow2(-1)
}

/// Arc sine of 0 < x < 1: atan(x/sqrt((1 - x)(1 + x))).
pub(super) fn asin<T: Real>(x: T) -> DoubleWord<T> {
    let cosine = DoubleWord::sum(T::ONE, -x).mul(DoubleWord::sum(T::ONE, x)).sqrt();
    atan(DoubleWord::new(x).div(cosine))
}

/// Arc cosine of -1 < x < 1: 2 atan(sqrt((1 - x)/(1 + x))).
pub(super) fn acos<T: Real>(x: T) -> DoubleWord<T> {
    let ratio = DoubleWord::sum(T::ONE, -x).div(DoubleWord::sum(T::ONE, x));
    atan(ratio.sqrt()).scale_pow2(1)
}

/// x^(numerator/3), x > 0.
pub(super) fn third_power<T: Real>(x: T, numerator: i32) -> DoubleWord<T> {
    let third = T::double_word(c::THIRD);
    exp(log(DoubleWord::new(x)).mul(third).mul_real(T::from_i32(numerator)))
}

/// Arc tangent of x > 0.
pub(super) fn arc_tangent<T: Real>(x: T) -> DoubleWord<T> {
    atan(DoubleWord::new(x))
}

/// 1/sqrt(x), x > 0; an even exponent is taken out first.
pub(super) fn reciprocal_root<T: Real>(x: T) -> DoubleWord<T> {
    let half = x.exponent() >> 1;
    let m = x.scale_pow2(-2 * half);
    one().div(DoubleWord::new(m).sqrt()).scale_pow2(-half)
}

/// The factor of a logarithm to base 2.
pub(super) const TO_BASE_2: (f64, f64) = c::LOG2_E;
/// The factor of a logarithm to base 10.
pub(super) const TO_BASE_10: (f64, f64) = c::LOG10_E;
