//! Plain floats as scalars: values near the true ones, by this crate's own functions, with no guarantee.

use crate::function::{Binary, Unary};
use crate::interval::Interval;
use crate::real::Real;
use crate::scalar::Scalar;

/// The middle of the enclosure at a point; NaN outside the domain.
fn unary<T: Real>(x: T, function: Unary) -> T {
    let value = Interval::point(x).apply(function);
    middle(value)
}

fn middle<T: Real>(value: Interval<T>) -> T {
    if value.is_empty() {
        return T::from_f64(f64::NAN);
    }
    if value.is_bounded() { value.mid() } else { unbounded(value) }
}

/// Beyond the limits: the infinity of the open side, NaN when both are.
fn unbounded<T: Real>(value: Interval<T>) -> T {
    value.lower() + value.upper()
}

fn binary<T: Real>(x: T, function: Binary, y: T) -> T {
    middle(Interval::point(x).apply2(function, Interval::point(y)))
}

macro_rules! float_scalar {
    ($float:ty) => {
        impl Scalar for $float {
            fn constant_between(lo: f64, hi: f64) -> Self {
                <$float as Real>::from_f64(lo * 0.5 + hi * 0.5)
            }

            fn unary(&self, function: Unary) -> Self {
                unary(*self, function)
            }

            fn binary(&self, function: Binary, y: &Self) -> Self {
                match function {
                    Binary::Add => self + y,
                    Binary::Sub => self - y,
                    Binary::Mul => self * y,
                    Binary::Div => self.div_rn(*y),
                    _ => binary(*self, function, *y),
                }
            }
        }
    };
}

float_scalar!(f32);
float_scalar!(f64);
