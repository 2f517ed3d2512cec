//! Double words: unevaluated sums of two floats, about twice as precise.
//!
//! Bounds of the operations (u = half an ulp of 1): Joldes, Muller, Popescu, Tight and rigorous error bounds for basic
//! building blocks of double-word arithmetic, 2017. A sum loses at most 3 u^2 (relative, also under cancellation), a product 8 u^2, a quotient
//! 15 u^2, a square root 4 u^2. Magnitudes here stay between 2^-40 and 2^62, where every part is exact.

use crate::real::Real;

/// `high + low`, with |low| at most half an ulp of `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleWord<T> {
    /// The sum rounded to nearest.
    pub high: T,
    /// The rest.
    pub low: T,
}

impl<T: Real> DoubleWord<T> {
    /// A single float.
    pub fn new(x: T) -> Self {
        Self { high: x, low: T::ZERO }
    }

    /// high + low of |a| >= |b| or a = 0.
    pub(crate) fn fast_two_sum(a: T, b: T) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }

    /// The exact sum of two floats.
    pub(crate) fn sum(a: T, b: T) -> Self {
        let (high, low) = a.two_sum(b);
        Self { high, low }
    }

    /// The exact product of two floats.
    pub(crate) fn product(a: T, b: T) -> Self {
        let (high, low) = a.two_prod(b);
        Self { high, low }
    }

    pub(crate) fn add(self, y: Self) -> Self {
        let (sum, error) = self.high.two_sum(y.high);
        let (low_sum, low_error) = self.low.two_sum(y.low);
        let first = Self::fast_two_sum(sum, error + low_sum);
        Self::fast_two_sum(first.high, low_error + first.low)
    }

    pub(crate) fn sub(self, y: Self) -> Self {
        self.add(y.neg())
    }

    pub(crate) fn mul(self, y: Self) -> Self {
        let (product, error) = self.high.two_prod(y.high);
        let cross = self.high * y.low + self.low * y.high;
        Self::fast_two_sum(product, error + cross)
    }

    pub(crate) fn mul_real(self, y: T) -> Self {
        let (product, error) = self.high.two_prod(y);
        Self::fast_two_sum(product, error + self.low * y)
    }

    pub(crate) fn div(self, y: Self) -> Self {
        let quotient = self.high.div_rn(y.high);
        let rest = self.sub(y.mul_real(quotient));
        Self::fast_two_sum(quotient, rest.high.div_rn(y.high))
    }

    pub(crate) fn sqrt(self) -> Self {
        let root = self.high.sqrt_rn();
        if root == T::ZERO {
            return Self::new(T::ZERO);
        }
        let (square, error) = root.two_prod(root);
        let rest = ((self.high - square) - error) + self.low;
        Self::fast_two_sum(root, rest.div_rn(root + root))
    }

    pub(crate) fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    pub(crate) fn scale_pow2(self, k: i32) -> Self {
        Self { high: self.high.scale_pow2(k), low: self.low.scale_pow2(k) }
    }

    /// sum of c[k] x^k by Horner's rule; from `tail` on in single floats, where the terms are below about u^(3/4) of the sum.
    pub(crate) fn polynomial(self, c: &[DoubleWord<T>], tail: usize) -> Self {
        let mut single = T::ZERO;
        for coefficient in c[tail..].iter().rev() {
            single = single * self.high + coefficient.high;
        }
        let mut sum = Self::new(single);
        for coefficient in c[..tail].iter().rev() {
            sum = sum.mul(self).add(*coefficient);
        }
        sum
    }
}
