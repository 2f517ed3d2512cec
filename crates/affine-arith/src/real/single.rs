//! f32: the precision of every device.

use gpu_shaders::strict_float;

use super::Real;
use crate::elementary::Tables;

impl Real for f32 {
    const ZERO: Self = 0.0;
    const HALF: Self = 0.5;
    const ONE: Self = 1.0;
    const TWO: Self = 2.0;
    const LIMIT: Self = power_of_two(60);
    const HUGE: Self = power_of_two(62);
    const MINUS_ONE: Self = -1.0;
    const UNBOUNDED_BELOW: Self = -Self::HUGE;
    const TINY: Self = power_of_two(-102);
    const EXACT_PRODUCT: Self = power_of_two(-78);
    const ROUNDOFF: Self = power_of_two(-24);
    const DOUBLE_WORD_ERROR: Self = power_of_two(-38);
    const POWER_ERROR: Self = power_of_two(-34);
    const DIGITS: u32 = 24;
    const TABLES: Tables<Self> = Tables::SINGLE;

    fn from_f64(x: f64) -> Self {
        x as f32
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn from_i32(k: i32) -> Self {
        k as f32
    }

    fn is_nan_bits(self) -> bool {
        self.to_bits() & 0x7fff_ffff > 0x7f80_0000
    }

    fn abs(self) -> Self {
        f32::abs(self)
    }

    fn flush(self) -> Self {
        strict_float::flush(self)
    }

    fn next_up(self) -> Self {
        f32::next_up(self)
    }

    fn next_down(self) -> Self {
        f32::next_down(self)
    }

    fn div_rn(self, y: Self) -> Self {
        strict_float::div_rn(self, y)
    }

    fn sqrt_rn(self) -> Self {
        strict_float::sqrt_rn(self)
    }

    fn two_sum(self, y: Self) -> (Self, Self) {
        strict_float::two_sum(self, y)
    }

    fn two_prod(self, y: Self) -> (Self, Self) {
        strict_float::two_prod(self, y)
    }

    fn scale_pow2(self, k: i32) -> Self {
        strict_float::scale_pow2(self, k)
    }

    fn exponent(self) -> i32 {
        ((self.to_bits() >> 23) & 0xff) as i32 - 127
    }

    fn decompose(self) -> (u64, i32) {
        (u64::from(self.to_bits() & 0x007f_ffff | 0x0080_0000), self.exponent() - 23)
    }

    fn floor(self) -> Self {
        f32::floor(self)
    }

    fn round_even(self) -> Self {
        f32::round_ties_even(self)
    }
}

/// 2^k for -126 <= k <= 127.
const fn power_of_two(k: i32) -> f32 {
    f32::from_bits(((k + 127) as u32) << 23)
}
