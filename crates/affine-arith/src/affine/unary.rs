//! Functions of one form: a line, and a proven interval for what is left over.
//!
//! y = alpha (x - b) + g with g in the interval of f(x) - alpha (x - b) over *all* values of x, error term included. So the result's
//! coefficients are alpha x_i, its error |alpha| err plus the radius of g, and what holds for ranges holds jointly. The extremes of g lie at the
//! ends of the range, at kinks, and where f' = alpha; the last are enclosed in closed form (`critical`).

use super::critical::{critical_points, derivative};
use super::{Affine, inflate, product, sum};
use crate::directed::{add_down, add_up, mul_down, mul_up};
use crate::elementary::constants;
use crate::function::Unary;
use crate::interval::{Interval, Sign};
use crate::real::Real;

impl<T: Real, const N: usize> Affine<T, N> {
    /// A function of the form. Where it is not defined on the whole range the result is entire, but `sqrt` and `powf` count
    /// negative numbers as 0.
    pub fn apply(&self, function: Unary) -> Self {
        self.apply_within(function, self.interval())
    }

    /// The same for a form whose values are known to lie in `range`, too.
    pub(crate) fn apply_within(&self, function: Unary, range: Interval<T>) -> Self {
        match function {
            Unary::Neg => -*self,
            Unary::Sqr | Unary::Powi(2) if !self.is_entire() => self.squared(),
            Unary::Powi(0) => Self::from_interval(Interval { lo: T::ONE, hi: T::ONE }),
            Unary::Powi(1) => *self,
            Unary::Powi(-1) => self.nonlinear(Unary::Reciprocal, range),
            Unary::Sqr => self.nonlinear(Unary::Powi(2), range),
            Unary::Abs if range.sign() == Sign::Positive => *self,
            Unary::Abs if range.sign() == Sign::Negative => -*self,
            Unary::PositivePart if range.sign() == Sign::Positive => *self,
            Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round | Unary::Rint => {
                Self::from_interval(range.apply(function))
            }
            Unary::Fract | Unary::Modf => self.fraction(function, range),
            Unary::Powf(y)
                if f64::from_bits(y).fract() == 0.0 && f64::from_bits(y).abs() < 1e9 && range.lo >= T::ZERO =>
            {
                self.apply_within(Unary::Powi(f64::from_bits(y) as i32), range)
            }
            _ => self.nonlinear(function, range),
        }
    }

    /// A function by its line over the range.
    pub(crate) fn nonlinear(&self, function: Unary, range: Interval<T>) -> Self {
        // [1] The range of the result; without one there is no form.
        if !defined(function, range) {
            return Self::ENTIRE;
        }
        let value = range.apply(function);
        let constant = Self::from_interval(value);
        if constant.is_entire() || self.is_entire() {
            return constant;
        }
        let Some(line) = line(function, range, value, self.b) else { return constant };
        // [2] The form.
        let mut lost = T::ZERO;
        let b = sum(line.origin, line.shift, &mut lost);
        let x = self.x.map(|coefficient| product(line.alpha, coefficient, &mut lost));
        let err = line.radius + product(line.alpha.abs(), self.err, &mut lost);
        let form = Self { b, x, err: inflate(err + lost, N + 4) }.checked();
        // [3] A form whose error alone is as wide as the range knows nothing more.
        if form.is_entire() || form.err >= constant.err { constant } else { form }
    }
}

/// f(x) = alpha (x - b) + origin + shift -+ radius.
struct Line<T> {
    alpha: T,
    origin: T,
    shift: T,
    radius: T,
}

/// A line for f over the range, `value` being the range of f; None where a constant does as well.
fn line<T: Real>(function: Unary, range: Interval<T>, value: Interval<T>, b: T) -> Option<Line<T>> {
    if !range.is_bounded() || range.lo == range.hi {
        return None;
    }
    if function == Unary::Reciprocal {
        return reciprocal_line(range, value, b);
    }
    let ends = [at(function, range.lo), at(function, range.hi)];
    let alpha = slope(function, range, ends);
    let mid = value.mid();
    let origin = if mid.abs() < T::TINY { T::ZERO } else { mid };
    let (shift, radius) = super::centre(residual(function, range, ends, alpha, [b, origin])?)?;
    Some(Line { alpha, origin, shift, radius })
}

/// Whether the function is defined on the range, after clipping for roots and powers.
pub(crate) fn defined<T: Real>(function: Unary, range: Interval<T>) -> bool {
    if range.is_empty() {
        return false;
    }
    match function {
        Unary::Sqrt => range.hi >= T::ZERO,
        Unary::Powf(y) if f64::from_bits(y) > 0.0 => range.hi >= T::ZERO,
        Unary::Powf(_) | Unary::Rsqrt | Unary::Log | Unary::Log2 | Unary::Log10 => range.lo > T::ZERO,
        Unary::Log1p => range.lo > -T::ONE,
        Unary::Asin | Unary::Acos => range.lo >= -T::ONE && range.hi <= T::ONE,
        Unary::Acosh => range.lo >= T::ONE,
        Unary::Tgamma | Unary::Lgamma => range.lo > T::ZERO || range.without_pole(),
        Unary::Atanh => range.lo > -T::ONE && range.hi < T::ONE,
        _ => true,
    }
}

/// Where f is clipped or has a kink inside the range.
fn kink<T: Real>(function: Unary, range: Interval<T>) -> Option<T> {
    let inside = range.lo < T::ZERO && range.hi > T::ZERO;
    match function {
        Unary::Abs | Unary::PositivePart | Unary::Sqrt | Unary::Powf(_) if inside => Some(T::ZERO),
        _ => None,
    }
}

/// f at one number of the range; 0 below 0 for roots and powers.
fn at<T: Real>(function: Unary, x: T) -> Interval<T> {
    let clipped = matches!(function, Unary::Sqrt | Unary::Powf(_)) && x < T::ZERO;
    let x = if clipped { T::ZERO } else { x };
    Interval { lo: x, hi: x }.apply(function)
}

/// The line of 1/x: the tangent at its flat end c, so that no sign is lost. `value` is 1/range, bounded, so the range has one sign.
///
/// With s = 1/c^2, rounded twice, h(x) = 1/|x| + s |x| is convex and its slope at c is below 2.1 u s: over the range it is at least h(c) and at most
/// h(a), but for 2.1 u s (|c| - |a|). Three divisions, where the general way takes two dozen.
fn reciprocal_line<T: Real>(range: Interval<T>, value: Interval<T>, b: T) -> Option<Line<T>> {
    // [1] Magnitudes: a the near end, c the far one; low and high enclose 1/c and 1/a.
    let negative = range.hi < T::ZERO;
    let (a, c) = (range.mignitude(), range.magnitude());
    let (low, high, m) = if negative { (-value.hi, -value.lo, -b) } else { (value.lo, value.hi, b) };
    let steep = T::ONE.div_rn((c * c).flush());
    if !(steep.is_bounded() && steep >= T::TINY) {
        return None;
    }
    // [2] What is left of 1/|x| beside the line through the origin of the range of 1/x: bounds at both ends, and the slack.
    let mid = Interval { lo: low, hi: high }.mid();
    let origin = if mid.abs() < T::TINY { T::ZERO } else { mid };
    let slack = mul_up(mul_up(steep, add_up(c, -a)), T::from_i32(4) * T::ROUNDOFF);
    let most = add_up(add_up(add_up(high, -origin), mul_up(steep, add_up(a, -m))), slack);
    let least = add_down(add_down(add_down(low, -origin), mul_down(steep, add_down(c, -m))), -slack);
    let (shift, radius) = super::centre(Interval { lo: least, hi: most })?;
    // [3] By sign.
    let (origin, shift) = if negative { (-origin, -shift) } else { (origin, shift) };
    Some(Line { alpha: -steep, origin, shift, radius })
}

/// The slope alpha; any number is sound. The secant halves the error.
fn slope<T: Real>(function: Unary, range: Interval<T>, ends: [Interval<T>; 2]) -> T {
    if matches!(function, Unary::Sin | Unary::Cos) && (range.width() > T::from_i32(12) || range.magnitude() > far()) {
        return T::ZERO;
    }
    if matches!(function, Unary::SinPi | Unary::CosPi) && (range.width() > T::from_i32(4) || range.magnitude() > far())
    {
        return T::ZERO;
    }
    let alpha = (ends[1].mid() - ends[0].mid()).div_rn(range.hi - range.lo);
    let alpha = if alpha.abs() >= T::TINY && alpha.is_bounded() { alpha } else { T::ZERO };
    match inflection(function, range) {
        Some((at, steepness)) => bent(alpha, range, at, steepness),
        None => alpha,
    }
}

/// The inflection near the range of a function that gets steeper on both sides of it, and its slope there.
fn inflection<T: Real>(function: Unary, range: Interval<T>) -> Option<(T, T)> {
    let pi = T::double_word(constants::PI).high;
    let turns = || range.mid() * T::from_f64(std::f64::consts::FRAC_1_PI);
    match function {
        Unary::Tan => Some(((turns() + T::HALF).floor() * pi, T::ONE)),
        Unary::Cot => Some(((turns().floor() + T::HALF) * pi, T::MINUS_ONE)),
        Unary::Sinh | Unary::Asin | Unary::Atanh => Some((T::ZERO, T::ONE)),
        Unary::Acos => Some((T::ZERO, T::MINUS_ONE)),
        Unary::Powi(n) if n >= 3 && n % 2 == 1 => Some((T::ZERO, T::ZERO)),
        _ => None,
    }
}

/// A slope between that of the secant and that at an inflection inside the range. For x^3 over [-a, b] the best one is 3/4 b^2 where b/2 < a <= b,
/// while the secant's is a^2 - a b + b^2: both the error and the range of the form become smaller. Any number is sound.
fn bent<T: Real>(alpha: T, range: Interval<T>, at: T, steepness: T) -> T {
    let (left, right) = (at - range.lo, range.hi - at);
    let (near, far) = (left.smaller(right), left.larger(right));
    let t = near.div_rn(far);
    let weight = T::ONE - (T::ONE - T::HALF * T::HALF).div_rn((T::ONE - t) + t * t);
    let less = (weight * (alpha - steepness)).snap(T::TINY);
    let inside = near > T::ZERO && t > T::HALF && alpha != T::ZERO;
    let slope = if inside { alpha - less } else { alpha };
    if slope.abs() >= T::TINY && slope.is_bounded() { slope } else { T::ZERO }
}

/// Beyond it, critical points of sine and cosine are not looked for.
fn far<T: Real>() -> T {
    T::from_f64(65536.0)
}

/// An interval of f(x) - origin - alpha (x - b) over the range. Near the origin f(x) - origin rounds nothing.
fn residual<T: Real>(
    function: Unary,
    range: Interval<T>,
    ends: [Interval<T>; 2],
    alpha: T,
    [b, origin]: [T; 2],
) -> Option<Interval<T>> {
    let line = Interval { lo: alpha, hi: alpha };
    let offset = |x: Interval<T>| line * Interval { lo: add_down(x.lo, -b), hi: add_up(x.hi, -b) };
    let from = Interval { lo: origin, hi: origin };
    let beside = |x: T, f: Interval<T>| (f - from) - offset(Interval { lo: x, hi: x });
    let value = |x: T| beside(x, at(function, x));
    // [1] Ends and kinks.
    let mut rest = beside(range.lo, ends[0]).join(beside(range.hi, ends[1]));
    if let Some(x) = kink(function, range) {
        rest = rest.join(value(x));
    }
    // [2] A constant line: the range of f itself.
    if alpha == T::ZERO {
        return Some(range.apply(function) - from);
    }
    // [3] Points where f' = alpha: f(u) - alpha (u - b) there, by the mean value theorem from the middle of their enclosure.
    for point in critical_points(function, line, range).into_iter().flatten() {
        let clipped = point.intersect(range);
        if clipped.is_empty() {
            continue;
        }
        let mid = clipped.mid();
        let spread = clipped - Interval { lo: mid, hi: mid };
        let slack = if spread.lo == T::ZERO && spread.hi == T::ZERO {
            spread
        } else {
            (derivative(function, clipped) - line) * spread
        };
        rest = rest.join(value(mid) + slack);
    }
    rest.is_bounded().then_some(rest)
}
