//! The gamma function and the logarithm of its magnitude: point enclosures, and digamma for their slopes.

use super::constants as c;
use super::enclose::{constant, near, round_out, unbounded};
use super::kernels::{exp, log, sin_cos_reduced, to_i32};
use crate::double_word::DoubleWord;
use crate::interval::Interval;
use crate::real::Real;

/// gamma(x); entire at a pole (0, -1, -2, ..).
pub(super) fn enclose_tgamma<T: Real>(x: T) -> Interval<T> {
    if is_pole(x) {
        return Interval::ENTIRE;
    }
    // [1] Beyond the range of bounds: large x, x next to 0 (1/x - 0.58), large -x, where even next to a pole no float is left.
    if x > T::from_i32(T::TABLES.gamma_most) || x.abs() < T::ONE.div_rn(T::LIMIT) {
        return unbounded(x);
    }
    if x < -T::from_i32(T::TABLES.gamma_least) {
        return Interval { lo: -T::TINY, hi: T::TINY };
    }
    // [2] gamma(x) = gamma(x + n)/(x (x + 1) .. (x + n - 1)); scaled, where quotients go down to the smallest floats.
    let n = shift(x);
    let raise = if x < T::MINUS_ONE { T::LIMIT.exponent() } else { 0 };
    let mut value = without_tail(exp(log_gamma(DoubleWord::sum(x, T::from_i32(n)))).scale_pow2(raise));
    for k in (0..n).rev() {
        value = without_tail(value.div(DoubleWord::sum(x, T::from_i32(k))));
    }
    round_out(value.scale_pow2(-raise), T::POWER_ERROR)
}

/// A low word below TINY cut off, where gamma itself is in range far less than u^2 of the value: every digit left is a multiple of 2^-125 in the
/// precision of devices, so that no rest of the next division is subnormal.
fn without_tail<T: Real>(x: DoubleWord<T>) -> DoubleWord<T> {
    DoubleWord { high: x.high, low: x.low.snap(T::TINY) }
}

/// ln |gamma(x)|; entire at a pole. Near its zeros the error is bounded absolutely.
pub(super) fn enclose_lgamma<T: Real>(x: T) -> Interval<T> {
    if is_pole(x) {
        return Interval::ENTIRE;
    }
    if x == T::ONE || x == T::TWO {
        return Interval { lo: T::ZERO, hi: T::ZERO };
    }
    // [1] Next to 0: -ln |x|, off by less than 0.58 |x|.
    if x.abs() < T::ONE.scale_pow2(4 - 2 * T::DIGITS as i32) {
        return round_out(log(DoubleWord::new(x.abs())).neg(), T::POWER_ERROR);
    }
    if x > T::ZERO {
        let [upper, lower] = log_gamma_parts(DoubleWord::new(x), shift(x));
        return beside_zero(upper.sub(lower), upper.high.abs() + lower.high.abs());
    }
    // [2] gamma(x) gamma(1 - x) = pi/sin(pi x).
    let mirrored = DoubleWord::sum(T::ONE, -x);
    let [upper, lower] = log_gamma_parts(mirrored, shift(mirrored.high));
    let sine = log(waves_to_half((x - x.round_even()).abs())[0]);
    let value = T::double_word(c::LN_PI).sub(sine).sub(upper.sub(lower));
    beside_zero(value, T::TWO - sine.high + upper.high.abs() + lower.high.abs())
}

/// A sum of parts of magnitude `scale`: relative error where it is as large as they are, absolute error of the parts elsewhere.
fn beside_zero<T: Real>(value: DoubleWord<T>, scale: T) -> Interval<T> {
    let range = round_out(value, T::POWER_ERROR);
    if value.high.abs() >= scale.scale_pow2(-4) {
        return range;
    }
    let slack = scale * T::DOUBLE_WORD_ERROR;
    range + Interval { lo: -slack, hi: slack }
}

/// Whether gamma is not defined: 0 and the negative integers.
pub(crate) fn is_pole<T: Real>(x: T) -> bool {
    x <= T::ZERO && x.floor() == x
}

/// Steps from x to where Stirling's series is precise.
fn shift<T: Real>(x: T) -> i32 {
    let from = T::from_i32(T::TABLES.stirling_from);
    if x < from { T::TABLES.stirling_from - to_i32(x.floor()) } else { 0 }
}

/// Two numbers whose difference is ln gamma(x), x > 0.
fn log_gamma_parts<T: Real>(x: DoubleWord<T>, n: i32) -> [DoubleWord<T>; 2] {
    let mut product = DoubleWord::new(T::ONE);
    for k in 0..n {
        product = product.mul(x.add(DoubleWord::new(T::from_i32(k))));
    }
    [log_gamma(x.add(DoubleWord::new(T::from_i32(n)))), log(product)]
}

/// ln gamma(z) by Stirling's series: (z - 1/2) ln z - z + ln(2 pi)/2 + 1/(12 z) - ..; z at least TABLES.stirling_from.
///
/// Source: Abramowitz and Stegun, 6.1.41; the error is below the first term that is left out.
fn log_gamma<T: Real>(z: DoubleWord<T>) -> DoubleWord<T> {
    let main = z.add(DoubleWord::new(-T::HALF)).mul(log(z)).sub(z).add(T::double_word(c::HALF_LN_TWO_PI));
    if z.high > T::ONE.scale_pow2(T::DIGITS as i32 + 2) {
        return main;
    }
    let series = &T::TABLES.stirling;
    let inverse = DoubleWord::new(T::ONE).div(z);
    main.add(inverse.mul(inverse).polynomial(series.coefficients, series.tail).mul(inverse))
}

/// sin(pi r) and cos(pi r), 0 < r <= 1/2.
fn waves_to_half<T: Real>(r: T) -> [DoubleWord<T>; 2] {
    let pi = T::double_word(c::PI);
    let quarter = T::HALF * T::HALF;
    if r <= quarter {
        let (sine, cosine) = sin_cos_reduced(pi.mul_real(r));
        return [sine, cosine];
    }
    let (cosine, sine) = sin_cos_reduced(pi.mul_real(T::HALF - r));
    [sine, cosine]
}

/// Digamma, the derivative of ln |gamma|, at an x that is no pole: ln z - 1/(2 z) - 1/(12 z^2) + .. - 1/x - 1/(x + 1) - .., z = x + n.
///
/// Source: Abramowitz and Stegun, 6.3.6, 6.3.7 and 6.3.18.
pub(crate) fn digamma<T: Real>(x: T) -> Interval<T> {
    let one = DoubleWord::new(T::ONE);
    let at = if x > T::ZERO { DoubleWord::new(x) } else { DoubleWord::sum(T::ONE, -x) };
    // [1] The terms up to z.
    let n = shift(at.high);
    let mut sum = DoubleWord::new(T::ZERO);
    for k in 0..n {
        sum = sum.add(one.div(at.add(DoubleWord::new(T::from_i32(k)))));
    }
    // [2] The series at z; nothing is left of it at large z.
    let z = at.add(DoubleWord::new(T::from_i32(n)));
    let logarithm = log(z);
    let mut value = logarithm.sub(sum);
    if z.high <= T::ONE.scale_pow2(T::DIGITS as i32 + 2) {
        let series = &T::TABLES.digamma;
        let inverse = one.div(z);
        let square = inverse.mul(inverse);
        let rest = square.polynomial(series.coefficients, series.tail).mul(square);
        value = value.sub(inverse.scale_pow2(-1)).sub(rest);
    }
    let scale = logarithm.high + sum.high + T::ONE;
    if x > T::ZERO {
        return beside_zero(value, scale);
    }
    // [3] psi(x) = psi(1 - x) - pi cot(pi x).
    let rest = x - x.round_even();
    let [sine, cosine] = waves_to_half(rest.abs());
    let cotangent = T::double_word(c::PI).mul(cosine.div(sine));
    let signed = if rest < T::ZERO { cotangent.neg() } else { cotangent };
    beside_zero(value.sub(signed), scale + cotangent.high)
}

/// Where gamma has its minimum over positive numbers, and the minimum of it, or of its logarithm.
pub(crate) fn positive_minimum<T: Real>(logarithm: bool) -> [Interval<T>; 2] {
    let value = if logarithm { c::LGAMMA_MINIMUM } else { c::GAMMA_MINIMUM };
    [constant(c::GAMMA_TURN), near(T::double_word(value))]
}
