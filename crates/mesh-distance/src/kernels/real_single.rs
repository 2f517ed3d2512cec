//! Working numbers in f32.

use super::real::Real;
use super::triangle_record::TriangleRecord;
use gpu_shaders::acos::acos_strict;
use gpu_shaders::strict_float;

/// The biased exponent, 0 for zeros.
#[inline(always)]
pub fn exponent_field(x: f32) -> i32 {
    ((x.to_bits() & 0x7fff_ffff) >> 23) as i32
}

const fn power_of_two(k: i32) -> f32 {
    f32::from_bits(((k + 127) as u32) << 23)
}

impl Real for f32 {
    type Record = TriangleRecord;

    const ZERO: f32 = 0.0;
    const HALF: f32 = 0.5;
    const ONE: f32 = 1.0;
    const NOTHING: f32 = power_of_two(120);
    const EXPONENT_BIAS: i32 = 127;
    const SMALL: f32 = power_of_two(-60);
    const LARGE: f32 = power_of_two(60);
    const TINY: f32 = power_of_two(-40);
    const FLAT: f32 = power_of_two(-46);
    const CANCELLED: f32 = power_of_two(-20);
    const OUTSIDE: f32 = power_of_two(24);

    #[inline(always)]
    fn from_f64(x: f64) -> f32 {
        x as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }

    #[inline(always)]
    fn abs(self) -> f32 {
        f32::abs(self)
    }

    #[inline(always)]
    fn exponent_field(self) -> i32 {
        exponent_field(self)
    }

    #[inline(always)]
    fn snap(self, limit: f32) -> f32 {
        strict_float::snap(self, limit)
    }

    #[inline(always)]
    fn two_sum(self, y: f32) -> (f32, f32) {
        strict_float::two_sum(self, y)
    }

    #[inline(always)]
    fn two_prod(self, y: f32) -> (f32, f32) {
        strict_float::two_prod(self, y)
    }

    #[inline(always)]
    fn div_rn(self, y: f32) -> f32 {
        strict_float::div_rn(self, y)
    }

    #[inline(always)]
    fn sqrt_rn(self) -> f32 {
        strict_float::sqrt_rn(self)
    }

    #[inline(always)]
    fn scale_pow2(self, k: i32) -> f32 {
        strict_float::scale_pow2(self, k)
    }

    #[inline(always)]
    fn acos_strict(self) -> f32 {
        acos_strict(self)
    }
}
