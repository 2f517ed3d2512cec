//! Sines, cosines, tangents of single floats, with the quarter turn in which the angle lies.

use super::constants as c;
use super::enclose::{just_inside, just_inside_multiple, just_outside, near, odd_small, one_below};
use super::kernels::{sin_cos, sin_cos_reduced, to_i32};
use crate::double_word::DoubleWord;
use crate::interval::Interval;
use crate::real::Real;

/// The quarter turn of an angle (its floor in quarter turns, modulo 4), and enclosures of two functions of it.
pub(crate) type Turn<T> = (u32, Interval<T>, Interval<T>);

/// For sine: the quarter turn in which x lies (floor(2 x/pi) mod 4), and the sine and cosine of x.
pub(crate) fn sine_quadrant<T: Real>(x: T) -> Turn<T> {
    if x.abs() < odd_small() {
        let quarter = if x < T::ZERO { 3 } else { 0 };
        if x == T::ZERO {
            return (0, Interval { lo: T::ZERO, hi: T::ZERO }, Interval { lo: T::ONE, hi: T::ONE });
        }
        return (quarter, just_inside(x), one_below(T::ONE));
    }
    let (k, sin, cos) = sin_cos(x);
    turned(k, sin, cos)
}

/// The same quarter turn, tangent and cotangent; an empty interval at a pole.
pub(crate) fn tangent_quadrant<T: Real>(x: T) -> Turn<T> {
    if x == T::ZERO {
        return (0, Interval { lo: x, hi: x }, Interval::EMPTY);
    }
    if x.abs() < odd_small() {
        let inverse = Interval { lo: T::ONE, hi: T::ONE } / Interval { lo: x, hi: x };
        let cotangent = just_inside(inverse.lo).join(just_inside(inverse.hi));
        return (if x < T::ZERO { 3 } else { 0 }, just_outside(x), cotangent);
    }
    let (k, sin, cos) = sin_cos(x);
    let quarter = if sin.high < T::ZERO { k.wrapping_sub(1) & 3 } else { k & 3 };
    let (tangent, cotangent) = (near(sin.div(cos)), near(cos.div(sin)));
    if k & 1 == 0 { (quarter, tangent, cotangent) } else { (quarter, -cotangent, -tangent) }
}

/// For sin(pi x): the same for an angle in half turns, which is reduced exactly.
pub(crate) fn sine_of_pi<T: Real>(x: T) -> Turn<T> {
    // [1] Modulo 2, exact.
    let turns = (x * T::HALF).round_even();
    let rest = x - (turns + turns);
    // [2] The nearest quarter turn, exact.
    let k = (rest + rest).round_even();
    let fraction = rest - k * T::HALF;
    let quarter = (to_i32(k) & 3) as u32;
    if fraction == T::ZERO {
        let exact = |value: i32| Interval::outward(T::from_i32(value), T::from_i32(value));
        let sine = [0, 1, 0, -1][quarter as usize];
        return (quarter, exact(sine), exact([1, 0, -1, 0][quarter as usize]));
    }
    // [3] Close to a quarter turn: sine within u of the angle, cosine of 1.
    if fraction.abs() < odd_small::<T>().scale_pow2(-2) {
        let sine = just_inside_multiple(c::PI, fraction);
        return placed(quarter, fraction < T::ZERO, sine, one_below(T::ONE));
    }
    let (sin, cos) = sin_cos_reduced(T::double_word(c::PI).mul_real(fraction));
    turned(quarter, sin, cos)
}

/// Sine and cosine of k quarter turns and a reduced angle, and the quarter turn in which the sum lies.
fn turned<T: Real>(k: u32, sin: DoubleWord<T>, cos: DoubleWord<T>) -> Turn<T> {
    placed(k & 3, sin.high < T::ZERO, unit(near(sin)), unit(near(cos)))
}

/// The same from enclosures; `negative`: the reduced angle is.
fn placed<T: Real>(k: u32, negative: bool, sin: Interval<T>, cos: Interval<T>) -> Turn<T> {
    let quarter = if negative { k.wrapping_sub(1) & 3 } else { k };
    match k {
        0 => (quarter, sin, cos),
        1 => (quarter, cos, -sin),
        2 => (quarter, -sin, -cos),
        _ => (quarter, -cos, sin),
    }
}

fn unit<T: Real>(x: Interval<T>) -> Interval<T> {
    x.intersect(Interval { lo: -T::ONE, hi: T::ONE })
}
