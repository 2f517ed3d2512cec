//! The floating-point numbers that intervals and forms are made of: f32 and f64 under strict arithmetic.

mod double;
mod single;

use std::fmt::{Debug, Display};
use std::ops::{Add, Mul, Neg, Sub};

use crate::double_word::DoubleWord;
use crate::elementary::Tables;

/// f32 or f64, with the exact operations that rigorous bounds are built from.
///
/// All values that meet are 0 or have magnitudes in [[`TINY`](Self::TINY), [`LIMIT`](Self::LIMIT)], or are ±[`HUGE`](Self::HUGE), which
/// stands for "unbounded": no infinity, NaN or subnormal number ever arises, so a device may treat those as it likes.
/// `+ - *` are rounded to nearest, ties to even.
pub trait Real:
    Copy
    + PartialOrd
    + Debug
    + Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1/2.
    const HALF: Self;
    /// 1.
    const ONE: Self;
    /// 2.
    const TWO: Self;
    /// The largest magnitude of a bounded number: 2^60, 2^500.
    const LIMIT: Self;
    /// Stands for infinity: 4 [`LIMIT`](Self::LIMIT). Products and sums of two of them do not overflow.
    const HUGE: Self;
    /// -1.
    const MINUS_ONE: Self;
    /// Stands for minus infinity.
    const UNBOUNDED_BELOW: Self;
    /// The smallest magnitude but 0: 2^-102, 2^-960. Bounds in between move outward.
    const TINY: Self;
    /// From this magnitude on the rounding error of a product is representable: 2^-78, 2^-900.
    const EXACT_PRODUCT: Self;
    /// u, half the spacing of the numbers in [1, 2): 2^-24, 2^-53.
    const ROUNDOFF: Self;
    /// Relative error that every elementary function keeps in double words: 2^-38, 2^-90.
    const DOUBLE_WORD_ERROR: Self;
    /// The same for powers: 2^-34, 2^-82.
    const POWER_ERROR: Self;
    /// Bits of a significand: 24, 53.
    const DIGITS: u32;
    /// Coefficients of the elementary functions.
    const TABLES: Tables<Self>;

    /// The number nearest to `x`; magnitudes above the largest number become infinite.
    fn from_f64(x: f64) -> Self;
    /// The same number in f64, exactly.
    fn to_f64(self) -> f64;
    /// `k`, exact below 2^24 in magnitude.
    fn from_i32(k: i32) -> Self;
    /// Whether the bits are those of a NaN.
    fn is_nan_bits(self) -> bool;
    /// |x|.
    fn abs(self) -> Self;
    /// `self`, or 0 where a device may not tell it from 0.
    fn flush(self) -> Self;
    /// The next larger number; in the precision of devices the next that is not subnormal.
    fn next_up(self) -> Self;
    /// The next smaller number, likewise.
    fn next_down(self) -> Self;
    /// `self`, or 0 below `limit`.
    fn snap(self, limit: Self) -> Self;
    /// x / y rounded to nearest.
    fn div_rn(self, y: Self) -> Self;
    /// Square root rounded to nearest; x >= 0.
    fn sqrt_rn(self) -> Self;
    /// Sum rounded to nearest, and its error.
    fn two_sum(self, y: Self) -> (Self, Self);
    /// Product rounded to nearest, and its error; exact where the product is 0 or at least [`EXACT_PRODUCT`](Self::EXACT_PRODUCT).
    fn two_prod(self, y: Self) -> (Self, Self);
    /// x 2^k, exact; 0 where that would be subnormal.
    fn scale_pow2(self, k: i32) -> Self;
    /// floor(log2 |x|) of a normal number.
    fn exponent(self) -> i32;
    /// The significand as an integer m with `DIGITS` bits and e, so that |x| = m 2^e; x normal.
    fn decompose(self) -> (u64, i32);
    /// The largest integer not above x, exact.
    fn floor(self) -> Self;
    /// The nearest integer, ties to even, exact.
    fn round_even(self) -> Self;

    /// The larger of two numbers.
    fn larger(self, y: Self) -> Self {
        if self < y { y } else { self }
    }

    /// The smaller of two numbers.
    fn smaller(self, y: Self) -> Self {
        if y < self { y } else { self }
    }

    /// Whether the number is bounded: |x| <= [`LIMIT`](Self::LIMIT).
    fn is_bounded(self) -> bool {
        self.abs() <= Self::LIMIT
    }

    /// A double word from a constant of 106 bits.
    fn double_word(pair: (f64, f64)) -> DoubleWord<Self> {
        let high = Self::from_f64(pair.0);
        let low = Self::from_f64((pair.0 - high.to_f64()) + pair.1);
        DoubleWord { high, low }
    }
}
