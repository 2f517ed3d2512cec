//! Derivatives, and the points at which they take a given value.

use crate::elementary::{LN_2, LN_10, PI, TWO_OVER_SQRT_PI, TWO_PI, constant};
use crate::function::Unary;
use crate::interval::Interval;
use crate::real::Real;

/// Enclosures of all points of the range at which f' = alpha, except kinks. Empty ones do not exist.
///
/// Each inverts the formula of [`derivative`] in interval arithmetic; roots of intervals drop what is negative.
pub(super) fn critical_points<T: Real>(
    function: Unary,
    alpha: Interval<T>,
    range: Interval<T>,
) -> [Option<Interval<T>>; 4] {
    let one = whole(1);
    let inverse = |x: Interval<T>| one / x;
    match function {
        Unary::Exp | Unary::Expm1 => single(alpha.apply(Unary::Log)),
        Unary::Exp2 => single((alpha / constant(LN_2)).apply(Unary::Log2)),
        Unary::Exp10 => single((alpha / constant(LN_10)).apply(Unary::Log10)),
        Unary::Log => single(inverse(alpha)),
        Unary::Log2 => single(inverse(alpha * constant(LN_2))),
        Unary::Log10 => single(inverse(alpha * constant(LN_10))),
        Unary::Log1p => single(inverse(alpha) - one),
        Unary::Sqrt => single(inverse(alpha + alpha).apply(Unary::Sqr)),
        Unary::Rsqrt => single(inverse((-(alpha + alpha)).apply(Unary::Cbrt).apply(Unary::Sqr))),
        Unary::Cbrt => both_signs(inverse((alpha * whole(3)).square_root()).apply(Unary::Powi(3))),
        Unary::Rcbrt => both_signs(inverse((-alpha * whole(3)).square_root().square_root().apply(Unary::Powi(3)))),
        Unary::Tan => branches((alpha - one).square_root().apply(Unary::Atan), whole(0), constant(PI), range),
        Unary::Cot => {
            let quarter = constant::<T>(PI) * Interval { lo: T::HALF, hi: T::HALF };
            branches((-alpha - one).square_root().apply(Unary::Atan), quarter, constant(PI), range)
        }
        Unary::Sin => branches(alpha.apply(Unary::Acos), whole(0), constant(TWO_PI), range),
        Unary::Cos => {
            let quarter = constant::<T>(PI) * Interval { lo: T::HALF, hi: T::HALF };
            branches((-alpha).apply(Unary::Acos), quarter, constant(TWO_PI), range)
        }
        Unary::SinPi => branches((alpha / constant(PI)).apply(Unary::Acos) / constant(PI), whole(0), whole(2), range),
        Unary::CosPi => {
            let angle = (-alpha / constant(PI)).apply(Unary::Acos) / constant(PI);
            branches(angle, Interval { lo: T::HALF, hi: T::HALF }, whole(2), range)
        }
        Unary::Asin => both_signs((one - inverse(alpha.apply(Unary::Sqr))).square_root()),
        Unary::Acos => both_signs((one - inverse(alpha.apply(Unary::Sqr))).square_root()),
        Unary::Atan => both_signs((inverse(alpha) - one).square_root()),
        Unary::Sinh => both_signs(alpha.apply(Unary::Acosh)),
        Unary::Cosh => single(alpha.apply(Unary::Asinh)),
        Unary::Tanh => both_signs((one - alpha).square_root().apply(Unary::Atanh)),
        Unary::Asinh => both_signs((inverse(alpha.apply(Unary::Sqr)) - one).square_root()),
        Unary::Acosh => single((inverse(alpha.apply(Unary::Sqr)) + one).square_root()),
        Unary::Atanh => both_signs((one - inverse(alpha)).square_root()),
        Unary::Erf => both_signs(bell_point(alpha / constant(TWO_OVER_SQRT_PI))),
        Unary::Erfc => both_signs(bell_point(-alpha / constant(TWO_OVER_SQRT_PI))),
        Unary::NormCdf => both_signs(bell_point(alpha * root_two_pi()) * whole(2).square_root()),
        Unary::Tgamma | Unary::Lgamma => single(range.gamma_crossing(function, alpha)),
        Unary::Powi(n) => power_points(alpha, f64::from(n), n % 2 == 0),
        Unary::Powf(y) => single(power_points(alpha, f64::from_bits(y), false)[0].unwrap_or(Interval::EMPTY)),
        _ => [None; 4],
    }
}

/// f' over an interval.
pub(super) fn derivative<T: Real>(function: Unary, x: Interval<T>) -> Interval<T> {
    let one = whole(1);
    let square = |f: Unary| x.apply(f).apply(Unary::Sqr);
    match function {
        Unary::Exp | Unary::Expm1 => x.apply(Unary::Exp),
        Unary::Exp2 => x.apply(function) * constant(LN_2),
        Unary::Exp10 => x.apply(function) * constant(LN_10),
        Unary::Log => one / x,
        Unary::Log2 => one / (x * constant(LN_2)),
        Unary::Log10 => one / (x * constant(LN_10)),
        Unary::Log1p => one / (x + one),
        Unary::Sqrt => one / (x.square_root() * whole(2)),
        Unary::Rsqrt => -(one / (x * x.square_root() * whole(2))),
        Unary::Cbrt => one / (square(Unary::Cbrt) * whole(3)),
        Unary::Rcbrt => -(x.apply(Unary::Rcbrt) / (x * whole(3))),
        Unary::Sin => x.apply(Unary::Cos),
        Unary::Cos => -x.apply(Unary::Sin),
        Unary::SinPi => x.apply(Unary::CosPi) * constant(PI),
        Unary::CosPi => -(x.apply(Unary::SinPi) * constant(PI)),
        Unary::Tan => square(Unary::Tan) + one,
        Unary::Cot => -(square(Unary::Cot) + one),
        Unary::Asin => one / ((one - x) * (one + x)).square_root(),
        Unary::Acos => -(one / ((one - x) * (one + x)).square_root()),
        Unary::Atan => one / (one + x.apply(Unary::Sqr)),
        Unary::Sinh => x.apply(Unary::Cosh),
        Unary::Cosh => x.apply(Unary::Sinh),
        Unary::Tanh => one - square(Unary::Tanh),
        Unary::Asinh => one / (one + x.apply(Unary::Sqr)).square_root(),
        Unary::Acosh => one / ((x - one) * (x + one)).square_root(),
        Unary::Atanh => one / ((one - x) * (one + x)),
        Unary::Erf => bell(x) * constant(TWO_OVER_SQRT_PI),
        Unary::Erfc => -(bell(x) * constant(TWO_OVER_SQRT_PI)),
        Unary::NormCdf => bell(x / whole(2).square_root()) / root_two_pi(),
        Unary::Tgamma | Unary::Lgamma => x.gamma_slope(function),
        Unary::Powi(n) => x.apply(Unary::Powi(n.saturating_sub(1))) * whole(n),
        Unary::Powf(y) => {
            let y = f64::from_bits(y);
            // y - 1 may round: then its two neighbours enclose it.
            let power = |exponent: f64| x.apply(Unary::powf(exponent));
            let (less, error) = y.two_sum(-1.0);
            let powers = if error == 0.0 { power(less) } else { power(less.next_down()).join(power(less.next_up())) };
            powers * Interval::from_f64(y)
        }
        _ => Interval::ENTIRE,
    }
}

/// e^(-x^2).
fn bell<T: Real>(x: Interval<T>) -> Interval<T> {
    (-x.apply(Unary::Sqr)).apply(Unary::Exp)
}

/// x >= 0 with e^(-x^2) = y.
fn bell_point<T: Real>(y: Interval<T>) -> Interval<T> {
    (-y.apply(Unary::Log)).square_root()
}

fn root_two_pi<T: Real>() -> Interval<T> {
    constant::<T>(TWO_PI).square_root()
}

fn whole<T: Real>(k: i32) -> Interval<T> {
    Interval::from_f64(f64::from(k))
}

fn single<T>(point: Interval<T>) -> [Option<Interval<T>>; 4] {
    [Some(point), None, None, None]
}

fn both_signs<T: Real>(point: Interval<T>) -> [Option<Interval<T>>; 4] {
    [Some(point), Some(-point), None, None]
}

/// n u^(n-1) = alpha: u = (alpha/n)^(1/(n-1)), with both signs where n - 1 is even, the sign of alpha/n where it is odd.
fn power_points<T: Real>(alpha: Interval<T>, n: f64, odd_root: bool) -> [Option<Interval<T>>; 4] {
    let ratio = alpha / Interval::from_f64(n);
    let root = (ratio.magnitudes().apply(Unary::Log) / (Interval::from_f64(n) - whole(1))).apply(Unary::Exp);
    if odd_root {
        return [Some(if ratio.lo > T::ZERO { root } else { -root }), None, None, None];
    }
    if ratio.hi <= T::ZERO { [None; 4] } else { both_signs(root) }
}

/// All points centre -+ angle + k period in the range. f(u) - alpha (u - b) changes by the same amount from one k to the next, so its extremes
/// are at the first and the last of each kind.
fn branches<T: Real>(
    angle: Interval<T>,
    centre: Interval<T>,
    period: Interval<T>,
    range: Interval<T>,
) -> [Option<Interval<T>>; 4] {
    if angle.is_empty() {
        return [None; 4];
    }
    let mut points = [None; 4];
    for (i, side) in [angle, -angle].into_iter().enumerate() {
        let base = centre + side;
        let turns = (range - base) / period;
        let (first, last) = (turns.lo.floor(), -(-turns.hi).floor());
        // One more on either side is tried: the enclosures decide which lie inside.
        let inside = |k: T| !(base + period * Interval { lo: k, hi: k }).intersect(range).is_empty();
        let first = if inside(first) { first } else { first + T::ONE };
        let last = if inside(last) { last } else { last - T::ONE };
        for (slot, k) in [first, last].into_iter().enumerate() {
            points[2 * i + slot] = Some(base + period * Interval { lo: k, hi: k });
        }
    }
    points
}
