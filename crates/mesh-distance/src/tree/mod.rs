//! The tree: eight cylinders a node, one triangle a leaf.
//!
//! Three steps, each a pure function of the mesh whatever the number of threads: a binary tree by the surface area heuristic over boxes
//! (`binary`), its collapse to nodes of eight (`collapse`), and a cylinder round each child (`cylinder`).

mod binary;
pub(crate) mod boxes;
mod collapse;
mod cylinder;
mod primitive;
#[cfg(test)]
pub(crate) mod samples;

#[cfg(feature = "gpu")]
pub(crate) use boxes::BOX_WORDS;
pub use boxes::NodeBoxes;

use crate::kernels::cylinder_bound::{Cylinders, WIDTH};
use rayon::prelude::*;

/// Most levels of nodes, by construction: a walk that pushes at most seven children a level needs 7 * 16 entries, one that pushes groups 16.
pub const MAX_DEPTH: usize = 16;

/// A node of eight children: `inner` inner ones first, then single triangles, then unused slots.
///
/// Inner child k is node `child_base + k`, triangle child k is slot `slot_base + k - inner`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Node {
    /// A cylinder round everything in each child; unused ones are farther than any query's best.
    pub cylinders: Cylinders,
    /// First inner child.
    pub child_base: u32,
    /// First triangle.
    pub slot_base: u32,
    /// Number of inner children.
    pub inner: u32,
    /// Number of children.
    pub children: u32,
}

/// Words of a node on the device: 17 vec4.
pub const NODE_WORDS: usize = 68;

impl Node {
    /// The node as it lies on the device: child k is `(c.xyz, R) (n.xyz, H)`, then `(child_base, slot_base, inner | children << 8, 0)`.
    pub fn words(&self) -> [u32; NODE_WORDS] {
        let mut words = [0; NODE_WORDS];
        let c = &self.cylinders;
        for k in 0..WIDTH {
            let row = [c.cx[k], c.cy[k], c.cz[k], c.r[k], c.nx[k], c.ny[k], c.nz[k], c.h[k]];
            words[8 * k..8 * k + 8].copy_from_slice(&row.map(f32::to_bits));
        }
        words[64..67].copy_from_slice(&[self.child_base, self.slot_base, self.inner | self.children << 8]);
        words
    }

    /// The node of these [`NODE_WORDS`] words.
    #[cfg(feature = "gpu")]
    pub(crate) fn from_words(words: &[u32]) -> Node {
        let row = |field: usize| std::array::from_fn(|k| f32::from_bits(words[8 * k + field]));
        let cylinders =
            Cylinders { cx: row(0), cy: row(1), cz: row(2), r: row(3), nx: row(4), ny: row(5), nz: row(6), h: row(7) };
        let (inner, children) = (words[66] & 0xff, words[66] >> 8);
        Node { cylinders, child_base: words[64], slot_base: words[65], inner, children }
    }
}

/// A tree over the triangles of a surface; node 0 is the root.
#[derive(Debug, PartialEq)]
pub struct Tree {
    /// Nodes; the inner children of a node are consecutive.
    pub nodes: Vec<Node>,
    /// Number of levels of nodes, at most [`MAX_DEPTH`].
    pub depth: usize,
}

impl Tree {
    /// First slot and end of each node's subtree.
    pub(crate) fn slot_ranges(&self) -> Vec<[u32; 2]> {
        let mut slots = vec![[0u32; 2]; self.nodes.len()];
        // A node comes before its children.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let inner = (0..node.inner).map(|k| slots[(node.child_base + k) as usize][1]);
            let end = inner.fold(node.slot_base + node.children - node.inner, u32::max);
            slots[at] = [node.slot_base, end];
        }
        slots
    }

    /// The same tree with cylinders round the moved triangles, given by slot.
    pub(crate) fn refit(&self, corners: &[[[f32; 3]; 3]]) -> Tree {
        let largest =
            corners.as_flattened().as_flattened().iter().fold(1.0f32, |m, x| if x.abs() > m { x.abs() } else { m });
        let slots = self.slot_ranges();
        let nodes = self.nodes.par_iter().map(|node| cylinder::refit(node, &slots, corners, largest)).collect();
        Tree { nodes, depth: self.depth }
    }

    /// The tree of these triangles and their order: entry i is the triangle of slot i. There is at least one triangle.
    pub(crate) fn build(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> (Tree, Vec<u32>) {
        let mut primitives = primitive::primitives(positions, triangles);
        let binary = binary::build(&mut primitives);
        let shape = collapse::collapse(&binary, primitives.len());
        let corners: Vec<[[f32; 3]; 3]> =
            primitives.par_iter().map(|p| triangles[p.id() as usize].map(|v| positions[v as usize])).collect();
        let largest = positions.iter().flatten().fold(1.0f32, |m, x| if x.abs() > m { x.abs() } else { m });
        let nodes = shape.nodes.par_iter().map(|wide| cylinder::node(wide, &binary, &corners, largest)).collect();
        let order = shape.order.iter().map(|&at| primitives[at as usize].id()).collect();
        (Tree { nodes, depth: shape.depth }, order)
    }
}
