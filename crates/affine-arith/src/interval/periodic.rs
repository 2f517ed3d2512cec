//! Sines, cosines, tangents and cotangents of intervals, by the quarter turns in which the bounds lie.

use super::Interval;
use crate::elementary::{Turn, sine_of_pi, sine_quadrant, tangent_quadrant};
use crate::real::Real;

/// The largest f32 below a period of the sine and of the tangent: the range of what is narrower is tightest.
const BELOW_2PI: f64 = 6.283185005187988;
const BELOW_PI: f64 = 3.141592502593994;

impl<T: Real> Interval<T> {
    const UNIT: Self = Self { lo: T::MINUS_ONE, hi: T::ONE };

    /// The sine `further` quarter turns on, of radians: cosine, minus sine, minus cosine for 1, 2, 3.
    pub(super) fn wave(self, further: u32) -> Self {
        self.wave_of(|x| sine_quadrant(x, further), T::from_f64(BELOW_2PI), T::from_i32(3))
    }

    /// The same of half turns: sin(pi x).
    pub(super) fn wave_pi(self, further: u32) -> Self {
        self.wave_of(|x| sine_of_pi(x, further), T::TWO, T::ONE)
    }

    /// `whole`: at most a period; `half`: more than a quarter and less than three quarters of a period.
    fn wave_of(self, turn: impl Fn(T) -> Turn<T>, whole: T, half: T) -> Self {
        if self.is_empty() {
            return self;
        }
        // [1] A period or more. The width is rounded up, so it is not less than the true one.
        let width = self.width();
        if !self.is_bounded() || width >= whole {
            return Self::UNIT;
        }
        // [2] Both ends.
        let (first, at_lo) = turn(self.lo);
        if self.lo == self.hi {
            return at_lo;
        }
        let (last, at_hi) = turn(self.hi);
        let ends = at_lo.join(at_hi);
        // [3] Boundaries that are passed: 0|1 carries a maximum, 2|3 a minimum.
        let steps = last.wrapping_sub(first) & 3;
        if steps == 0 && width > half {
            return Self::UNIT;
        }
        let passes = |quarter: u32| (quarter.wrapping_sub(first) & 3) < steps;
        let hi = if passes(0) { T::ONE } else { ends.hi };
        let lo = if passes(2) { -T::ONE } else { ends.lo };
        Self { lo, hi }
    }

    /// Tangent; entire when a pole may be inside.
    pub(super) fn tangent(self) -> Self {
        self.ratio_of_waves(|x| {
            let (quarter, tangent) = tangent_quadrant(x, false);
            (quarter >> 1 ^ quarter & 1, tangent)
        })
    }

    /// Cotangent; entire when a pole may be inside.
    pub(super) fn cotangent(self) -> Self {
        -self.ratio_of_waves(|x| {
            let (quarter, cotangent) = tangent_quadrant(x, true);
            (quarter >> 1, -cotangent)
        })
    }

    /// An increasing function of period pi: `branch` gives the parity of the branch, and the value.
    fn ratio_of_waves(self, branch: impl Fn(T) -> (u32, Self)) -> Self {
        if self.is_empty() {
            return self;
        }
        if !self.is_bounded() || self.width() >= T::from_f64(BELOW_PI) {
            return Self::ENTIRE;
        }
        let (first, at_lo) = branch(self.lo);
        if self.lo == self.hi {
            return if at_lo.is_empty() { Self::ENTIRE } else { at_lo };
        }
        let (last, at_hi) = branch(self.hi);
        // The width is below pi: on the same branch, or on neighbouring ones, or at most once round with the value falling.
        if first & 1 != last & 1 || at_lo.is_empty() || at_hi.is_empty() || at_lo.lo > at_hi.hi {
            return Self::ENTIRE;
        }
        Self { lo: at_lo.lo, hi: at_hi.hi }
    }
}
