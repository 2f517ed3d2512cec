//! One trait for everything a function can be evaluated on.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::affine::Affine;
use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::mixed::Mixed;
use crate::real::Real;

/// A number, an interval, a form, or an expression: a function written once for `S: Scalar` runs on all of them.
///
/// Intervals restrict functions to the part of the operand where they are defined; forms become entire there, except that roots and powers
/// count negative numbers as 0.
pub trait Scalar:
    Clone + Neg<Output = Self> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A constant that lies between two f64, enclosed; floats take a number near.
    fn constant_between(lo: f64, hi: f64) -> Self;

    /// A function of one variable.
    fn unary(&self, function: Unary) -> Self;

    /// A function of two variables.
    fn binary(&self, function: Binary, y: &Self) -> Self;

    /// A constant, enclosed where it is not a number of the type.
    fn constant(c: f64) -> Self {
        Self::constant_between(c, c)
    }

    /// x^2, tighter than x x.
    fn sqr(&self) -> Self {
        self.unary(Unary::Sqr)
    }

    /// Square root.
    fn sqrt(&self) -> Self {
        self.unary(Unary::Sqrt)
    }

    /// |x|.
    fn abs(&self) -> Self {
        self.unary(Unary::Abs)
    }

    /// max(x, 0).
    fn positive_part(&self) -> Self {
        self.unary(Unary::PositivePart)
    }

    /// x^n.
    fn powi(&self, n: i32) -> Self {
        self.unary(Unary::Powi(n))
    }

    /// x^y.
    fn powf(&self, y: f64) -> Self {
        self.unary(Unary::powf(y))
    }

    /// e^x.
    fn exp(&self) -> Self {
        self.unary(Unary::Exp)
    }

    /// Natural logarithm.
    fn log(&self) -> Self {
        self.unary(Unary::Log)
    }

    /// Sine.
    fn sin(&self) -> Self {
        self.unary(Unary::Sin)
    }

    /// Cosine.
    fn cos(&self) -> Self {
        self.unary(Unary::Cos)
    }

    /// Arc tangent.
    fn atan(&self) -> Self {
        self.unary(Unary::Atan)
    }

    /// The smaller one.
    fn min(&self, y: &Self) -> Self {
        self.binary(Binary::Min, y)
    }

    /// The larger one.
    fn max(&self, y: &Self) -> Self {
        self.binary(Binary::Max, y)
    }

    /// The nearest number between two others.
    fn clamp(&self, lo: &Self, hi: &Self) -> Self {
        self.max(lo).min(hi)
    }

    /// sqrt(x^2 + y^2).
    fn hypot(&self, y: &Self) -> Self {
        (self.sqr() + y.sqr()).sqrt()
    }

    /// sqrt(x^2 + y^2 + z^2).
    fn hypot3(&self, y: &Self, z: &Self) -> Self {
        (self.sqr() + y.sqr() + z.sqr()).sqrt()
    }

    /// 1/sqrt(x^2 + y^2).
    fn rhypot(&self, y: &Self) -> Self {
        (self.sqr() + y.sqr()).unary(Unary::Rsqrt)
    }

    /// a + t (b - a), a being `self`.
    fn lerp(&self, b: &Self, t: &Self) -> Self {
        self.clone() + t.clone() * (b.clone() - self.clone())
    }

    /// t^2 (3 - 2 t), t = (x - e0)/(e1 - e0) clamped to [0, 1].
    fn smoothstep(&self, e0: &Self, e1: &Self) -> Self {
        let t = (self.clone() - e0.clone()) / (e1.clone() - e0.clone());
        let t = t.clamp(&Self::constant(0.0), &Self::constant(1.0));
        t.sqr() * (Self::constant(3.0) - Self::constant(2.0) * t)
    }

    /// min(x, y) - max(k - |x - y|, 0)^2/(4 k): a minimum without a crease.
    fn smooth_min(&self, y: &Self, k: &Self) -> Self {
        let overlap = (k.clone() - (self.clone() - y.clone()).abs()).positive_part() / k.clone();
        self.min(y) - overlap.sqr() * k.clone() * Self::constant(0.25)
    }

    /// The maximum without a crease.
    fn smooth_max(&self, y: &Self, k: &Self) -> Self {
        -(-self.clone()).smooth_min(&-y.clone(), k)
    }
}

impl<T: Real> Scalar for Interval<T> {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self::from_f64(lo).join(Self::from_f64(hi))
    }

    fn unary(&self, function: Unary) -> Self {
        self.apply(function)
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        self.apply2(function, *y)
    }
}

impl<T: Real, const N: usize> Scalar for Affine<T, N> {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self::between(lo, hi)
    }

    fn unary(&self, function: Unary) -> Self {
        self.apply(function)
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        self.apply2(function, y)
    }
}

impl<T: Real, const N: usize> Scalar for Mixed<T, N> {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self::from_interval(Interval::constant_between(lo, hi))
    }

    fn unary(&self, function: Unary) -> Self {
        self.apply(function)
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        self.apply2(function, y)
    }
}
