//! Boxes round the children of each node: what rays and cells ask. Distances ask the cylinders, which fit far better.

use super::Tree;
use crate::kernels::Vec3;
use crate::kernels::cylinder_bound::WIDTH;
use crate::kernels::real::{Real, Record};
use crate::kernels::triangle_distance::{larger, smaller};

/// Eight boxes: minima and maxima of vertices, of f64 the next f32 outside of them. Those of unused children are empty.
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

    /// The box of a child in the numbers of a surface.
    pub(crate) fn child_in<R: Real>(&self, k: usize) -> (Vec3<R>, Vec3<R>) {
        let (lo, hi) = self.child(k);
        (lo.map(|x| R::from_f64(x.into())), hi.map(|x| R::from_f64(x.into())))
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

/// The box of a triangle. In f64 rounded outward: the operations on boxes are monotone, so a larger box bounds as well.
pub(crate) fn of_triangle<R: Real>(r: &R::Record) -> (Vec3, Vec3) {
    let [a, b, c] = r.corners();
    let lo = std::array::from_fn(|k| f32::rounded_down(smaller(smaller(a[k], b[k]), c[k]).to_f64()));
    // 0 - x: a bound of 0 is +0.
    let hi = std::array::from_fn(|k| 0.0 - f32::rounded_down(-larger(larger(a[k], b[k]), c[k]).to_f64()));
    (lo, hi)
}

/// The boxes of all nodes, in the order of the nodes.
pub(crate) fn of_nodes<R: Real>(tree: &Tree, records: &[R::Record]) -> Vec<NodeBoxes> {
    let mut boxes = vec![NodeBoxes::EMPTY; tree.nodes.len()];
    // A node comes before its children.
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let mut own = NodeBoxes::EMPTY;
        for k in 0..node.children {
            let bounds = match k.checked_sub(node.inner) {
                None => boxes[(node.child_base + k) as usize].all(),
                Some(leaf) => of_triangle::<R>(&records[(node.slot_base + leaf) as usize]),
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
