//! Tightest sums, products, quotients, squares, roots and magnitudes of intervals.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Interval;
use crate::directed::{add_down, add_up, div_down, div_up, mul_down, mul_up, sqrt_down, sqrt_up};
use crate::real::Real;

impl<T: Real> Neg for Interval<T> {
    type Output = Self;

    fn neg(self) -> Self {
        if self.is_empty() {
            return self;
        }
        Self { lo: -self.hi, hi: -self.lo }
    }
}

impl<T: Real> Add for Interval<T> {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        if self.is_empty() || y.is_empty() {
            return Self::EMPTY;
        }
        Self { lo: add_down(self.lo, y.lo), hi: add_up(self.hi, y.hi) }
    }
}

impl<T: Real> Sub for Interval<T> {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self + -y
    }
}

impl<T: Real> Mul for Interval<T> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        if self.is_empty() || y.is_empty() {
            return Self::EMPTY;
        }
        // [1] Orient the operands: x has a positive bound, or both straddle 0.
        if self.lo < T::ZERO && self.hi <= T::ZERO {
            return -(-self * y);
        }
        if y.lo < T::ZERO && y.hi <= T::ZERO {
            return -(self * -y);
        }
        // [2] Which bounds meet depends on the signs.
        if self.lo >= T::ZERO {
            let lo = if y.lo >= T::ZERO { mul_down(self.lo, y.lo) } else { mul_down(self.hi, y.lo) };
            return Self { lo, hi: mul_up(self.hi, y.hi) };
        }
        if y.lo >= T::ZERO {
            return Self { lo: mul_down(self.lo, y.hi), hi: mul_up(self.hi, y.hi) };
        }
        let lo = mul_down(self.lo, y.hi).smaller(mul_down(self.hi, y.lo));
        Self { lo, hi: mul_up(self.lo, y.lo).larger(mul_up(self.hi, y.hi)) }
    }
}

/// Divisors: 0 alone gives the empty interval; 0 inside gives the entire one; 0 at an end gives half a line.
impl<T: Real> Div for Interval<T> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        if self.is_empty() || y.is_empty() || y.lo == T::ZERO && y.hi == T::ZERO {
            return Self::EMPTY;
        }
        // [1] Orient the divisor: positive, or with 0 at its lower end, or inside.
        if y.hi <= T::ZERO {
            return -(self / -y);
        }
        if y.lo < T::ZERO {
            let zero = self.lo == T::ZERO && self.hi == T::ZERO;
            return if zero { self } else { Self::ENTIRE };
        }
        if y.lo == T::ZERO {
            return self.over_half_line(y);
        }
        // [2] Positive divisor.
        let lo = if self.lo >= T::ZERO { div_down(self.lo, y.hi) } else { div_down(self.lo, y.lo) };
        let hi = if self.hi >= T::ZERO { div_up(self.hi, y.lo) } else { div_up(self.hi, y.hi) };
        Self { lo, hi }
    }
}

impl<T: Real> Interval<T> {
    /// x / y for y.lo = 0 < y.hi.
    fn over_half_line(self, y: Self) -> Self {
        if self.lo == T::ZERO && self.hi == T::ZERO {
            return self;
        }
        if self.lo >= T::ZERO {
            return Self { lo: div_down(self.lo, y.hi), hi: T::HUGE };
        }
        if self.hi <= T::ZERO {
            return Self { lo: -T::HUGE, hi: div_up(self.hi, y.hi) };
        }
        Self::ENTIRE
    }

    /// x^2, tightest.
    pub(crate) fn square(self) -> Self {
        if self.is_empty() {
            return self;
        }
        let (low, high) = (self.mignitude(), self.magnitude());
        Self { lo: mul_down(low, low), hi: mul_up(high, high) }
    }

    /// Square root of the part that is not negative, tightest.
    pub(crate) fn square_root(self) -> Self {
        if self.is_empty() || self.hi < T::ZERO {
            return Self::EMPTY;
        }
        Self { lo: sqrt_down(self.lo.larger(T::ZERO)), hi: sqrt_up(self.hi) }
    }

    /// |x|.
    pub(crate) fn magnitudes(self) -> Self {
        if self.is_empty() {
            return self;
        }
        Self { lo: self.mignitude(), hi: self.magnitude() }
    }

    /// The smaller of x and y.
    pub fn min(self, y: Self) -> Self {
        if self.is_empty() || y.is_empty() {
            return Self::EMPTY;
        }
        Self { lo: self.lo.smaller(y.lo), hi: self.hi.smaller(y.hi) }
    }

    /// The larger of x and y.
    pub fn max(self, y: Self) -> Self {
        if self.is_empty() || y.is_empty() {
            return Self::EMPTY;
        }
        Self { lo: self.lo.larger(y.lo), hi: self.hi.larger(y.hi) }
    }
}
