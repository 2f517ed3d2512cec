//! Winding numbers by asking every triangle, or the tree by the criterion of the caller: the definitions.

use super::WindingOptions;
use crate::kernels::Vec3;
use crate::kernels::cylinder_bound::WIDTH;
use crate::kernels::real::Real;
use crate::kernels::solid_angle::{Fixed, add_fixed, solid_angle, to_fixed};
use crate::kernels::winding_expansion::{Moments, expansion, is_far};
use crate::tree::{MAX_DEPTH, Node};

/// Whether `p` is so far away that its winding number is 0 by definition.
pub(super) fn far_away<R: Real>(p: Vec3<R>) -> bool {
    p.iter().any(|x| x.abs() > R::FAR_AWAY)
}

/// Sum of the solid angles of all triangles, in turns.
pub(super) fn winding<R: Real>(records: &[R::Record], p: Vec3<R>) -> Fixed<R> {
    if far_away(p) {
        return Default::default();
    }
    records.iter().fold(Default::default(), |sum, r| add_fixed::<R>(sum, to_fixed(solid_angle::<R>(r, p))))
}

/// The same with an expansion for every child that the criterion calls far.
pub(super) fn fast_winding<R: Real>(
    records: &[R::Record],
    nodes: &[Node],
    moments: &[Moments<R>],
    options: WindingOptions,
    p: Vec3<R>,
) -> Fixed<R> {
    let mut sum = Fixed::<R>::default();
    if far_away(p) {
        return sum;
    }
    let beta2 = R::from_f64(options.beta2().into());
    let mut stack = [0u32; (WIDTH - 1) * MAX_DEPTH + 1];
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let index = stack[height] as usize;
        let node = &nodes[index];
        for k in 0..node.children {
            let m = &moments[index * WIDTH + k as usize];
            if is_far(m, p, beta2) {
                sum = add_fixed::<R>(sum, to_fixed(expansion(m, p)));
            } else if k < node.inner {
                stack[height] = node.child_base + k;
                height += 1;
            } else {
                let r = &records[(node.slot_base + k - node.inner) as usize];
                sum = add_fixed::<R>(sum, to_fixed(solid_angle::<R>(r, p)));
            }
        }
    }
    sum
}
