//! Arc tangent of a quotient in f64 from `+ - *` and `div_rn`: twin of `atan2_double.wgsl`.
//!
//! The text of [`atan2`](crate::atan2) with other constants.

use crate::WgslModule;
use crate::strict_double::div_rn;

/// WGSL text of this module; it needs [`STRICT_DOUBLE`](crate::STRICT_DOUBLE).
pub const ATAN2_DOUBLE: WgslModule = WgslModule { name: "atan2_double", source: include_str!("atan2_double.wgsl") };

/// pi rounded to f64.
#[expect(clippy::approx_constant, reason = "the two texts hold the same numbers")]
const PI_HIGH: f64 = 3.141_592_653_589_793;
/// pi minus [`PI_HIGH`], rounded to f64.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
/// Half of [`PI_HIGH`].
#[expect(clippy::approx_constant, reason = "the two texts hold the same numbers")]
const QUARTER_TURN_HIGH: f64 = 1.570_796_326_794_896_6;
/// Half of [`PI_LOW`].
const QUARTER_TURN_LOW: f64 = 6.123_233_995_736_766e-17;
/// A quarter of [`PI_HIGH`].
#[expect(clippy::approx_constant, reason = "the two texts hold the same numbers")]
const EIGHTH_TURN: f64 = 0.785_398_163_397_448_3;

/// Angle of the point (x, y) in radians, in [-pi, pi] (pi rounded to f64), with the sign of y.
///
/// Zeros, subnormal operands and infinities as in [`atan2`](crate::atan2::atan2_strict); NaN operands give 0x7ff8000000000000. Angles below
/// 2^-1022 are zero.
pub fn atan2_strict(y: f64, x: f64) -> f64 {
    let y_bits = y.to_bits();
    let x_bits = x.to_bits();
    let y_size = y_bits & 0x7fff_ffff_ffff_ffff;
    let x_size = x_bits & 0x7fff_ffff_ffff_ffff;
    let sign = y_bits & 0x8000_0000_0000_0000;
    // [1] The smaller over the larger: t in [0, 1]. Equal sizes, zeros and infinities among them, are settled on the bits.
    let steep = y_size > x_size;
    let low = select(y_size, x_size, steep);
    let high = select(x_size, y_size, steep);
    let quotient = div_rn(f64::from_bits(low), f64::from_bits(high));
    let t = select(select(quotient, EIGHTH_TURN, low == high), 0.0, low < 0x0010_0000_0000_0000);
    // [2] atan(t) = t + r; below 2^-70 r cannot be seen, and t^2 could underflow.
    let r = select(t * atan_tail_double(t * t), 0.0, (low == high) | (t.to_bits() < 0x3b90_0000_0000_0000));
    // [3] The octant: pi/2 - atan(t), pi - atan(t), both with the low part of pi.
    let negative = (x_bits >> 63 == 1) & (x_size >= 0x0010_0000_0000_0000);
    let upright = select(
        QUARTER_TURN_HIGH - (t + (r - QUARTER_TURN_LOW)),
        QUARTER_TURN_HIGH + (t + (r + QUARTER_TURN_LOW)),
        negative,
    );
    let level = select(t + r, PI_HIGH - (t + (r - PI_LOW)), negative);
    let angle = select(level, upright, steep).to_bits() | sign;
    f64::from_bits(select(
        angle,
        0x7ff8_0000_0000_0000,
        (y_size > 0x7ff0_0000_0000_0000) | (x_size > 0x7ff0_0000_0000_0000),
    ))
}

/// WGSL's selection.
fn select<T>(no: T, yes: T, condition: bool) -> T {
    if condition { yes } else { no }
}

/// `atan(sqrt(z)) / sqrt(z) - 1` for z in [0, 1].
fn atan_tail_double(z: f64) -> f64 {
    let p20 = -8.401_334_709_313_915e-6 * z + 0.000_101_208_188_564_588_76;
    let p19 = p20 * z - 0.000_579_863_451_949_182_4;
    let p18 = p19 * z + 0.002_112_301_896_537_314_5;
    let p17 = p18 * z - 0.005_530_661_148_600_346_5;
    let p16 = p17 * z + 0.011_193_234_172_867_479;
    let p15 = p16 * z - 0.018_470_736_628_037_58;
    let p14 = p15 * z + 0.026_023_726_149_816_545;
    let p13 = p14 * z - 0.032_696_097_788_003_7;
    let p12 = p13 * z + 0.038_160_935_417_874_23;
    let p11 = p12 * z - 0.042_842_606_036_668_875;
    let p10 = p11 * z + 0.047_442_003_354_910_86;
    let p9 = p10 * z - 0.052_592_410_735_973_35;
    let p8 = p9 * z + 0.058_816_767_928_433_225;
    let p7 = p8 * z - 0.066_665_776_572_047_39;
    let p6 = p7 * z + 0.076_922_990_256_797_79;
    let p5 = p6 * z - 0.090_909_084_924_842_47;
    let p4 = p5 * z + 0.111_111_110_835_345_94;
    let p3 = p4 * z - 0.142_857_142_849_423_3;
    let p2 = p3 * z + 0.199_999_999_999_888_6;
    let p1 = p2 * z - 0.333_333_333_333_332_76;
    p1 * z
}

/// Largest error of [`atan2_strict`] in units in the last place of the exact angle, over random pairs of every octant: 1.42 over 300,000 (swept).
/// `docs/numerics.md` proves 3.6.
pub const MAX_ERROR_ULPS: f64 = 1.6;
