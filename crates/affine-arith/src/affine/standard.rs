//! Standard affine forms (AA) of a computation as it runs: every nonlinear operation adds a symbol of its own, so that its error cancels, too.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Affine, centre};
use crate::function::{Binary, Unary};
use crate::interval::{Interval, Sign};
use crate::real::Real;
use crate::scalar::Scalar;
use crate::standard::{Line, StandardForm};

/// b + sum of x_k e_k + e with |e_k| <= 1 and |e| <= err: one symbol for every variable and every nonlinear operation so far; `err` holds rounding
/// errors alone.
///
/// Forms grow with the computation. Where [`Affine`] makes sqr(x) - sqr(x) an interval, this is 0. The operations are those of
/// [`crate::StandardPlan`], which knows the graph and has kernels; here symbols are found while the computation runs, and go when their coefficients vanish.
/// The same symbols mean the same quantity in one process, and results do not depend on which numbers they got.
#[derive(Clone, Debug, PartialEq)]
pub struct Standard<T> {
    /// Ascending.
    symbols: Vec<u64>,
    /// Its coefficients, none 0.
    form: StandardForm<T>,
}

/// A symbol that no form has yet.
fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<T: Real> Standard<T> {
    /// Any number.
    pub fn entire() -> Self {
        Self { symbols: Vec::new(), form: StandardForm::entire(0) }
    }

    /// A quantity with values in `range`, with a symbol of its own: clones of it are the same quantity. Entire when the range is
    /// empty or unbounded.
    pub fn variable(range: Interval<T>) -> Self {
        let Some((b, radius)) = centre(range) else { return Self::entire() };
        Self::settled(vec![fresh()], StandardForm { b, x: vec![radius], err: T::ZERO })
    }

    /// Without the symbols whose coefficients vanish.
    fn settled(mut symbols: Vec<u64>, mut form: StandardForm<T>) -> Self {
        let mut kept = form.x.iter().map(|x| *x != T::ZERO);
        symbols.retain(|_| kept.next().unwrap_or(false));
        form.x.retain(|x| *x != T::ZERO);
        Self { symbols, form }
    }

    /// Whether it may be any number.
    pub fn is_entire(&self) -> bool {
        self.form.is_entire()
    }

    /// All its values, rounded outward.
    pub fn interval(&self) -> Interval<T> {
        self.form.interval()
    }

    /// Number of symbols.
    pub fn symbols(&self) -> usize {
        self.symbols.len()
    }

    /// Whether 0 is among its possible values.
    pub fn possibly_zero(&self) -> bool {
        self.form.possibly_zero()
    }

    /// The form with coefficients for all of `symbols`, which has its own.
    fn aligned(&self, symbols: &[u64]) -> StandardForm<T> {
        let mut own = self.symbols.iter().zip(&self.form.x).peekable();
        let coefficient = |symbol: &u64| own.next_if(|(own, _)| *own == symbol).map_or(T::ZERO, |(_, x)| *x);
        StandardForm { b: self.form.b, x: symbols.iter().map(coefficient).collect(), err: self.form.err }
    }

    /// An operation without a symbol of its own.
    fn linear(&self, operation: impl FnOnce(StandardForm<T>) -> StandardForm<T>) -> Self {
        Self::settled(self.symbols.clone(), operation(self.form.clone()))
    }

    /// An operation of one form with a symbol of its own.
    fn owned(&self, operation: impl FnOnce(StandardForm<T>) -> StandardForm<T>) -> Self {
        let symbols = [self.symbols.as_slice(), &[fresh()]].concat();
        let form = operation(self.aligned(&symbols));
        Self::settled(symbols, form)
    }

    /// An operation of two forms, which may have a symbol of its own.
    fn joined(
        &self,
        y: &Self,
        own: Option<u64>,
        operation: impl FnOnce(StandardForm<T>, &StandardForm<T>) -> StandardForm<T>,
    ) -> Self {
        let mut symbols = [self.symbols.as_slice(), &y.symbols].concat();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.extend(own);
        let form = operation(self.aligned(&symbols), &y.aligned(&symbols));
        Self::settled(symbols, form)
    }

    /// Whether it is a constant, which may be off by its error.
    fn is_constant(&self) -> bool {
        self.symbols.is_empty() && !self.is_entire()
    }

    fn times(&self, constant: &Self) -> Self {
        let (c, slack) = (constant.form.b, constant.form.err);
        self.linear(|form| form.times(c, slack))
    }

    /// atan2(self, x): see [`StandardForm::angle`].
    fn angle(&self, x: &Self) -> Self {
        let ranges = [self.interval(), x.interval()];
        let positive = ranges[1].sign() == Sign::Positive;
        let (under, over) = if positive { (self, x) } else { (x, self) };
        let quotient = under.clone() / over.clone();
        let range = quotient.interval().intersect(under.interval() / over.interval());
        let line = Line::new(Unary::Atan, quotient.form.b, range);
        let turned = quotient.owned(|form| form.on_line(line));
        turned.owned(|form| StandardForm::angle(form, ranges[0], ranges[1]))
    }
}

impl<T: Real> Neg for Standard<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { symbols: self.symbols, form: self.form.neg() }
    }
}

impl<T: Real> Add for Standard<T> {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        self.joined(&y, None, StandardForm::add)
    }
}

impl<T: Real> Sub for Standard<T> {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self.joined(&y, None, StandardForm::sub)
    }
}

/// The bilinear rest becomes a symbol.
impl<T: Real> Mul for Standard<T> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        if y.is_constant() {
            return self.times(&y);
        }
        if self.is_constant() {
            return y.times(&self);
        }
        self.joined(&y, Some(fresh()), StandardForm::mul)
    }
}

impl<T: Real> Div for Standard<T> {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        if y.is_constant() && y.form.err == T::ZERO && y.form.b != T::ZERO {
            return self.linear(|form| form.over(y.form.b));
        }
        let inverse = y.unary(Unary::Reciprocal);
        self.mul(inverse)
    }
}

impl<T: Real> Scalar for Standard<T> {
    fn constant_between(lo: f64, hi: f64) -> Self {
        let (b, _, err) = Affine::<T, 0>::between(lo, hi).parts();
        Self { symbols: Vec::new(), form: StandardForm { b, x: Vec::new(), err } }
    }

    fn unary(&self, function: Unary) -> Self {
        match function {
            Unary::Neg => -self.clone(),
            Unary::Powi(0) => Self::constant(1.0),
            Unary::Powi(1) => self.clone(),
            Unary::Sqr | Unary::Powi(2) => self.owned(StandardForm::sqr),
            _ => {
                let line = Line::new(function, self.form.b, self.interval());
                self.owned(|form| form.on_line(line))
            }
        }
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        match function {
            Binary::Add => self.clone() + y.clone(),
            Binary::Sub => self.clone() - y.clone(),
            Binary::Mul => self.clone() * y.clone(),
            Binary::Div => self.clone() / y.clone(),
            Binary::Min => self.joined(y, Some(fresh()), StandardForm::smaller),
            Binary::Max => -(-self.clone()).binary(Binary::Min, &-y.clone()),
            Binary::Atan2 => self.angle(y),
            Binary::Fmod | Binary::Remainder => {
                self.joined(y, Some(fresh()), |form, other| form.remainder(function, other))
            }
            Binary::Pow => (y.clone() * self.unary(Unary::Log)).unary(Unary::Exp),
        }
    }
}
