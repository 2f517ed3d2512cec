//! Functions of two intervals: bounds are among the values at the corners. Twin of wgsl/interval_binary.wgsl.

use super::Interval;
use crate::elementary::{PI, constant, enclose_atan2, enclose_power};
use crate::real::Real;

impl<T: Real> Interval<T> {
    /// Angle of the points (x, self), in [-pi, pi]; the point (0, 0) has none.
    pub(super) fn atan2(self, x: Self) -> Self {
        // [1] Both sides of the cut.
        if self.lo < T::ZERO && self.hi >= T::ZERO && x.lo < T::ZERO && !x.is_empty() {
            let half_turn = constant::<T>(PI).hi;
            return Self { lo: -half_turn, hi: half_turn };
        }
        // [2] In the upper, lower or right half plane the angle is monotone in either coordinate.
        self.corners(x, enclose_atan2)
    }

    /// self^y over the part x >= 0.
    pub(super) fn power(self, y: Self) -> Self {
        let base = self.intersect(Self { lo: T::ZERO, hi: T::HUGE });
        // [1] 0 alone: y ln x has no corner there.
        if base.lo == base.hi && base.hi == T::ZERO {
            return if y.hi > T::ZERO && !y.is_empty() { base } else { Self::EMPTY };
        }
        // [2] y ln x is monotone in either.
        base.corners(y, enclose_power)
    }

    /// The smallest interval with the values at the corners; empty where an operand is.
    fn corners(self, y: Self, value: impl Fn(T, T) -> Self) -> Self {
        let mut range = Self::EMPTY;
        if self.is_empty() || y.is_empty() {
            return range;
        }
        let ends = |x: Self| [x.lo, x.hi].into_iter().take(if x.lo == x.hi { 1 } else { 2 });
        for x in ends(self) {
            for y in ends(y) {
                range = range.join(value(x, y));
            }
        }
        range
    }
}
