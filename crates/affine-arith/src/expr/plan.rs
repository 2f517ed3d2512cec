//! Plans: an expression as a list of operations, each once, with the variables that each depends on.

use super::Expr;
use super::builder::Builder;
use crate::error::Error;
use crate::function::{Binary, Unary};
use crate::scalar::Scalar;

/// One operation of a plan; operands are indices of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant between the f64 of these bits.
    Constant(u64, u64),
    /// An input, by its index among the variables.
    Input(u32),
    /// A function of one operand.
    Unary(Unary, u32),
    /// A function of two operands.
    Binary(Binary, u32, u32),
}

/// An expression ready to be evaluated: operations in order, common subexpressions once, constants folded with their rounding errors,
/// terms of sums grouped by the variables they depend on (so that little is computed again when one variable changes).
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) ops: Vec<Op>,
    pub(super) sets: Vec<u32>,
    pub(super) variables: Vec<String>,
    pub(super) result: u32,
}

/// Sets of variables are words.
const MAX_VARIABLES: usize = 32;

impl Plan {
    /// A plan whose inputs are `variables`, in this order.
    ///
    /// Errors: more than 32 variables; a variable of the expression that is not among them. Cost: linear in the distinct parts.
    pub fn new(expr: &Expr, variables: &[&str]) -> Result<Self, Error> {
        if variables.len() > MAX_VARIABLES {
            return Err(Error::Count { what: "variables", got: variables.len(), needed: MAX_VARIABLES });
        }
        let mut builder = Builder::new(variables.iter().map(|&name| name.to_owned()).collect());
        let result = builder.visit(expr)?;
        Ok(builder.finish(result).regrouped())
    }

    /// The operations; the last one is the result.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// For every operation the variables it depends on: bit k for input k.
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// Names of the inputs.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The value for inputs in the order of the variables.
    ///
    /// Errors: a number of inputs that does not fit.
    pub fn evaluate<S: Scalar>(&self, inputs: &[S]) -> Result<S, Error> {
        if inputs.len() != self.variables.len() {
            return Err(Error::Count { what: "inputs of a plan", got: inputs.len(), needed: self.variables.len() });
        }
        let mut values: Vec<S> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let value = run(*op, &values, |k| inputs[k as usize].clone());
            values.push(value);
        }
        Ok(values.swap_remove(self.result as usize))
    }

    /// Leaves out what the result does not use, and numbers the rest anew.
    pub(super) fn trimmed(self) -> Self {
        let mut used = vec![false; self.ops.len()];
        used[self.result as usize] = true;
        for i in (0..self.ops.len()).rev() {
            if used[i] {
                operands(self.ops[i]).into_iter().flatten().for_each(|k| used[k as usize] = true);
            }
        }
        let mut place = vec![0; self.ops.len()];
        let mut trimmed = Self { ops: Vec::new(), sets: Vec::new(), variables: self.variables, result: 0 };
        for i in (0..self.ops.len()).filter(|i| used[*i]) {
            place[i] = trimmed.ops.len() as u32;
            trimmed.ops.push(match self.ops[i] {
                Op::Unary(f, x) => Op::Unary(f, place[x as usize]),
                Op::Binary(f, x, y) => Op::Binary(f, place[x as usize], place[y as usize]),
                leaf => leaf,
            });
            trimmed.sets.push(self.sets[i]);
        }
        trimmed.result = place[self.result as usize];
        trimmed
    }
}

/// Indices of the operands.
pub(crate) fn operands(op: Op) -> [Option<u32>; 2] {
    match op {
        Op::Constant(..) | Op::Input(_) => [None, None],
        Op::Unary(_, x) => [Some(x), None],
        Op::Binary(_, x, y) => [Some(x), Some(y)],
    }
}

/// Runs one operation on the values of the earlier ones.
pub(crate) fn run<S: Scalar>(op: Op, values: &[S], input: impl Fn(u32) -> S) -> S {
    match op {
        Op::Constant(lo, hi) => S::constant_between(f64::from_bits(lo), f64::from_bits(hi)),
        Op::Input(k) => input(k),
        Op::Unary(function, x) => values[x as usize].unary(function),
        Op::Binary(function, x, y) => binary(function, &values[x as usize], &values[y as usize]),
    }
}

/// The four operators are the type's own.
pub(crate) fn binary<S: Scalar>(function: Binary, x: &S, y: &S) -> S {
    match function {
        Binary::Add => x.clone() + y.clone(),
        Binary::Sub => x.clone() - y.clone(),
        Binary::Mul => x.clone() * y.clone(),
        Binary::Div => x.clone() / y.clone(),
        _ => x.binary(function, y),
    }
}
