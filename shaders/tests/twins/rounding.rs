//! `div_rn`, `sqrt_rn`, `scale_pow2`, `flush`, `snap` against exact integer arithmetic.

use crate::support::{Words, assert_word, decode, encode, operand, special_words};
use gpu_shaders::strict_float::{NAN_BITS, div_rn, flush, scale_pow2, snap, sqrt_rn};
use proptest::prelude::*;

/// `a / b` by integer division with remainder, rounded to nearest even.
fn exact_quotient(a: f32, b: f32) -> f32 {
    let (a, b) = (operand(a), operand(b));
    let sign = (a.to_bits() ^ b.to_bits()) & 0x8000_0000;
    if a.is_nan() || b.is_nan() || (a == 0.0 && b == 0.0) || (a.is_infinite() && b.is_infinite()) {
        return f32::from_bits(NAN_BITS);
    }
    if a == 0.0 || b.is_infinite() {
        return f32::from_bits(sign);
    }
    if b == 0.0 || a.is_infinite() {
        return f32::from_bits(sign | 0x7f80_0000);
    }
    let ((_, a_int, a_exponent), (_, b_int, b_exponent)) = (decode(a), decode(b));
    let numerator = u128::from(a_int) << 60;
    let (quotient, rest) = (numerator / u128::from(b_int), numerator % u128::from(b_int));
    let (significand, shift) = round_to_24_bits(quotient, rest != 0);
    encode(sign, significand, a_exponent - b_exponent - 60 + shift)
}

/// `sqrt(x)` by the integer square root of a 128-bit number, rounded to nearest even.
fn exact_root(x: f32) -> f32 {
    let x = operand(x);
    if x.is_nan() || x < 0.0 {
        return f32::from_bits(NAN_BITS);
    }
    if x == 0.0 || x.is_infinite() {
        return x;
    }
    let (_, x_int, exponent) = decode(x);
    let odd = exponent.rem_euclid(2);
    let radicand = u128::from(x_int) << (60 + odd);
    let mut root = 0u128;
    for bit in (0..46).rev() {
        let trial = root | 1 << bit;
        if trial * trial <= radicand {
            root = trial;
        }
    }
    let (significand, shift) = round_to_24_bits(root, root * root != radicand);
    encode(0, significand, (exponent - odd - 60) / 2 + shift)
}

/// Nearest 24-bit significand of `value` (`more`: the exact value lies above it) and the power of two taken out.
fn round_to_24_bits(value: u128, more: bool) -> (u64, i32) {
    let shift = (128 - value.leading_zeros() as i32) - 24;
    assert!(shift >= 2, "too few bits for a rounding decision");
    let (kept, cut, half) = (value >> shift, value & ((1 << shift) - 1), 1u128 << (shift - 1));
    let up = cut > half || (cut == half && (more || kept & 1 == 1));
    let rounded = kept + u128::from(up);
    if rounded == 1 << 24 { (1 << 23, shift + 1) } else { (rounded as u64, shift) }
}

#[test]
fn division_is_correctly_rounded() {
    let mut words = Words(1);
    for i in 0..1_000_000 {
        let word = words.next();
        let (a, b) = match i % 4 {
            0 => (f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32)),
            1 => (words.float(-126, 127), words.float(-126, 127)),
            2 => (words.float(-126, -100), words.float(0, 26)),
            _ => (words.float(-2, 2), words.float(-2, 2)),
        };
        assert_word(div_rn(a, b), exact_quotient(a, b), format_args!("{a:e} / {b:e}"));
    }
    for a in special_words() {
        for b in special_words() {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            assert_word(div_rn(a, b), exact_quotient(a, b), format_args!("{a:e} / {b:e}"));
        }
    }
}

#[test]
fn square_root_is_correctly_rounded() {
    let mut words = Words(2);
    for _ in 0..500_000 {
        let x = f32::from_bits(words.next() as u32);
        assert_word(sqrt_rn(x), exact_root(x), format_args!("sqrt {x:e}"));
    }
    for x in special_words() {
        let x = f32::from_bits(x);
        assert_word(sqrt_rn(x), exact_root(x), format_args!("sqrt {x:e}"));
    }
}

#[test]
fn special_cases_are_the_documented_ones() {
    let (inf, tiny, least) = (f32::INFINITY, f32::from_bits(1), f32::MIN_POSITIVE);
    let nan = f32::from_bits(NAN_BITS);
    let quotients = [
        (1.0, 0.0, inf),
        (1.0, -0.0, -inf),
        (1.0, -tiny, -inf),
        (tiny, 1.0, 0.0),
        (-tiny, 1.0, -0.0),
        (0.0, 0.0, nan),
        (tiny, -tiny, nan),
        (inf, -inf, nan),
        (-inf, 0.0, -inf),
        (3.0, -inf, -0.0),
        (f32::MAX, 0.5, inf),
        (least, -2.0, -0.0),
        (least, 1.0, least),
        (-f32::NAN, 1.0, nan),
    ];
    for (a, b, want) in quotients {
        assert_word(div_rn(a, b), want, format_args!("{a:e} / {b:e}"));
    }
    for (x, want) in
        [(-0.0, -0.0), (-tiny, -0.0), (inf, inf), (-inf, nan), (-1.0, nan), (-f32::NAN, nan), (least, 2f32.powi(-63))]
    {
        assert_word(sqrt_rn(x), want, format_args!("sqrt {x:e}"));
    }
}

#[test]
fn flush_and_snap_keep_and_clear() {
    let limit = 2f32.powi(-125);
    for word in special_words() {
        let x = f32::from_bits(word);
        let want = if x.abs() < limit { 0.0 } else { x };
        assert_word(flush(x), want, format_args!("flush {x:e}"));
        let want = if x.abs() < 1.0 { 0.0 } else { x };
        assert_word(snap(x, 1.0), want, format_args!("snap {x:e}"));
    }
}

proptest! {
    #[test]
    fn scaling_is_exact(word: u32, free in -400i32..400, biased in prop_oneof![-3i32..4, 251i32..259], at_an_end: bool) {
        // Half of the cases put the exponent field of the result next to one of its ends.
        let k = if at_an_end { biased - ((word >> 23) & 0xff) as i32 } else { free };
        let x = operand(f32::from_bits(word));
        let exact = f64::from(x) * 2f64.powi(k);
        let want = if x.is_nan() {
            f32::from_bits(NAN_BITS)
        } else if exact.abs() < 2f64.powi(-126) {
            0f32.copysign(x)
        } else if exact.abs() >= 2f64.powi(128) {
            f32::INFINITY.copysign(x)
        } else {
            exact as f32
        };
        prop_assert_eq!(scale_pow2(f32::from_bits(word), k).to_bits(), want.to_bits());
    }

    #[test]
    fn scaling_by_any_exponent_is_defined(word: u32, k: i32) {
        let near = scale_pow2(f32::from_bits(word), k.clamp(-300, 300));
        prop_assert_eq!(scale_pow2(f32::from_bits(word), k).to_bits(), near.to_bits());
    }
}
