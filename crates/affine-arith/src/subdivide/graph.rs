//! Arithmetic on f32 as a graph: each operation once, with the axes it depends on. What the CPU runs and what kernels are written from.

use std::collections::HashMap;

use crate::function::{Binary, Unary};
use crate::real::Real;

/// A node's place; operands come before what uses them.
pub(crate) type Id = u32;

/// A function of whole forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Unary(Unary),
    Binary(Binary),
}

/// A form as operand of a call: centre, coefficients of three symbols (0 where there are fewer), error.
pub(crate) type FormIds = [Id; 5];

/// Parts of a column's form, and of the result of a call from `COEFFICIENT` on by symbol.
pub(crate) const CENTRE: u8 = 0;
pub(crate) const COEFFICIENT: u8 = 1;
pub(crate) const ERROR: u8 = 4;

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// The float of these bits.
    Constant(u32),
    /// A part of the form of operation `op` of the plan, which depends on one axis alone.
    Column {
        axis: u8,
        op: u32,
        part: u8,
    },
    Neg(Id),
    Abs(Id),
    Add(Id, Id),
    Mul(Id, Id),
    /// The operand, or 0 where it is below TINY in magnitude.
    Snap(Id),
    /// `value` where total <= LIMIT, else the float of these bits.
    Within {
        total: Id,
        value: Id,
        beyond: u32,
    },
    /// A function of one or two forms; its parts are read by `Part`.
    Call {
        function: Function,
        x: FormIds,
        y: Option<FormIds>,
    },
    Part {
        call: Id,
        part: u8,
    },
}

/// What is known of the magnitudes of a node that are not 0: at least 2^least, and multiples of 2^grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    pub(crate) least: i32,
    pub(crate) grid: i32,
}

impl Grain {
    /// Of zeros alone.
    pub(crate) const ZERO: Self = Self { least: 1 << 20, grid: 1 << 20 };
    /// Of values that are 0 or at least TINY.
    pub(crate) const SNAPPED: Self = Self { least: TINY_EXPONENT, grid: TINY_EXPONENT - 23 };

    /// Of one float.
    pub(crate) fn of(x: f32) -> Self {
        if x == 0.0 {
            return Self::ZERO;
        }
        let significand = x.to_bits() & 0x7f_ffff | 0x80_0000;
        let least = x.exponent();
        Self { least, grid: least - 23 + significand.trailing_zeros() as i32 }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), grid: self.grid.min(other.grid) }
    }
}

/// TINY = 2^-102.
const TINY_EXPONENT: i32 = -102;

/// The nodes.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// The axes on which a node depends: bit k for axis k.
    pub(crate) sets: Vec<u8>,
    /// The same, were there no guards: sums are grouped by it, so that a guard changes no rounding.
    groups: Vec<u8>,
    grains: Vec<Grain>,
    known: HashMap<Node, Id>,
}

/// Operands of a node.
pub(crate) fn operands(node: &Node) -> Vec<Id> {
    match *node {
        Node::Constant(_) | Node::Column { .. } => Vec::new(),
        Node::Neg(x) | Node::Abs(x) | Node::Snap(x) | Node::Part { call: x, .. } => vec![x],
        Node::Add(x, y) | Node::Mul(x, y) => vec![x, y],
        Node::Within { total, value, .. } => vec![total, value],
        Node::Call { x, y, .. } => x.into_iter().chain(y.into_iter().flatten()).collect(),
    }
}

impl Graph {
    fn place(&mut self, node: Node, grain: Grain) -> Id {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let set = match node {
            Node::Column { axis, .. } => 1 << axis,
            _ => operands(&node).into_iter().fold(0, |set, id| set | self.sets[id as usize]),
        };
        let group = match node {
            Node::Column { axis, .. } => 1 << axis,
            Node::Within { value, .. } => self.group(value),
            _ => operands(&node).into_iter().fold(0, |set, id| set | self.group(id)),
        };
        let id = self.nodes.len() as Id;
        self.nodes.push(node);
        self.sets.push(set);
        self.groups.push(group);
        self.grains.push(grain);
        self.known.insert(node, id);
        id
    }

    pub(crate) fn set(&self, id: Id) -> u8 {
        self.sets[id as usize]
    }

    pub(crate) fn group(&self, id: Id) -> u8 {
        self.groups[id as usize]
    }

    fn grain(&self, id: Id) -> Grain {
        self.grains[id as usize]
    }

    fn value(&self, id: Id) -> Option<f32> {
        match self.nodes[id as usize] {
            Node::Constant(bits) => Some(f32::from_bits(bits)),
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, c: f32) -> Id {
        // One zero: its sign reaches no result.
        let c = c + 0.0;
        self.place(Node::Constant(c.to_bits()), Grain::of(c))
    }

    pub(crate) fn column(&mut self, axis: usize, op: usize, part: u8, grain: Grain) -> Id {
        self.place(Node::Column { axis: axis as u8, op: op as u32, part }, grain)
    }

    pub(crate) fn neg(&mut self, x: Id) -> Id {
        match self.nodes[x as usize] {
            Node::Neg(inner) => inner,
            Node::Constant(bits) => self.constant(-f32::from_bits(bits)),
            _ => self.place(Node::Neg(x), self.grain(x)),
        }
    }

    pub(crate) fn abs(&mut self, x: Id) -> Id {
        match self.nodes[x as usize] {
            Node::Neg(inner) => self.abs(inner),
            Node::Abs(_) => x,
            Node::Constant(bits) => self.constant(f32::from_bits(bits).abs()),
            _ => self.place(Node::Abs(x), self.grain(x)),
        }
    }

    pub(crate) fn add(&mut self, x: Id, y: Id) -> Id {
        match (self.value(x), self.value(y)) {
            (Some(a), Some(b)) => return self.constant(a + b),
            (Some(0.0), _) => return y,
            (_, Some(0.0)) => return x,
            _ => {}
        }
        // Sums of multiples of a power of two are such multiples, rounded or not.
        let grid = self.grain(x).grid.min(self.grain(y).grid);
        self.place(Node::Add(x.min(y), x.max(y)), Grain { least: grid, grid })
    }

    pub(crate) fn mul(&mut self, x: Id, y: Id) -> Id {
        match (self.value(x), self.value(y)) {
            (Some(a), Some(b)) => return self.constant(a * b),
            (Some(1.0), _) => return y,
            (_, Some(1.0)) => return x,
            _ => {}
        }
        let (p, q) = (self.grain(x), self.grain(y));
        let grain = Grain { least: p.least + q.least, grid: p.grid + q.grid };
        self.place(Node::Mul(x.min(y), x.max(y)), grain)
    }

    /// `x`, or 0 below TINY; `x` itself where it is known not to fall below.
    pub(crate) fn snap(&mut self, x: Id) -> Id {
        if let Some(c) = self.value(x) {
            return self.constant(snap(c));
        }
        let grain = self.grain(x);
        if grain.least >= TINY_EXPONENT {
            return x;
        }
        let grain = Grain { least: TINY_EXPONENT, grid: grain.grid.max(Grain::SNAPPED.grid) };
        self.place(Node::Snap(x), grain)
    }

    /// x y, or 0 below TINY.
    pub(crate) fn product(&mut self, x: Id, y: Id) -> Id {
        let product = self.mul(x, y);
        self.snap(product)
    }

    pub(crate) fn within(&mut self, total: Id, value: Id, beyond: f32) -> Id {
        let grain = self.grain(value).and(Grain::of(beyond));
        self.place(Node::Within { total, value, beyond: beyond.to_bits() }, grain)
    }

    /// The parts of a function of forms: centre, three coefficients, error.
    pub(crate) fn call(&mut self, function: Function, x: FormIds, y: Option<FormIds>) -> FormIds {
        let call = self.place(Node::Call { function, x, y }, Grain::SNAPPED);
        std::array::from_fn(|part| self.place(Node::Part { call, part: part as u8 }, Grain::SNAPPED))
    }

    /// `id` without signs and magnitudes, which cost nothing where a value is used.
    pub(crate) fn bare(&self, mut id: Id) -> Id {
        while let Node::Neg(x) | Node::Abs(x) = self.nodes[id as usize] {
            id = x;
        }
        id
    }

    /// What the roots need, in order.
    pub(crate) fn needed(&self, roots: &[Id]) -> Vec<Id> {
        let mut used = vec![false; self.nodes.len()];
        roots.iter().for_each(|id| used[*id as usize] = true);
        for i in (0..used.len()).rev() {
            if used[i] {
                operands(&self.nodes[i]).into_iter().for_each(|id| used[id as usize] = true);
            }
        }
        (0..used.len() as Id).filter(|id| used[*id as usize]).collect()
    }
}

/// `x`, or 0 where it is below TINY in magnitude.
pub(crate) fn snap(x: f32) -> f32 {
    if x.abs() < f32::TINY { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::{Grain, Graph, Node};

    #[test]
    fn operations_stand_once_and_constants_fold() {
        let mut graph = Graph::default();
        let x = graph.column(0, 3, 0, Grain::of(1.5));
        let y = graph.column(1, 3, 0, Grain::of(1.5));
        let minus = graph.neg(y);
        let (a, b) = (graph.add(x, minus), graph.add(minus, x));
        assert_eq!(a, b);
        assert_eq!((graph.set(x), graph.set(a)), (1, 3));
        assert_eq!(graph.neg(minus), y);
        let magnitude = graph.abs(minus);
        assert_eq!(graph.nodes[magnitude as usize], Node::Abs(y));
        let (two, half) = (graph.constant(2.0), graph.constant(0.5));
        assert_eq!((graph.mul(two, half), graph.mul(x, y)), (graph.constant(1.0), graph.mul(y, x)));
    }

    #[test]
    fn products_are_snapped_only_where_they_can_be_small() {
        let mut graph = Graph::default();
        let large = graph.column(0, 0, 0, Grain::of(2f32.powi(-50)));
        let small = graph.column(1, 0, 0, Grain::of(2f32.powi(-60)));
        let fine = graph.product(large, large);
        assert!(matches!(graph.nodes[fine as usize], Node::Mul(..)));
        let risky = graph.product(large, small);
        assert!(matches!(graph.nodes[risky as usize], Node::Snap(_)));
        // 1 + 2^-23 lies on a grid of 2^-23: a difference of two such numbers may be as small.
        let fine_grid = graph.column(0, 1, 0, Grain::of(1.0 + f32::EPSILON));
        let difference = graph.add(fine_grid, large);
        assert_eq!(graph.grain(difference).least, -50);
    }
}
