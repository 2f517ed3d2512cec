//! f64: for the host, and for devices that have it.

use super::Real;
use crate::elementary::Tables;

impl Real for f64 {
    const ZERO: Self = 0.0;
    const HALF: Self = 0.5;
    const ONE: Self = 1.0;
    const TWO: Self = 2.0;
    const LIMIT: Self = power_of_two(500);
    const HUGE: Self = power_of_two(502);
    const MINUS_ONE: Self = -1.0;
    const UNBOUNDED_BELOW: Self = -Self::HUGE;
    const TINY: Self = power_of_two(-960);
    const EXACT_PRODUCT: Self = power_of_two(-900);
    const ROUNDOFF: Self = power_of_two(-53);
    const DOUBLE_WORD_ERROR: Self = power_of_two(-90);
    const POWER_ERROR: Self = power_of_two(-82);
    const DIGITS: u32 = 53;
    const TABLES: Tables<Self> = Tables::DOUBLE;

    fn from_f64(x: f64) -> Self {
        x
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn from_i32(k: i32) -> Self {
        f64::from(k)
    }

    fn is_nan_bits(self) -> bool {
        self.is_nan()
    }

    fn abs(self) -> Self {
        f64::abs(self)
    }

    fn flush(self) -> Self {
        if f64::abs(self) < 2.0 * f64::MIN_POSITIVE { 0.0 } else { self }
    }

    fn next_up(self) -> Self {
        // Subnormal numbers are left out, as on devices.
        let next = f64::next_up(self);
        match next {
            _ if self == -f64::MIN_POSITIVE => 0.0,
            _ if f64::abs(self) < f64::MIN_POSITIVE => f64::MIN_POSITIVE,
            _ => next,
        }
    }

    fn next_down(self) -> Self {
        -<Self as Real>::next_up(-self)
    }

    fn snap(self, limit: Self) -> Self {
        if f64::abs(self) < limit { 0.0 } else { self }
    }

    fn div_rn(self, y: Self) -> Self {
        self / y
    }

    fn sqrt_rn(self) -> Self {
        f64::sqrt(self)
    }

    fn two_sum(self, y: Self) -> (Self, Self) {
        let s = self + y;
        let y_part = s - self;
        let x_part = s - y_part;
        (s, (self - x_part) + (y - y_part))
    }

    fn two_prod(self, y: Self) -> (Self, Self) {
        let p = self * y;
        let (x_high, x_low) = split(self);
        let (y_high, y_low) = split(y);
        (p, (((x_high * y_high - p) + x_high * y_low) + x_low * y_high) + x_low * y_low)
    }

    fn scale_pow2(self, k: i32) -> Self {
        if self == 0.0 {
            return self;
        }
        let exponent = self.exponent() + k;
        if exponent < -1022 {
            return 0.0_f64.copysign(self);
        }
        if exponent > 1023 {
            return f64::INFINITY.copysign(self);
        }
        f64::from_bits(self.to_bits() & 0x800f_ffff_ffff_ffff | ((exponent + 1023) as u64) << 52)
    }

    fn exponent(self) -> i32 {
        ((self.to_bits() >> 52) & 0x7ff) as i32 - 1023
    }

    fn decompose(self) -> (u64, i32) {
        (self.to_bits() & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000, self.exponent() - 52)
    }

    fn floor(self) -> Self {
        f64::floor(self)
    }

    fn round_even(self) -> Self {
        f64::round_ties_even(self)
    }
}

/// Veltkamp's splitting with 2^27 + 1: 26 bits each.
fn split(x: f64) -> (f64, f64) {
    let t = 134_217_729.0 * x;
    let high = t - (t - x);
    (high, x - high)
}

/// 2^k for -1022 <= k <= 1023.
const fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}
