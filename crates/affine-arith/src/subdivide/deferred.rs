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
        // Written so that a bound that is no number would keep the cell.
        self.b.abs().partial_cmp(&(self.reach() * self.inflation(N as u32 + 2))) != Some(std::cmp::Ordering::Greater)
    }

    fn sum_may_vanish(&self, y: &Self) -> bool {
        // R is a float and rounding is monotone: |fl(p + q)| > R implies |p + q| > R, so the sum of the centres needs no term.
        self.plus(y, false).may_vanish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Affine, CellValue, Deferred, Interval, Scalar};

    /// A polynomial in which roundings matter: large terms that nearly cancel.
    fn polynomial<S: Scalar>(x: &S, y: &S) -> S {
        let c = S::constant;
        let sum = x.sqr().sqr() * c(3.0) - x.clone() * y.clone() * c(7.7) + y.sqr();
        (sum.clone() + x.clone()) * (y.clone() - c(1.25)) - sum * y.clone() + x.sqr() * x.clone()
    }

    #[test]
    fn joint_values_lie_within_the_deferred_bound() {
        let mut closest = 0.0_f64;
        for i in 0..20_000_u32 {
            // A low-discrepancy walk through centres and symbol values; widths from 0 to 1/8.
            let part = |k: u32| f64::from(i.wrapping_mul(2 * k + 1).wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
            let width = if i % 3 == 0 { 0.0 } else { 2f64.powi(-3 - (i % 20) as i32) };
            let cell = |k: u32| {
                let centre = 4.0 * part(k) - 2.0;
                Interval::new((centre - width) as f32, (centre + width) as f32).expect("ordered")
            };
            let forms = [0, 1].map(|k| Affine::<f32, 2>::variable(k, cell(k as u32)));
            let result = polynomial(&Deferred::from_column(&forms[0]), &Deferred::from_column(&forms[1]));
            let symbols = [2, 3].map(|k| (4.0 * part(k) - 2.0).clamp(-1.0, 1.0));
            let at = |form: &Affine<f32, 2>| {
                let (b, x, _) = form.parts();
                f64::from(b) + f64::from(x[0]) * symbols[0] + f64::from(x[1]) * symbols[1]
            };
            let truth = polynomial(&Wide(at(&forms[0])), &Wide(at(&forms[1]))).0;
            let value = f64::from(result.b) + f64::from(result.x[0]) * symbols[0] + f64::from(result.x[1]) * symbols[1];
            let bound = f64::from(result.rest() * result.inflation(2));
            assert!((truth - value).abs() <= bound + 1e-12, "{i}: {truth} {value} {bound}");
            closest = closest.max((truth - value).abs() / bound);
            assert!(result.may_vanish() || truth.signum() == f64::from(result.b).signum());
        }
        assert!(closest > 0.3, "the bound is never used by more than {closest}");
    }

    /// f64 without enclosures.
    #[derive(Clone, Copy)]
    struct Wide(f64);

    impl std::ops::Neg for Wide {
        type Output = Self;
        fn neg(self) -> Self {
            Self(-self.0)
        }
    }

    macro_rules! operator {
        ($trait:ident, $name:ident, $op:tt) => {
            impl std::ops::$trait for Wide {
                type Output = Self;
                fn $name(self, y: Self) -> Self {
                    Self(self.0 $op y.0)
                }
            }
        };
    }

    operator!(Add, add, +);
    operator!(Sub, sub, -);
    operator!(Mul, mul, *);
    operator!(Div, div, /);

    impl Scalar for Wide {
        fn constant_between(lo: f64, _: f64) -> Self {
            Self(lo)
        }

        fn unary(&self, _: crate::Unary) -> Self {
            // The polynomial squares only.
            Self(self.0 * self.0)
        }

        fn binary(&self, _: crate::Binary, _: &Self) -> Self {
            Self(f64::NAN)
        }
    }
}
