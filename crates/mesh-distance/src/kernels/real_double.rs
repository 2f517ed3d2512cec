//! Working numbers in f64.

use super::real::Real;
use super::triangle_record::DoubleRecord;
use gpu_shaders::acos_double::acos_strict;
use gpu_shaders::strict_double;

/// The biased exponent, 0 for zeros.
#[inline(always)]
pub fn exponent_field(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32
}

const fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

impl Real for f64 {
    type Record = DoubleRecord;

    const ZERO: f64 = 0.0;
    const HALF: f64 = 0.5;
    const ONE: f64 = 1.0;
    const NOTHING: f64 = power_of_two(120);
    const EXPONENT_BIAS: i32 = 1023;
    const SMALL: f64 = power_of_two(-150);
    const LARGE: f64 = power_of_two(150);
    const TINY: f64 = power_of_two(-100);
    const FLAT: f64 = power_of_two(-104);
    const CANCELLED: f64 = power_of_two(-48);
    const OUTSIDE: f64 = power_of_two(52);

    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self as f32
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn exponent_field(self) -> i32 {
        exponent_field(self)
    }

    #[inline(always)]
    fn snap(self, limit: f64) -> f64 {
        strict_double::snap(self, limit)
    }

    #[inline(always)]
    fn two_sum(self, y: f64) -> (f64, f64) {
        strict_double::two_sum(self, y)
    }

    #[inline(always)]
    fn two_prod(self, y: f64) -> (f64, f64) {
        strict_double::two_prod(self, y)
    }

    #[inline(always)]
    fn div_rn(self, y: f64) -> f64 {
        strict_double::div_rn(self, y)
    }

    #[inline(always)]
    fn sqrt_rn(self) -> f64 {
        strict_double::sqrt_rn(self)
    }

    #[inline(always)]
    fn scale_pow2(self, k: i32) -> f64 {
        strict_double::scale_pow2(self, k)
    }

    #[inline(always)]
    fn acos_strict(self) -> f64 {
        acos_strict(self)
    }
}
