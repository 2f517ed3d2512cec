//! x mod pi/2 for every float, in integers. Source: Payne, Hanek, Radian reduction for trigonometric functions, 1983.

use super::constants::TWO_OVER_PI;
use crate::double_word::DoubleWord;
use crate::real::Real;

/// The product has two words more than the part of 2/pi that is used.
const MAX_WORDS: usize = 11;

/// (k mod 4, f) with 2 x/pi = k + f, |f| <= 1/2, for normal x.
///
/// f has a relative error below 2^-47 (f32) or 2^-103 (f64): x is not nearer to a multiple of pi/2 than 2^-34 or 2^-62, and the
/// product is off by less than 2^-90 or 2^-167.
pub(crate) fn quadrant<T: Real>(x: T) -> (u32, DoubleWord<T>) {
    let (significand, exponent) = x.decompose();
    // [1] Words of 2/pi whose product with x is a multiple of 4 are left out.
    let skipped = if exponent >= 2 { (exponent - 2) / 32 } else { 0 };
    let shift = exponent - 32 * skipped;
    let words = T::TABLES.reduction_words;
    let used = &TWO_OVER_PI[skipped as usize..skipped as usize + words];
    // [2] Significand times words, most significant word first; the binary point is after the second one.
    let mut product = multiply(significand, used);
    // [3] Times 2^shift; bits above the second word drop out (multiples of 2^64).
    shift_words(&mut product[..words + 2], shift);
    let mut k = product[1];
    // [4] To the nearest: fractions from 1/2 on count from the next integer.
    let fraction = &mut product[2..words + 2];
    let mut negative = x < T::ZERO;
    let above_half = fraction[0] >> 31 == 1;
    if above_half {
        k = k.wrapping_add(1);
        negate(fraction);
    }
    let magnitude = to_double_word(fraction);
    if negative {
        k = k.wrapping_neg();
    }
    negative ^= above_half;
    (k & 3, if negative { magnitude.neg() } else { magnitude })
}

/// `significand` (below 2^64) times the fraction 0.words.
fn multiply(significand: u64, words: &[u32]) -> [u32; MAX_WORDS] {
    let mut product = [0_u32; MAX_WORDS];
    let mut carry = 0_u128;
    for i in (0..words.len()).rev() {
        carry += u128::from(words[i]) * u128::from(significand);
        product[i + 2] = carry as u32;
        carry >>= 32;
    }
    product[1] = carry as u32;
    product[0] = (carry >> 32) as u32;
    product
}

/// Multiplies the fixed-point number by 2^shift, -64 < shift < 64; bits that leave are dropped.
fn shift_words(words: &mut [u32], shift: i32) {
    let n = words.len() as i32;
    let whole = shift.div_euclid(32);
    let bits = shift.rem_euclid(32) as u32;
    let old: [u32; MAX_WORDS] = std::array::from_fn(|i| words.get(i).copied().unwrap_or(0));
    let at = |i: i32| if (0..n).contains(&i) { u64::from(old[i as usize]) } else { 0 };
    for i in 0..n {
        let pair = at(i + whole) << 32 | at(i + whole + 1);
        words[i as usize] = ((pair << bits) >> 32) as u32;
    }
}

/// 1 minus a fraction that is not 0.
fn negate(words: &mut [u32]) {
    let mut carry = true;
    for word in words.iter_mut().rev() {
        let (value, overflow) = (!*word).overflowing_add(u32::from(carry));
        *word = value;
        carry = overflow;
    }
}

/// The fraction 0.words, cut off after twice the digits of T.
fn to_double_word<T: Real>(words: &[u32]) -> DoubleWord<T> {
    let Some(first) = words.iter().position(|word| *word != 0) else { return DoubleWord::new(T::ZERO) };
    let zeros = words[first].leading_zeros();
    let at = |i: usize| u128::from(words.get(first + i).copied().unwrap_or(0));
    let leading = at(0) << 96 | at(1) << 64 | at(2) << 32 | at(3);
    let top = leading << zeros | at(4) >> (32 - zeros);
    let digits = T::DIGITS;
    let high = (top >> (128 - digits)) as u64;
    let low = (top >> (128 - 2 * digits)) as u64 & ((1 << digits) - 1);
    let scale = -((32 * first as u32 + zeros) as i32);
    let high = from_integer::<T>(high).scale_pow2(scale - digits as i32);
    let low = from_integer::<T>(low).scale_pow2(scale - 2 * digits as i32);
    DoubleWord::fast_two_sum(high, low)
}

/// An integer below 2^DIGITS, exact.
fn from_integer<T: Real>(integer: u64) -> T {
    T::from_f64(integer as f64)
}
