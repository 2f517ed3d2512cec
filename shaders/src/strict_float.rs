//! Correctly rounded f32 arithmetic that is the same on every device: twin of `strict_float.wgsl`.
//!
//! `+ - *` are IEEE operations, rounded to nearest, ties to even, on both sides; this module adds what a device does not
//! promise. Two ideas carry it: divisions and square roots are finished in integers, so neither the accuracy of the
//! device's estimate nor its treatment of subnormals can show; and every function states a domain in which no
//! intermediate value is subnormal. NaN operands are outside every domain; where something definite comes out anyway, it is said.

use crate::WgslModule;

/// WGSL text of this module.
pub const STRICT_FLOAT: WgslModule = WgslModule { name: "strict_float", source: include_str!("strict_float.wgsl") };

/// The one NaN that these functions return (quiet, positive, no payload).
pub const NAN_BITS: u32 = 0x7fc0_0000;

/// Bits of 2^-125, the bound of [`flush`].
const FLUSH_BITS: u32 = 0x0100_0000;

/// `x` where |x| >= 2^-125, else `+0`: makes the result of an operation the same on devices that keep and that flush subnormals.
///
/// The bound is 2^-125, not 2^-126: a device that flushes may detect tininess before rounding, so an exact result just below 2^-126
/// is 0 on one and 2^-126 on another; both become `+0` here. Infinities and NaNs pass unchanged.
pub fn flush(x: f32) -> f32 {
    if x.to_bits() & 0x7fff_ffff < FLUSH_BITS { 0.0 } else { x }
}

/// `x` where |x| >= `limit`, else `+0`; `limit` is a positive normal number. Infinities and NaNs pass unchanged.
pub fn snap(x: f32, limit: f32) -> f32 {
    if x.to_bits() & 0x7fff_ffff < limit.to_bits() { 0.0 } else { x }
}

/// Error-free sum `(s, e)`: `s` is `a + b` rounded to nearest, and `s + e = a + b` exactly.
///
/// Domain: |a|, |b| <= 2^126, both integer multiples of 2^-126 (so: 0 or at least 2^-103 in magnitude suffices). Six additions.
/// Source: Knuth, The Art of Computer Programming, vol. 2, 4.2.2, theorem B.
pub fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    let e = (a - a_part) + (b - b_part);
    (s, e)
}

/// The upper 12 bits of the significand of `a` (rounded; `a - veltkamp_high(a)` has at most 11 bits and a sign).
///
/// Domain: |a| < 2^115, an integer multiple of 2^-126. Source: Veltkamp's splitting with 2^12 + 1.
pub fn veltkamp_high(a: f32) -> f32 {
    let t = 4097.0 * a;
    t - (t - a)
}

/// Error-free product `(p, e)`: `p` is `a * b` rounded to nearest, and `p + e = a * b` exactly.
///
/// Domain: |a|, |b| < 2^115, |a b| < 2^127; `a` an integer multiple of 2^i, `b` of 2^j with i, j >= -126 and i + j >= -126
/// (so: |a|, |b| >= 2^-40 or 0 suffices, for a full 24-bit significand then ends at 2^-63). 17 operations.
/// Source: Dekker, A floating-point technique for extending the available precision, 1971.
pub fn two_prod(a: f32, b: f32) -> (f32, f32) {
    let p = a * b;
    let a_high = veltkamp_high(a);
    let a_low = a - a_high;
    let b_high = veltkamp_high(b);
    let b_low = b - b_high;
    let e = (((a_high * b_high - p) + a_high * b_low) + a_low * b_high) + a_low * b_low;
    (p, e)
}

/// `a / b` rounded to nearest, ties to even.
///
/// Subnormal operands count as zeros of their sign; a quotient below 2^-126 is a zero of its sign, one that rounds to 2^128 or more an
/// infinity. `x/0 = inf`, `x/inf = 0`, `inf/x = inf`, signs multiplied; `0/0`, `inf/inf` and NaN operands give [`NAN_BITS`].
/// The twin is the definition (IEEE division and the rule for subnormals); the WGSL finishes an estimate in integers.
pub fn div_rn(a: f32, b: f32) -> f32 {
    let q = canonical(canonical(a) / canonical(b));
    // Through the subnormals, IEEE division rounds a quotient just below 2^-126 up to it. It is a zero like all others there.
    let below = || (f64::from(a) / f64::from(b)).abs() < f64::from(f32::MIN_POSITIVE);
    if q.abs() == f32::MIN_POSITIVE && below() { 0.0_f32.copysign(q) } else { q }
}

/// Square root of `x` rounded to nearest, ties to even.
///
/// `±0` and subnormal `x` give a zero of the sign of `x`, `+inf` gives `+inf`; other negative numbers and NaN give [`NAN_BITS`].
/// The twin is the definition (IEEE square root and the rule for subnormals); the WGSL finishes an estimate in integers.
pub fn sqrt_rn(x: f32) -> f32 {
    canonical(canonical(x).sqrt())
}

/// `x * 2^k`, exact, for any `k`.
///
/// A result below 2^-126 is a zero of the sign of `x` (cut off, not rounded), one of 2^128 or more an infinity. Zeros and
/// infinities stay; subnormal `x` counts as a zero of its sign; NaN gives [`NAN_BITS`]. Integers only: no rounding mode, no flushing.
pub fn scale_pow2(x: f32, k: i32) -> f32 {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = ((bits >> 23) & 0xff) as i32;
    let scaled = exponent + k.clamp(-512, 512);
    let mut result = sign | ((scaled as u32) << 23) | (bits & 0x007f_ffff);
    result = if scaled >= 255 { sign | 0x7f80_0000 } else { result };
    result = if exponent == 0 || scaled <= 0 { sign } else { result };
    let special = if bits & 0x007f_ffff != 0 { NAN_BITS } else { bits };
    result = if exponent == 255 { special } else { result };
    f32::from_bits(result)
}

/// `x` with a subnormal replaced by a zero of its sign and any NaN by [`NAN_BITS`].
fn canonical(x: f32) -> f32 {
    let magnitude = x.to_bits() & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        f32::from_bits(NAN_BITS)
    } else if magnitude < 0x0080_0000 {
        f32::from_bits(x.to_bits() & 0x8000_0000)
    } else {
        x
    }
}
