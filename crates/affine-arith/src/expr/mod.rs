//! Expressions: what a function written for [`Scalar`] leaves when it is run on symbols, or what a text says.

mod builder;
mod number;
mod parse;
mod plan;
mod regroup;

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

use crate::error::Error;
use crate::function::{Binary, Unary};
use crate::scalar::Scalar;

pub use parse::variable_column;
pub use plan::{Op, Plan};
pub(crate) use plan::{binary, operands, run};

/// An expression in named variables. Clones share their parts; cost of every operation: O(1).
#[derive(Clone, Debug)]
pub struct Expr(Arc<Node>);

#[derive(Debug)]
pub(crate) enum Node {
    /// A constant between two f64.
    Constant(f64, f64),
    Variable(String),
    /// What remains of a node that is being freed.
    Leaf,
    Unary(Unary, Expr),
    Binary(Binary, Expr, Expr),
}

impl Expr {
    fn new(node: Node) -> Self {
        Self(Arc::new(node))
    }

    /// The variable of this name.
    pub fn variable(name: &str) -> Self {
        Self::new(Node::Variable(name.to_owned()))
    }

    pub(crate) fn node(&self) -> &Node {
        &self.0
    }

    /// The address of the node: equal for clones.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The expression with a number in place of a variable.
    ///
    /// Errors: more than 32 variables.
    pub fn with_value(&self, name: &str, value: f64) -> Result<Self, Error> {
        let names = self.variables();
        if !names.iter().any(|known| known == name) {
            return Ok(self.clone());
        }
        let plan = Plan::new(self, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
        let input = |known: &String| if known == name { Self::constant(value) } else { Self::variable(known) };
        plan.evaluate(&names.iter().map(input).collect::<Vec<_>>())
    }

    /// Names of the variables, sorted.
    pub fn variables(&self) -> Vec<String> {
        let mut names = std::collections::BTreeSet::new();
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            if !seen.insert(expr.address()) {
                continue;
            }
            match expr.node() {
                Node::Constant(..) | Node::Leaf => {}
                Node::Variable(name) => {
                    names.insert(name.clone());
                }
                Node::Unary(_, x) => open.push(x),
                Node::Binary(_, x, y) => open.extend([x, y]),
            }
        }
        names.into_iter().collect()
    }
}

/// Frees long chains without recursion.
impl Drop for Expr {
    fn drop(&mut self) {
        // Only the last owner of a node with parts has something to do.
        if matches!(*self.0, Node::Leaf | Node::Constant(..) | Node::Variable(_)) || Arc::strong_count(&self.0) > 1 {
            return;
        }
        let leaf = Arc::new(Node::Leaf);
        let mut open = vec![std::mem::replace(&mut self.0, leaf.clone())];
        while let Some(node) = open.pop() {
            let Some(node) = Arc::into_inner(node) else { continue };
            match node {
                Node::Unary(_, mut x) => open.push(std::mem::replace(&mut x.0, leaf.clone())),
                Node::Binary(_, mut x, mut y) => {
                    open.push(std::mem::replace(&mut x.0, leaf.clone()));
                    open.push(std::mem::replace(&mut y.0, leaf.clone()));
                }
                Node::Leaf | Node::Constant(..) | Node::Variable(_) => {}
            }
        }
    }
}

impl Scalar for Expr {
    fn constant_between(lo: f64, hi: f64) -> Self {
        Self::new(Node::Constant(lo, hi))
    }

    fn unary(&self, function: Unary) -> Self {
        Self::new(Node::Unary(function, self.clone()))
    }

    fn binary(&self, function: Binary, y: &Self) -> Self {
        Self::new(Node::Binary(function, self.clone(), y.clone()))
    }
}

impl Neg for Expr {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Unary::Neg)
    }
}

impl Add for Expr {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        self.binary(Binary::Add, &y)
    }
}

impl Sub for Expr {
    type Output = Self;

    fn sub(self, y: Self) -> Self {
        self.binary(Binary::Sub, &y)
    }
}

impl Mul for Expr {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        self.binary(Binary::Mul, &y)
    }
}

impl Div for Expr {
    type Output = Self;

    fn div(self, y: Self) -> Self {
        self.binary(Binary::Div, &y)
    }
}
