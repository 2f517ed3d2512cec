//! Working numbers in f32: twin of `real_single.wgsl`.

use super::Vec3;
use super::real::Real;
use super::triangle_record::TriangleRecord;
use gpu_shaders::acos::acos_strict;
use gpu_shaders::atan2::atan2_strict;
use gpu_shaders::{ACOS, ATAN_TAIL, ATAN2, STRICT_FLOAT, WgslModule, strict_float};

/// WGSL text of this module; it stands before `triangle_record`.
pub const REAL_SINGLE: WgslModule = WgslModule { name: "real_single", source: include_str!("real_single.wgsl") };

/// The biased exponent, 0 for zeros.
#[inline(always)]
pub fn exponent_field(x: f32) -> i32 {
    ((x.to_bits() & 0x7fff_ffff) >> 23) as i32
}

/// The number with these bits; f64 has a high word.
pub fn real_of_words(low: u32, _high: u32) -> f32 {
    f32::from_bits(low)
}

/// A vector of such numbers.
pub fn real_vector(low: [u32; 3], _high: [u32; 3]) -> Vec3 {
    low.map(f32::from_bits)
}

/// The bits.
pub fn low_word(x: f32) -> u32 {
    x.to_bits()
}

/// 0: there is no second word.
pub fn high_word(_x: f32) -> u32 {
    0
}

/// `x` with its sign bit set where `negative`.
pub fn with_sign(x: f32, negative: bool) -> f32 {
    f32::from_bits(x.to_bits() | if negative { 0x8000_0000 } else { 0 })
}

/// The bits of an f32 that is not above `x`; 0 for what is not above 0. Only searches ask.
pub fn low_key(x: f32) -> u32 {
    (x.to_bits() as i32).max(0) as u32
}

/// The words of a limb, the lower one first.
pub fn limb_words(x: u32) -> [u32; 2] {
    [x, 0]
}

const fn power_of_two(k: i32) -> f32 {
    f32::from_bits(((k + 127) as u32) << 23)
}

impl Real for f32 {
    type Record = TriangleRecord;
    type Limb = u32;

    const MODULES: [WgslModule; 2] = [STRICT_FLOAT, REAL_SINGLE];
    const ACOS: WgslModule = ACOS;
    const ATAN2: [WgslModule; 2] = [ATAN_TAIL, ATAN2];
    const FRAME_VERTEX: WgslModule = super::frame_vertex::FRAME_VERTEX;
    const WORDS: usize = 1;
    const FAR: [u32; 2] = [0x7f80_0000, 0];
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
    const MARGIN: f32 = power_of_two(-18);
    const NO_MARGIN: f32 = power_of_two(-100);
    const THIN: f32 = power_of_two(-20);
    const TINY_DOT: f32 = power_of_two(-80);
    const TINY_TERM: f32 = power_of_two(-100);
    const FAR_AWAY: f32 = power_of_two(12);
    const TURNS: f32 = 0.159_154_94;
    const SPHERE: f32 = 0.079_577_47;
    const THREE: f32 = 3.0;
    const SIGNIFICAND_BITS: i32 = 23;
    const FRACTION: i32 = 36;

    #[inline(always)]
    fn from_f64(x: f64) -> f32 {
        x as f32
    }

    fn rounded_down(x: f64) -> f32 {
        let near = x as f32;
        if f64::from(near) > x { near.next_down() } else { near }
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }

    fn of_words(low: u32, high: u32) -> f32 {
        real_of_words(low, high)
    }

    fn words(self) -> [u32; 2] {
        [low_word(self), high_word(self)]
    }

    fn with_sign(self, negative: bool) -> f32 {
        with_sign(self, negative)
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

    #[inline(always)]
    fn atan2_strict(self, x: f32) -> f32 {
        atan2_strict(self, x)
    }

    #[inline(always)]
    fn to_limb(self) -> u32 {
        self.to_bits()
    }

    #[inline(always)]
    fn limb(value: u32) -> u32 {
        value
    }
}
