//! Products and squares of forms.

use super::{Affine, inflate, product, reach, sum};
use crate::interval::Interval;
use crate::real::Real;

impl<T: Real, const N: usize> Affine<T, N> {
    /// x y. Never wider than |b| err_y + |b_y| err + R R_y; exact in the rest for x x.
    pub(super) fn product(&self, y: &Self) -> Self {
        // [1] Entire forms and exact factors.
        if self.is_exact() && !y.is_entire() {
            return y.scaled(self.b);
        }
        if y.is_exact() && !self.is_entire() {
            return self.scaled(y.b);
        }
        if self.is_entire() || y.is_entire() {
            return self.product_with_entire(y);
        }
        // [2] The parts.
        let mut x = [T::ZERO; N];
        let ProductParts { b, radius, mut lost } =
            product_parts((self.b, &self.x, self.err), (y.b, &y.x, y.err), &mut x);
        // [3] The error terms.
        let linear = product(self.b.abs(), y.err, &mut lost) + product(y.b.abs(), self.err, &mut lost);
        Self { b, x, err: inflate((linear + radius) + lost, 3 * N + 6) }.checked()
    }

    /// Products of entire forms: 0 if the other factor is exactly 0.
    fn product_with_entire(&self, y: &Self) -> Self {
        let zero = |form: &Self| form.b == T::ZERO && form.is_exact();
        if zero(self) || zero(y) {
            return Self::from_interval(Interval { lo: T::ZERO, hi: T::ZERO });
        }
        Self::ENTIRE
    }

    /// x^2: b^2 + 2 b x' + x'^2 with 0 <= x'^2 <= R^2.
    pub(super) fn squared(&self) -> Self {
        if self.is_entire() {
            return Self::ENTIRE;
        }
        // [1] Half of R^2 is centre shift and radius at once; it must not be below R^2/2.
        let mut lost = T::ZERO;
        let reach = self.reach();
        let half = inflate(reach * reach, 1) * T::HALF;
        let half = if reach == T::ZERO { half } else { half.larger(T::TINY) };
        let square = product(self.b, self.b, &mut lost);
        let b = sum(square, half, &mut lost);
        let twice = self.b + self.b;
        let x: [T; N] = self.x.map(|coefficient| product(twice, coefficient, &mut lost));
        // [2] The error term.
        let err = product(twice.abs(), self.err, &mut lost) + half;
        Self { b, x, err: inflate(err + lost, N + 4) }.checked()
    }
}

/// A product but for its coefficients and its error: the centre, the radius of the bilinear rest, and what was lost.
pub(crate) struct ProductParts<T> {
    pub(crate) b: T,
    pub(crate) radius: T,
    pub(crate) lost: T,
}

/// The parts of the product of two forms (b, coefficients, err); its coefficients go to `coefficients`.
#[inline]
pub(crate) fn product_parts<T: Real>(
    (x_b, x, x_err): (T, &[T], T),
    (y_b, y, y_err): (T, &[T], T),
    coefficients: &mut [T],
) -> ProductParts<T> {
    // [1] The linear part.
    let mut lost = T::ZERO;
    for ((coefficient, x), y) in coefficients.iter_mut().zip(x).zip(y) {
        let p = product(x_b, *y, &mut lost);
        let q = product(y_b, *x, &mut lost);
        *coefficient = sum(p, q, &mut lost);
    }
    // [2] The bilinear rest, and the centre.
    let (shift, radius) = bilinear_rest((x, x_err), (y, y_err));
    let centre = product(x_b, y_b, &mut lost);
    let b = sum(centre, shift, &mut lost);
    ProductParts { b, radius, lost }
}

/// Centre and radius of (x - b)(y - b_y).
///
/// With p > 0 the rest is ((p x' + y')^2 - (p x' - y')^2)/(4 p), so it lies in [-M^2, P^2]/(4 p), where P and M bound the sums and
/// differences. p = R_y/R makes that no wider than R R_y.
fn bilinear_rest<T: Real>((x, err): (&[T], T), (y, y_err): (&[T], T)) -> (T, T) {
    // [1] The plain bound, and p.
    let (x_reach, y_reach) = (reach(x, err), reach(y, y_err));
    if x_reach == T::ZERO || y_reach == T::ZERO {
        return (T::ZERO, T::ZERO);
    }
    let plain = inflate(x_reach * y_reach, 1).larger(T::TINY);
    let p = y_reach.div_rn(x_reach);
    let far = T::from_f64(1_048_576.0);
    if !(p <= far && p * far >= T::ONE && plain.is_bounded()) {
        return (T::ZERO, plain);
    }
    // [2] P and M; cancellation costs u of the parts, not of the sums.
    let errors = p * err + y_err;
    let slack = T::ROUNDOFF * (T::from_i32(4) * (p * x_reach + y_reach));
    let terms = x.len();
    let (mut plus, mut minus) = (errors + slack, errors + slack);
    for (x, y) in x.iter().zip(y) {
        let scaled = p * *x;
        plus = plus + (scaled + *y).abs();
        minus = minus + (scaled - *y).abs();
    }
    // [3] The interval of the rest, from upper bounds of its two parts.
    let quarter = p * T::from_i32(4);
    let above = inflate((plus * plus).flush().div_rn(quarter), 2 * terms + 8);
    let below = inflate((minus * minus).flush().div_rn(quarter), 2 * terms + 8);
    let shift = (above - below) * T::HALF;
    let radius = inflate((above - shift).larger(below + shift), 1);
    // Above EXACT_PRODUCT nothing that underflowed matters beside the inflation.
    let usable = radius < plain && radius >= T::EXACT_PRODUCT && (shift == T::ZERO || shift.abs() >= T::TINY);
    if usable { (shift, radius) } else { (T::ZERO, plain) }
}
