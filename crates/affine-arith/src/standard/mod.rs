//! Standard affine forms of a plan: the graph is known, so every value carries exactly the symbols on which it depends.

mod arithmetic;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use arithmetic::Line;
pub use arithmetic::StandardForm;
pub(crate) use steps::Step;
#[cfg(any(feature = "gpu", test))]
pub(crate) use steps::operands;

use crate::affine::{Affine, centre};
use crate::error::Error;
use crate::expr::Plan;
use crate::function::Unary;
use crate::interval::Interval;
use crate::real::Real;
use crate::scalar::Scalar;

/// A plan made ready for standard affine forms (AA): a symbol for every variable and for every operation that is not linear, so that errors of
/// operations cancel where a value is used twice.
///
/// Symbol k below the number of variables is that of variable k; others are numbered in the order of their operations. A value has a coefficient
/// for every symbol on which it depends in the graph, 0 where it happens to vanish; what operations lose by rounding is the symbol's own, what was lost before
/// and by linear operations is `err`. Twin of the kernels of [`crate::Model::Standard`], word for word.
#[derive(Clone, Debug)]
pub struct StandardPlan {
    pub(crate) steps: Vec<Step>,
    /// For every step its symbols, ascending; its own, if it has one, is the last.
    pub(crate) layouts: Vec<Vec<u32>>,
    /// For every step the variables on which it depends, as bits.
    pub(crate) sets: Vec<u32>,
    variables: usize,
}

impl StandardPlan {
    /// The operations of a plan as steps with at most one symbol each: quotients are a reciprocal and a product, real powers e^(y ln x).
    pub fn new(plan: &Plan) -> Self {
        Self::lowered(plan)
    }

    /// The symbols of the result, ascending.
    pub fn symbols(&self) -> &[u32] {
        self.layouts.last().map_or(&[], Vec::as_slice)
    }

    /// Most symbols of a value.
    pub fn most_symbols(&self) -> usize {
        self.layouts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The form of the result for variables with values in `ranges`; coefficients are those of [`Self::symbols`].
    ///
    /// Errors: a number of ranges that does not fit. Cost: operations times symbols.
    pub fn evaluate<T: Real>(&self, ranges: &[Interval<T>]) -> Result<StandardForm<T>, Error> {
        if ranges.len() != self.variables {
            return Err(Error::Count { what: "inputs of a plan", got: ranges.len(), needed: self.variables });
        }
        // A plan has one operation at least.
        Ok(self.forms(ranges).pop().unwrap_or_else(|| StandardForm::entire(0)))
    }

    /// The forms of all steps.
    fn forms<T: Real>(&self, ranges: &[Interval<T>]) -> Vec<StandardForm<T>> {
        let mut forms: Vec<StandardForm<T>> = Vec::with_capacity(self.steps.len());
        for i in 0..self.steps.len() {
            let form = self.form(i, ranges, &forms);
            forms.push(form);
        }
        forms
    }

    /// The forms of the steps that depend on one variable alone, which has values in `range`; no others.
    #[cfg(feature = "gpu")]
    pub(crate) fn forms_of<T: Real>(&self, variable: usize, range: Interval<T>) -> Vec<StandardForm<T>> {
        let ranges = vec![range; variable + 1];
        let mut forms = Vec::with_capacity(self.steps.len());
        for (i, set) in self.sets.iter().enumerate() {
            let own = set & !(1 << variable) == 0;
            forms.push(if own { self.form(i, &ranges, &forms) } else { StandardForm::entire(0) });
        }
        forms
    }

    fn form<T: Real>(&self, i: usize, ranges: &[Interval<T>], forms: &[StandardForm<T>]) -> StandardForm<T> {
        let at = |k: u32| self.aligned(k, i, &forms[k as usize]);
        match self.steps[i] {
            Step::Constant(lo, hi) => {
                let (b, slack) = constant(lo, hi);
                StandardForm { b, x: Vec::new(), err: slack }
            }
            Step::Input(k) => input(ranges[k as usize]),
            Step::Neg(x) => at(x).neg(),
            Step::Add(x, y) => at(x).add(&at(y)),
            Step::Sub(x, y) => at(x).sub(&at(y)),
            Step::Times(x, lo, hi) => {
                let (c, slack) = constant(lo, hi);
                at(x).times(c, slack)
            }
            Step::Over(x, lo, hi) => match divisor(lo, hi) {
                Divisor::Exact(c) => at(x).over(c),
                Divisor::Inverse(c, slack) => at(x).times(c, slack),
            },
            Step::Mul(x, y) => at(x).mul(&at(y)),
            Step::Sqr(x) => at(x).sqr(),
            Step::Unary(function, x) => {
                let form = &forms[x as usize];
                at(x).on_line(Line::new(function, form.b, form.interval()))
            }
            Step::Atan { quotient, under, over } => {
                let [range, under, over] = [quotient, under, over].map(|k| forms[k as usize].interval());
                let line = Line::new(Unary::Atan, forms[quotient as usize].b, range.intersect(under / over));
                at(quotient).on_line(line)
            }
            Step::Smaller(x, y) => at(x).smaller(&at(y)),
            Step::Pick { right, left, x } => at(if forms[x as usize].interval().lo > T::ZERO { right } else { left }),
            Step::Angle { turned, y, x } => {
                let [y, x] = [y, x].map(|k| forms[k as usize].interval());
                StandardForm::angle(at(turned), y, x)
            }
            Step::Remainder(function, x, y) => at(x).remainder(function, &at(y)),
        }
    }

    /// The form of step `k` in the layout of step `i`, which has all its symbols.
    fn aligned<T: Real>(&self, k: u32, i: usize, form: &StandardForm<T>) -> StandardForm<T> {
        let mut own = self.layouts[k as usize].iter().zip(&form.x).peekable();
        let coefficient = |symbol: &u32| own.next_if(|(own, _)| *own == symbol).map_or(T::ZERO, |(_, x)| *x);
        StandardForm { b: form.b, x: self.layouts[i].iter().map(coefficient).collect(), err: form.err }
    }
}

/// A variable with its symbol.
fn input<T: Real>(range: Interval<T>) -> StandardForm<T> {
    match centre(range) {
        Some((b, radius)) => StandardForm { b, x: vec![radius], err: T::ZERO },
        None => StandardForm::entire(1),
    }
}

/// The nearest number to a constant between two f64, and how far it may be off.
pub(crate) fn constant<T: Real>(lo: u64, hi: u64) -> (T, T) {
    let (b, _, slack) = Affine::<T, 0>::constant_between(f64::from_bits(lo), f64::from_bits(hi)).parts();
    (b, slack)
}

/// How a form is divided by a constant.
pub(crate) enum Divisor<T> {
    /// Its parts over a number.
    Exact(T),
    /// Times the inverse and what it may be off.
    Inverse(T, T),
}

pub(crate) fn divisor<T: Real>(lo: u64, hi: u64) -> Divisor<T> {
    match constant::<T>(lo, hi) {
        (c, slack) if slack == T::ZERO && c != T::ZERO => Divisor::Exact(c),
        _ => {
            let form = Affine::<T, 0>::constant_between(f64::from_bits(lo), f64::from_bits(hi));
            let (b, _, slack) = form.apply(Unary::Reciprocal).parts();
            Divisor::Inverse(b, slack)
        }
    }
}
