//! Correctly rounded f64 arithmetic that is the same on every device with f64: twin of `strict_double.wgsl`.
//!
//! The functions of [`strict_float`](crate::strict_float) under the same names, for f64: a kernel is composed with one of the two modules.
//! Divisions and square roots are finished in 64-bit integers, so a device needs those too, and no f64 built-in is used.

use crate::WgslModule;

/// WGSL text of this module; it takes the place of [`STRICT_FLOAT`](crate::STRICT_FLOAT).
pub const STRICT_DOUBLE: WgslModule = WgslModule { name: "strict_double", source: include_str!("strict_double.wgsl") };

/// The one NaN that these functions return (quiet, positive, no payload).
pub const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;

const SIGN: u64 = 1 << 63;
const INFINITE: u64 = 0x7ff0_0000_0000_0000;

/// `x` where |x| >= `limit`, else `+0`; `limit` is a positive normal number. Infinities and NaNs pass unchanged.
pub fn snap(x: f64, limit: f64) -> f64 {
    if x.to_bits() & !SIGN < limit.to_bits() { 0.0 } else { x }
}

/// Error-free sum `(s, e)`: `s` is `a + b` rounded to nearest, and `s + e = a + b` exactly.
///
/// Domain: |a|, |b| <= 2^1022, both integer multiples of 2^-1022.
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    let e = (a - a_part) + (b - b_part);
    (s, e)
}

/// The upper 26 bits of the significand of `a`. Domain: |a| < 2^995, an integer multiple of 2^-1022. Veltkamp's splitting with 2^27 + 1.
pub fn veltkamp_high(a: f64) -> f64 {
    let t = 134_217_729.0 * a;
    t - (t - a)
}

/// Error-free product `(p, e)`: `p` is `a * b` rounded to nearest, and `p + e = a * b` exactly.
///
/// Domain: |a|, |b| < 2^995, |a b| < 2^1023; `a` an integer multiple of 2^i, `b` of 2^j with i, j, i + j >= -1022.
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
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
/// Subnormal operands count as zeros of their sign; a quotient below 2^-1022 is a zero of its sign, one that rounds to 2^1024 or more an
/// infinity. `x/0 = inf`, `x/inf = 0`, `inf/x = inf`, signs multiplied; `0/0`, `inf/inf` and NaN operands give [`NAN_BITS`].
/// The twin is the definition; the WGSL finishes an estimate in integers.
pub fn div_rn(a: f64, b: f64) -> f64 {
    let (a, b) = (canonical(a), canonical(b));
    let q = canonical(a / b);
    // Through the subnormals IEEE division rounds a quotient just below 2^-1022 up to it. Twice as large it is rounded as all others.
    let below = || (if a.abs() < 1.0 { (a * 2.0) / b } else { a / (b * 0.5) }).abs() < 2.0 * f64::MIN_POSITIVE;
    if q.abs() == f64::MIN_POSITIVE && below() { 0.0_f64.copysign(q) } else { q }
}

/// Square root of `x` rounded to nearest, ties to even.
///
/// `±0` and subnormal `x` give a zero of the sign of `x`, `+inf` gives `+inf`; other negative numbers and NaN give [`NAN_BITS`].
/// The twin is the definition; the WGSL finishes an estimate in integers.
pub fn sqrt_rn(x: f64) -> f64 {
    canonical(canonical(x).sqrt())
}

/// `x * 2^k`, exact, for any `k`.
///
/// A result below 2^-1022 is a zero of the sign of `x` (cut off, not rounded), one of 2^1024 or more an infinity. Zeros and
/// infinities stay; subnormal `x` counts as a zero of its sign; NaN gives [`NAN_BITS`].
pub fn scale_pow2(x: f64, k: i32) -> f64 {
    let bits = x.to_bits();
    let sign = bits & SIGN;
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    if exponent == 0 {
        return f64::from_bits(sign);
    }
    if exponent == 2047 {
        return f64::from_bits(if bits & 0x000f_ffff_ffff_ffff != 0 { NAN_BITS } else { bits });
    }
    let scaled = exponent + k.clamp(-4096, 4096);
    if scaled <= 0 {
        return f64::from_bits(sign);
    }
    if scaled >= 2047 {
        return f64::from_bits(sign | INFINITE);
    }
    f64::from_bits(sign | ((scaled as u64) << 52) | (bits & 0x000f_ffff_ffff_ffff))
}

/// `x` with a subnormal replaced by a zero of its sign and any NaN by [`NAN_BITS`].
fn canonical(x: f64) -> f64 {
    let magnitude = x.to_bits() & !SIGN;
    if magnitude > INFINITE {
        f64::from_bits(NAN_BITS)
    } else if magnitude < 0x0010_0000_0000_0000 {
        f64::from_bits(x.to_bits() & SIGN)
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_just_below_the_smallest_normal_number_are_zeros() {
        let small = f64::MIN_POSITIVE;
        // 2^-1022 (2 - 2^-52) / 2: IEEE rounds it up.
        let a = f64::from_bits((2.0 * small).to_bits() - 1);
        assert_eq!(a / 2.0, small);
        assert_eq!(div_rn(a, 2.0).to_bits(), 0);
        assert_eq!(div_rn(-a, 2.0).to_bits(), SIGN);
        assert_eq!(div_rn(small, 1.0), small);
        assert_eq!(div_rn(1.0, 2f64.powi(1022)), small);
        assert_eq!(div_rn(0.0, 0.0).to_bits(), NAN_BITS);
    }

    #[test]
    fn sums_and_products_are_error_free() {
        let mut word = 1u64;
        let mut next = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            f64::from_bits((word >> 12) | ((1000 + (word >> 58)) << 52))
        };
        for _ in 0..100_000 {
            let (a, b) = (next(), next());
            let (p, e) = two_prod(a, b);
            // The host may fuse where it decides no bit of a kernel.
            assert_eq!((p, e), (a * b, a.mul_add(b, -p)));
            let (s, e) = two_sum(a, b);
            let (large, small) = if a > b { (a, b) } else { (b, a) };
            assert_eq!((s, e), (a + b, small - (s - large)));
        }
    }
}
