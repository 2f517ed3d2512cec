//! Powers of positive numbers: repeated products where they stay in range, else e^(y ln x).

use super::enclose::round_out;
use super::kernels::{exp, log};
use crate::double_word::DoubleWord;
use crate::interval::Interval;
use crate::real::Real;

/// Largest exponent for which products are taken: 2 x 6 of them keep the error below [`Real::POWER_ERROR`].
const MOST_PRODUCTS: u32 = 64;

/// x^n for bounded x > 0.
pub(crate) fn enclose_powi<T: Real>(x: T, n: i32) -> Interval<T> {
    if x == T::ONE || n == 0 {
        return Interval { lo: T::ONE, hi: T::ONE };
    }
    let exponent = i64::from(x.exponent());
    let power = i64::from(n.unsigned_abs());
    // Magnitudes of all intermediate powers and of their errors must be in range.
    let smallest = i64::from(T::EXACT_PRODUCT.exponent());
    let largest = if n < 0 { -smallest } else { i64::from(T::HUGE.exponent()) + 48 };
    let in_range = (exponent + 1) * power <= largest && exponent * power >= smallest;
    if n.unsigned_abs() > MOST_PRODUCTS || !in_range {
        return from_logarithm(
            log(DoubleWord::new(x)).mul_real(T::from_f64(f64::from(n))),
            n.unsigned_abs() >= 1 << 24,
        );
    }
    let positive = product_power(x, n.unsigned_abs());
    if n > 0 {
        return round_out(positive, T::POWER_ERROR);
    }
    let inverse = DoubleWord::new(T::ONE).div(positive);
    round_out(inverse, T::POWER_ERROR)
}

/// x^n by squaring, 1 <= n <= 64.
fn product_power<T: Real>(x: T, n: u32) -> DoubleWord<T> {
    let mut power = DoubleWord::new(x);
    for bit in (0..31 - n.leading_zeros()).rev() {
        power = power.mul(power);
        if n >> bit & 1 == 1 {
            power = power.mul_real(x);
        }
    }
    power
}

/// x^y for bounded x > 0, with y an f64 of which f32 keeps 48 bits.
pub(crate) fn enclose_powf<T: Real>(x: T, y: f64) -> Interval<T> {
    if x == T::ONE {
        return Interval { lo: T::ONE, hi: T::ONE };
    }
    let too_large = y.abs() > T::LIMIT.to_f64() || y.abs() < T::TINY.to_f64() * 2f64.powi(24);
    if too_large {
        return Interval { lo: T::ZERO, hi: T::HUGE };
    }
    from_logarithm(log(DoubleWord::new(x)).mul(T::double_word((y, 0.0))), false)
}

/// e^t for t with an absolute error below POWER_ERROR/2 while it is in range.
fn from_logarithm<T: Real>(t: DoubleWord<T>, rounded: bool) -> Interval<T> {
    let most = f64::from(T::LIMIT.exponent()) * std::f64::consts::LN_2 + 1.0;
    let least = f64::from(T::TINY.exponent()) * std::f64::consts::LN_2 - 1.0;
    // Exponents that are rounded themselves: only the side of 1 is known.
    if t.high > T::from_f64(most) {
        return if rounded { Interval { lo: T::ONE, hi: T::HUGE } } else { Interval { lo: T::LIMIT, hi: T::HUGE } };
    }
    if t.high < T::from_f64(least) {
        return if rounded { Interval { lo: T::ZERO, hi: T::ONE } } else { Interval { lo: T::ZERO, hi: T::TINY } };
    }
    if rounded {
        return Interval { lo: T::ZERO, hi: T::HUGE };
    }
    if t.high.abs() < T::TABLES.small * T::ROUNDOFF {
        return Interval::outward(T::ONE.next_down(), T::ONE.next_up());
    }
    let power = round_out(exp(t), T::POWER_ERROR);
    power.intersect(Interval { lo: T::ZERO, hi: T::HUGE })
}
