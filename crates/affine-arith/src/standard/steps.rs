//! From the operations of a plan to steps that have one symbol of their own at most.

use std::collections::HashMap;

use super::StandardPlan;
use crate::expr::{Op, Plan};
use crate::function::{Binary, Unary};

/// One step; operands are earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// A constant between the f64 of these bits.
    Constant(u64, u64),
    /// A variable.
    Input(u32),
    Neg(u32),
    Add(u32, u32),
    Sub(u32, u32),
    /// Times a constant between two f64.
    Times(u32, u64, u64),
    /// Over a constant between two f64.
    Over(u32, u64, u64),
    Mul(u32, u32),
    Sqr(u32),
    /// A function by its line.
    Unary(Unary, u32),
    /// The smaller one of two.
    Smaller(u32, u32),
    /// atan(under/over), the quotient being at hand.
    Atan {
        quotient: u32,
        under: u32,
        over: u32,
    },
    /// `right` where x > 0 for certain, else `left`.
    Pick {
        right: u32,
        left: u32,
        x: u32,
    },
    /// atan2(y, x); `turned` is atan(y/x) where x > 0, else atan(x/y).
    Angle {
        turned: u32,
        y: u32,
        x: u32,
    },
    /// x - y n for the integer n near x/y.
    Remainder(Binary, u32, u32),
}

/// The operands of a step.
pub(crate) fn operands(step: Step) -> Vec<u32> {
    match step {
        Step::Constant(..) | Step::Input(_) => vec![],
        Step::Neg(x) | Step::Times(x, ..) | Step::Over(x, ..) | Step::Sqr(x) | Step::Unary(_, x) => vec![x],
        Step::Add(x, y) | Step::Sub(x, y) | Step::Mul(x, y) | Step::Smaller(x, y) | Step::Remainder(_, x, y) => {
            vec![x, y]
        }
        Step::Atan { quotient, under, over } => vec![quotient, under, over],
        Step::Pick { right, left, x } => vec![right, left, x],
        Step::Angle { turned, y, x } => vec![turned, y, x],
    }
}

/// Whether a step has a symbol of its own.
fn has_symbol(step: Step) -> bool {
    match step {
        Step::Mul(..) | Step::Sqr(_) | Step::Unary(..) => true,
        Step::Smaller(..) | Step::Atan { .. } | Step::Angle { .. } | Step::Remainder(..) => true,
        Step::Constant(..) | Step::Input(_) | Step::Neg(_) | Step::Add(..) | Step::Sub(..) => false,
        Step::Times(..) | Step::Over(..) | Step::Pick { .. } => false,
    }
}

/// Whether the result of a function keeps nothing of its operand's symbols.
fn forgets(function: Unary) -> bool {
    matches!(function, Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round | Unary::Rint)
}

/// The same step with its operands elsewhere.
fn moved(step: Step, place: &[u32]) -> Step {
    let to = |k: u32| place[k as usize];
    match step {
        Step::Constant(..) | Step::Input(_) => step,
        Step::Neg(x) => Step::Neg(to(x)),
        Step::Add(x, y) => Step::Add(to(x), to(y)),
        Step::Sub(x, y) => Step::Sub(to(x), to(y)),
        Step::Times(x, lo, hi) => Step::Times(to(x), lo, hi),
        Step::Over(x, lo, hi) => Step::Over(to(x), lo, hi),
        Step::Mul(x, y) => Step::Mul(to(x), to(y)),
        Step::Sqr(x) => Step::Sqr(to(x)),
        Step::Unary(function, x) => Step::Unary(function, to(x)),
        Step::Smaller(x, y) => Step::Smaller(to(x), to(y)),
        Step::Atan { quotient, under, over } => Step::Atan { quotient: to(quotient), under: to(under), over: to(over) },
        Step::Pick { right, left, x } => Step::Pick { right: to(right), left: to(left), x: to(x) },
        Step::Angle { turned, y, x } => Step::Angle { turned: to(turned), y: to(y), x: to(x) },
        Step::Remainder(function, x, y) => Step::Remainder(function, to(x), to(y)),
    }
}

/// Steps in the making; each is there once.
struct Lowering {
    steps: Vec<Step>,
    known: HashMap<Step, u32>,
}

impl StandardPlan {
    /// The steps of a plan that its result needs, with their symbols.
    pub(super) fn lowered(plan: &Plan) -> Self {
        let mut lowering = Lowering { steps: Vec::new(), known: HashMap::new() };
        let mut places: Vec<u32> = Vec::with_capacity(plan.ops().len());
        for op in plan.ops() {
            let at = |k: u32| places[k as usize];
            let place = match *op {
                Op::Constant(lo, hi) => lowering.push(Step::Constant(lo, hi)),
                Op::Input(k) => lowering.push(Step::Input(k)),
                Op::Unary(function, x) => lowering.unary(function, at(x)),
                Op::Binary(function, x, y) => lowering.binary(function, at(x), at(y)),
            };
            places.push(place);
        }
        // The result is a form, not a constant.
        let mut result = places.last().map_or(0, |place| *place as usize);
        if matches!(lowering.steps[result], Step::Constant(..)) {
            let one = 1.0_f64.to_bits();
            result = lowering.push(Step::Times(result as u32, one, one)) as usize;
        }
        let Lowering { steps, .. } = lowering;
        let mut used = vec![false; steps.len()];
        used[result] = true;
        for i in (0..=result).rev() {
            if used[i] {
                operands(steps[i]).into_iter().for_each(|k| used[k as usize] = true);
            }
        }
        let variables = plan.variables().len();
        let mut made = Self { steps: Vec::new(), layouts: Vec::new(), sets: Vec::new(), variables };
        let (mut place, mut symbols) = (vec![0; steps.len()], variables as u32);
        for i in (0..=result).filter(|i| used[*i]) {
            place[i] = made.steps.len() as u32;
            made.add_step(moved(steps[i], &place), &mut symbols);
        }
        made
    }

    /// A step with the symbols of its operands, and its own.
    fn add_step(&mut self, step: Step, symbols: &mut u32) {
        let (mut layout, mut set) = (Vec::new(), 0);
        for k in operands(step) {
            layout.extend(&self.layouts[k as usize]);
            set |= self.sets[k as usize];
        }
        match step {
            Step::Input(k) => (layout, set) = (vec![k], 1 << k),
            Step::Unary(function, _) if forgets(function) => layout.clear(),
            _ => {}
        }
        layout.sort_unstable();
        layout.dedup();
        // Values of constants alone that are not folded have one, too: kernels have no forms without.
        if has_symbol(step) || layout.is_empty() && !matches!(step, Step::Constant(..)) {
            layout.push(*symbols);
            *symbols += 1;
        }
        self.steps.push(step);
        self.layouts.push(layout);
        self.sets.push(set);
    }
}

impl Lowering {
    fn push(&mut self, step: Step) -> u32 {
        let steps = &mut self.steps;
        *self.known.entry(step).or_insert_with(|| {
            steps.push(step);
            steps.len() as u32 - 1
        })
    }

    fn unary(&mut self, function: Unary, x: u32) -> u32 {
        match function {
            Unary::Powi(1) => x,
            Unary::Neg => self.push(Step::Neg(x)),
            Unary::Sqr | Unary::Powi(2) => self.push(Step::Sqr(x)),
            Unary::Powi(0) => self.push(Step::Constant(1.0_f64.to_bits(), 1.0_f64.to_bits())),
            Unary::Powi(-1) => self.push(Step::Unary(Unary::Reciprocal, x)),
            _ => self.push(Step::Unary(function, x)),
        }
    }

    fn binary(&mut self, function: Binary, x: u32, y: u32) -> u32 {
        let constant = |k: u32| match self.steps[k as usize] {
            Step::Constant(lo, hi) => Some((lo, hi)),
            _ => None,
        };
        match (function, constant(x), constant(y)) {
            (Binary::Add, ..) => self.push(Step::Add(x, y)),
            (Binary::Sub, ..) => self.push(Step::Sub(x, y)),
            (Binary::Mul, Some((lo, hi)), _) => self.push(Step::Times(y, lo, hi)),
            (Binary::Mul, _, Some((lo, hi))) => self.push(Step::Times(x, lo, hi)),
            (Binary::Mul, ..) => self.push(Step::Mul(x, y)),
            (Binary::Div, _, Some((lo, hi))) => self.push(Step::Over(x, lo, hi)),
            (Binary::Div, ..) => {
                let inverse = self.push(Step::Unary(Unary::Reciprocal, y));
                self.binary(Binary::Mul, x, inverse)
            }
            (Binary::Min, ..) => self.push(Step::Smaller(x, y)),
            (Binary::Max, ..) => {
                let [x, y] = [x, y].map(|k| self.push(Step::Neg(k)));
                let smaller = self.push(Step::Smaller(x, y));
                self.push(Step::Neg(smaller))
            }
            (Binary::Atan2, ..) => self.angle(x, y),
            (Binary::Fmod | Binary::Remainder, ..) => self.push(Step::Remainder(function, x, y)),
            (Binary::Pow, ..) => {
                let logarithm = self.push(Step::Unary(Unary::Log, x));
                let exponent = self.binary(Binary::Mul, y, logarithm);
                self.push(Step::Unary(Unary::Exp, exponent))
            }
        }
    }

    /// atan2(y, x) by one quotient and one arc tangent, whichever half plane it is.
    fn angle(&mut self, y: u32, x: u32) -> u32 {
        let over = self.push(Step::Pick { right: x, left: y, x });
        let under = self.push(Step::Pick { right: y, left: x, x });
        let inverse = self.push(Step::Unary(Unary::Reciprocal, over));
        let quotient = self.push(Step::Mul(under, inverse));
        let turned = self.push(Step::Atan { quotient, under, over });
        self.push(Step::Angle { turned, y, x })
    }
}
