//! The gamma function and its logarithm on intervals. Between two poles ln |gamma| is convex and gamma is convex or concave, with its sign:
//! gamma'' = gamma (psi^2 + psi'), psi' > 0.

use super::Interval;
use super::functions::at_end;
use crate::elementary::{digamma, is_pole, positive_minimum};
use crate::function::Unary;
use crate::real::Real;

impl<T: Real> Interval<T> {
    /// The range of `tgamma` or `lgamma`; entire with a pole inside or at an end, but 0 as the lower end leaves the positive numbers.
    pub(super) fn gamma(self, function: Unary) -> Self {
        let right = self.lo >= T::ZERO && self.hi > T::ZERO;
        if !right && !self.without_pole() {
            return Self::ENTIRE;
        }
        let ends = at_end(function, self.lo).join(at_end(function, self.hi));
        if self.lo == self.hi {
            return ends;
        }
        // [1] The minimum over the positive numbers.
        if right {
            let [turn, least] = positive_minimum(function == Unary::Lgamma);
            let inside = self.lo < turn.hi && self.hi > turn.lo;
            return if inside { ends.join(least) } else { ends };
        }
        // [2] Between two poles: the point where the slope vanishes, and the mean value theorem round it.
        let slopes = [self.lo, self.hi].map(|x| slope(function, x));
        let same = slopes[0].lo > T::ZERO && slopes[1].lo > T::ZERO || slopes[0].hi < T::ZERO && slopes[1].hi < T::ZERO;
        if same {
            return ends;
        }
        let turn = self.gamma_crossing(function, Self { lo: T::ZERO, hi: T::ZERO });
        let middle = turn.mid();
        let spread = turn - Self { lo: middle, hi: middle };
        ends.join(at_end(function, middle) + turn.gamma_slope(function) * spread)
    }

    /// Whether all numbers are negative and none is a pole.
    pub(crate) fn without_pole(self) -> bool {
        self.hi < T::ZERO && self.lo.floor() == self.hi.floor() && !is_pole(self.lo)
    }

    /// An enclosure of every point at which the slope is `alpha`: halved where the slope is known to lie on one side. No pole in the interval.
    pub(crate) fn gamma_crossing(self, function: Unary, alpha: Self) -> Self {
        let falling = function == Unary::Tgamma && self.hi < T::ZERO && is_odd(self.hi.floor());
        let mut found = self;
        for _ in 0..T::DIGITS {
            let middle = found.mid();
            let above = slope(function, middle) - alpha;
            let (less, more) = (above.hi < T::ZERO, above.lo > T::ZERO);
            let (below, beyond) = if falling { (more, less) } else { (less, more) };
            if below {
                found.lo = middle;
            }
            if beyond {
                found.hi = middle;
            }
        }
        found
    }

    /// The derivative over the interval, which has no pole: it is monotone.
    pub(crate) fn gamma_slope(self, function: Unary) -> Self {
        slope(function, self.lo).join(slope(function, self.hi))
    }
}

/// The derivative at x.
fn slope<T: Real>(function: Unary, x: T) -> Interval<T> {
    let psi = digamma(x);
    if function == Unary::Lgamma { psi } else { psi * at_end(function, x) }
}

/// Whether an integer is odd.
fn is_odd<T: Real>(k: T) -> bool {
    let half = k * T::HALF;
    half.floor() != half
}
