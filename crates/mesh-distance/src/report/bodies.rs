//! Closed components that share space: which may do so, and which are cavities of others.

use crate::{Bounds, Mesh};

/// A closed component.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// Of the component.
    pub(super) triangles: Vec<u32>,
    pub(super) bounds: Bounds,
    pub(super) inward: bool,
}

/// What the bodies are to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrangement {
    /// Bodies whose box overlaps that of another.
    pub(super) overlapping: usize,
    /// Inward bodies round whose first corner the others wind at least once: the surface of a hollow.
    pub(super) cavities: usize,
}

/// Triangles that are asked for each triangle of the mesh, and in all cases, to find cavities. What is left then is taken for none.
const ASKED: (usize, usize) = (64, 1 << 20);
/// Bodies of a leaf.
const LEAF: usize = 4;

/// Looks at all bodies. Cost O(bodies log bodies), and for each inward body the triangles of the bodies whose boxes hold its first corner, at most
/// 64 times the triangles of all.
pub(super) fn arrange(mesh: &Mesh, bodies: &[Body]) -> Arrangement {
    if bodies.len() < 2 {
        return Arrangement::default();
    }
    let mut order: Vec<u32> = (0..bodies.len() as u32).collect();
    let mut nodes = Vec::new();
    build(bodies, &mut order, &mut nodes);
    let tree = Tree { bodies, order: &order, nodes: &nodes };
    let mut found = Arrangement::default();
    let mut asked = 0;
    let most = ASKED.0 * mesh.triangles.len() + ASKED.1;
    for (index, body) in bodies.iter().enumerate() {
        found.overlapping += usize::from(tree.any(&body.bounds, index));
        if !body.inward || asked > most {
            continue;
        }
        let corner = mesh.corners(body.triangles[0] as usize)[0];
        let mut turns = 0.0;
        tree.visit(&Bounds { lo: corner, hi: corner }, &mut |other| {
            if other != index {
                asked += bodies[other].triangles.len();
                turns += winding(mesh, &bodies[other].triangles, corner);
            }
            true
        });
        found.cavities += usize::from(turns > 0.5);
    }
    found
}

/// Boxes of bodies, halved at the median of their longest side; behind the node of a range come those of its first half, then those of the second.
struct Tree<'a> {
    bodies: &'a [Body],
    order: &'a [u32],
    nodes: &'a [Node],
}

/// The box of a range of bodies.
struct Node {
    bounds: Bounds,
    /// Node of the second half, 0 for a leaf.
    second: usize,
}

/// Appends the nodes of a range in depth-first order.
fn build(bodies: &[Body], order: &mut [u32], nodes: &mut Vec<Node>) {
    let whole = order
        .iter()
        .map(|&b| bodies[b as usize].bounds)
        .reduce(joined)
        .unwrap_or(Bounds { lo: [0.0; 3], hi: [0.0; 3] });
    let own = nodes.len();
    nodes.push(Node { bounds: whole, second: 0 });
    if order.len() <= LEAF {
        return;
    }
    let side = |k: usize| whole.hi[k] * 0.5 - whole.lo[k] * 0.5;
    let axis = (0..3).max_by(|&a, &b| side(a).total_cmp(&side(b))).unwrap_or(0);
    let middle = |b: u32| bodies[b as usize].bounds.lo[axis] * 0.5 + bodies[b as usize].bounds.hi[axis] * 0.5;
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |&a, &b| middle(a).total_cmp(&middle(b)));
    let (left, right) = order.split_at_mut(half);
    build(bodies, left, nodes);
    nodes[own].second = nodes.len();
    build(bodies, right, nodes);
}

impl Tree<'_> {
    /// Whether another body's box overlaps this one.
    fn any(&self, bounds: &Bounds, own: usize) -> bool {
        let mut found = false;
        self.visit(bounds, &mut |other| {
            found = other != own;
            !found
        });
        found
    }

    /// Calls for each body whose box overlaps, until it is told to stop.
    fn visit(&self, bounds: &Bounds, call: &mut dyn FnMut(usize) -> bool) {
        self.visit_range(bounds, self.order, 0, call);
    }

    fn visit_range(&self, bounds: &Bounds, order: &[u32], node: usize, call: &mut dyn FnMut(usize) -> bool) -> bool {
        let Node { bounds: whole, second } = &self.nodes[node];
        if !meet(whole, bounds) {
            return true;
        }
        if order.len() <= LEAF {
            let mut bodies = order.iter().map(|&b| b as usize);
            return bodies.all(|b| !overlap(&self.bodies[b].bounds, bounds) || call(b));
        }
        let (left, right) = order.split_at(order.len() / 2);
        self.visit_range(bounds, left, node + 1, call) && self.visit_range(bounds, right, *second, call)
    }
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    Bounds { lo: std::array::from_fn(|k| a.lo[k].min(b.lo[k])), hi: std::array::from_fn(|k| a.hi[k].max(b.hi[k])) }
}

fn meet(a: &Bounds, b: &Bounds) -> bool {
    (0..3).all(|k| a.lo[k] <= b.hi[k] && b.lo[k] <= a.hi[k])
}

/// Boxes that share more than a face: bodies side by side do not count. A side of length 0 counts where it lies in or at the other.
fn overlap(a: &Bounds, b: &Bounds) -> bool {
    (0..3).all(|k| {
        let (from, to) = (a.lo[k].max(b.lo[k]), a.hi[k].min(b.hi[k]));
        from < to || from == to && (a.lo[k] == a.hi[k] || b.lo[k] == b.hi[k])
    })
}

/// How often closed triangles wind round a point, rounded to a whole number: exact unless the point lies on them.
fn winding(mesh: &Mesh, triangles: &[u32], point: [f64; 3]) -> f64 {
    let turns: f64 = triangles.iter().map(|&t| turn(mesh.corners(t as usize), point)).sum();
    turns.round()
}

/// The solid angle of a triangle in turns, by the formula of van Oosterom and Strackee.
fn turn(corners: [[f64; 3]; 3], point: [f64; 3]) -> f64 {
    let [a, b, c] = corners.map(|p| super::sub(p, point)).map(|v| {
        let length = super::length(v);
        if length > 0.0 { v.map(|x| x / length) } else { v }
    });
    let volume = super::dot(a, super::cross(b, c));
    let flat = 1.0 + super::dot(a, b) + super::dot(b, c) + super::dot(c, a);
    volume.atan2(flat) / std::f64::consts::TAU
}
