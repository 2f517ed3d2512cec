//! Boxes round the children of each node: what rays and cells ask. Distances ask the cylinders, which fit far better.

use super::Tree;
use crate::kernels::Vec3;
use crate::kernels::cylinder_bound::WIDTH;
use crate::kernels::triangle_distance::{larger, smaller};
use crate::kernels::triangle_record::TriangleRecord;

/// Eight boxes, exact: minima and maxima of vertices. Those of unused children are empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeBoxes {
    /// Lower corners, by axis.
    pub lo: [[f32; WIDTH]; 3],
    /// Upper corners, by axis.
    pub hi: [[f32; WIDTH]; 3],
}

/// Words of a node's boxes on the device: 13 vec4.
#[cfg(feature = "gpu")]
pub(crate) const BOX_WORDS: usize = 52;

/// Beyond every coordinate (2^62).
const NOWHERE: f32 = f32::from_bits((127 + 62) << 23);

impl NodeBoxes {
    const EMPTY: NodeBoxes = NodeBoxes { lo: [[NOWHERE; WIDTH]; 3], hi: [[-NOWHERE; WIDTH]; 3] };

    /// The box of a child.
    pub fn child(&self, k: usize) -> (Vec3, Vec3) {
        (self.lo.map(|axis| axis[k]), self.hi.map(|axis| axis[k]))
    }

    fn set(&mut self, k: usize, (lo, hi): (Vec3, Vec3)) {
        for axis in 0..3 {
            self.lo[axis][k] = lo[axis];
            self.hi[axis][k] = hi[axis];
        }
    }

    /// The box round all children.
    fn all(&self) -> (Vec3, Vec3) {
        (
            self.lo.map(|axis| axis.into_iter().fold(NOWHERE, smaller)),
            self.hi.map(|axis| axis.into_iter().fold(-NOWHERE, larger)),
        )
    }
}

/// The box of a triangle.
pub(crate) fn of_triangle(r: &TriangleRecord) -> (Vec3, Vec3) {
    let lo = std::array::from_fn(|k| smaller(smaller(r.a[k], r.b[k]), r.c[k]));
    let hi = std::array::from_fn(|k| larger(larger(r.a[k], r.b[k]), r.c[k]));
    (lo, hi)
}

/// The boxes of all nodes, in the order of the nodes.
pub(crate) fn of_nodes(tree: &Tree, records: &[TriangleRecord]) -> Vec<NodeBoxes> {
    let mut boxes = vec![NodeBoxes::EMPTY; tree.nodes.len()];
    // A node comes before its children.
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let mut own = NodeBoxes::EMPTY;
        for k in 0..node.children {
            let bounds = match k.checked_sub(node.inner) {
                None => boxes[(node.child_base + k) as usize].all(),
                Some(leaf) => of_triangle(&records[(node.slot_base + leaf) as usize]),
            };
            own.set(k as usize, bounds);
        }
        boxes[at] = own;
    }
    boxes
}

/// The boxes as they lie on the device: eight words for each of lo.x, lo.y, lo.z, hi.x, hi.y, hi.z, then the header of the node.
#[cfg(feature = "gpu")]
pub(crate) fn words(tree: &Tree, boxes: &[NodeBoxes]) -> Vec<u32> {
    let mut words = Vec::with_capacity(boxes.len() * BOX_WORDS);
    for (node, own) in tree.nodes.iter().zip(boxes) {
        words.extend(own.lo.iter().chain(&own.hi).flatten().map(|x| x.to_bits()));
        words.extend([node.child_base, node.slot_base, node.inner | node.children << 8, 0]);
    }
    words
}
