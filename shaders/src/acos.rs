//! Arc cosine from `+ - *` and `sqrt_rn`: twin of `acos.wgsl`.

use crate::WgslModule;
use crate::strict_float::sqrt_rn;
use std::ops::RangeInclusive;

/// WGSL text of this module; it needs [`STRICT_FLOAT`](crate::STRICT_FLOAT).
pub const ACOS: WgslModule = WgslModule { name: "acos", source: include_str!("acos.wgsl") };

/// pi/2 rounded to f32 (0x3fc90fdb).
const HALF_PI_HIGH: f32 = 1.570_796_4;
/// pi/2 minus [`HALF_PI_HIGH`], rounded to f32 (0xb33bbd2e).
const HALF_PI_LOW: f32 = -4.371_139e-8;

/// Arc cosine of `x` in radians, in [0, pi] (pi rounded to f32).
///
/// `x` is clamped to [-1, 1]; NaN counts as 1 or -1 by its sign bit. `acos_strict(1) = +0`.
pub fn acos_strict(x: f32) -> f32 {
    let bits = x.to_bits();
    // [1] Clamp the magnitude on the bits; below 2^-30 it cannot be seen in the result, and its square could underflow.
    let mut magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x3f80_0000 {
        magnitude = 0x3f80_0000;
    }
    if magnitude < 0x3080_0000 {
        magnitude = 0;
    }
    let m = f32::from_bits(magnitude);
    let negative = bits >> 31 == 1;
    // [2] |x| <= 1/2: acos(x) = pi/2 - asin(x).
    if magnitude <= 0x3f00_0000 {
        let r = m * asin_tail(m * m);
        if negative {
            return HALF_PI_HIGH + (m + (r + HALF_PI_LOW));
        }
        return HALF_PI_HIGH - (m + (r - HALF_PI_LOW));
    }
    // [3] |x| > 1/2: acos(|x|) = 2 asin(sqrt((1 - |x|) / 2)); the argument is exact.
    let z = (1.0 - m) * 0.5;
    let s = sqrt_rn(z);
    let r = s * asin_tail(z);
    if negative {
        return 2.0 * (HALF_PI_HIGH - (s + (r - HALF_PI_LOW)));
    }
    2.0 * (s + r)
}

/// `asin(sqrt(z)) / sqrt(z) - 1` for z in [0, 1/4].
fn asin_tail(z: f32) -> f32 {
    let p5 = 0.037_691_243 * z + 0.014_317_043;
    let p4 = p5 * z + 0.031_838_838;
    let p3 = p4 * z + 0.044_513_382;
    let p2 = p3 * z + 0.075_005_22;
    let p1 = p2 * z + 0.166_666_6;
    p1 * z
}

/// Largest error of [`acos_strict`] over all f32 in [-1, 1], in units in the last place of the exact result (measured exhaustively: 1.094).
pub const MAX_ERROR_ULPS: f64 = 1.1;

/// The largest error of [`acos_strict`] over a range of words, and the word where it occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstError {
    /// Error in units in the last place of the f64 reference, rounded down to the f32 grid.
    pub ulps: f64,
    /// Bits of the argument.
    pub word: u32,
}

/// Compares [`acos_strict`] with the f64 arc cosine for the arguments with bits in `words`.
///
/// The words of [-1, 1] are `0..=0x3f80_0000` and `0x8000_0000..=0xbf80_0000`; all of them take under a minute on one core in a release build.
pub fn worst_error(words: RangeInclusive<u32>) -> WorstError {
    let mut worst = WorstError { ulps: 0.0, word: *words.start() };
    for word in words {
        let x = f32::from_bits(word);
        let reference = f64::from(x).acos();
        let exponent = ((reference.to_bits() >> 52) as i32 - 1023).max(-126);
        let ulps = (f64::from(acos_strict(x)) - reference).abs() * 2f64.powi(23 - exponent);
        if ulps > worst.ulps {
            worst = WorstError { ulps, word };
        }
    }
    worst
}
