//! Points of functions of two variables: angles and powers. Twin of wgsl/interval_binary.wgsl.

use super::constants as c;
use super::enclose::{constant, near};
use super::kernels::atan_to_one;
use super::powers::enclose_powf;
use crate::directed::{div_down, div_up, lower};
use crate::double_word::DoubleWord;
use crate::interval::Interval;
use crate::real::Real;

/// The angle of the point (x, y) in [-pi, pi], 0 or pi for y = 0. Unbounded coordinates stand for their limits; none for two of them, nor for the origin.
pub(crate) fn enclose_atan2<T: Real>(y: T, x: T) -> Interval<T> {
    let (size, far) = (y.abs(), x.abs());
    if size == T::ZERO && far == T::ZERO || !size.is_bounded() && !far.is_bounded() {
        return Interval::EMPTY;
    }
    let angle = upper_angle(size, far, size > far, x < T::ZERO);
    if y < T::ZERO { -angle } else { angle }
}

/// Of magnitudes: `steep` where y is the larger one, `left` where x is negative.
fn upper_angle<T: Real>(y: T, x: T, steep: bool, left: bool) -> Interval<T> {
    // [1] The ratio, at most 1, where it counts beside a quarter or a half turn.
    let (a, b) = if steep { (x, y) } else { (y, x) };
    let least = a.exponent() - b.exponent() < -(T::DIGITS as i32 + 16);
    if a == T::ZERO || !b.is_bounded() || least {
        return match (steep, left) {
            (true, _) => constant(c::HALF_PI),
            (_, true) => constant(c::PI),
            _ if a == T::ZERO || !b.is_bounded() => Interval { lo: T::ZERO, hi: T::ZERO },
            // atan r is below r by less than half an ulp.
            _ => {
                let lo = div_down(a, b);
                Interval { lo: if lo == T::ZERO { lo } else { lower(lo.next_down()) }, hi: div_up(a, b) }
            }
        };
    }
    // [2] Turned to where it is.
    let scale = -b.exponent();
    let ratio = DoubleWord::new(a.scale_pow2(scale)).div(DoubleWord::new(b.scale_pow2(scale)));
    let angle = atan_to_one(ratio);
    let turned = if steep == left { angle } else { angle.neg() };
    near(match (steep, left) {
        (true, _) => T::double_word(c::HALF_PI).add(turned),
        (_, true) => T::double_word(c::PI).add(turned),
        _ => angle,
    })
}

/// x^y for x >= 0; limits at 0 and for what is not bounded.
pub(crate) fn enclose_power<T: Real>(x: T, y: T) -> Interval<T> {
    // [1] Exact and unbounded values.
    let one = Interval { lo: T::ONE, hi: T::ONE };
    if y == T::ZERO || x == T::ONE {
        return one;
    }
    if x == T::ZERO || !x.is_bounded() || !y.is_bounded() {
        let grows = (x > T::ONE) == (y > T::ZERO);
        return if grows { Interval { lo: T::LIMIT, hi: T::HUGE } } else { Interval { lo: T::ZERO, hi: T::ZERO } };
    }
    if y == T::ONE {
        return Interval { lo: x, hi: x };
    }
    // [2] Exponents whose product with a logarithm vanishes beside 1.
    if y.abs() < T::TINY.scale_pow2(24) {
        return Interval { lo: T::ONE.next_down(), hi: T::ONE.next_up() };
    }
    enclose_powf(x, y.to_f64())
}
