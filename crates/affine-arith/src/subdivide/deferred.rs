//! Affine forms whose error accounting is put off, written as arithmetic on f32: the inner loop of subdivision.
//!
//! A form is b + sum of x_i e_i + (E + u S) e', where E sums bounds and S magnitudes of rounded results, each of which may be off by u of itself
//! (u = 2^-24). E and S are kept apart by the axes that their terms depend on, so that a partial sum is formed once for all cells that share it.
//! Terms are not negative, each of their operations loses at most a factor 1 - u, and a term carries the number of them on its longest path:
//! bound <= computed (1 - u)^-depth. One factor at the end makes up for the deepest. Products below TINY become 0; what that loses is in LEAST.

use std::collections::BTreeMap;

use super::Rounding;
use super::columns::{ColumnRange, column_ops, column_places};
use super::graph::{CENTRE, COEFFICIENT, ERROR, FormIds, Function, Grain, Graph, Id};
use crate::affine::Affine;
use crate::expr::{Op, Plan};
use crate::function::{Binary, Unary};
use crate::real::Real;
use crate::scalar::Scalar;

/// u.
const U: f32 = f32::ROUNDOFF;
/// What one operation on forms may lose where products underflow: at most 16 of them, each below TINY.
const LEAST: f32 = f32::TINY * 32.0;
/// Terms this deep are inflated and start anew.
const DEEPEST: u32 = 1 << 14;

/// A number that is not negative.
#[derive(Clone, Copy, Debug)]
struct Term {
    id: Id,
    /// The roundings on the longest path to it.
    depth: u32,
    /// The axes it is grouped by: those it depends on, were there no guard for entire forms.
    set: u8,
}

/// A form in the making.
#[derive(Clone, Debug)]
struct Form {
    b: Id,
    /// By symbol; None where the value cannot depend on it.
    x: [Option<Id>; 3],
    errors: Vec<Term>,
    roundings: Vec<Term>,
    /// The largest |b| + sum of |x_i| + error.
    bound: f64,
    /// Its value when it is a constant, exactly.
    exact: Option<f32>,
}

/// The test of a cell: the function may vanish unless |centre| > limit.
#[derive(Debug)]
pub(crate) struct Test {
    pub(crate) graph: Graph,
    pub(crate) centre: Id,
    pub(crate) limit: Id,
}

impl Test {
    /// The test of a plan in at most three variables. What is known of the columns decides which guards are left out, not the result.
    pub(crate) fn new<const D: usize>(plan: &Plan, ranges: &[Vec<ColumnRange>], rounding: Rounding) -> Self {
        let (mut writer, result) = Writer::written::<D>(plan, ranges, rounding);
        let reach = writer.reach(&result);
        let limit = writer.inflated(reach);
        Self { graph: writer.graph, centre: result.b, limit }
    }
}

#[derive(Default)]
struct Writer {
    graph: Graph,
    rounding: Rounding,
}

/// A factor above (1 - u)^-(depth + 1).
fn inflation(depth: u32) -> f32 {
    if depth == 0 { 1.0 } else { 1.0 + (depth + 2) as f32 * (2.0 * U) }
}

impl Writer {
    /// The form of the plan's result; the rounding of its centre is not counted when it is a sum of several variables.
    fn written<const D: usize>(plan: &Plan, ranges: &[Vec<ColumnRange>], rounding: Rounding) -> (Self, Form) {
        let mut writer = Self { rounding, ..Self::default() };
        let forms = writer.forms::<D>(plan, ranges);
        let last = plan.ops().len() - 1;
        let multivariate = plan.sets()[last].count_ones() > 1;
        // R is a float and rounding is monotone: |fl(p + q)| > R implies |p + q| > R, so the last sum of centres needs no term.
        let result = match plan.ops()[last] {
            Op::Binary(Binary::Add, x, y) if multivariate => writer.sum(&forms[x as usize], &forms[y as usize], false),
            Op::Binary(Binary::Sub, x, y) if multivariate => {
                let minus = writer.negated(&forms[y as usize]);
                writer.sum(&forms[x as usize], &minus, false)
            }
            _ => forms[last].clone(),
        };
        (writer, result)
    }

    /// The forms of all operations; those that only columns use are left as they are made.
    fn forms<const D: usize>(&mut self, plan: &Plan, ranges: &[Vec<ColumnRange>]) -> Vec<Form> {
        let kept = column_ops(plan);
        let places = column_places(plan, kept.iter().map(Vec::as_slice));
        let mut constants: Vec<Affine<f32, D>> = Vec::new();
        let mut forms: Vec<Form> = Vec::new();
        for (i, (op, set)) in plan.ops().iter().zip(plan.sets()).enumerate() {
            let zero = Affine::constant_between(0.0, 0.0);
            constants.push(if *set == 0 { crate::expr::run(*op, &constants, |_| zero) } else { zero });
            let form = match set.count_ones() {
                0 => self.constant(&constants[i]),
                1 => {
                    let axis = set.trailing_zeros() as usize;
                    match kept[axis].get(places[i]) {
                        Some(op) if *op == i => self.column(axis, i, &ranges[axis][places[i]]),
                        _ => self.constant(&zero),
                    }
                }
                _ => match *op {
                    Op::Unary(function, x) => self.unary(function, &forms[x as usize]),
                    Op::Binary(function, x, y) => {
                        let (x, y) = (&forms[x as usize].clone(), &forms[y as usize].clone());
                        self.binary::<D>(function, x, y)
                    }
                    // Leaves depend on one variable at most.
                    Op::Constant(..) | Op::Input(_) => self.constant(&zero),
                },
            };
            forms.push(form);
        }
        forms
    }

    fn constant<const D: usize>(&mut self, form: &Affine<f32, D>) -> Form {
        let (b, _, err) = form.parts();
        let exact = (err == 0.0).then_some(b);
        let errors = if err == 0.0 { Vec::new() } else { vec![self.constant_term(err)] };
        let bound = if form.is_entire() { f64::INFINITY } else { f64::from(b.abs()) + f64::from(err) };
        Form { b: self.graph.constant(b), x: [None; 3], errors, roundings: Vec::new(), bound, exact }
    }

    fn column(&mut self, axis: usize, op: usize, range: &ColumnRange) -> Form {
        let [b, x] = [CENTRE, COEFFICIENT].map(|part| self.graph.column(axis, op, part, range.grains[part as usize]));
        let error = self.graph.column(axis, op, ERROR, Grain::SNAPPED);
        let error = self.term(error);
        let mut form =
            Form { b, x: [None; 3], errors: vec![error], roundings: Vec::new(), bound: range.bound, exact: None };
        form.x[axis] = Some(x);
        form
    }

    fn unary(&mut self, function: Unary, x: &Form) -> Form {
        match function {
            Unary::Neg => self.negated(x),
            Unary::Sqr | Unary::Powi(2) => self.squared(x),
            _ => {
                let operand = self.form(x);
                self.called(Function::Unary(function), operand, None, x.x.map(|x| x.is_some()))
            }
        }
    }

    fn binary<const D: usize>(&mut self, function: Binary, x: &Form, y: &Form) -> Form {
        match function {
            Binary::Add => self.sum(x, y, true),
            Binary::Sub => {
                let minus = self.negated(y);
                self.sum(x, &minus, true)
            }
            Binary::Mul => self.product(x, y),
            Binary::Div => {
                let inverse = match y.exact {
                    Some(c) => {
                        let one = Affine::<f32, D>::constant(1.0);
                        self.constant(&(one / Affine::constant(c)))
                    }
                    None => self.unary(Unary::Reciprocal, y),
                };
                self.product(x, &inverse)
            }
            _ => {
                let operands = (self.form(x), self.form(y));
                let symbols = [0, 1, 2].map(|i| x.x[i].is_some() || y.x[i].is_some());
                self.called(Function::Binary(function), operands.0, Some(operands.1), symbols)
            }
        }
    }

    /// A function of whole forms, whose accounting starts anew.
    fn called(&mut self, function: Function, x: FormIds, y: Option<FormIds>, symbols: [bool; 3]) -> Form {
        let parts = self.graph.call(function, x, y);
        let error = self.term(parts[4]);
        Form {
            b: parts[0],
            x: [0, 1, 2].map(|i| symbols[i].then_some(parts[1 + i])),
            errors: vec![error],
            roundings: Vec::new(),
            bound: f64::INFINITY,
            exact: None,
        }
    }

    /// The form with its error inflated, as the operand of a call.
    fn form(&mut self, x: &Form) -> FormIds {
        let zero = self.graph.constant(0.0);
        let rest = self.rest(x);
        let err = self.inflated(rest);
        let [x0, x1, x2] = x.x.map(|x| x.unwrap_or(zero));
        [x.b, x0, x1, x2, err]
    }

    /// A term times a factor that makes up for its depth.
    fn inflated(&mut self, term: Term) -> Id {
        if self.rounding == Rounding::Ignore {
            return term.id;
        }
        let factor = self.graph.constant(inflation(term.depth));
        self.graph.mul(term.id, factor)
    }

    fn term(&self, id: Id) -> Term {
        Term { id, depth: 0, set: self.graph.group(id) }
    }

    fn constant_term(&mut self, c: f32) -> Term {
        let id = self.graph.constant(c);
        self.term(id)
    }

    /// The sum of terms, those of the fewest axes first.
    fn total(&mut self, terms: &[Term]) -> Term {
        let mut groups = self.merged(terms);
        while groups.len() > 1 {
            let pairs = (0..groups.len()).flat_map(|i| (i + 1..groups.len()).map(move |k| (i, k)));
            let union = |(i, k): &(usize, usize)| (groups[*i].set | groups[*k].set).count_ones();
            let (i, k) = pairs.min_by_key(union).unwrap_or((0, 1));
            let second = groups.remove(k);
            groups[i] = self.plus(groups[i], second);
        }
        match groups.first() {
            Some(term) => *term,
            None => self.constant_term(0.0),
        }
    }

    /// One term for every set of axes.
    fn merged(&mut self, terms: &[Term]) -> Vec<Term> {
        let mut by_set: BTreeMap<(u32, u8), Vec<Term>> = BTreeMap::new();
        for term in terms {
            by_set.entry((term.set.count_ones(), term.set)).or_default().push(*term);
        }
        by_set.into_values().filter_map(|group| group.into_iter().reduce(|x, y| self.plus(x, y))).collect()
    }

    fn plus(&mut self, x: Term, y: Term) -> Term {
        Term { id: self.graph.add(x.id, y.id), depth: x.depth.max(y.depth) + 1, set: x.set | y.set }
    }

    fn times(&mut self, x: Term, y: Term) -> Term {
        Term { id: self.graph.mul(x.id, y.id), depth: x.depth + y.depth + 1, set: x.set | y.set }
    }

    fn magnitude(&mut self, id: Id) -> Term {
        let size = self.graph.abs(id);
        self.term(size)
    }

    /// E + u S.
    fn rest_terms(&mut self, x: &Form) -> Vec<Term> {
        let mut terms = x.errors.clone();
        if !x.roundings.is_empty() {
            terms.push(self.constant_term(LEAST));
        }
        let u = self.graph.constant(U);
        for term in &x.roundings {
            terms.push(Term { id: self.graph.product(term.id, u), ..*term });
        }
        terms
    }

    fn rest(&mut self, x: &Form) -> Term {
        let terms = self.rest_terms(x);
        self.total(&terms)
    }

    /// Sum of |x_i| and the rest.
    fn reach(&mut self, x: &Form) -> Term {
        let mut terms = self.rest_terms(x);
        for x in x.x.into_iter().flatten() {
            terms.push(self.magnitude(x));
        }
        self.total(&terms)
    }

    fn negated(&mut self, x: &Form) -> Form {
        let mut form = x.clone();
        form.b = self.graph.neg(x.b);
        form.x = x.x.map(|x| x.map(|x| self.graph.neg(x)));
        form.exact = x.exact.map(|c| -c);
        form
    }

    /// x + y, counting the rounding of the centre or not.
    fn sum(&mut self, x: &Form, y: &Form, count_centre: bool) -> Form {
        let b = self.graph.add(x.b, y.b);
        let mut roundings = [x.roundings.clone(), y.roundings.clone()].concat();
        if count_centre {
            roundings.push(self.magnitude(b));
        }
        let mut symbols = [None; 3];
        for (i, symbol) in symbols.iter_mut().enumerate() {
            // A symbol of one operand alone is copied.
            *symbol = match (x.x[i], y.x[i]) {
                (Some(p), Some(q)) => {
                    let sum = self.graph.add(p, q);
                    roundings.push(self.magnitude(sum));
                    Some(sum)
                }
                (p, q) => p.or(q),
            };
        }
        let errors = [x.errors.clone(), y.errors.clone()].concat();
        self.finished(Form { b, x: symbols, errors, roundings, bound: x.bound + y.bound, exact: None })
    }

    /// c x for an exact c.
    fn scaled(&mut self, x: &Form, c: f32) -> Form {
        if c.abs() == 1.0 {
            return if c < 0.0 { self.negated(x) } else { x.clone() };
        }
        let (factor, size) = (self.graph.constant(c), self.graph.constant(c.abs()));
        let b = self.graph.product(factor, x.b);
        let symbols = x.x.map(|x| x.map(|x| self.graph.product(factor, x)));
        let mut scale = |terms: &[Term]| -> Vec<Term> {
            terms.iter().map(|t| Term { id: self.graph.product(size, t.id), depth: t.depth + 1, ..*t }).collect()
        };
        let (mut errors, mut roundings) = (scale(&x.errors), scale(&x.roundings));
        errors.push(self.constant_term(LEAST));
        roundings.push(self.magnitude(b));
        for x in symbols.into_iter().flatten() {
            roundings.push(self.magnitude(x));
        }
        let bound = x.bound * f64::from(c.abs());
        self.finished(Form { b, x: symbols, errors, roundings, bound, exact: None })
    }

    /// x^2 = b^2 + 2 b x' + x'^2; half of R^2 is centre shift and radius.
    fn squared(&mut self, x: &Form) -> Form {
        let reach = self.reach(x);
        let square = self.times(reach, reach);
        let (snapped, half) = (self.graph.snap(square.id), self.graph.constant(0.5));
        let h = self.graph.mul(snapped, half);
        let square = self.graph.product(x.b, x.b);
        let b = self.graph.add(square, h);
        let twice = self.graph.add(x.b, x.b);
        let symbols = x.x.map(|x| x.map(|x| self.graph.product(twice, x)));
        let mut roundings = vec![self.magnitude(square), self.magnitude(b)];
        for x in symbols.into_iter().flatten() {
            roundings.push(self.magnitude(x));
        }
        let rest = self.rest(x);
        let (least, size) = (self.constant_term(LEAST), self.magnitude(twice));
        let linear = self.times(size, rest);
        let errors = self.plus(least, linear);
        // h stands for R^2 - h, too: with R^2 <= 2 h (1 - u)^-d, that is at most h (1 - u)^-2d.
        let errors = self.plus(errors, Term { id: h, depth: 2 * (2 * reach.depth + 1), set: reach.set });
        let bound = x.bound * x.bound;
        self.finished(Form { b, x: symbols, errors: vec![errors], roundings, bound, exact: None })
    }

    fn product(&mut self, x: &Form, y: &Form) -> Form {
        if let Some(c) = y.exact {
            return self.scaled(x, c);
        }
        if let Some(c) = x.exact {
            return self.scaled(y, c);
        }
        let b = self.graph.product(x.b, y.b);
        let mut roundings = vec![self.magnitude(b)];
        let mut symbols = [None; 3];
        for (i, symbol) in symbols.iter_mut().enumerate() {
            let p = y.x[i].map(|y| self.graph.product(x.b, y));
            let q = x.x[i].map(|x| self.graph.product(y.b, x));
            *symbol = match (p, q) {
                (Some(p), Some(q)) => {
                    roundings.extend([self.magnitude(p), self.magnitude(q)]);
                    Some(self.graph.add(p, q))
                }
                (p, q) => p.or(q),
            };
            roundings.extend(symbol.map(|x| self.magnitude(x)));
        }
        let (x_rest, y_rest) = (self.rest(x), self.rest(y));
        let (x_reach, y_reach) = (self.reach(x), self.reach(y));
        let (x_size, y_size) = (self.magnitude(x.b), self.magnitude(y.b));
        // LEAST comes first: it absorbs products that are subnormal on one device and 0 on another.
        let mut errors = self.constant_term(LEAST);
        for (p, q) in [(x_size, y_rest), (y_size, x_rest), (x_reach, y_reach)] {
            let term = self.times(p, q);
            errors = self.plus(errors, term);
        }
        self.finished(Form { b, x: symbols, errors: vec![errors], roundings, bound: x.bound * y.bound, exact: None })
    }

    /// Terms merged; too deep ones inflated; entire where a magnitude may leave the range.
    fn finished(&mut self, mut form: Form) -> Form {
        form.errors = self.merged(&form.errors);
        if self.rounding == Rounding::Ignore {
            form.roundings.clear();
        }
        form.roundings = self.merged(&form.roundings);
        // Room for the roundings of the bound itself.
        form.bound *= 1.001;
        if form.errors.iter().chain(&form.roundings).any(|term| term.depth > DEEPEST) {
            let rest = self.rest(&form);
            form.errors = vec![Term { id: self.inflated(rest), depth: 0, set: rest.set }];
            form.roundings = Vec::new();
        }
        let bounded = form.bound <= f64::from(f32::LIMIT) * 0.99;
        if bounded || form.errors.is_empty() {
            return form;
        }
        let reach = self.reach(&form);
        let size = self.graph.abs(form.b);
        let total = self.graph.add(size, reach.id);
        let mut checked = |id: Id, beyond: f32| self.graph.within(total, id, beyond);
        form.b = checked(form.b, 0.0);
        form.x = form.x.map(|x| x.map(|x| checked(x, 0.0)));
        // The first error becomes that of the entire form.
        for (k, term) in form.errors.iter_mut().enumerate() {
            term.id = checked(term.id, if k == 0 { f32::HUGE } else { 0.0 });
        }
        for term in &mut form.roundings {
            term.id = checked(term.id, 0.0);
        }
        form.bound = f64::INFINITY;
        form
    }
}

#[cfg(test)]
mod tests;
