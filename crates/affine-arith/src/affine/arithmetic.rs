//! Sums and scalings: coefficients are added, and the exact rounding error of every result goes to the error term.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Affine, inflate, product, sum};
use crate::function::Unary;
use crate::real::Real;

impl<T: Real, const N: usize> Neg for Affine<T, N> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { b: -self.b, x: self.x.map(|coefficient| -coefficient), err: self.err }
    }
}

impl<T: Real, const N: usize> Add for Affine<T, N> {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        if self.is_entire() || y.is_entire() {
            return Self::ENTIRE;
        }
        // [1] Sums, and what they lose.
        let mut lost = T::ZERO;
        let b = sum(self.b, y.b, &mut lost);
        let x = std::array::from_fn(|i| sum(self.x[i], y.x[i], &mut lost));
        // [2] Error terms.
        Self { b, x, err: inflate((self.err + y.err) + lost, N + 3) }.checked()
    }
}

impl<T: Real, const N: usize> Sub for Affine<T, N> {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self + -y
    }
}

impl<T: Real, const N: usize> Mul for Affine<T, N> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        self.product(&y)
    }
}

/// x times 1/y; y = 0 inside gives the entire form, whatever x is.
impl<T: Real, const N: usize> Div for Affine<T, N> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        if y.is_exact() && y.b != T::ZERO {
            return self.over_constant(y.b);
        }
        self.times_inverse(y.apply(Unary::Reciprocal))
    }
}

impl<T: Real, const N: usize> Affine<T, N> {
    /// x/y, 1/y being at hand: 0 times an entire form is 0, but 0/0 is not.
    pub(super) fn times_inverse(self, inverse: Self) -> Self {
        if inverse.is_entire() { Self::ENTIRE } else { self * inverse }
    }

    /// c times the form, c exact; entire forms stay.
    pub(crate) fn scaled(&self, c: T) -> Self {
        if self.is_entire() || c == T::ONE {
            return *self;
        }
        let mut lost = T::ZERO;
        let b = product(c, self.b, &mut lost);
        let x = self.x.map(|coefficient| product(c, coefficient, &mut lost));
        let err = product(c.abs(), self.err, &mut lost);
        Self { b, x, err: inflate(err + lost, N + 3) }.checked()
    }

    /// The form over c, c exact and not 0.
    fn over_constant(&self, c: T) -> Self {
        if self.is_entire() {
            return *self;
        }
        let mut lost = T::ZERO;
        let b = quotient(self.b, c, &mut lost);
        let x = self.x.map(|coefficient| quotient(coefficient, c, &mut lost));
        let err = quotient(self.err, c.abs(), &mut lost);
        let fits = b.is_bounded() && x.iter().all(|coefficient| coefficient.is_bounded()) && err.is_bounded();
        if fits { Self { b, x, err: inflate(err + lost, N + 3) }.checked() } else { Self::ENTIRE }
    }
}

/// a / c, or 0 below TINY; half an ulp of it, or TINY, is added to `lost`, or nothing where it is exact.
pub(crate) fn quotient<T: Real>(a: T, c: T, lost: &mut T) -> T {
    if a == T::ZERO {
        return a;
    }
    let quotient = a.div_rn(c);
    if !quotient.is_bounded() {
        return quotient;
    }
    let exact = quotient.abs() >= T::TINY && a.abs() >= T::EXACT_PRODUCT && {
        let (product, error) = quotient.two_prod(c);
        product == a && error == T::ZERO
    };
    if !exact {
        *lost = *lost + (quotient.abs() * T::ROUNDOFF + T::TINY);
    }
    if quotient.abs() < T::TINY { T::ZERO } else { quotient }
}
