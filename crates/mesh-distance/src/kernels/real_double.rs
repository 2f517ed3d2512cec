//! Working numbers in f64: twin of `real_double.wgsl`.

use super::Vec3;
use super::real::Real;
use super::triangle_record::DoubleRecord;
use gpu_shaders::acos_double::acos_strict;
use gpu_shaders::atan2_double::atan2_strict;
use gpu_shaders::{ACOS_DOUBLE, ATAN_TAIL, ATAN2_DOUBLE, STRICT_DOUBLE, WgslModule, strict_double};

/// WGSL text of this module; it takes the place of [`REAL_SINGLE`](super::real_single::REAL_SINGLE).
pub const REAL_DOUBLE: WgslModule = WgslModule { name: "real_double", source: include_str!("real_double.wgsl") };

/// The biased exponent, 0 for zeros.
#[inline(always)]
pub fn exponent_field(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32
}

/// The number with these bits.
pub fn real_of_words(low: u32, high: u32) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

/// A vector of such numbers.
pub fn real_vector(low: [u32; 3], high: [u32; 3]) -> Vec3<f64> {
    std::array::from_fn(|k| real_of_words(low[k], high[k]))
}

/// The lower word.
pub fn low_word(x: f64) -> u32 {
    x.to_bits() as u32
}

/// The upper word: the sign, the exponent and 20 bits.
pub fn high_word(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32
}

/// `x` with its sign bit set where `negative`.
pub fn with_sign(x: f64, negative: bool) -> f64 {
    f64::from_bits(x.to_bits() | if negative { 0x8000_0000_0000_0000 } else { 0 })
}

/// The bits of an f32 that is not above `x`, whichever way a device rounds; 0 for what is not above 2^-100. Only searches ask.
pub fn low_key(x: f64) -> u32 {
    let y = x as f32 * (1.0 - 2f32.powi(-22));
    if x > f64::TINY { y.to_bits() } else { 0 }
}

/// The words of a limb, the lower one first.
pub fn limb_words(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

const fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

impl Real for f64 {
    type Record = DoubleRecord;
    type Limb = u64;

    const MODULES: [WgslModule; 2] = [STRICT_DOUBLE, REAL_DOUBLE];
    const ACOS: WgslModule = ACOS_DOUBLE;
    // Bounds in f32 use the f32 polynomial.
    const ATAN2: [WgslModule; 2] = [ATAN_TAIL, ATAN2_DOUBLE];
    const FRAME_VERTEX: WgslModule = super::frame_vertex_double::FRAME_VERTEX_DOUBLE;
    const WORDS: usize = 2;
    const FAR: [u32; 2] = [0, 0x7ff0_0000];
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
    const MARGIN: f64 = power_of_two(-47);
    const NO_MARGIN: f64 = power_of_two(-250);
    const THIN: f64 = power_of_two(-49);
    const TINY_DOT: f64 = power_of_two(-200);
    const TINY_TERM: f64 = power_of_two(-250);
    const FAR_AWAY: f64 = power_of_two(26);
    const TURNS: f64 = 0.159_154_943_091_895_35;
    const SPHERE: f64 = 0.079_577_471_545_947_67;
    const THREE: f64 = 3.0;
    const SIGNIFICAND_BITS: i32 = 52;
    const FRACTION: i32 = 96;

    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }

    fn rounded_down(x: f64) -> f64 {
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

    fn of_words(low: u32, high: u32) -> f64 {
        real_of_words(low, high)
    }

    fn words(self) -> [u32; 2] {
        [low_word(self), high_word(self)]
    }

    fn with_sign(self, negative: bool) -> f64 {
        with_sign(self, negative)
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

    #[inline(always)]
    fn atan2_strict(self, x: f64) -> f64 {
        atan2_strict(self, x)
    }

    #[inline(always)]
    fn to_limb(self) -> u64 {
        self.to_bits()
    }

    #[inline(always)]
    fn limb(value: u32) -> u64 {
        value.into()
    }
}
