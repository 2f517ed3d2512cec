//! Every function on intervals: bounds at the ends of the monotone pieces.

use super::Interval;
use crate::elementary::{HALF_PI, PI, constant, enclose, enclose_powf, enclose_powi};
use crate::function::{Binary, Unary};
use crate::real::Real;

impl<T: Real> Interval<T> {
    /// The range of a function over the part of the interval where it is defined; empty when it is defined nowhere.
    ///
    /// Bounds are at most one float (powers, tangents: two) outside the tightest ones. Cost: two evaluations.
    pub fn apply(self, function: Unary) -> Self {
        if self.is_empty() {
            return self;
        }
        match function {
            Unary::Neg => -self,
            Unary::Abs => self.magnitudes(),
            Unary::PositivePart => Self { lo: self.lo.larger(T::ZERO), hi: self.hi.larger(T::ZERO) },
            Unary::Sqr => self.square(),
            Unary::Reciprocal => Self { lo: T::ONE, hi: T::ONE } / self,
            Unary::Sqrt => self.square_root(),
            Unary::Sin => self.wave(0),
            Unary::Cos => self.wave(1),
            Unary::SinPi => self.wave_pi(0),
            Unary::CosPi => self.wave_pi(1),
            Unary::Tan => self.tangent(),
            Unary::Cot => self.cotangent(),
            Unary::Cosh => self.magnitudes().increasing(function),
            Unary::Floor => self.floor(),
            Unary::Ceil => self.ceil(),
            Unary::Trunc => self.trunc(),
            Unary::Round => self.round(),
            Unary::Rint => self.rint(),
            Unary::Fract => self.fract(),
            Unary::Modf => self.modf(),
            Unary::Powi(n) => self.powi(n),
            Unary::Powf(y) => self.powf(f64::from_bits(y)),
            Unary::Rcbrt => self.reciprocal_cube_root(),
            Unary::Tgamma | Unary::Lgamma => self.gamma(function),
            _ => self.monotone(function),
        }
    }

    /// A function of two intervals. Bounds are at most two floats outside the tightest ones; powers are those of the part x >= 0, with 0^y = 0 for y > 0. Cost: an evaluation a corner.
    pub fn apply2(self, function: Binary, y: Self) -> Self {
        match function {
            Binary::Add => self + y,
            Binary::Sub => self - y,
            Binary::Mul => self * y,
            Binary::Div => self / y,
            Binary::Min => self.min(y),
            Binary::Max => self.max(y),
            Binary::Atan2 => self.atan2(y),
            Binary::Fmod => self.fmod(y),
            Binary::Remainder => self.remainder(y),
            Binary::Pow => self.power(y),
        }
    }

    /// Functions that are monotone on their whole domain.
    fn monotone(self, function: Unary) -> Self {
        let (one, half_line) = (T::ONE, Self { lo: T::ZERO, hi: T::HUGE });
        match function {
            Unary::Log | Unary::Log2 | Unary::Log10 => self.clipped(half_line).increasing(function),
            Unary::Log1p => self.clipped(Self { lo: -one, hi: T::HUGE }).increasing(function),
            Unary::Acosh => self.clipped(Self { lo: one, hi: T::HUGE }).increasing(function),
            Unary::Asin | Unary::Atanh => self.clipped(Self { lo: -one, hi: one }).increasing(function),
            Unary::Acos => self.clipped(Self { lo: -one, hi: one }).decreasing(function),
            Unary::Rsqrt => self.clipped(half_line).decreasing(function),
            Unary::Erfc => self.decreasing(function),
            _ => self.increasing(function),
        }
    }

    fn clipped(self, domain: Self) -> Self {
        self.intersect(domain)
    }

    fn increasing(self, function: Unary) -> Self {
        if self.is_empty() {
            return self;
        }
        let low = at_end(function, self.lo);
        if self.lo == self.hi {
            return low;
        }
        let high = at_end(function, self.hi);
        Self { lo: low.lo, hi: high.hi }.ordered()
    }

    fn decreasing(self, function: Unary) -> Self {
        if self.is_empty() {
            return self;
        }
        let low = at_end(function, self.hi);
        if self.lo == self.hi {
            return low;
        }
        Self { lo: low.lo, hi: at_end(function, self.lo).hi }.ordered()
    }

    /// Empty values at both ends (ln at 0 alone) leave nothing.
    fn ordered(self) -> Self {
        if self.is_empty() { Self::EMPTY } else { self }
    }

    /// 1/cbrt(x): decreasing on either side of 0.
    fn reciprocal_cube_root(self) -> Self {
        let root = self.increasing(Unary::Cbrt);
        let exact = self.lo > T::ZERO || self.hi < T::ZERO;
        if exact && self.is_bounded() { self.decreasing(Unary::Rcbrt) } else { Self { lo: T::ONE, hi: T::ONE } / root }
    }

    /// x^n.
    fn powi(self, n: i32) -> Self {
        match n {
            0 => Self { lo: T::ONE, hi: T::ONE },
            1 => self,
            2 => self.square(),
            -1 => Self { lo: T::ONE, hi: T::ONE } / self,
            _ if n < 0 => self.negative_power(n),
            _ if n % 2 == 0 => self.magnitudes().increasing(Unary::Powi(n)),
            _ => self.increasing(Unary::Powi(n)),
        }
    }

    /// x^n, n < -1.
    fn negative_power(self, n: i32) -> Self {
        let base = if n % 2 == 0 { self.magnitudes() } else { self };
        if base.lo == T::ZERO && base.hi == T::ZERO {
            return Self::EMPTY;
        }
        if base.hi <= T::ZERO {
            return -(-base).negative_power(n);
        }
        if base.lo < T::ZERO {
            return Self::ENTIRE;
        }
        let hi = if base.lo == T::ZERO { T::HUGE } else { at_end(Unary::Powi(n), base.lo).hi };
        Self { lo: at_end(Unary::Powi(n), base.hi).lo, hi }
    }

    /// x^y on x >= 0 (x > 0 if y <= 0).
    fn powf(self, y: f64) -> Self {
        if y.is_nan() {
            return Self::ENTIRE;
        }
        let base = self.clipped(Self { lo: T::ZERO, hi: T::HUGE });
        if base.is_empty() {
            return Self::EMPTY;
        }
        if y.fract() == 0.0 && y.abs() < f64::from(i32::MAX) {
            return base.powi(y as i32);
        }
        let function = Unary::powf(y);
        if y > 0.0 { base.increasing(function) } else { base.decreasing(function) }
    }
}

/// f(x) at an end of an interval that lies in the closed domain: limits at its open ends and at unbounded ones.
pub(super) fn at_end<T: Real>(function: Unary, x: T) -> Interval<T> {
    let below = Interval { lo: -T::HUGE, hi: -T::LIMIT };
    let above = Interval { lo: T::LIMIT, hi: T::HUGE };
    let none = Interval::EMPTY;
    let negative = x < T::ZERO;
    if x == T::ZERO {
        match function {
            Unary::Log | Unary::Log2 | Unary::Log10 => return below,
            Unary::Rsqrt | Unary::Tgamma | Unary::Lgamma => return above,
            Unary::Powi(n) if n > 0 => return Interval { lo: x, hi: x },
            Unary::Powf(y) if f64::from_bits(y) > 0.0 => return Interval { lo: x, hi: x },
            Unary::Powi(_) | Unary::Powf(_) => return above,
            _ => {}
        }
    }
    if x.abs() == T::ONE {
        match function {
            Unary::Atanh => return if negative { below } else { above },
            Unary::Log1p if negative => return below,
            Unary::Asin => return if negative { -constant(HALF_PI) } else { constant(HALF_PI) },
            Unary::Acos if negative => return constant(PI),
            _ => {}
        }
    }
    if !x.is_bounded() {
        return at_infinity(function, negative);
    }
    match function {
        Unary::Powi(n) if negative => {
            let power = enclose_powi(-x, n);
            if n % 2 == 0 { power } else { -power }
        }
        Unary::Powi(n) => enclose_powi(x, n),
        Unary::Powf(y) if !negative => enclose_powf(x, f64::from_bits(y)),
        Unary::Powf(_) => none,
        _ => enclose(function, x),
    }
}

/// Limits of the functions that [`at_end`] meets, from values beyond LIMIT on.
fn at_infinity<T: Real>(function: Unary, negative: bool) -> Interval<T> {
    let from = |x: T| Interval { lo: at_end(function, x).lo, hi: T::HUGE };
    let zero = Interval { lo: T::ZERO, hi: T::ZERO };
    let sign = if negative { Interval { lo: -T::ONE, hi: -T::ONE } } else { Interval { lo: T::ONE, hi: T::ONE } };
    match function {
        Unary::Exp | Unary::Exp2 | Unary::Exp10 if negative => zero,
        Unary::Tgamma | Unary::Lgamma => Interval { lo: T::LIMIT, hi: T::HUGE },
        Unary::Expm1 if negative => Interval { lo: -T::ONE, hi: -T::ONE },
        Unary::Atan => {
            let half_pi = constant(HALF_PI);
            if negative { -half_pi } else { half_pi }
        }
        Unary::Tanh if negative => Interval { lo: -T::ONE, hi: -T::ONE },
        Unary::Tanh => Interval { lo: T::ONE, hi: T::ONE },
        Unary::Rsqrt | Unary::Rcbrt => zero,
        Unary::Powi(n) if n < 0 => zero,
        Unary::Powf(y) if f64::from_bits(y) < 0.0 => zero,
        Unary::Powi(n) if negative && n % 2 != 0 => -at_infinity::<T>(function, false),
        Unary::Erf => Interval { lo: T::ONE, hi: T::ONE } * sign,
        Unary::Erfc if negative => Interval { lo: T::TWO, hi: T::TWO },
        Unary::NormCdf if !negative => Interval { lo: T::ONE, hi: T::ONE },
        Unary::Erfc | Unary::NormCdf => zero,
        _ if negative => -Interval { lo: T::LIMIT, hi: T::HUGE }.loosened(function),
        _ => from(T::LIMIT),
    }
}

impl<T: Real> Interval<T> {
    /// Odd unbounded functions at minus infinity: minus their value from LIMIT on.
    fn loosened(self, function: Unary) -> Self {
        Self { lo: at_end(function, self.lo).lo, hi: T::HUGE }
    }
}
