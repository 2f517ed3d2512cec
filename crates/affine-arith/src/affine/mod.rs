//! Affine forms: quantities that remember how they depend on the variables.

mod arithmetic;
mod binary;
mod critical;
mod integers;
mod products;
mod standard;
mod unary;

pub(crate) use arithmetic::quotient;
pub(crate) use products::{ProductParts, product_parts};
pub use standard::Standard;
pub(crate) use unary::defined;

use crate::directed::{add_down, add_up};
use crate::interval::{Interval, Sign};
use crate::real::Real;

/// A reduced affine form (AF1): b + x_0 e_0 + ... + x_(N-1) e_(N-1) + e with |e_i| <= 1 and |e| <= err.
///
/// The symbols e_i are shared by all forms, so what cancels for every value of the variables cancels here; the error
/// terms e are independent of each other. Every operation contains all joint values: for any e_i of the operands' symbols, the exact
/// result lies within err of b + sum of x_i e_i of the result. A form that may be any number is *entire*.
///
/// Magnitudes are 0 or [`Real::TINY`] to [`Real::LIMIT`]; beyond, a form is entire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine<T, const N: usize> {
    pub(crate) b: T,
    pub(crate) x: [T; N],
    pub(crate) err: T,
}

impl<T: Real, const N: usize> Affine<T, N> {
    /// Any number.
    pub const ENTIRE: Self = Self { b: T::ZERO, x: [T::ZERO; N], err: T::HUGE };

    /// A number, exactly; entire above [`Real::LIMIT`] and for NaN.
    pub fn constant(c: T) -> Self {
        Self::from_interval(Interval::point(c))
    }

    /// A quantity with values in `range`, independent of everything else; entire when the range is empty or unbounded.
    pub fn from_interval(range: Interval<T>) -> Self {
        let Some((b, radius)) = centre(range) else { return Self::ENTIRE };
        Self { b, x: [T::ZERO; N], err: radius }
    }

    /// A constant between two f64: the nearest number of the type, with the distance to them as error.
    pub(crate) fn between(lo: f64, hi: f64) -> Self {
        let range = Interval::<f64>::from_f64(lo).join(Interval::from_f64(hi));
        let near = T::from_f64(range.mid());
        let b = if near.abs() < T::TINY { T::ZERO } else { near };
        let outward = Self::from_interval(Interval::from_f64(lo).join(Interval::from_f64(hi)));
        if outward.is_entire() || !range.is_bounded() {
            return Self::ENTIRE;
        }
        let (low, high) = ((b.to_f64() - range.lo).next_up(), (range.hi - b.to_f64()).next_up());
        let exact = range.lo == b.to_f64() && range.hi == b.to_f64();
        let err = if exact { T::ZERO } else { Interval::<T>::from_f64(low.larger(high)).hi };
        Self { b, x: [T::ZERO; N], err }.checked()
    }

    /// The variable of symbol `k`, with values in `range`; entire when the range is empty or unbounded, or k >= N.
    pub fn variable(k: usize, range: Interval<T>) -> Self {
        let mut form = Self::from_interval(range);
        if form.is_entire() || k >= N {
            return Self::ENTIRE;
        }
        form.x[k] = form.err;
        form.err = T::ZERO;
        form
    }

    /// The centre b, the coefficients x_i and the bound err of the error term.
    pub fn parts(&self) -> (T, [T; N], T) {
        (self.b, self.x, self.err)
    }

    /// Whether it may be any number.
    pub fn is_entire(&self) -> bool {
        self.err > T::LIMIT
    }

    /// All its values: b -+ (sum of |x_i| + err), rounded outward.
    pub fn interval(&self) -> Interval<T> {
        if self.is_entire() {
            return Interval::ENTIRE;
        }
        let reach = self.reach();
        Interval { lo: add_down(self.b, -reach), hi: add_up(self.b, reach) }
    }

    /// Sign of all its values.
    pub fn sign(&self) -> Sign {
        self.interval().sign()
    }

    /// An upper bound of sum of |x_i| + err; the sum itself when it has one term.
    pub(crate) fn reach(&self) -> T {
        reach(&self.x, self.err)
    }

    /// Sum of |x_i|, rounded to nearest.
    pub(crate) fn magnitude(&self) -> T {
        magnitude(&self.x)
    }

    /// Whether it depends on no symbol and has no error.
    pub(crate) fn is_exact(&self) -> bool {
        self.err == T::ZERO && self.magnitude() == T::ZERO
    }

    /// Entire where a magnitude exceeds the limit; coefficients below TINY become part of the error.
    pub(crate) fn checked(mut self) -> Self {
        if checked(&mut self.b, &mut self.x, &mut self.err) { self } else { Self::ENTIRE }
    }
}

/// Sum of |x_i|, rounded to nearest.
pub(crate) fn magnitude<T: Real>(x: &[T]) -> T {
    let mut sum = T::ZERO;
    for coefficient in x {
        sum = sum + coefficient.abs();
    }
    sum
}

/// An upper bound of sum of |x_i| + err; the sum itself when it has one term.
pub(crate) fn reach<T: Real>(x: &[T], err: T) -> T {
    let terms = x.iter().filter(|coefficient| **coefficient != T::ZERO).count();
    let sum = magnitude(x) + err;
    if terms + usize::from(err != T::ZERO) > 1 { inflate(sum, x.len() + 1) } else { sum }
}

/// Coefficients below TINY become part of the error; false where a magnitude exceeds the limit.
pub(crate) fn checked<T: Real>(b: &mut T, x: &mut [T], err: &mut T) -> bool {
    let mut lost = T::ZERO;
    if b.abs() < T::TINY && *b != T::ZERO {
        *b = T::ZERO;
        lost = T::TINY;
    }
    for coefficient in &mut *x {
        if coefficient.abs() < T::TINY && *coefficient != T::ZERO {
            *coefficient = T::ZERO;
            lost = lost + T::TINY;
        }
    }
    if lost != T::ZERO || *err != T::ZERO && *err < T::TINY {
        *err = inflate(*err + lost, 2).larger(T::TINY);
    }
    b.abs() + magnitude(x) + *err <= T::LIMIT
}

/// a + b; its rounding error, exact, is added to `lost`. Numbers are 0 or at least TINY.
pub(crate) fn sum<T: Real>(a: T, b: T, lost: &mut T) -> T {
    let (sum, error) = a.two_sum(b);
    *lost = *lost + error.abs();
    sum
}

/// a b, or 0 below TINY; its error is added to `lost`: exact where it is a number, else a bound.
pub(crate) fn product<T: Real>(a: T, b: T, lost: &mut T) -> T {
    if a == T::ZERO || b == T::ZERO {
        return T::ZERO;
    }
    let (product, error) = a.two_prod(b);
    if product.abs() >= T::EXACT_PRODUCT {
        *lost = *lost + error.abs();
        return product;
    }
    *lost = *lost + T::TINY;
    if product.abs() < T::TINY { T::ZERO } else { product }
}

/// An upper bound of a sum of products of numbers that are not negative, from its rounded value after at most `roundings` roundings on a path.
///
/// Each loses at most a factor 1 - u; 1 + 2 u roundings makes up for that and for the rounding of this product.
pub(crate) fn inflate<T: Real>(sum: T, roundings: usize) -> T {
    sum * (T::ONE + T::ROUNDOFF * T::from_i32(2 * roundings as i32 + 2))
}

/// Centre and radius of a bounded interval.
pub(crate) fn centre<T: Real>(range: Interval<T>) -> Option<(T, T)> {
    if range.is_empty() || !range.is_bounded() {
        return None;
    }
    let mid = range.mid();
    let b = if mid.abs() < T::TINY { T::ZERO } else { mid };
    Some((b, add_up(range.hi, -b).larger(add_up(b, -range.lo))))
}
