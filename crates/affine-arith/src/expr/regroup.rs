//! Sums regrouped by variables: x + (y + x) + z becomes (x + x) + y + z.
//!
//! Sums of real numbers have no order, so every enclosure stays one. Terms that depend on the same variables come together, then the two groups
//! whose union is smallest, and so on: a value is computed anew for as few changes of variables as possible.

use std::collections::BTreeMap;

use super::builder::Builder;
use super::plan::{Op, Plan, operands};
use crate::function::{Binary, Unary};

/// A term: whether it is subtracted, and its place.
type Term = (bool, u32);

/// Sums of more groups than this keep their order.
const MOST_GROUPS: usize = 64;

fn is_sum(op: Op) -> bool {
    matches!(op, Op::Binary(Binary::Add | Binary::Sub, ..) | Op::Unary(Unary::Neg, _))
}

impl Plan {
    /// The same function with its sums regrouped.
    pub(super) fn regrouped(self) -> Self {
        // [1] Sums that are used once, by a sum, dissolve into it.
        let mut uses = vec![0_u32; self.ops.len()];
        let mut in_sum = vec![false; self.ops.len()];
        for op in &self.ops {
            for k in operands(*op).into_iter().flatten() {
                uses[k as usize] += 1;
                in_sum[k as usize] = is_sum(*op);
            }
        }
        let dissolved = |i: usize| is_sum(self.ops[i]) && uses[i] == 1 && in_sum[i];
        // [2] Everything else in order.
        let mut builder = Builder::new(self.variables.clone());
        let mut place = vec![0_u32; self.ops.len()];
        for i in 0..self.ops.len() {
            if dissolved(i) && i != self.result as usize {
                continue;
            }
            place[i] = match self.ops[i] {
                op if is_sum(op) => {
                    let terms = self.terms(i, &dissolved);
                    let terms = terms.into_iter().map(|(negative, k)| (negative, place[k as usize])).collect();
                    builder.sum(terms)
                }
                Op::Unary(f, x) => builder.place(Op::Unary(f, place[x as usize])),
                Op::Binary(f, x, y) => builder.place(Op::Binary(f, place[x as usize], place[y as usize])),
                leaf => builder.place(leaf),
            };
        }
        let result = place[self.result as usize];
        builder.finish(result)
    }

    /// The terms of a sum, in order.
    fn terms(&self, root: usize, dissolved: &impl Fn(usize) -> bool) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut open = vec![(false, root as u32)];
        while let Some((negative, i)) = open.pop() {
            match self.ops[i as usize] {
                op if i as usize != root && !(is_sum(op) && dissolved(i as usize)) => terms.push((negative, i)),
                Op::Binary(f, x, y) => {
                    open.push((negative != (f == Binary::Sub), y));
                    open.push((negative, x));
                }
                Op::Unary(_, x) => open.push((!negative, x)),
                Op::Constant(..) | Op::Input(_) => terms.push((negative, i)),
            }
        }
        terms
    }
}

impl Builder {
    /// The sum of terms, at least one.
    fn sum(&mut self, terms: Vec<Term>) -> u32 {
        // [1] A group for every set of variables.
        let mut by_set: BTreeMap<(u32, u32), Vec<Term>> = BTreeMap::new();
        for term in terms {
            let set = self.plan.sets[term.1 as usize];
            by_set.entry((set.count_ones(), set)).or_default().push(term);
        }
        let mut groups: Vec<Term> = Vec::new();
        for (_, terms) in by_set {
            groups.extend(terms.into_iter().reduce(|x, y| self.pair(x, y)));
        }
        // [2] The pair with the fewest variables, again and again.
        while groups.len() > 1 {
            let (i, k) = if groups.len() > MOST_GROUPS { (0, 1) } else { self.closest(&groups) };
            let second = groups.remove(k);
            groups[i] = self.pair(groups[i], second);
        }
        match groups.first() {
            Some((true, place)) => self.place(Op::Unary(Unary::Neg, *place)),
            Some((false, place)) => *place,
            None => self.place(Op::Constant(0, 0)),
        }
    }

    /// The first pair, in order, whose union has the fewest variables.
    fn closest(&self, groups: &[Term]) -> (usize, usize) {
        let set = |term: Term| self.plan.sets[term.1 as usize];
        let pairs = (0..groups.len()).flat_map(|i| (i + 1..groups.len()).map(move |k| (i, k)));
        pairs.min_by_key(|(i, k)| (set(groups[*i]) | set(groups[*k])).count_ones()).unwrap_or((0, 1))
    }

    fn pair(&mut self, x: Term, y: Term) -> Term {
        match (x.0, y.0) {
            (false, true) => (false, self.place(Op::Binary(Binary::Sub, x.1, y.1))),
            (true, false) => (false, self.place(Op::Binary(Binary::Sub, y.1, x.1))),
            (negative, _) => (negative, self.place(Op::Binary(Binary::Add, x.1, y.1))),
        }
    }
}
