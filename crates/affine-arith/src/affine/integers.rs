//! Fractions and remainders of forms: correlated while no jump lies in the range.

use super::Affine;
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::real::Real;

impl<T: Real, const N: usize> Affine<T, N> {
    /// x - floor(x) or x - trunc(x).
    pub(super) fn fraction(&self, function: Unary, range: Interval<T>) -> Self {
        let whole = if function == Unary::Fract { range.floor() } else { range.trunc() };
        match whole.single() {
            Some(n) if !self.is_entire() => *self - Self::from_interval(Interval { lo: n, hi: n }),
            _ => Self::from_interval(range.apply(function)),
        }
    }

    /// x - y n for n = trunc(x/y) or rint(x/y).
    pub(super) fn remainder_of(&self, function: Binary, y: &Self, ranges: [Interval<T>; 2]) -> Self {
        let [x_range, y_range] = ranges;
        if y_range.mignitude() == T::ZERO {
            return Self::ENTIRE;
        }
        let constant = Self::from_interval(x_range.apply2(function, y_range));
        let quotient = x_range / y_range;
        let whole = if function == Binary::Fmod { quotient.trunc() } else { quotient.rint() };
        let Some(n) = whole.single() else { return constant };
        let form = *self - y.scaled(n);
        if form.is_entire() || form.err >= constant.err && form.err > T::ZERO { constant } else { form }
    }

    /// The range of the integer quotient rint(x/y): `lo == hi` when it is known; unbounded when y may be 0.
    pub fn quotient(&self, y: &Self) -> Interval<T> {
        let divisor = y.interval();
        if divisor.mignitude() == T::ZERO {
            return Interval::ENTIRE;
        }
        (self.interval() / divisor).rint()
    }
}
