//! Plans: an expression as a list of operations, each once, with the variables that each depends on.

use std::collections::HashMap;

use super::{Expr, Node};
use crate::error::Error;
use crate::function::{Binary, Unary};
use crate::interval::Interval;
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

/// An expression ready to be evaluated: operations in order, common subexpressions once, constants folded with their rounding errors.
#[derive(Clone, Debug)]
pub struct Plan {
    ops: Vec<Op>,
    sets: Vec<u32>,
    variables: Vec<String>,
    result: u32,
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
        let mut builder = Builder { plan: Self::empty(variables), known: HashMap::new(), done: HashMap::new() };
        builder.plan.result = builder.visit(expr)?;
        Ok(builder.plan.trimmed())
    }

    fn empty(variables: &[&str]) -> Self {
        let variables = variables.iter().map(|&name| name.to_owned()).collect();
        Self { ops: Vec::new(), sets: Vec::new(), variables, result: 0 }
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
    fn trimmed(self) -> Self {
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

struct Builder {
    plan: Plan,
    known: HashMap<Op, u32>,
    /// Places of nodes by address.
    done: HashMap<usize, u32>,
}

impl Builder {
    /// The place of an expression, after all of its parts; no recursion, so depth does not matter.
    fn visit(&mut self, root: &Expr) -> Result<u32, Error> {
        let mut open = vec![root];
        while let Some(expr) = open.last().copied() {
            if self.done.contains_key(&expr.address()) {
                open.pop();
                continue;
            }
            let place = |part: &Expr| self.done.get(&part.address()).copied();
            let op = match expr.node() {
                Node::Constant(lo, hi) => Some(Op::Constant(lo.to_bits(), hi.to_bits())),
                Node::Leaf => Some(Op::Constant(0, 0)),
                Node::Variable(name) => Some(Op::Input(self.input(name)?)),
                Node::Unary(function, x) => place(x).map(|x| Op::Unary(*function, x)),
                Node::Binary(function, x, y) => match (place(x), place(y)) {
                    (Some(x), Some(y)) => Some(Op::Binary(*function, x, y)),
                    _ => None,
                },
            };
            match op {
                Some(op) => {
                    let place = self.place(op);
                    self.done.insert(expr.address(), place);
                    open.pop();
                }
                None => match expr.node() {
                    Node::Unary(_, x) => open.push(x),
                    // The first operand is taken first.
                    Node::Binary(_, x, y) => open.extend([y, x]),
                    _ => {}
                },
            }
        }
        Ok(self.done[&root.address()])
    }

    fn input(&self, name: &str) -> Result<u32, Error> {
        let found = self.plan.variables.iter().position(|known| known == name);
        found.map(|k| k as u32).ok_or_else(|| Error::UnknownVariable {
            name: name.to_owned(),
            allowed: if self.plan.variables.is_empty() { "none".to_owned() } else { self.plan.variables.join(", ") },
        })
    }

    /// The place of an operation, simplified, folded, or known already.
    fn place(&mut self, op: Op) -> u32 {
        let op = match self.simplified(op) {
            Ok(place) => return place,
            Err(op) => self.folded(op).unwrap_or(op),
        };
        if let Some(place) = self.known.get(&op) {
            return *place;
        }
        let set = match op {
            Op::Input(k) => 1 << k,
            _ => operands(op).into_iter().flatten().fold(0, |set, k| set | self.plan.sets[k as usize]),
        };
        let place = self.plan.ops.len() as u32;
        self.plan.ops.push(op);
        self.plan.sets.push(set);
        self.known.insert(op, place);
        place
    }

    /// An exact constant.
    fn number(&self, place: u32) -> Option<f64> {
        match self.plan.ops[place as usize] {
            Op::Constant(lo, hi) if lo == hi => Some(f64::from_bits(lo)),
            _ => None,
        }
    }

    /// Rules that hold for real numbers wherever the original is defined; Ok when an operand is the result.
    fn simplified(&self, op: Op) -> Result<u32, Op> {
        match op {
            Op::Unary(Unary::Neg, x) => match self.plan.ops[x as usize] {
                Op::Unary(Unary::Neg, inner) => Ok(inner),
                Op::Binary(Binary::Sub, p, q) => Err(Op::Binary(Binary::Sub, q, p)),
                _ => Err(op),
            },
            Op::Unary(Unary::Powi(1), x) => Ok(x),
            Op::Unary(Unary::Powi(2), x) => Err(Op::Unary(Unary::Sqr, x)),
            Op::Binary(Binary::Add, x, y) if self.number(x) == Some(0.0) => Ok(y),
            Op::Binary(Binary::Add | Binary::Sub, x, y) if self.number(y) == Some(0.0) => Ok(x),
            Op::Binary(Binary::Mul, x, y) if self.number(x) == Some(1.0) => Ok(y),
            Op::Binary(Binary::Mul | Binary::Div, x, y) if self.number(y) == Some(1.0) => Ok(x),
            Op::Binary(Binary::Mul, x, y) if x == y => Err(Op::Unary(Unary::Sqr, x)),
            Op::Binary(Binary::Pow, x, y) => self.power(x, y),
            // Sums and products in either order are the same operation.
            Op::Binary(f @ (Binary::Add | Binary::Mul | Binary::Min | Binary::Max), x, y) if x > y => {
                Err(Op::Binary(f, y, x))
            }
            _ => Err(op),
        }
    }

    /// x^y for a constant y.
    fn power(&self, x: u32, y: u32) -> Result<u32, Op> {
        match self.number(y) {
            Some(1.0) => Ok(x),
            Some(2.0) => Err(Op::Unary(Unary::Sqr, x)),
            Some(0.5) => Err(Op::Unary(Unary::Sqrt, x)),
            Some(n) if n.fract() == 0.0 && n.abs() < 1e9 => Err(Op::Unary(Unary::Powi(n as i32), x)),
            Some(y) => Err(Op::Unary(Unary::powf(y), x)),
            None => Err(Op::Binary(Binary::Pow, x, y)),
        }
    }

    /// The value of an operation on constants, enclosed in f64.
    fn folded(&self, op: Op) -> Option<Op> {
        let constant = |place: u32| match self.plan.ops[place as usize] {
            Op::Constant(lo, hi) => Interval::new(f64::from_bits(lo), f64::from_bits(hi)).ok(),
            _ => None,
        };
        let value = match op {
            Op::Unary(function, x) => constant(x)?.apply(function),
            Op::Binary(function, x, y) => constant(x)?.apply2(function, constant(y)?),
            _ => return None,
        };
        let usable = value.is_bounded() && !value.is_empty();
        usable.then(|| Op::Constant((value.lower() + 0.0).to_bits(), (value.upper() + 0.0).to_bits()))
    }
}
