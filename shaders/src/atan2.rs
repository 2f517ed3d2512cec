//! Arc tangent of a quotient from `+ - *` and `div_rn`: twin of `atan2.wgsl`.

use crate::WgslModule;
use crate::atan_tail::atan_tail;
use crate::strict_float::div_rn;

/// WGSL text of this module; it needs [`STRICT_FLOAT`](crate::STRICT_FLOAT) and [`ATAN_TAIL`](crate::ATAN_TAIL).
pub const ATAN2: WgslModule = WgslModule { name: "atan2", source: include_str!("atan2.wgsl") };

/// pi rounded to f32 (0x40490fdb).
#[expect(clippy::approx_constant, reason = "the two texts hold the same numbers")]
const PI_HIGH: f32 = 3.141_592_7;
/// pi minus [`PI_HIGH`], rounded to f32 (0xb3bbbd2e).
const PI_LOW: f32 = -8.742_278e-8;
/// Half of [`PI_HIGH`].
const QUARTER_TURN_HIGH: f32 = 1.570_796_4;
/// Half of [`PI_LOW`].
const QUARTER_TURN_LOW: f32 = -4.371_139e-8;
/// A quarter of [`PI_HIGH`].
#[expect(clippy::approx_constant, reason = "the two texts hold the same numbers")]
const EIGHTH_TURN: f32 = 0.785_398_2;

/// Angle of the point (x, y) in radians, in [-pi, pi] (pi rounded to f32), with the sign of y.
///
/// Subnormal operands count as zeros of their sign. (±0, x) gives ±0 for x >= 0 (both zeros) and ±pi for x < 0; infinities are corners of
/// a square, as in IEEE 754: (inf, inf) gives pi/4, (inf, -inf) 3 pi/4. NaN operands give 0x7fc00000. Angles below 2^-126 are zero.
pub fn atan2_strict(y: f32, x: f32) -> f32 {
    let y_bits = y.to_bits();
    let x_bits = x.to_bits();
    let y_size = y_bits & 0x7fff_ffff;
    let x_size = x_bits & 0x7fff_ffff;
    let sign = y_bits & 0x8000_0000;
    // [1] The smaller over the larger: t in [0, 1]. Equal sizes, zeros and infinities among them, are settled on the bits.
    let steep = y_size > x_size;
    let low = select(y_size, x_size, steep);
    let high = select(x_size, y_size, steep);
    let quotient = div_rn(f32::from_bits(low), f32::from_bits(high));
    let t = select(select(quotient, EIGHTH_TURN, low == high), 0.0, low < 0x0080_0000);
    // [2] atan(t) = t + r; below 2^-30 r cannot be seen, and t^2 could underflow.
    let r = select(t * atan_tail(t * t), 0.0, (low == high) | (t.to_bits() < 0x3080_0000));
    // [3] The octant: pi/2 - atan(t), pi - atan(t), both with the low part of pi.
    let negative = (x_bits >> 31 == 1) & (x_size >= 0x0080_0000);
    let upright = select(
        QUARTER_TURN_HIGH - (t + (r - QUARTER_TURN_LOW)),
        QUARTER_TURN_HIGH + (t + (r + QUARTER_TURN_LOW)),
        negative,
    );
    let level = select(t + r, PI_HIGH - (t + (r - PI_LOW)), negative);
    let angle = select(level, upright, steep).to_bits() | sign;
    f32::from_bits(select(angle, 0x7fc0_0000, (y_size > 0x7f80_0000) | (x_size > 0x7f80_0000)))
}

/// WGSL's selection.
fn select<T>(no: T, yes: T, condition: bool) -> T {
    if condition { yes } else { no }
}

/// Largest error of [`atan2_strict`] in units in the last place of the exact angle: 1.17 over all quotients against 1 (exhaustive), 1.55 over
/// 2e8 random pairs with exponents within 8 of each other (swept). `docs/numerics.md` proves 2.7.
pub const MAX_ERROR_ULPS: f64 = 1.6;

/// The error of [`atan2_strict`] in units in the last place of the angle in f64, rounded down to the f32 grid.
pub fn error_in_ulps(y: f32, x: f32) -> f64 {
    let reference = f64::from(y).atan2(f64::from(x));
    let exponent = ((reference.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-126);
    (f64::from(atan2_strict(y, x)) - reference).abs() * 2f64.powi(23 - exponent)
}
