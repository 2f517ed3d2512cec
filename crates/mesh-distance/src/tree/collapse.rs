//! From two children a node to eight.

use super::MAX_DEPTH;
use super::binary::{Binary, Child};
use crate::kernels::cylinder_bound::WIDTH;

/// A wide node without its cylinders: inner children first.
pub(super) struct WideNode {
    pub(super) children: [Child; WIDTH],
    pub(super) child_base: u32,
    pub(super) slot_base: u32,
    pub(super) inner: u32,
    pub(super) count: u32,
}

/// The wide tree, and its order of leaves: entry i is the position of slot i among the sorted primitives.
pub(super) struct Shape {
    pub(super) nodes: Vec<WideNode>,
    pub(super) order: Vec<u32>,
    pub(super) depth: usize,
}

/// Collapses the binary tree over `leaves` primitives.
///
/// Of the children gathered so far the one of the largest area is opened until eight are there; but a child with at most eight leaves is
/// opened only when these all fit. Where the depth left would not do for a child, it is opened first: three binary levels a wide level
/// always do.
pub(super) fn collapse(binary: &Binary, leaves: usize) -> Shape {
    let mut shape = Shape { nodes: Vec::with_capacity(leaves / 4 + 1), order: Vec::with_capacity(leaves), depth: 0 };
    let Child::Inner(root) = binary.root else {
        // A single triangle: a root with one leaf.
        let children = [Child::Leaf(0); WIDTH];
        shape.nodes.push(WideNode { children, child_base: 0, slot_base: 0, inner: 0, count: 1 });
        return Shape { order: vec![0], depth: 1, ..shape };
    };
    shape.nodes.push(WideNode::unset());
    // Depth first, so that a subtree's nodes and slots lie close together.
    let mut todo = vec![(0u32, root, 1usize)];
    while let Some((at, root, level)) = todo.pop() {
        shape.depth = shape.depth.max(level);
        let mut children = gather(binary, root, MAX_DEPTH - level);
        children.sort_by_key(|child| matches!(child, Child::Leaf(_)));
        let inner = children.iter().filter(|child| matches!(child, Child::Inner(_))).count();
        let mut node = WideNode {
            child_base: shape.nodes.len() as u32,
            slot_base: shape.order.len() as u32,
            inner: inner as u32,
            count: children.len() as u32,
            ..WideNode::unset()
        };
        for (k, &child) in children.iter().enumerate() {
            node.children[k] = child;
            match child {
                Child::Leaf(position) => shape.order.push(position),
                Child::Inner(index) => {
                    todo.push((node.child_base + k as u32, index, level + 1));
                    shape.nodes.push(WideNode::unset());
                }
            }
        }
        shape.nodes[at as usize] = node;
    }
    shape
}

impl WideNode {
    fn unset() -> WideNode {
        WideNode { children: [Child::Leaf(0); WIDTH], child_base: 0, slot_base: 0, inner: 0, count: 0 }
    }
}

/// The children of the wide node that starts at a binary node, with `levels` wide levels left below it.
fn gather(binary: &Binary, root: u32, levels: usize) -> Vec<Child> {
    let mut children = Vec::with_capacity(WIDTH);
    children.extend(binary.nodes[root as usize].children);
    while children.len() < WIDTH {
        let free = WIDTH - children.len();
        let Some(open) = next_to_open(binary, &children, free, levels) else { break };
        let Child::Inner(index) = children.remove(open) else { break };
        let both = binary.nodes[index as usize].children;
        children.insert(open, both[1]);
        children.insert(open, both[0]);
    }
    children
}

/// The child to open next: too high for the levels left, else small enough to be absorbed whole, else the largest.
fn next_to_open(binary: &Binary, children: &[Child], free: usize, levels: usize) -> Option<usize> {
    let mut best: Option<(usize, u32, f32)> = None;
    for (at, &child) in children.iter().enumerate() {
        let Child::Inner(index) = child else { continue };
        let node = &binary.nodes[index as usize];
        let leaves = (node.range[1] - node.range[0]) as usize;
        let urgency = if node.height as usize > 3 * levels {
            3
        } else if leaves <= free + 1 {
            2
        } else if leaves > WIDTH {
            1
        } else {
            continue;
        };
        if best.is_none_or(|(_, u, area)| urgency > u || (urgency == u && node.area > area)) {
            best = Some((at, urgency, node.area));
        }
    }
    best.map(|(at, ..)| at)
}
