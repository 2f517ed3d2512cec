//! Forms whose error accounting is put off: the inner loop of subdivision, in f32.
//!
//! b + sum of x_i e_i + (e + u s) e': `e` sums bounds, `s` sums magnitudes of rounded results, each of which may be off by u of itself
//! (u = 2^-24). Both are plain rounded sums and products of numbers that are not negative, so each operation loses at most a factor 1 - u;
//! `depth` counts them along the longest path, and one product at the end makes up for all: bound <= computed (1 - u)^-depth.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::CellValue;
use crate::affine::Affine;
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::real::Real;
use crate::scalar::Scalar;

/// u.
const U: f32 = f32::ROUNDOFF;
/// What one operation on forms may lose where its products underflow; amplified by later operations like any error.
const LEAST: f32 = f32::TINY * 32.0;

/// An affine form of N symbols with deferred accounting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deferred<const N: usize> {
    b: f32,
    x: [f32; N],
    e: f32,
    s: f32,
    depth: u32,
}

impl<const N: usize> Deferred<N> {
    const ENTIRE: Self = Self { b: 0.0, x: [0.0; N], e: f32::HUGE, s: 0.0, depth: 0 };

    fn from_form(form: Affine<f32, N>) -> Self {
        let (b, x, e) = form.parts();
        Self { b, x, e, s: 0.0, depth: 0 }
    }

    /// The form with its error inflated.
    fn form(&self) -> Affine<f32, N> {
        let err = self.rest() * self.inflation(2);
        Affine { b: self.b, x: self.x, err }.checked()
    }

    /// e + u s; one more operation deep.
    fn rest(&self) -> f32 {
        self.e + U * self.s
    }

    /// Sum of |x_i| and the rest; N + 1 operations deeper.
    fn reach(&self) -> f32 {
        let mut sum = self.rest();
        for x in self.x {
            sum += x.abs();
        }
        sum
    }

    /// A factor above (1 - u)^-(depth + more), rounded products with it included.
    fn inflation(&self, more: u32) -> f32 {
        1.0 + (self.depth + more) as f32 * (2.0 * U)
    }

    /// Entire when a magnitude is out of range.
    fn bounded(self) -> Self {
        if self.b.abs() + self.reach() <= f32::LIMIT && self.depth < 1 << 16 { self } else { self.restarted() }
    }

    /// The same form with an accounting that starts anew.
    fn restarted(self) -> Self {
        let within = self.b.abs() + self.reach() <= f32::LIMIT;
        if within { Self::from_form(self.form()) } else { Self::ENTIRE }
    }

    /// c x for an exact c.
    fn scaled(&self, c: f32) -> Self {
        let size = c.abs();
        let mut s = size * self.s;
        let b = c * self.b;
        let x = self.x.map(|x| c * x);
        s += b.abs();
        for x in x {
            s += x.abs();
        }
        Self { b, x, e: size * self.e + LEAST, s, depth: self.depth + N as u32 + 2 }.bounded()
    }

    fn is_constant(&self) -> bool {
        self.e == 0.0 && self.s == 0.0 && self.x.iter().all(|x| *x == 0.0)
    }

    /// x^2 = b^2 + 2 b x' + x'^2; half of R^2 is centre shift and radius.
    fn squared(&self) -> Self {
        let reach = self.reach();
        let h = reach * reach * 0.5;
        let square = self.b * self.b;
        let b = square + h;
        let twice = self.b + self.b;
        let x = self.x.map(|x| twice * x);
        let mut s = square + b;
        for x in x {
            s += x.abs();
        }
        let e = (twice.abs() * self.rest() + h) + LEAST;
        // h stands for R^2 - h, too: twice its depth.
        Self { b, x, e, s, depth: 4 * (self.depth + N as u32 + 2) + 4 }.bounded()
    }
}

impl<const N: usize> Neg for Deferred<N> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { b: -self.b, x: self.x.map(|x| -x), ..self }
    }
}

impl<const N: usize> Add for Deferred<N> {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        self.plus(&y, true)
    }
}

impl<const N: usize> Deferred<N> {
    /// x + y, counting the rounding of the centre or not.
    #[inline(always)]
    fn plus(&self, y: &Self, count_centre: bool) -> Self {
        let b = self.b + y.b;
        let mut s = self.s + y.s;
        if count_centre {
            s += b.abs();
        }
        let mut x = [0.0; N];
        for (i, x) in x.iter_mut().enumerate() {
            let (p, q) = (self.x[i], y.x[i]);
            *x = p + q;
            // A symbol of one operand alone is copied.
            s += if p != 0.0 && q != 0.0 { x.abs() } else { 0.0 };
        }
        Self { b, x, e: self.e + y.e, s, depth: self.depth.max(y.depth) + N as u32 + 2 }
    }
}

impl<const N: usize> Sub for Deferred<N> {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self + -y
    }
}

impl<const N: usize> Mul for Deferred<N> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        if y.is_constant() {
            return self.scaled(y.b);
        }
        if self.is_constant() {
            return y.scaled(self.b);
        }
        let b = self.b * y.b;
        let mut s = b.abs();
        let mut x = [0.0; N];
        for (i, x) in x.iter_mut().enumerate() {
            let (p, q) = (self.b * y.x[i], y.b * self.x[i]);
            *x = p + q;
            let copied = self.x[i] == 0.0 || y.x[i] == 0.0;
            s += if copied { x.abs() } else { p.abs() + q.abs() + x.abs() };
        }
        let linear = self.b.abs() * y.rest() + y.b.abs() * self.rest();
        let e = (linear + self.reach() * y.reach()) + LEAST;
        Self { b, x, e, s, depth: self.depth + y.depth + 2 * N as u32 + 6 }.bounded()
    }
}

impl<const N: usize> Div for Deferred<N> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        Self::from_form(self.form() / y.form())
    }
}

impl<const N: usize> Scalar for Deferred<N> {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self::from_form(Affine::constant_between(lo, hi))
    }

    fn unary(&self, function: Unary) -> Self {
        match function {
            Unary::Neg => -*self,
            Unary::Sqr => self.squared(),
            _ => Self::from_form(self.form().apply(function)),
        }
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        Self::from_form(self.form().apply2(function, &y.form()))
    }
}

impl<const N: usize> CellValue for Deferred<N> {
    type Column = Affine<f32, N>;

    fn coordinate(k: usize, range: Interval<f32>) -> Affine<f32, N> {
        Affine::variable(k, range)
    }

    fn from_column(column: &Affine<f32, N>) -> Self {
        Self::from_form(*column)
    }

    fn may_vanish(&self) -> bool {
        self.b.abs() <= self.reach() * self.inflation(N as u32 + 2)
    }

    fn sum_may_vanish(&self, y: &Self) -> bool {
        // R is a float and rounding is monotone: |fl(p + q)| > R implies |p + q| > R, so the sum of the centres needs no term.
        self.plus(y, false).may_vanish()
    }
}
