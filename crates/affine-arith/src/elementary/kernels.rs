//! Elementary functions in double words. Each states its domain; the error is relative and below
//! [`Real::DOUBLE_WORD_ERROR`] (docs/affine-arith.md).

use super::constants as c;
use super::reduction::quadrant;
use crate::double_word::DoubleWord;
use crate::real::Real;

/// e^x for x between ln(TINY) and ln(LIMIT).
pub(crate) fn exp<T: Real>(x: DoubleWord<T>) -> DoubleWord<T> {
    let (value, k) = exp_scaled(x);
    // [2] 2^k e^r.
    value.scale_pow2(k)
}

/// e^x as a number between 0.7 and 1.5 times 2^k.
pub(crate) fn exp_scaled<T: Real>(x: DoubleWord<T>) -> (DoubleWord<T>, i32) {
    // [1] x = k ln 2 + r, |r| <= 0.35; k times the head of ln 2 is exact.
    let k = (x.high * T::from_f64(c::LOG2_E.0)).round_even();
    let r = DoubleWord::new(-(k * T::TABLES.ln_2_head)).add(x).sub(T::TABLES.ln_2_rest.mul_real(k));
    (r.polynomial(T::TABLES.exp.coefficients, T::TABLES.exp.tail), to_i32(k))
}

/// e^x - 1 for x between ln(TINY) and ln(LIMIT), |x| >= TABLES.small.
pub(crate) fn expm1<T: Real>(x: DoubleWord<T>) -> DoubleWord<T> {
    if x.high.abs() <= T::from_f64(0.3125) {
        return x.polynomial(&T::TABLES.exp.coefficients[1..], T::TABLES.exp.tail - 1).mul(x);
    }
    exp(x).sub(DoubleWord::new(T::ONE))
}

/// ln x for normal x > 0.
pub(crate) fn log<T: Real>(x: DoubleWord<T>) -> DoubleWord<T> {
    // [1] x = 2^e m, m between sqrt(1/2) and sqrt 2.
    let mut e = x.high.exponent();
    let mut m = x.scale_pow2(-e);
    if m.high > T::from_f64(core::f64::consts::SQRT_2) {
        e += 1;
        m = m.scale_pow2(-1);
    }
    // [2] ln m = 2 atanh((m - 1)/(m + 1)).
    let one = DoubleWord::new(T::ONE);
    let ln_m = two_atanh(m.sub(one).div(m.add(one)));
    if e == 0 {
        return ln_m;
    }
    let k = T::from_i32(e);
    DoubleWord::new(k * T::TABLES.ln_2_head).add(T::TABLES.ln_2_rest.mul_real(k)).add(ln_m)
}

/// ln(1 + z) for z > -1, 1 + z normal.
pub(crate) fn log1p<T: Real>(z: DoubleWord<T>) -> DoubleWord<T> {
    if z.high > T::from_f64(-0.25) && z.high < T::from_f64(0.375) {
        return two_atanh(z.div(z.add(DoubleWord::new(T::TWO))));
    }
    log(z.add(DoubleWord::new(T::ONE)))
}

/// 2 atanh(s), |s| <= 0.172.
fn two_atanh<T: Real>(s: DoubleWord<T>) -> DoubleWord<T> {
    if s.high.abs() < T::TABLES.small {
        return s.scale_pow2(1);
    }
    s.mul(s).polynomial(T::TABLES.atanh.coefficients, T::TABLES.atanh.tail).mul(s).scale_pow2(1)
}

/// The quadrant of x (x = quadrant pi/2 + r modulo 2 pi, |r| <= pi/4), sin r and cos r; for |x| <= LIMIT.
pub(crate) fn sin_cos<T: Real>(x: T) -> (u32, DoubleWord<T>, DoubleWord<T>) {
    if x.abs() <= T::from_f64(0.75) {
        let (sin, cos) = sin_cos_reduced(DoubleWord::new(x));
        return (0, sin, cos);
    }
    let (k, fraction) = quadrant(x);
    let (sin, cos) = sin_cos_reduced(fraction.mul(T::double_word(c::HALF_PI)));
    (k, sin, cos)
}

/// sin r and cos r for |r| <= pi/4.
pub(crate) fn sin_cos_reduced<T: Real>(r: DoubleWord<T>) -> (DoubleWord<T>, DoubleWord<T>) {
    if r.high.abs() < T::TABLES.small {
        return (r, DoubleWord::new(T::ONE));
    }
    let z = r.mul(r);
    let sin = z.polynomial(T::TABLES.sin.coefficients, T::TABLES.sin.tail).mul(r);
    let cos = z.polynomial(T::TABLES.cos.coefficients, T::TABLES.cos.tail);
    (sin, cos)
}

/// Arc tangent of y >= 0, y <= 4 LIMIT.
pub(crate) fn atan<T: Real>(y: DoubleWord<T>) -> DoubleWord<T> {
    // [1] Above 1: pi/2 - atan(1/y).
    if y.high > T::ONE {
        let inverse = DoubleWord::new(T::ONE).div(y);
        return T::double_word(c::HALF_PI).sub(atan_to_one(inverse));
    }
    atan_to_one(y)
}

/// Arc tangent of 0 <= y <= 1.
pub(super) fn atan_to_one<T: Real>(y: DoubleWord<T>) -> DoubleWord<T> {
    // [2] atan y = atan(i/8) + atan t, t = (y - i/8)/(1 + y i/8), |t| <= 1/16.
    let i = to_i32((y.high * T::from_i32(8)).round_even());
    if i == 0 {
        return atan_sixteenth(y);
    }
    let node = DoubleWord::new(T::from_i32(i).scale_pow2(-3));
    let t = y.sub(node).div(y.mul(node).add(DoubleWord::new(T::ONE)));
    T::TABLES.atan_eighths[i as usize].add(atan_sixteenth(t))
}

fn atan_sixteenth<T: Real>(t: DoubleWord<T>) -> DoubleWord<T> {
    if t.high.abs() < T::TABLES.small {
        return t;
    }
    t.mul(t).polynomial(T::TABLES.atan.coefficients, T::TABLES.atan.tail).mul(t)
}

/// An integer-valued float below 2^24 in magnitude.
pub(crate) fn to_i32<T: Real>(k: T) -> i32 {
    k.to_f64() as i32
}
