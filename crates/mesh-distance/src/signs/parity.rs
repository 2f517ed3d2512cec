//! Inside by counting the triangles on rays.

use crate::Surface;
use crate::kernels::Vec3;
use crate::kernels::cylinder_bound::WIDTH;
use crate::kernels::ray_parity::{majority, parity_direction};
use crate::kernels::ray_triangle::{RaySetup, ray_meets_box, ray_setup, ray_triangle};
use crate::kernels::real::{Real, Record};
use crate::tree::MAX_DEPTH;

/// Whether most of the rays from `p` along the three axes meet an odd number of triangles.
pub(super) fn inside<R: Real>(surface: &Surface<R>, p: Vec3<R>) -> bool {
    majority([0, 1, 2].map(|k| odd(surface, &ray_setup(p, parity_direction(k)))))
}

fn odd<R: Real>(surface: &Surface<R>, ray: &RaySetup<R>) -> bool {
    let mut odd = false;
    let mut stack = [0u32; (WIDTH - 1) * MAX_DEPTH + 1];
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let at = stack[height] as usize;
        let (node, boxes) = (&surface.tree().nodes[at], &surface.boxes()[at]);
        for k in 0..node.children {
            let (lo, hi) = boxes.child_in::<R>(k as usize);
            if !ray_meets_box(ray, lo, hi, R::NOTHING) {
                continue;
            }
            if k < node.inner {
                stack[height] = node.child_base + k;
                height += 1;
            } else {
                let [a, b, c] = surface.records()[(node.slot_base + k - node.inner) as usize].corners();
                odd ^= ray_triangle(ray, a, b, c).met;
            }
        }
    }
    odd
}
