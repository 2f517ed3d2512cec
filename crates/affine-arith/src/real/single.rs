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

    // The twin of next_up in interval.wgsl.
    fn next_up(self) -> Self {
        let bits = self.to_bits();
        if bits & 0x7fff_ffff < 0x0080_0000 {
            return f32::MIN_POSITIVE;
        }
        if bits == 0x8080_0000 {
            return 0.0;
        }
        f32::from_bits(if bits >> 31 == 0 { bits + 1 } else { bits - 1 })
    }

    fn next_down(self) -> Self {
        -Real::next_up(-self)
    }

    fn snap(self, limit: Self) -> Self {
        strict_float::snap(self, limit)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_leave_subnormals_out() {
        let least = f32::MIN_POSITIVE;
        for x in [0.0, -0.0, f32::from_bits(1), -f32::from_bits(0x7f_ffff)] {
            assert_eq!([Real::next_down(x), Real::next_up(x)], [-least, least]);
        }
        assert_eq!([Real::next_up(-least), Real::next_down(least)], [0.0, 0.0]);
        for x in [least, -f32::next_up(least), 1.0, -1.0, 0.1, -3.5e20, <f32 as Real>::TINY, -<f32 as Real>::HUGE] {
            assert_eq!(Real::next_up(x), f32::next_up(x));
            assert_eq!(Real::next_down(-x), -f32::next_up(x));
        }
    }
}
