//! Sums and scalings: coefficients are added, and half an ulp of every rounded result goes to the error term.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Affine, inflate};
use crate::function::Unary;
use crate::interval::Interval;
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
        // [1] Sums; adding 0 rounds nothing.
        let mut rounded = T::ZERO;
        let mut sum = |p: T, q: T| {
            let s = p + q;
            if p != T::ZERO && q != T::ZERO {
                rounded = rounded + s.abs();
            }
            s
        };
        let b = sum(self.b, y.b);
        let x = std::array::from_fn(|i| sum(self.x[i], y.x[i]));
        // [2] Error terms, and u times the results.
        let raw = (self.err + y.err) + T::ROUNDOFF * rounded;
        Self { b, x, err: inflate(raw, N + 3) }.checked()
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

/// x times 1/y; y = 0 inside gives the entire form.
impl<T: Real, const N: usize> Div for Affine<T, N> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        if y.is_exact() && y.b != T::ZERO {
            return self.over_constant(y.b);
        }
        self * y.apply(Unary::Reciprocal)
    }
}

impl<T: Real, const N: usize> Affine<T, N> {
    /// c times the form, c exact.
    pub(crate) fn scaled(&self, c: T) -> Self {
        if self.is_entire() {
            return if c == T::ZERO { Self::from_interval(Interval { lo: c, hi: c }) } else { *self };
        }
        if c == T::ONE {
            return *self;
        }
        self.mapped(|v| c * v, c.abs() * self.err)
    }

    /// The form over c, c exact and not 0.
    fn over_constant(&self, c: T) -> Self {
        if self.is_entire() {
            return *self;
        }
        self.mapped(|v| v.div_rn(c), self.err.div_rn(c.abs()))
    }

    /// A rounded linear map of centre and coefficients, with the error term it makes of the old one.
    fn mapped(&self, map: impl Fn(T) -> T, err: T) -> Self {
        let form = Self { b: map(self.b), x: self.x.map(&map), err };
        let rounded = form.b.abs() + form.magnitude();
        if !rounded.is_bounded() || !err.is_bounded() {
            return Self::ENTIRE;
        }
        let raw = err + T::ROUNDOFF * rounded;
        // Results below TINY are off by more than u of them; each is covered by TINY.
        let lost = if rounded == T::ZERO && err == T::ZERO && self.is_zero() { T::ZERO } else { least(N + 2) };
        Self { err: inflate(raw + lost, N + 4), ..form }.checked()
    }

    fn is_zero(&self) -> bool {
        self.b == T::ZERO && self.is_exact()
    }
}

/// What `count` operations may lose where their results are below TINY.
pub(crate) fn least<T: Real>(count: usize) -> T {
    T::TINY * T::from_i32(count as i32)
}
