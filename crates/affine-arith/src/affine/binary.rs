//! Functions of two forms.

use super::Affine;
use crate::elementary::{HALF_PI, constant};
use crate::function::{Binary, Unary};
use crate::interval::{Interval, Sign};
use crate::real::Real;

impl<T: Real, const N: usize> Affine<T, N> {
    /// A function of two forms. Division by a range that holds 0 is entire; powers are e^(y ln x).
    pub fn apply2(&self, function: Binary, y: &Self) -> Self {
        self.apply2_within(function, y, [self.interval(), y.interval()])
    }

    /// The same for forms whose values are known to lie in `ranges`, too.
    pub(crate) fn apply2_within(&self, function: Binary, y: &Self, ranges: [Interval<T>; 2]) -> Self {
        match function {
            Binary::Add => *self + *y,
            Binary::Sub => *self - *y,
            Binary::Mul => *self * *y,
            Binary::Div if y.is_exact() => *self / *y,
            Binary::Div => self.times_inverse(y.apply_within(Unary::Reciprocal, ranges[1])),
            Binary::Min => self.smaller(y, ranges),
            Binary::Max => -(-*self).smaller(&-*y, ranges.map(|range| -range)),
            Binary::Atan2 => self.angle(y, ranges),
            Binary::Fmod | Binary::Remainder => self.remainder_of(function, y, ranges),
            Binary::Pow => (*y * self.apply_within(Unary::Log, ranges[0])).apply(Unary::Exp),
        }
    }

    /// The smaller one: an operand where the other is certainly not below it, else x - max(x - y, 0).
    fn smaller(&self, y: &Self, ranges: [Interval<T>; 2]) -> Self {
        let difference = *self - *y;
        let apart = difference.interval().intersect(ranges[0] - ranges[1]);
        if apart.hi <= T::ZERO {
            return *self;
        }
        if apart.lo >= T::ZERO {
            return *y;
        }
        let form = *self - difference.apply_within(Unary::PositivePart, apart);
        let constant = Self::from_interval(ranges[0].min(ranges[1]));
        if form.is_entire() || form.err >= constant.err && !constant.is_entire() { constant } else { form }
    }

    /// atan2(self, x), as atan of a quotient on three half planes, else the range of angles.
    fn angle(&self, x: &Self, ranges: [Interval<T>; 2]) -> Self {
        let range = ranges[0].apply2(Binary::Atan2, ranges[1]);
        let quarter = Self::from_interval(constant(HALF_PI));
        let form = if ranges[1].sign() == Sign::Positive {
            self.apply2_within(Binary::Div, x, ranges).apply_within(Unary::Atan, ranges[0] / ranges[1])
        } else {
            let turned = || {
                x.apply2_within(Binary::Div, self, [ranges[1], ranges[0]])
                    .apply_within(Unary::Atan, ranges[1] / ranges[0])
            };
            match ranges[0].sign() {
                Sign::Positive => quarter - turned(),
                Sign::Negative => -quarter - turned(),
                Sign::Unknown => return Self::from_interval(range),
            }
        };
        let constant = Self::from_interval(range);
        if form.is_entire() || form.err >= constant.err { constant } else { form }
    }

    /// Whether x < y for all values of the symbols and errors.
    pub fn certainly_lt(&self, y: &Self) -> bool {
        (*self - *y).interval().hi < T::ZERO
    }

    /// Whether x <= y for all values.
    pub fn certainly_le(&self, y: &Self) -> bool {
        (*self - *y).interval().hi <= T::ZERO
    }

    /// Whether x > y for all values.
    pub fn certainly_gt(&self, y: &Self) -> bool {
        y.certainly_lt(self)
    }

    /// Whether x >= y for all values.
    pub fn certainly_ge(&self, y: &Self) -> bool {
        y.certainly_le(self)
    }

    /// Whether 0 is among its possible values.
    pub fn possibly_zero(&self) -> bool {
        // |b| against the reach: no subtraction that would round.
        self.is_entire() || self.b.abs() <= self.reach()
    }
}
