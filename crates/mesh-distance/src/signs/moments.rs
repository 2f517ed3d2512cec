//! Moments of the tree's children, for expansions of their solid angles.

use crate::kernels::cylinder_bound::WIDTH;
use crate::kernels::real::{Real, Record};
use crate::kernels::triangle_record::TINY;
use crate::kernels::winding_expansion::Moments;
use crate::tree::Node;
use gpu_shaders::strict_float::snap;
use rayon::prelude::*;

/// When an expansion may stand for the triangles of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Criterion {
    /// Distance from the area centroid above beta times the largest distance of a vertex from it (Barill et al. 2018).
    #[default]
    Radius,
    /// Distance from the centre of the box above beta times its diagonal: FOSSIL's, about four times as strict at the same beta.
    Diagonal,
}

/// Smallest squared size: smaller ones would need distances whose squares are subnormal.
const SMALLEST: f64 = 1.0 / (1u64 << 60) as f64;

/// Moments of all children, [`WIDTH`] a node. Cost O(triangles × depth), all cores; a pure function of the surface.
///
/// On a thread of the pool it keeps to that thread: one that waits for others may take up a query that needs these moments.
pub(crate) fn moments<R: Real>(records: &[R::Record], nodes: &[Node], criterion: Criterion) -> Vec<Moments<R>> {
    let ends = ends(nodes);
    let of_node = |(node, out): (&Node, &mut [Moments<R>])| {
        for (k, m) in out.iter_mut().enumerate().take(node.children as usize) {
            let range = if k < node.inner as usize {
                let child = node.child_base as usize + k;
                nodes[child].slot_base..ends[child]
            } else {
                let slot = node.slot_base + k as u32 - node.inner;
                slot..slot + 1
            };
            *m = of_range::<R>(&records[range.start as usize..range.end as usize], criterion);
        }
    };
    let mut all = vec![Moments::default(); nodes.len() * WIDTH];
    match rayon::current_thread_index() {
        None => nodes.par_iter().zip(all.par_chunks_exact_mut(WIDTH)).for_each(of_node),
        Some(_) => nodes.iter().zip(all.chunks_exact_mut(WIDTH)).for_each(of_node),
    }
    all
}

/// One past the last slot of each node's subtree. Nodes come in depth-first order: a subtree's slots are consecutive, its own leaves first.
fn ends(nodes: &[Node]) -> Vec<u32> {
    let mut ends = vec![0; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        let own = node.slot_base + node.children - node.inner;
        let children = node.child_base as usize..node.child_base as usize + node.inner as usize;
        ends[index] = ends[children].iter().fold(own, |end, &e| end.max(e));
    }
    ends
}

/// Moments of some triangles, computed in f64 about the centre that is rounded to f32 and rounded once.
fn of_range<R: Real>(records: &[R::Record], criterion: Criterion) -> Moments<R> {
    let centre = match criterion {
        Criterion::Radius => centroid::<R>(records),
        Criterion::Diagonal => box_of::<R>(records).map(|[lo, hi]| 0.5 * (lo + hi)),
    };
    // 0 or at least 2^-40, as vertices: differences to points are not subnormal.
    let c = centre.map(|x| f64::from(snap(x as f32, TINY)));
    let (mut normal, mut tensor) = ([0.0; 3], [0.0; 6]);
    let (mut radius2, mut spread, mut edges) = (0.0f64, 0.0, 0.0);
    for r in records {
        let v = r.corners().map(|p| sub(p.map(R::to_f64), c));
        let (ab, ac) = (sub(v[1], v[0]), sub(v[2], v[0]));
        let n = cross(ab, ac).map(|x| 0.5 * x);
        let sum: [f64; 3] = std::array::from_fn(|k| v[0][k] + v[1][k] + v[2][k]);
        let squares = v.map(|x| dot(x, x));
        let area = dot(n, n).sqrt();
        for (k, &(i, j)) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].iter().enumerate() {
            tensor[k] += (n[i] * sum[j] + n[j] * sum[i]) / 6.0;
        }
        normal = std::array::from_fn(|k| normal[k] + n[k]);
        radius2 = squares.iter().fold(radius2, |m, &x| m.max(x));
        spread += area / 12.0 * (squares[0] + squares[1] + squares[2] + dot(sum, sum));
        edges += (dot(ab, ab) * dot(ac, ac)).sqrt();
    }
    let size2 = match criterion {
        Criterion::Radius => radius2,
        Criterion::Diagonal => box_of::<R>(records).iter().map(|[lo, hi]| (hi - lo) * (hi - lo)).sum(),
    };
    let rounded = |x: f64| R::from_f64(x).snap(R::TINY);
    Moments {
        centre: c.map(R::from_f64),
        size2: up(size2.max(SMALLEST)),
        normal: normal.map(rounded),
        rounding: up(edges / 131_072.0),
        tensor: tensor.map(rounded),
        spread: up(spread),
    }
}

/// The area centroid; the middle of the box for triangles without area.
fn centroid<R: Real>(records: &[R::Record]) -> [f64; 3] {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for r in records {
        let [a, b, c] = r.corners().map(|p| p.map(R::to_f64));
        let n = cross(sub(b, a), sub(c, a));
        let area = dot(n, n).sqrt();
        sum = std::array::from_fn(|k| sum[k] + area * (a[k] + b[k] + c[k]));
        total += 3.0 * area;
    }
    if total > 0.0 { sum.map(|x| x / total) } else { box_of::<R>(records).map(|[lo, hi]| 0.5 * (lo + hi)) }
}

/// Lowest and highest coordinate along each axis.
fn box_of<R: Real>(records: &[R::Record]) -> [[f64; 2]; 3] {
    let corners = || records.iter().flat_map(|r| r.corners());
    std::array::from_fn(|k| {
        corners().fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], p| {
            let x = p[k].to_f64();
            [lo.min(x), hi.max(x)]
        })
    })
}

/// The same in f32, for bounds on a device: centre, sizes and errors are f32 numbers already.
#[cfg(feature = "gpu")]
pub(crate) fn bounding<R: Real>(m: &Moments<R>) -> Moments {
    let rounded = |x: R| snap(x.to_f32(), TINY);
    Moments {
        centre: m.centre.map(R::to_f32),
        size2: m.size2.to_f32(),
        normal: m.normal.map(rounded),
        rounding: m.rounding.to_f32(),
        tensor: m.tensor.map(rounded),
        spread: m.spread.to_f32(),
    }
}

/// A little more than rounded up, to an f32 number.
fn up<R: Real>(x: f64) -> R {
    R::from_f64(f64::from((x as f32) * (1.0 + f32::EPSILON)))
}

pub(super) fn sub(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| u[k] - v[k])
}

pub(super) fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

pub(super) fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}
