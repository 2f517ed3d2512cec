//! Sines, cosines, tangents of single floats, with the quarter turn in which the angle lies.

use super::constants as c;
use super::enclose::{just_inside, just_inside_multiple, just_outside, near, odd_small, one_below};
use super::kernels::{sin_cos, sin_cos_reduced, to_i32};
use crate::double_word::DoubleWord;
use crate::interval::Interval;
use crate::real::Real;

/// The quarter turn in which an angle lies (its floor in quarter turns, modulo 4), and an enclosure of a function of it.
pub(crate) type Turn<T> = (u32, Interval<T>);

/// The sine of x and `further` quarter turns, and the quarter turn floor(2 x/pi) + further modulo 4.
pub(crate) fn sine_quadrant<T: Real>(x: T, further: u32) -> Turn<T> {
    if x.abs() < odd_small() {
        let exact = |x: T| Interval { lo: x, hi: x };
        let zero = x == T::ZERO;
        let sine = if zero { exact(x) } else { just_inside(x) };
        let cosine = if zero { exact(T::ONE) } else { one_below(T::ONE) };
        return placed(further, x < T::ZERO, if further & 1 == 0 { sine } else { cosine });
    }
    let (k, sin, cos) = sin_cos(x);
    turned(k.wrapping_add(further), sin, cos)
}

/// The tangent, or the cotangent, and the quarter turn floor(2 x/pi) modulo 4; an empty interval at a pole.
pub(crate) fn tangent_quadrant<T: Real>(x: T, cotangent: bool) -> Turn<T> {
    if x.abs() < odd_small() {
        let value = match (cotangent, x == T::ZERO) {
            (false, true) => Interval { lo: x, hi: x },
            (true, true) => Interval::EMPTY,
            (false, false) => just_outside(x),
            (true, false) => {
                let inverse = Interval { lo: T::ONE, hi: T::ONE } / Interval { lo: x, hi: x };
                just_inside(inverse.lo).join(just_inside(inverse.hi))
            }
        };
        return (if x < T::ZERO { 3 } else { 0 }, value);
    }
    let (k, sin, cos) = sin_cos(x);
    let quarter = if sin.high < T::ZERO { k.wrapping_sub(1) & 3 } else { k & 3 };
    let odd = k & 1 == 1;
    let (upper, lower) = if odd == cotangent { (sin, cos) } else { (cos, sin) };
    let value = near(upper.div(lower));
    (quarter, if odd { -value } else { value })
}

/// The sine of x half turns, which are reduced exactly, and `further` quarter turns; and the quarter turn, modulo 4.
pub(crate) fn sine_of_pi<T: Real>(x: T, further: u32) -> Turn<T> {
    // [1] Modulo 2, exact.
    let turns = (x * T::HALF).round_even();
    let rest = x - (turns + turns);
    // [2] The nearest quarter turn, exact.
    let nearest = (rest + rest).round_even();
    let fraction = rest - nearest * T::HALF;
    let k = (to_i32(nearest) as u32).wrapping_add(further) & 3;
    if fraction == T::ZERO {
        let sine = T::from_i32([0, 1, 0, -1][k as usize]);
        return (k, Interval::outward(sine, sine));
    }
    // [3] Close to a quarter turn: sine within u of the angle, cosine of 1.
    if fraction.abs() < odd_small::<T>().scale_pow2(-2) {
        let value = if k & 1 == 0 { just_inside_multiple(c::PI, fraction) } else { one_below(T::ONE) };
        return placed(k, fraction < T::ZERO, value);
    }
    let (sin, cos) = sin_cos_reduced(T::double_word(c::PI).mul_real(fraction));
    turned(k, sin, cos)
}

/// The sine of k quarter turns and a reduced angle, and the quarter turn in which the sum lies.
fn turned<T: Real>(k: u32, sin: DoubleWord<T>, cos: DoubleWord<T>) -> Turn<T> {
    placed(k, sin.high < T::ZERO, unit(near(if k & 1 == 0 { sin } else { cos })))
}

/// `value` or its opposite: sine, cosine, minus sine, minus cosine from quarter to quarter. `negative`: the reduced angle is.
fn placed<T: Real>(k: u32, negative: bool, value: Interval<T>) -> Turn<T> {
    let quarter = if negative { k.wrapping_sub(1) & 3 } else { k & 3 };
    (quarter, if k & 2 == 0 { value } else { -value })
}

fn unit<T: Real>(x: Interval<T>) -> Interval<T> {
    x.intersect(Interval { lo: -T::ONE, hi: T::ONE })
}
