//! The integer corrections of `strict_float.wgsl`, ported, with estimates that are wrong on purpose.
//!
//! The WGSL takes a reciprocal and a reciprocal square root from the device. Here both are moved by up to 31 and 15 units in the last place
//! (`docs/numerics.md` proves 32 and 16): the result must not change. So the claim depends on no device.

use crate::support::{Words, assert_word};
use gpu_shaders::strict_float::{div_rn, sqrt_rn};

/// The normal case of `div_rn` in the WGSL, statement by statement; `ulps` moves the estimate.
fn div_by_correction(a: f32, b: f32, ulps: i32) -> f32 {
    let (a_bits, b_bits) = (a.to_bits(), b.to_bits());
    let sign = (a_bits ^ b_bits) & 0x8000_0000;
    let (a_exponent, b_exponent) = ((a_bits >> 23) & 0xff, (b_bits >> 23) & 0xff);
    let a_int = (a_bits & 0x007f_ffff) | 0x0080_0000;
    let b_int = (b_bits & 0x007f_ffff) | 0x0080_0000;
    let less = u32::from(a_int < b_int);
    let shift = 23 + less;
    let y = moved(1.0 / b_int as f32, ulps);
    let mut n = ((a_int as f32 * y) * f32::from_bits((127 + shift) << 23)) as u32;
    let mut r = (a_int << shift).wrapping_sub(n.wrapping_mul(b_int)) as i32;
    let correction = (r as f32 * y + 0.5).floor() as i32;
    n = n.wrapping_add(correction as u32);
    r = r.wrapping_sub(correction.wrapping_mul(b_int as i32));
    if 2 * r > b_int as i32 {
        n += 1;
    } else if 2 * r < -(b_int as i32) {
        n -= 1;
    }
    let exponent = (a_exponent + 127 - less) as i32 - b_exponent as i32;
    if exponent <= 0 {
        return f32::from_bits(sign);
    }
    if exponent >= 255 {
        return f32::from_bits(sign | 0x7f80_0000);
    }
    f32::from_bits(sign | ((exponent as u32) << 23) | (n & 0x007f_ffff))
}

/// The normal case of `sqrt_rn` in the WGSL, statement by statement; `ulps` moves the estimate.
fn sqrt_by_correction(x: f32, ulps: i32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) & 0xff;
    let x_int = (bits & 0x007f_ffff) | 0x0080_0000;
    let odd = (exponent & 1) ^ 1;
    let shift = 23 + odd;
    let m = f32::from_bits((bits & 0x007f_ffff) | ((127 + odd) << 23));
    let y = moved(1.0 / m.sqrt(), ulps);
    let mut n = ((m * y) * 8_388_608.0) as u32;
    let mut r = (x_int << shift).wrapping_sub(n.wrapping_mul(n)) as i32;
    let correction = (r as f32 * (y * 5.960_464_5e-8) + 0.5).floor() as i32;
    r = r.wrapping_sub(correction.wrapping_mul(2 * n as i32 + correction));
    n = n.wrapping_add(correction as u32);
    if r > n as i32 {
        n += 1;
    } else if r <= -(n as i32) {
        n -= 1;
    }
    let half_exponent = (exponent + 127 - odd) >> 1;
    f32::from_bits((half_exponent << 23) | (n & 0x007f_ffff))
}

/// `y` moved by a number of units in the last place.
fn moved(y: f32, ulps: i32) -> f32 {
    f32::from_bits(y.to_bits().wrapping_add_signed(ulps))
}

/// Quotients next to a midpoint: for odd b, the a with `2^(24 + k) a = ±1 mod 2 b` makes `2^(23 + k) a / b` a half-integer ± 1/(2 b).
fn near_midpoints(b_int: u64) -> Vec<u32> {
    let modulus = 2 * b_int;
    let mut found = Vec::new();
    for shift in [23u32, 24] {
        for target in [b_int - 1, b_int + 1] {
            // 2^shift a = target / 2 + (b or 0) mod b: solve 2^(shift + 1) a = target mod 2 b through the inverse of 2 modulo b.
            let inverse_of_two = b_int.div_ceil(2);
            let mut a = (target / 2) % b_int;
            for _ in 0..shift {
                a = a * inverse_of_two % b_int;
            }
            assert_eq!((a << (shift + 1)) % modulus % b_int, target % b_int);
            if a >= 1 << 23 && (a < b_int) == (shift == 24) {
                found.push(a as u32);
            }
        }
    }
    found
}

#[test]
fn division_survives_wrong_estimates() {
    let mut words = Words(3);
    for i in 0..200_000 {
        let range = if i % 2 == 0 { (-126, 127) } else { (-1, 1) };
        let (a, b) = (words.float(range.0, range.1), words.float(range.0, range.1));
        let want = div_rn(a, b);
        for ulps in (-8..=8).chain([-31, 31]) {
            assert_word(div_by_correction(a, b, ulps), want, format_args!("{a:e} / {b:e}, estimate {ulps:+} ulp"));
        }
    }
}

#[test]
fn division_survives_next_to_midpoints() {
    let mut words = Words(4);
    let mut tried = 0;
    for _ in 0..100_000 {
        let b_int = (words.next() & 0x007f_ffff) | 0x0080_0001;
        for a_int in near_midpoints(b_int) {
            tried += 1;
            let (a, b) = (a_int as f32, b_int as f32);
            let want = div_rn(a, b);
            for ulps in (-8..=8).chain([-31, 31]) {
                assert_word(div_by_correction(a, b, ulps), want, format_args!("{a} / {b}, estimate {ulps:+} ulp"));
            }
        }
    }
    assert!(tried > 50_000, "only {tried} quotients next to a midpoint");
}

/// All significands and both parities of the exponent: every square root there is, up to a power of two.
#[test]
fn square_root_survives_wrong_estimates() {
    for word in 0x3f80_0000u32..0x4080_0000 {
        let x = f32::from_bits(word);
        let want = sqrt_rn(x).to_bits();
        for ulps in [-15, -8, -1, 0, 1, 8, 15] {
            assert_eq!(sqrt_by_correction(x, ulps).to_bits(), want, "sqrt {x:e}, estimate {ulps:+} ulp");
        }
    }
    let mut words = Words(5);
    for _ in 0..100_000 {
        let x = words.float(-126, 127).abs();
        for ulps in -8..=8 {
            assert_word(sqrt_by_correction(x, ulps), sqrt_rn(x), format_args!("sqrt {x:e}, estimate {ulps:+} ulp"));
        }
    }
}

/// The tests above can fail: without the final rounding, or with an estimate far outside the proof, words differ.
#[test]
fn an_estimate_outside_the_proof_is_noticed() {
    let mut words = Words(6);
    let wrong = (0..10_000).filter(|_| {
        let (a, b) = (words.float(-1, 1), words.float(-1, 1));
        div_by_correction(a, b, 4000).to_bits() != div_rn(a, b).to_bits()
    });
    assert!(wrong.count() > 1000);
}

/// Why the last step is not taken in floats: `q + r y` misses the nearest quotient next to midpoints, even with an exact residual.
#[test]
fn a_last_step_in_floats_is_not_correctly_rounded() {
    let mut words = Words(7);
    let mut wrong = 0;
    for _ in 0..100_000 {
        let b_int = (words.next() & 0x007f_ffff) | 0x0080_0001;
        for a_int in near_midpoints(b_int) {
            let (a, b) = (f64::from(a_int), b_int as f64);
            let y = moved((1.0 / b) as f32, 2);
            let mut q = a as f32 * y;
            for _ in 0..2 {
                let r = (a - f64::from(q) * b) as f32;
                q += r * y;
            }
            wrong += i32::from(q.to_bits() != div_rn(a_int as f32, b_int as f32).to_bits());
        }
    }
    assert!(wrong > 0);
}
