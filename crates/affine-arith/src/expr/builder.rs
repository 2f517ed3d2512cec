//! Making plans: each operation once, simplified, constants folded.

use std::collections::HashMap;

use super::plan::{Op, Plan, operands};
use super::{Expr, Node};
use crate::error::Error;
use crate::function::{Binary, Unary};
use crate::interval::Interval;

/// A plan in the making.
pub(super) struct Builder {
    pub(super) plan: Plan,
    known: HashMap<Op, u32>,
    /// Places of nodes by address.
    done: HashMap<usize, u32>,
}

impl Builder {
    pub(super) fn new(variables: Vec<String>) -> Self {
        let plan = Plan { ops: Vec::new(), sets: Vec::new(), variables, result: 0 };
        Self { plan, known: HashMap::new(), done: HashMap::new() }
    }

    /// The plan whose result is at this place.
    pub(super) fn finish(mut self, result: u32) -> Plan {
        self.plan.result = result;
        self.plan.trimmed()
    }

    /// The place of an expression, after all of its parts; no recursion, so depth does not matter.
    pub(super) fn visit(&mut self, root: &Expr) -> Result<u32, Error> {
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
    pub(super) fn place(&mut self, op: Op) -> u32 {
        if let Some((power, factor)) = self.real_power(op) {
            let [power, factor] = [power, factor].map(|op| self.place(op));
            return self.place(Op::Binary(Binary::Mul, power, factor));
        }
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

    /// x^y for a decimal y that is no f64, such as 0.3 or 1/3: the power with the f64 in the middle, which is a function of its own, and what the other
    /// exponents make of it. None for other operations.
    ///
    /// x^(y - m) = e^((y - m) ln x), and |ln x| < 700 from the smallest to the largest number there is. Nearer to 0 the values are below those there by more
    /// than the factor is off, since x^y |ln x| falls with x for x < e^(-1/y); hence the least y.
    fn real_power(&self, op: Op) -> Option<(Op, Op)> {
        let Op::Binary(Binary::Pow, x, y) = op else { return None };
        let (Op::Constant(lo, hi), false) =
            (self.plan.ops[y as usize], matches!(self.plan.ops[x as usize], Op::Constant(..)))
        else {
            return None;
        };
        let [lo, hi] = [lo, hi].map(f64::from_bits);
        let middle = lo * 0.5 + hi * 0.5;
        let width = (hi - lo).next_up();
        let decimal = lo < hi && width < 1e-14 * middle.abs() && (0.0625..1e9).contains(&middle.abs());
        if !decimal || lo.floor() != hi.floor() || lo.fract() == 0.0 || hi.fract() == 0.0 {
            return None;
        }
        // e^t - 1 < 2 |t| for |t| < 1.
        let off = 1400.0 * width;
        let factor = Op::Constant((1.0 - off).next_down().to_bits(), (1.0 + off).next_up().to_bits());
        (off < 1e-3).then_some((Op::Unary(Unary::powf(middle), x), factor))
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
