//! Affine forms along a ray whose sums, products and squares count no rounding errors: for drawing, **not rigorous**. Twin of estimate.wgsl.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::affine::Affine;
use crate::function::{Binary, Unary};
use crate::real::Real;
use crate::scalar::Scalar;

/// A form; functions other than sums, products and squares are those of [`Affine`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate(pub(crate) Affine<f32, 1>);

type Form = Affine<f32, 1>;

/// x y, or 0 below TINY.
fn snapped(x: f32, y: f32) -> f32 {
    (x * y).snap(f32::TINY)
}

/// Sum of |x| and err.
fn estimate_reach(form: Form) -> f32 {
    form.x[0].abs() + form.err
}

fn estimate_add(x: Form, y: Form) -> Form {
    if x.is_entire() || y.is_entire() {
        return Form::ENTIRE;
    }
    Form { b: x.b + y.b, x: [x.x[0] + y.x[0]], err: x.err + y.err }.checked()
}

fn estimate_mul(x: Form, y: Form) -> Form {
    if x.is_entire() || y.is_entire() {
        return Form::ENTIRE;
    }
    let slope = snapped(x.b, y.x[0]) + snapped(y.b, x.x[0]);
    let linear = snapped(x.b.abs(), y.err) + snapped(y.b.abs(), x.err);
    let rest = snapped(estimate_reach(x), estimate_reach(y));
    Form { b: snapped(x.b, y.b), x: [slope], err: linear + rest }.checked()
}

fn estimate_sqr(x: Form) -> Form {
    if x.is_entire() {
        return Form::ENTIRE;
    }
    let reach = estimate_reach(x);
    let half = snapped(reach, reach) * 0.5;
    let twice = x.b + x.b;
    Form { b: snapped(x.b, x.b) + half, x: [snapped(twice, x.x[0])], err: snapped(twice.abs(), x.err) + half }.checked()
}

impl Neg for Estimate {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Estimate {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        Self(estimate_add(self.0, y.0))
    }
}

impl Sub for Estimate {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        Self(estimate_add(self.0, -y.0))
    }
}

impl Mul for Estimate {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        Self(estimate_mul(self.0, y.0))
    }
}

impl Div for Estimate {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        Self(self.0.apply2(Binary::Div, &y.0))
    }
}

impl Scalar for Estimate {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self(Form::constant_between(lo, hi))
    }

    fn unary(&self, function: Unary) -> Self {
        match function {
            Unary::Sqr | Unary::Powi(2) => Self(estimate_sqr(self.0)),
            _ => Self(self.0.apply(function)),
        }
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        match function {
            Binary::Add => *self + *y,
            Binary::Sub => *self - *y,
            Binary::Mul => *self * *y,
            Binary::Div => *self / *y,
            _ => Self(self.0.apply2(function, &y.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Estimate;
    use crate::affine::Affine;
    use crate::{Interval, Plan};

    /// Within 1e-4 of the rigorous ranges, and not the same.
    #[test]
    fn estimates_are_near_the_bounds() {
        let text = "1/(0.05+sqr(x-0.9)+sqr(y-0.3)) + x*y/7 - sqrt(x + y + 3) - 1";
        let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y"]).expect("in x and y");
        let mut differ = 0;
        for i in 0..200_u16 {
            let t = f32::from(i) * 0.01;
            let window = Affine::<f32, 1>::variable(0, Interval::new(t - 1.0, t - 0.98).expect("ordered"));
            let other = window.scaled(0.7);
            let bounds = plan.evaluate(&[window, other]).expect("two inputs").interval();
            let found = plan.evaluate(&[Estimate(window), Estimate(other)]).expect("two inputs").0.interval();
            let size = bounds.upper().abs().max(bounds.lower().abs()).max(1.0);
            assert!((bounds.lower() - found.lower()).abs() < 1e-4 * size, "{t}: {bounds:?} {found:?}");
            assert!((bounds.upper() - found.upper()).abs() < 1e-4 * size, "{t}: {bounds:?} {found:?}");
            differ += u32::from(bounds != found);
        }
        assert!(differ > 150, "{differ}");
    }
}
