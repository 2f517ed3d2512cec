//! One point's walk through the tree.

use super::Hit;
use crate::Surface;
use crate::kernels::Vec3;
use crate::kernels::cylinder_bound::{SLACK, WIDTH, cylinder_bounds};
use crate::kernels::real::{Real, Record};
use crate::kernels::triangle_distance::triangle_distance;
use crate::tree::MAX_DEPTH;

/// A walk leaves at most seven children a level behind.
const STACK: usize = (WIDTH - 1) * MAX_DEPTH + 1;

/// The nearest triangle of a point; `seed` is a slot that is probably near, or `u32::MAX`.
///
/// The seed is a candidate like any other, so it only makes the first bound good.
/// Bounds are f32 whatever the numbers of the surface: their pads cover the rounding of f64 coordinates, too (docs/numerics.md).
pub(crate) fn nearest<R: Real>(surface: &Surface<R>, point: Vec3<R>, seed: u32) -> Hit<R> {
    nearest_within(surface, point, seed, f32::MAX)
}

/// [`nearest`] where it is no farther than the root of `reach2`; else some triangle that is farther, or [`Hit::NONE`].
pub(crate) fn nearest_within<R: Real>(surface: &Surface<R>, point: Vec3<R>, seed: u32, reach2: f32) -> Hit<R> {
    nearest_visited(surface, point, seed, reach2, &mut ())
}

/// Is told what a walk looks at.
pub(super) trait Visitor {
    /// A node and its number of children.
    fn node(&mut self, children: usize);
    /// A triangle.
    fn triangle(&mut self);
}

/// Nobody.
impl Visitor for () {
    fn node(&mut self, _: usize) {}
    fn triangle(&mut self) {}
}

/// [`nearest_within`] that tells what it looks at.
#[inline(always)]
pub(super) fn nearest_visited<R: Real>(
    surface: &Surface<R>,
    point: Vec3<R>,
    seed: u32,
    reach2: f32,
    visitor: &mut impl Visitor,
) -> Hit<R> {
    let p = point.map(R::to_f32);
    let records = surface.records();
    let nodes = &surface.tree().nodes;
    let mut best = Hit::NONE;
    if let Some(record) = records.get(seed as usize) {
        visitor.triangle();
        best.offer(triangle_distance(record, point), record.facet(), seed);
    }
    let mut bound = best.d2.to_f32().min(reach2) * SLACK; // bound only
    let mut stack = [(0.0f32, 0u32); STACK];
    let mut height = 0;
    let mut node = &nodes[0];
    loop {
        let bounds = cylinder_bounds(&node.cylinders, p);
        let (inner, children) = (node.inner as usize, node.children as usize);
        visitor.node(children);
        for (k, &lower) in bounds.iter().enumerate().take(children).skip(inner) {
            if lower <= bound {
                let slot = node.slot_base + (k - inner) as u32;
                let record = &records[slot as usize];
                visitor.triangle();
                best.offer(triangle_distance(record, point), record.facet(), slot);
                bound = best.d2.to_f32().min(reach2) * SLACK; // bound only
            }
        }
        // The nearest inner child next, the others later.
        let mut next = (f32::INFINITY, 0);
        for (k, &lower) in bounds.iter().enumerate().take(inner) {
            if lower <= bound {
                let mut child = (lower, node.child_base + k as u32);
                if child.0 < next.0 {
                    std::mem::swap(&mut child, &mut next);
                }
                if child.0 < f32::INFINITY {
                    stack[height] = child;
                    height += 1;
                }
            }
        }
        while next.0 > bound {
            if height == 0 {
                return best;
            }
            height -= 1;
            next = stack[height];
        }
        node = &nodes[next.1 as usize];
    }
}
