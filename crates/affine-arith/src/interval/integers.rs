//! Integer-valued and periodic remainders: exact on floats, and constant or a range on intervals.

use super::Interval;
use crate::real::Real;

/// Nearest integer, ties away from 0.
fn round_away<T: Real>(x: T) -> T {
    let magnitude = x.abs();
    let below = magnitude.floor();
    let rounded = if magnitude - below >= T::HALF { below + T::ONE } else { below };
    if x < T::ZERO { -rounded } else { rounded }
}

/// Integer part towards 0.
fn truncate<T: Real>(x: T) -> T {
    if x < T::ZERO { -(-x).floor() } else { x.floor() }
}

impl<T: Real> Interval<T> {
    /// A monotone step function; unbounded sides stay so.
    fn steps(self, step: impl Fn(T) -> T) -> Self {
        if self.is_empty() {
            return self;
        }
        let at = |x: T| if x.is_bounded() { step(x) + T::ZERO } else { x };
        Self { lo: at(self.lo), hi: at(self.hi) }
    }

    pub(crate) fn floor(self) -> Self {
        self.steps(T::floor)
    }

    pub(crate) fn ceil(self) -> Self {
        self.steps(|x| -(-x).floor())
    }

    pub(crate) fn trunc(self) -> Self {
        self.steps(truncate)
    }

    pub(crate) fn round(self) -> Self {
        self.steps(round_away)
    }

    pub(crate) fn rint(self) -> Self {
        self.steps(T::round_even)
    }

    /// The number when there is exactly one.
    pub(crate) fn single(self) -> Option<T> {
        (self.lo == self.hi && self.is_bounded()).then_some(self.lo)
    }

    /// x - floor(x): exact when no integer is passed, else [0, 1].
    pub(crate) fn fract(self) -> Self {
        if self.is_empty() {
            return self;
        }
        match self.floor().single() {
            Some(n) => self - Self { lo: n, hi: n },
            None => Self { lo: T::ZERO, hi: T::ONE },
        }
    }

    /// x - trunc(x): exact when no integer but 0 is passed, else between -1, 0 and 1 by sign.
    pub(crate) fn modf(self) -> Self {
        if self.is_empty() {
            return self;
        }
        match self.trunc().single() {
            Some(n) => self - Self { lo: n, hi: n },
            None => self.unit_by_sign(),
        }
    }

    /// [-1 or 0, 0 or 1] by the sign of x.
    fn unit_by_sign(self) -> Self {
        let lo = if self.lo < T::ZERO { -T::ONE } else { T::ZERO };
        let hi = if self.hi > T::ZERO { T::ONE } else { T::ZERO };
        Self { lo, hi }
    }

    /// x - y trunc(x/y); the sign of x, smaller than |y|.
    pub(crate) fn fmod(self, y: Self) -> Self {
        let quotient = (self / y).trunc();
        let size = y.magnitudes().hi;
        let lo = if self.lo < T::ZERO { -size } else { T::ZERO };
        let hi = if self.hi > T::ZERO { size } else { T::ZERO };
        self.remainder_with(y, quotient, Self { lo, hi })
    }

    /// x - y rint(x/y); at most |y|/2.
    pub(crate) fn remainder(self, y: Self) -> Self {
        let quotient = (self / y).rint();
        let half = Self { lo: T::HALF, hi: T::HALF } * y.magnitudes();
        self.remainder_with(y, quotient, Self { lo: -half.hi, hi: half.hi })
    }

    /// x - y n when the quotient is one integer, within `range`; where |y| may be 0 it is undefined there alone.
    fn remainder_with(self, y: Self, quotient: Self, range: Self) -> Self {
        if self.is_empty() || y.is_empty() || y.magnitudes().hi == T::ZERO {
            return Self::EMPTY;
        }
        match quotient.single() {
            Some(n) => (self - y * Self { lo: n, hi: n }).intersect(range),
            None => range,
        }
    }
}
