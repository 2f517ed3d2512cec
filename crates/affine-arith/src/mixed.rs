//! Forms that carry an interval beside them: each tightens the other, so ranges are never wider than plain intervals'.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::affine::{Affine, defined};
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::real::Real;

/// An affine form and an interval of the same quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixed<T, const N: usize> {
    form: Affine<T, N>,
    range: Interval<T>,
}

impl<T: Real, const N: usize> Mixed<T, N> {
    /// Any quantity with values in `range`.
    pub fn from_interval(range: Interval<T>) -> Self {
        Self { form: Affine::from_interval(range), range }
    }

    /// The variable of symbol `k`.
    pub fn variable(k: usize, range: Interval<T>) -> Self {
        Self { form: Affine::variable(k, range), range }
    }

    /// A form with its own interval beside it.
    pub fn from_form(form: Affine<T, N>) -> Self {
        Self { form, range: form.interval() }
    }

    /// A form and an interval of the same quantity; the interval is cut to the form's.
    fn new(form: Affine<T, N>, range: Interval<T>) -> Self {
        let range = range.intersect(form.interval());
        // A form without symbols is no better than the range.
        let wider = form.magnitude() == T::ZERO && !range.is_empty() && form.interval().width() > range.width();
        Self { form: if wider { Affine::from_interval(range) } else { form }, range }
    }

    /// The affine form.
    pub fn form(&self) -> &Affine<T, N> {
        &self.form
    }

    /// All its values.
    pub fn interval(&self) -> Interval<T> {
        self.range
    }

    /// A function of it.
    pub fn apply(&self, function: Unary) -> Self {
        Self::new(self.form.apply_within(function, self.range), clipped(function, self.range))
    }

    /// A function of two of them.
    pub fn apply2(&self, function: Binary, y: &Self) -> Self {
        let form = self.form.apply2_within(function, &y.form, [self.range, y.range]);
        // e^(y ln x) needs x > 0; a divisor that is 0 leaves no range.
        let value = self.range.apply2(function, y.range);
        let outside = function == Binary::Pow && self.range.lo <= T::ZERO || value.is_empty();
        let range = if outside { Interval::ENTIRE } else { value };
        Self::new(form, range)
    }
}

/// The range of a function as forms define it: entire outside its domain; roots and powers of negative numbers are 0, which is in the range
/// of what is left.
fn clipped<T: Real>(function: Unary, range: Interval<T>) -> Interval<T> {
    if defined(function, range) { range.apply(function) } else { Interval::ENTIRE }
}

impl<T: Real, const N: usize> Neg for Mixed<T, N> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { form: -self.form, range: -self.range }
    }
}

impl<T: Real, const N: usize> Add for Mixed<T, N> {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        self.apply2(Binary::Add, &y)
    }
}

impl<T: Real, const N: usize> Sub for Mixed<T, N> {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self.apply2(Binary::Sub, &y)
    }
}

impl<T: Real, const N: usize> Mul for Mixed<T, N> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        self.apply2(Binary::Mul, &y)
    }
}

impl<T: Real, const N: usize> Div for Mixed<T, N> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        self.apply2(Binary::Div, &y)
    }
}
