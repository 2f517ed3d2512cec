//! Intervals of real numbers with float bounds, rounded outward.

mod arithmetic;
mod binary;
mod functions;
mod gamma;
mod integers;
mod periodic;

use crate::directed::{lower, upper};
use crate::error::Error;
use crate::real::Real;

/// Sign of all numbers of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// All are below 0.
    Negative,
    /// 0 may be among them.
    Unknown,
    /// All are above 0.
    Positive,
}

/// The real numbers between two bounds; empty, or unbounded on either side, too.
///
/// Bounds are 0 or of magnitude [`Real::TINY`] to [`Real::LIMIT`]; beyond, a side counts as unbounded. Every operation returns an
/// interval that contains the exact result for all numbers of its operands at which it is defined; the result is empty when there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<T> {
    pub(crate) lo: T,
    pub(crate) hi: T,
}

impl<T: Real> Interval<T> {
    /// No number.
    pub const EMPTY: Self = Self { lo: T::HUGE, hi: T::UNBOUNDED_BELOW };
    /// Any number.
    pub const ENTIRE: Self = Self { lo: T::UNBOUNDED_BELOW, hi: T::HUGE };

    /// The numbers from `lo` to `hi`, which may be infinite.
    ///
    /// Errors: NaN; `lo > hi`; `lo` = +infinity or `hi` = -infinity.
    pub fn new(lo: T, hi: T) -> Result<Self, Error> {
        let values = (lo.to_f64(), hi.to_f64());
        if lo.is_nan_bits() || hi.is_nan_bits() {
            return Err(Error::NotANumber { lower: values.0, upper: values.1 });
        }
        if lo > hi || values.0 == f64::INFINITY || values.1 == f64::NEG_INFINITY {
            return Err(Error::ReversedInterval { lower: values.0, upper: values.1 });
        }
        Ok(Self::outward(lo, hi))
    }

    /// A single number, or the tightest interval round it when it is not 0 and smaller than [`Real::TINY`], or larger than [`Real::LIMIT`].
    /// NaN gives the entire interval.
    pub fn point(x: T) -> Self {
        if x.is_nan_bits() {
            return Self::ENTIRE;
        }
        Self::outward(x, x)
    }

    /// The tightest interval that contains an f64. NaN gives the entire interval.
    pub fn from_f64(x: f64) -> Self {
        if x.is_nan() {
            return Self::ENTIRE;
        }
        if x.abs() > T::LIMIT.to_f64() {
            return if x > 0.0 { Self { lo: T::LIMIT, hi: T::HUGE } } else { Self { lo: -T::HUGE, hi: -T::LIMIT } };
        }
        let near = T::from_f64(x);
        let lo = if near.to_f64() > x { near.next_down() } else { near };
        let hi = if near.to_f64() < x { near.next_up() } else { near };
        Self::outward(lo, hi)
    }

    /// Moves bounds outward to permitted ones; lo <= hi.
    pub(crate) fn outward(lo: T, hi: T) -> Self {
        Self { lo: lower(lo), hi: upper(hi) }
    }

    /// The lower bound, -infinity when there is none. +infinity for the empty interval.
    pub fn lower(self) -> T {
        if self.lo.is_bounded() { self.lo } else { T::from_f64(f64::INFINITY.copysign(self.lo.to_f64())) }
    }

    /// The upper bound, infinity when there is none. -infinity for the empty interval.
    pub fn upper(self) -> T {
        if self.hi.is_bounded() { self.hi } else { T::from_f64(f64::INFINITY.copysign(self.hi.to_f64())) }
    }

    /// Whether there is no number in it.
    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// Whether both bounds are finite; false for the empty interval.
    pub fn is_bounded(self) -> bool {
        self.lo.is_bounded() && self.hi.is_bounded()
    }

    /// Whether it may be any number.
    pub fn is_entire(self) -> bool {
        self == Self::ENTIRE
    }

    /// Whether the number `x` is in it; infinities are no numbers.
    pub fn contains(self, x: T) -> bool {
        self.lo <= x && x <= self.hi || !self.is_empty() && x.to_f64().is_finite() && self.beyond(x)
    }

    fn beyond(self, x: T) -> bool {
        x > T::LIMIT && !self.hi.is_bounded() || x < -T::LIMIT && !self.lo.is_bounded()
    }

    /// Whether every number of it is in `other`.
    pub fn is_subset(self, other: Self) -> bool {
        self.is_empty() || other.lo <= self.lo && self.hi <= other.hi
    }

    /// The numbers in both.
    pub fn intersect(self, other: Self) -> Self {
        let both = Self { lo: self.lo.larger(other.lo), hi: self.hi.smaller(other.hi) };
        if both.is_empty() { Self::EMPTY } else { both }
    }

    /// The smallest interval that contains both.
    pub fn join(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self { lo: self.lo.smaller(other.lo), hi: self.hi.larger(other.hi) }
    }

    /// A number near the middle; 0 for the entire and the empty interval.
    pub fn mid(self) -> T {
        if self.is_empty() {
            return T::ZERO;
        }
        let mid = self.lo * T::HALF + self.hi * T::HALF;
        // Half of a bound is exact or, near TINY, off by less than TINY; the middle must not leave the interval for that.
        mid.larger(self.lo).smaller(self.hi)
    }

    /// hi - lo rounded up; infinity when unbounded, 0 when empty.
    pub fn width(self) -> T {
        if self.is_empty() {
            return T::ZERO;
        }
        if !self.is_bounded() {
            return T::from_f64(f64::INFINITY);
        }
        crate::directed::add_up(self.hi, -self.lo)
    }

    /// The largest magnitude; [`Real::HUGE`] when unbounded.
    pub(crate) fn magnitude(self) -> T {
        self.lo.abs().larger(self.hi.abs())
    }

    /// The smallest magnitude; 0 when 0 is in it.
    pub(crate) fn mignitude(self) -> T {
        if self.lo > T::ZERO {
            return self.lo;
        }
        if self.hi < T::ZERO { -self.hi } else { T::ZERO }
    }

    /// The sign of all its numbers.
    pub fn sign(self) -> Sign {
        if self.is_empty() {
            return Sign::Unknown;
        }
        if self.lo > T::ZERO {
            return Sign::Positive;
        }
        if self.hi < T::ZERO { Sign::Negative } else { Sign::Unknown }
    }
}
