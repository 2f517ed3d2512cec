//! A cylinder round each child of a node.
//!
//! Surfaces are locally flat, so a disc along the mean normal fits them far better than a box: a box round a slanted triangle sticks out
//! towards queries by the triangle's size. Radius and half height are exact maxima (f64) over the vertices about the rounded centre and
//! axis, padded for the rounding errors of bounds and distances; `docs/numerics.md`, section 6, has the proof.

use super::Node;
use super::binary::{Binary, Child};
use super::collapse::WideNode;
use crate::kernels::cylinder_bound::{Cylinders, WIDTH};

type Triangle = [[f32; 3]; 3];

/// Pads of radius and half height: in units of their sum, and of the largest coordinate of the mesh.
#[derive(Clone, Copy)]
struct Pads {
    relative: f64,
    absolute: f64,
}

/// 2^-15 and 2^-19.
const PADS: Pads = Pads { relative: 1.0 / 32_768.0, absolute: 1.0 / 524_288.0 };
/// Coordinate of unused slots (2^62).
const NOWHERE: f32 = f32::from_bits((127 + 62) << 23);

/// One cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cylinder {
    pub(super) centre: [f32; 3],
    pub(super) axis: [f32; 3],
    pub(super) radius: f32,
    pub(super) half_height: f32,
}

/// The node of a wide node: cylinders round the triangles (in binary leaf order) of its children.
pub(super) fn node(wide: &WideNode, binary: &Binary, corners: &[Triangle], largest: f32) -> Node {
    let mut cylinders = Cylinders {
        cx: [NOWHERE; WIDTH],
        cy: [0.0; WIDTH],
        cz: [0.0; WIDTH],
        r: [0.0; WIDTH],
        nx: [1.0; WIDTH],
        ny: [0.0; WIDTH],
        nz: [0.0; WIDTH],
        h: [0.0; WIDTH],
    };
    for (k, &child) in wide.children[..wide.count as usize].iter().enumerate() {
        let range = match child {
            Child::Leaf(at) => [at, at + 1],
            Child::Inner(index) => binary.nodes[index as usize].range,
        };
        let cylinder = round(&corners[range[0] as usize..range[1] as usize], largest);
        [cylinders.cx[k], cylinders.cy[k], cylinders.cz[k]] = cylinder.centre;
        [cylinders.nx[k], cylinders.ny[k], cylinders.nz[k]] = cylinder.axis;
        cylinders.r[k] = cylinder.radius;
        cylinders.h[k] = cylinder.half_height;
    }
    let WideNode { child_base, slot_base, inner, count, .. } = *wide;
    Node { cylinders, child_base, slot_base, inner, children: count }
}

/// The cylinders of a node anew, after its vertices moved: round the triangles (in slot order) of its children.
pub(super) fn refit(node: &Node, slots: &[[u32; 2]], corners: &[Triangle], largest: f32) -> Node {
    let mut moved = *node;
    for k in 0..node.children {
        let range = match k.checked_sub(node.inner) {
            Some(leaf) => [node.slot_base + leaf, node.slot_base + leaf + 1],
            // A subtree's slots are consecutive and begin with those of its root.
            None => slots[(node.child_base + k) as usize],
        };
        let cylinder = round(&corners[range[0] as usize..range[1] as usize], largest);
        let (k, c) = (k as usize, &mut moved.cylinders);
        [c.cx[k], c.cy[k], c.cz[k]] = cylinder.centre;
        [c.nx[k], c.ny[k], c.nz[k]] = cylinder.axis;
        (c.r[k], c.h[k]) = (cylinder.radius, cylinder.half_height);
    }
    moved
}

/// The better of two padded cylinders round some triangles: along their mean normal, and along the thinnest side of their box.
pub(super) fn round(triangles: &[Triangle], largest: f32) -> Cylinder {
    let mean = mean_normal(triangles).map(|axis| along(triangles, axis));
    let best = match mean {
        // Flat enough: nothing along an axis of the box would be much better.
        Some(disc) if disc.half_height <= 0.25 * disc.radius => disc,
        Some(other) => {
            let along_side = along(triangles, thinnest(triangles));
            if volume(&along_side) < volume(&other) { along_side } else { other }
        }
        None => along(triangles, thinnest(triangles)),
    };
    exact(triangles, best.centre, best.axis, largest, PADS)
}

fn volume(c: &Cylinder) -> f32 {
    c.radius * c.radius * c.half_height
}

/// Area-weighted mean normal, or `None` when the normals cancel or vanish.
fn mean_normal(triangles: &[Triangle]) -> Option<[f32; 3]> {
    let mut sum = [0.0f32; 3];
    for [a, b, c] in triangles {
        let u: [f32; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let v: [f32; 3] = std::array::from_fn(|k| c[k] - a[k]);
        sum[0] += u[1] * v[2] - u[2] * v[1];
        sum[1] += u[2] * v[0] - u[0] * v[2];
        sum[2] += u[0] * v[1] - u[1] * v[0];
    }
    unit(sum)
}

/// The unit vector, rounded once from f64.
fn unit(v: [f32; 3]) -> Option<[f32; 3]> {
    let v = v.map(f64::from);
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|x| (x / length) as f32))
}

/// The axis of the thinnest side of the box.
fn thinnest(triangles: &[Triangle]) -> [f32; 3] {
    let (mut lo, mut hi) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for p in triangles.iter().flatten() {
        for k in 0..3 {
            lo[k] = if p[k] < lo[k] { p[k] } else { lo[k] };
            hi[k] = if p[k] > hi[k] { p[k] } else { hi[k] };
        }
    }
    let width = |k: usize| hi[k] - lo[k];
    let axis = (1..3).fold(0, |best, k| if width(k) < width(best) { k } else { best });
    std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 })
}

/// An estimate (f32, not padded) of the cylinder along `axis`, its centre in the middle of the extents along three directions.
fn along(triangles: &[Triangle], axis: [f32; 3]) -> Cylinder {
    let [u, v] = across(axis);
    let (mut lo, mut hi) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for p in triangles.iter().flatten() {
        for (k, d) in [u, v, axis].iter().enumerate() {
            let x = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
            lo[k] = if x < lo[k] { x } else { lo[k] };
            hi[k] = if x > hi[k] { x } else { hi[k] };
        }
    }
    let middle: [f32; 3] = std::array::from_fn(|k| 0.5 * (lo[k] + hi[k]));
    let half: [f32; 3] = std::array::from_fn(|k| 0.5 * (hi[k] - lo[k]));
    let centre = std::array::from_fn(|k| middle[0] * u[k] + middle[1] * v[k] + middle[2] * axis[k]);
    let radius = half[0].max(half[1]);
    // A floor for the height, so that of flat cylinders the smaller one wins.
    Cylinder { centre, axis, radius, half_height: half[2].max(radius * 1e-3) }
}

/// Two unit vectors at right angles to a unit vector and to each other.
fn across(n: [f32; 3]) -> [[f32; 3]; 2] {
    let s = if n[2] < 0.0 { -1.0 } else { 1.0 };
    // Duff et al., Building an orthonormal basis, revisited, 2017.
    let a = -1.0 / (s + n[2]);
    let b = n[0] * n[1] * a;
    [[1.0 + s * n[0] * n[0] * a, s * b, -s * n[0]], [b, s + n[1] * n[1] * a, -n[1]]]
}

/// The padded cylinder about this centre and axis.
fn exact(triangles: &[Triangle], centre: [f32; 3], axis: [f32; 3], largest: f32, pads: Pads) -> Cylinder {
    let (c, n) = (centre.map(f64::from), axis.map(f64::from));
    let (mut across, mut along) = (0.0f64, 0.0f64);
    for p in triangles.iter().flatten() {
        let e: [f64; 3] = std::array::from_fn(|k| f64::from(p[k]) - c[k]);
        let h = e[0] * n[0] + e[1] * n[1] + e[2] * n[2];
        let s = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        let beside = s - h * h;
        across = if beside > across { beside } else { across };
        along = if h.abs() > along { h.abs() } else { along };
    }
    // A needle along its axis would amplify the error of s - h^2.
    let radius = across.sqrt().max(along / 8.0);
    let pad = pads.relative * (radius + along) + pads.absolute * f64::from(largest);
    Cylinder { centre, axis, radius: round_up(radius + pad), half_height: round_up(along + pad) }
}

fn round_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Samples;
    use super::*;
    use crate::kernels::cylinder_bound::{SLACK, cylinder_bounds};
    use crate::kernels::triangle_distance::triangle_distance;
    use crate::kernels::triangle_record::triangle_record;

    fn bound(c: &Cylinder, p: [f32; 3]) -> f32 {
        let ([cx, cy, cz], [nx, ny, nz]) = (c.centre.map(|x| [x; 8]), c.axis.map(|x| [x; 8]));
        cylinder_bounds(&Cylinders { cx, cy, cz, nx, ny, nz, r: [c.radius; 8], h: [c.half_height; 8] }, p)[0]
    }

    /// How often a cylinder's bound exceeds the distance it must not exceed.
    fn violations(pads: Pads) -> usize {
        let mut found = 0;
        Samples::new(3).each(50_000, |triangles, points, direction| {
            let fitted = round(triangles, 2.0);
            let cylinder = exact(triangles, fitted.centre, fitted.axis, 2.0, pads);
            // Just above the disc, where the half height decides.
            let over = |t: f32| {
                std::array::from_fn(|k| fitted.centre[k] + fitted.axis[k] * (fitted.half_height + t.abs() * 0.01))
            };
            let more = [over(direction[0]), over(direction[1] * 0.1)];
            for &p in points.iter().chain(&more) {
                let best = triangles.iter().map(|[a, b, c]| triangle_distance(&triangle_record(*a, *b, *c, 0), p));
                found += usize::from(bound(&cylinder, p) > best.fold(f32::INFINITY, f32::min) * SLACK);
            }
        });
        found
    }

    #[test]
    fn bounds_never_exceed_distances_but_would_without_pads() {
        assert_eq!(violations(PADS), 0);
        let without = violations(Pads { relative: 0.0, absolute: 0.0 });
        assert!(without > 100, "the control did not fail: {without}");
    }

    #[test]
    fn unused_slots_are_farther_than_any_best() {
        let nowhere = Cylinder { centre: [NOWHERE, 0.0, 0.0], axis: [1.0, 0.0, 0.0], radius: 0.0, half_height: 0.0 };
        let far = crate::frame::FAR as f32;
        for p in [[far; 3], [-far, far, -far], [0.0; 3]] {
            let lower = bound(&nowhere, p);
            assert!(lower.is_finite() && lower > crate::search::Hit::<f32>::NONE.d2 * SLACK);
        }
    }
}
