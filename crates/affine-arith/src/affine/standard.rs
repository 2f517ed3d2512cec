//! Standard affine forms (AA): every nonlinear operation adds a symbol of its own, so that its error cancels, too.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::atomic::{AtomicU64, Ordering};

use super::unary::{defined, line};
use super::{Affine, inflate, product, sum};
use crate::directed::{add_down, add_up};
use crate::function::{Binary, Unary};
use crate::interval::{Interval, Sign};
use crate::real::Real;
use crate::scalar::Scalar;

/// b + sum of x_k e_k + e with |e_k| <= 1 and |e| <= err: one symbol for every variable and every nonlinear operation so far; `err` holds rounding
/// errors alone.
///
/// Forms grow with the computation. Where [`Affine`] makes sqr(x) - sqr(x) an interval, this is 0. Host only; the same symbols mean the same
/// quantity in one process, and results do not depend on which numbers they got.
#[derive(Clone, Debug, PartialEq)]
pub struct Standard<T> {
    b: T,
    /// Symbols in ascending order, and their coefficients, none 0.
    terms: Vec<(u64, T)>,
    err: T,
}

/// A symbol that no form has yet.
fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<T: Real> Standard<T> {
    /// Any number.
    pub fn entire() -> Self {
        Self { b: T::ZERO, terms: Vec::new(), err: T::HUGE }
    }

    /// A quantity with values in `range`, with a symbol of its own: clones of it are the same quantity. Entire when the range is
    /// empty or unbounded.
    pub fn variable(range: Interval<T>) -> Self {
        let Some((b, radius)) = super::centre(range) else { return Self::entire() };
        let terms = if radius == T::ZERO { Vec::new() } else { vec![(fresh(), radius)] };
        Self { b, terms, err: T::ZERO }
    }

    /// Whether it may be any number.
    pub fn is_entire(&self) -> bool {
        self.err > T::LIMIT
    }

    /// All its values, rounded outward.
    pub fn interval(&self) -> Interval<T> {
        if self.is_entire() {
            return Interval::ENTIRE;
        }
        let reach = self.reach();
        Interval { lo: add_down(self.b, -reach), hi: add_up(self.b, reach) }
    }

    /// Number of symbols.
    pub fn symbols(&self) -> usize {
        self.terms.len()
    }

    /// Whether 0 is among its possible values.
    pub fn possibly_zero(&self) -> bool {
        self.is_entire() || self.b.abs() <= self.reach()
    }

    fn reach(&self) -> T {
        let total = self.terms.iter().fold(self.err, |total, (_, x)| total + x.abs());
        inflate(total, self.terms.len())
    }

    /// c x for an exact c.
    fn scaled(&self, c: T) -> Self {
        let mut lost = T::ZERO;
        let b = product(c, self.b, &mut lost);
        let terms = self.terms.iter().map(|(k, x)| (*k, product(c, *x, &mut lost))).collect();
        let err = product(c.abs(), self.err, &mut lost) + lost;
        Self { b, terms, err }.checked()
    }

    /// Terms that vanished go, a new symbol comes, magnitudes are checked.
    fn with_symbol(mut self, radius: T) -> Self {
        if radius != T::ZERO && !self.is_entire() {
            let radius = inflate(radius, 2 * self.terms.len() + 4).larger(T::TINY);
            self.terms.push((fresh(), radius));
        }
        self.checked()
    }

    fn checked(mut self) -> Self {
        let mut lost = T::ZERO;
        self.terms.retain(|(_, x)| {
            let keep = x.abs() >= T::TINY;
            lost = if keep || *x == T::ZERO { lost } else { lost + T::TINY };
            keep
        });
        if self.b.abs() < T::TINY && self.b != T::ZERO {
            self.b = T::ZERO;
            lost = lost + T::TINY;
        }
        self.err = inflate(self.err + lost, 2 * self.terms.len() + 4);
        let total = self.b.abs() + self.reach();
        if total <= T::LIMIT { self } else { Self::entire() }
    }

    /// p x + q y for factors that are exact, with the bound of what they lose.
    fn combined(&self, p: T, y: &Self, q: T) -> (Vec<(u64, T)>, T) {
        let mut lost = T::ZERO;
        let mut terms = Vec::with_capacity(self.terms.len() + y.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), y.terms.iter().peekable());
        loop {
            let symbol = match (left.peek(), right.peek()) {
                (Some((i, _)), Some((k, _))) => *i.min(k),
                (Some((i, _)), None) => *i,
                (None, Some((k, _))) => *k,
                (None, None) => return (terms, lost),
            };
            let of = |term: Option<&(u64, T)>| term.map_or(T::ZERO, |(_, x)| *x);
            let (x, z) = (of(left.next_if(|term| term.0 == symbol)), of(right.next_if(|term| term.0 == symbol)));
            let scaled = (product(p, x, &mut lost), product(q, z, &mut lost));
            terms.push((symbol, sum(scaled.0, scaled.1, &mut lost)));
        }
    }

    fn nonlinear(&self, function: Unary, range: Interval<T>) -> Self {
        if !defined(function, range) {
            return Self::entire();
        }
        let value = range.apply(function);
        if self.is_entire() || !value.is_bounded() {
            return Self::variable(value);
        }
        let Some(line) = line(function, range, value, self.b) else { return Self::variable(value) };
        // What this operation loses belongs to its symbol; what was lost before stays apart.
        let mut lost = T::ZERO;
        let b = sum(line.origin, line.shift, &mut lost);
        let terms = self.terms.iter().map(|(k, x)| (*k, product(line.alpha, *x, &mut lost))).collect();
        let err = product(line.alpha.abs(), self.err, &mut lost);
        Self { b, terms, err }.with_symbol(line.radius + lost)
    }

    /// The smaller one: x - max(x - y, 0).
    fn smaller(&self, y: &Self) -> Self {
        let difference = self.clone() - y.clone();
        match difference.interval() {
            range if range.hi <= T::ZERO => self.clone(),
            range if range.lo >= T::ZERO => y.clone(),
            _ => self.clone() - difference.unary(Unary::PositivePart),
        }
    }

    /// x - y n while the integer n is known.
    fn remainder_of(&self, function: Binary, y: &Self) -> Self {
        let (range, divisor) = (self.interval(), y.interval());
        if divisor.mignitude() == T::ZERO {
            return Self::entire();
        }
        let quotient = range / divisor;
        let whole = if function == Binary::Fmod { quotient.trunc() } else { quotient.rint() };
        match whole.single() {
            Some(n) => self.clone() - y.scaled(n),
            None => Self::variable(range.apply2(function, divisor)),
        }
    }
}

impl<T: Real> Neg for Standard<T> {
    type Output = Self;

    fn neg(mut self) -> Self {
        self.b = -self.b;
        self.terms.iter_mut().for_each(|(_, x)| *x = -*x);
        self
    }
}

impl<T: Real> Add for Standard<T> {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        if self.is_entire() || y.is_entire() {
            return Self::entire();
        }
        let (terms, mut lost) = self.combined(T::ONE, &y, T::ONE);
        let b = sum(self.b, y.b, &mut lost);
        Self { b, terms, err: (self.err + y.err) + lost }.checked()
    }
}

impl<T: Real> Sub for Standard<T> {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self + -y
    }
}

/// The bilinear rest becomes a symbol, bounded by the product of both reaches.
impl<T: Real> Mul for Standard<T> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        if self.is_entire() || y.is_entire() {
            return Self::entire();
        }
        let (terms, mut lost) = self.combined(y.b, &y, self.b);
        let b = product(self.b, y.b, &mut lost);
        let err = product(y.b.abs(), self.err, &mut lost) + product(self.b.abs(), y.err, &mut lost);
        let (reach, y_reach) = (self.reach(), y.reach());
        let both = reach != T::ZERO && y_reach != T::ZERO;
        let radius = if both { inflate(reach * y_reach, 1).larger(T::TINY) } else { T::ZERO };
        Self { b, terms, err }.with_symbol(radius + lost)
    }
}

impl<T: Real> Div for Standard<T> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        let inverse = y.unary(Unary::Reciprocal);
        self.mul(inverse)
    }
}

impl<T: Real> Scalar for Standard<T> {
    fn constant_between(lo: f64, hi: f64) -> Self {
        let (b, _, err) = Affine::<T, 0>::between(lo, hi).parts();
        Self { b, terms: Vec::new(), err }
    }

    fn unary(&self, function: Unary) -> Self {
        let range = self.interval();
        match function {
            Unary::Neg => -self.clone(),
            Unary::Powi(0) => Self::constant(1.0),
            Unary::Powi(1) => self.clone(),
            Unary::Powi(-1) => self.nonlinear(Unary::Reciprocal, range),
            Unary::Sqr => self.nonlinear(Unary::Powi(2), range),
            Unary::Abs | Unary::PositivePart if range.sign() == Sign::Positive => self.clone(),
            Unary::Abs if range.sign() == Sign::Negative => -self.clone(),
            Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round | Unary::Rint => {
                Self::variable(range.apply(function))
            }
            Unary::Fract | Unary::Modf => {
                let whole = if function == Unary::Fract { range.floor() } else { range.trunc() };
                match whole.single() {
                    Some(n) => self.clone() - Self::variable(Interval { lo: n, hi: n }),
                    None => Self::variable(range.apply(function)),
                }
            }
            _ => self.nonlinear(function, range),
        }
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        match function {
            Binary::Add => self.clone() + y.clone(),
            Binary::Sub => self.clone() - y.clone(),
            Binary::Mul => self.clone() * y.clone(),
            Binary::Div => self.clone() / y.clone(),
            Binary::Min => self.smaller(y),
            Binary::Max => -(-self.clone()).smaller(&-y.clone()),
            Binary::Atan2 => Self::variable(self.interval().apply2(function, y.interval())),
            Binary::Fmod | Binary::Remainder => self.remainder_of(function, y),
            Binary::Pow => (y.clone() * self.unary(Unary::Log)).unary(Unary::Exp),
        }
    }
}
