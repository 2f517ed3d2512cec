//! Error function, its complement, and the normal distribution. Slow: series of up to 160 terms.

use super::constants as c;
use super::enclose::{just_inside_multiple, odd_small, one_below, round_out};
use super::kernels::{exp, exp_scaled};
use crate::double_word::DoubleWord;
use crate::interval::Interval;
use crate::real::Real;

/// erf(x). Source: Abramowitz and Stegun, 7.1.6.
pub(super) fn enclose_erf<T: Real>(x: T) -> Interval<T> {
    if x == T::ZERO {
        return Interval { lo: x, hi: x };
    }
    // [1] Near 0 the slope is 2/sqrt(pi), and |erf| below that line by less than half an ulp.
    if x.abs() < odd_small() {
        return just_inside_multiple(c::TWO_OVER_SQRT_PI, x);
    }
    // [2] From 6 on 1 - erf is below u for both precisions.
    if x.abs() >= T::from_i32(6) {
        return one_below(x);
    }
    let value = erf(DoubleWord::new(x.abs()));
    let value = if x < T::ZERO { value.neg() } else { value };
    round_out(value, T::POWER_ERROR).intersect(Interval { lo: -T::ONE, hi: T::ONE })
}

/// erfc(x).
pub(super) fn enclose_erfc<T: Real>(x: T) -> Interval<T> {
    complement(DoubleWord::new(x), 0)
}

/// erfc(-x/sqrt 2)/2.
pub(super) fn enclose_normcdf<T: Real>(x: T) -> Interval<T> {
    if x == T::ZERO {
        return Interval { lo: T::HALF, hi: T::HALF };
    }
    complement(T::double_word(c::SQRT_HALF).mul_real(-x), -1)
}

/// 2^k erfc(x).
fn complement<T: Real>(x: DoubleWord<T>, k: i32) -> Interval<T> {
    let most = T::ONE.scale_pow2(k + 1);
    if x.high.abs() < T::TABLES.small * T::ROUNDOFF {
        let one = T::ONE.scale_pow2(k);
        return Interval { lo: one.next_down(), hi: one.next_up() };
    }
    if x.high < T::ZERO {
        // [1] 1 + erf(-x).
        if x.high <= T::from_i32(-6) {
            return Interval { lo: most.next_down(), hi: most };
        }
        let value = erf(x.neg()).add(DoubleWord::new(T::ONE)).scale_pow2(k);
        return round_out(value, T::POWER_ERROR).intersect(Interval { lo: T::ZERO, hi: most });
    }
    // [2] 1 - erf(x) where that loses few bits.
    if x.high < T::from_f64(2.25) {
        let value = DoubleWord::new(T::ONE).sub(erf(x)).scale_pow2(k);
        return round_out(value, T::POWER_ERROR);
    }
    // [3] The continued fraction; nothing is left below TINY.
    let square = x.mul(x);
    let least = -f64::from(T::TINY.exponent()) * std::f64::consts::LN_2;
    if square.high > T::from_f64(least) {
        return Interval { lo: T::ZERO, hi: T::TINY };
    }
    // The power of two last: nothing before it is near the smallest floats.
    let (power, exponent) = exp_scaled(square.neg());
    let value = tail(x, square).mul(power).scale_pow2(k + exponent);
    round_out(value, T::POWER_ERROR)
}

/// erf(x) for 0 < x <= 6: 2/sqrt(pi) x e^(-z) (1 + 2z/3 (1 + 2z/5 (1 + ...))), z = x^2; all terms are positive.
fn erf<T: Real>(x: DoubleWord<T>) -> DoubleWord<T> {
    let z = x.mul(x);
    let twice = z.scale_pow2(1);
    // Terms fall from n = z on; those left out sum to less than e^(-DIGITS) squared of the first.
    let terms = to_count(z.high) * 3 + T::DIGITS as i32 + 4;
    let mut sum = DoubleWord::new(T::ONE);
    for n in (1..=terms).rev() {
        let odd = DoubleWord::new(T::from_i32(2 * n + 1));
        sum = sum.mul(twice).div(odd).add(DoubleWord::new(T::ONE));
    }
    sum.mul(exp(z.neg())).mul(x).mul(T::double_word(c::TWO_OVER_SQRT_PI))
}

fn to_count<T: Real>(z: T) -> i32 {
    super::kernels::to_i32(z.floor())
}

/// (DIGITS ln 4)^2/4.
pub(crate) fn tail_steps<T: Real>() -> f64 {
    let digits = f64::from(T::DIGITS) * 2.0 * std::f64::consts::LN_2;
    digits * digits / 4.0
}

/// e^(x^2) erfc(x) for x >= 2.25: (1/sqrt(pi))/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))); the convergents enclose the value in turn.
///
/// Source: Abramowitz and Stegun, 7.1.14.
fn tail<T: Real>(x: DoubleWord<T>, square: DoubleWord<T>) -> DoubleWord<T> {
    // Steps for a truncation error below 2^(-2 DIGITS): about (DIGITS ln 4)^2/(8 x^2), with a margin of two.
    let steps = super::kernels::to_i32(T::from_f64(tail_steps::<T>()).div_rn(square.high).floor()) + 8;
    let mut fraction = x;
    for n in (1..=steps).rev() {
        fraction = DoubleWord::new(T::from_i32(n) * T::HALF).div(fraction).add(x);
    }
    T::double_word(c::TWO_OVER_SQRT_PI).scale_pow2(-1).div(fraction)
}
