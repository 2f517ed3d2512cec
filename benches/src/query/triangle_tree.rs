//! A tree of boxes over the triangles of a decoded mesh: what a codec of whole files keeps to answer boxes.

use mesh_decode::GridBox;

/// Triangles of a leaf.
const LEAF: usize = 8;

struct Node {
    low: [i32; 3],
    high: [i32; 3],
    /// An inner node: its second child, the first stands behind it. A leaf: its first place in the order.
    next: u32,
    /// Triangles of a leaf, 0 for an inner node.
    count: u32,
}

/// A median-split tree.
pub(super) struct TriangleTree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

type Ends = ([i32; 3], [i32; 3]);

impl TriangleTree {
    /// Cuts the triangles at the median of their centres along the longest side.
    pub(super) fn build(points: &[[i32; 3]], triangles: &[[u32; 3]]) -> Self {
        let ends: Vec<Ends> = triangles
            .iter()
            .map(|t| {
                let corners = t.map(|v| points[v as usize]);
                let over = |pick: fn(i32, i32) -> i32| {
                    [0, 1, 2].map(|k| pick(pick(corners[0][k], corners[1][k]), corners[2][k]))
                };
                (over(i32::min), over(i32::max))
            })
            .collect();
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut nodes = Vec::with_capacity(2 * triangles.len() / LEAF + 1);
        if !order.is_empty() {
            split(&ends, &mut order, 0, &mut nodes);
        }
        Self { nodes, order }
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.order[..])
    }

    /// The triangles of the leaves that meet a box, in any order. The box is in 1/128 of a grid step, as the exact test takes it.
    pub(super) fn near(&self, closed_box: &GridBox) -> Vec<u32> {
        let mut found = Vec::new();
        let mut stack = if self.nodes.is_empty() { Vec::new() } else { vec![0_u32] };
        while let Some(k) = stack.pop() {
            let node = &self.nodes[k as usize];
            let apart = (0..3).any(|a| {
                i64::from(node.low[a]) * 128 > i64::from(closed_box.high[a])
                    || i64::from(node.high[a]) * 128 < i64::from(closed_box.low[a])
            });
            if apart {
                continue;
            }
            if node.count == 0 {
                stack.extend([k + 1, node.next]);
            } else {
                found.extend(&self.order[node.next as usize..][..node.count as usize]);
            }
        }
        found
    }
}

fn split(ends: &[Ends], order: &mut [u32], first: u32, nodes: &mut Vec<Node>) {
    let over = order.iter().map(|t| ends[*t as usize]);
    let (low, high) = over.fold(([i32::MAX; 3], [i32::MIN; 3]), |(low, high), (a, b)| {
        ([0, 1, 2].map(|k| low[k].min(a[k])), [0, 1, 2].map(|k| high[k].max(b[k])))
    });
    let number = nodes.len();
    nodes.push(Node { low, high, next: first, count: order.len() as u32 });
    if order.len() <= LEAF {
        return;
    }
    let axis = (0..3).max_by_key(|k| i64::from(high[*k]) - i64::from(low[*k])).unwrap_or(0);
    let middle = order.len() / 2;
    let centre = |t: u32| i64::from(ends[t as usize].0[axis]) + i64::from(ends[t as usize].1[axis]);
    order.select_nth_unstable_by_key(middle, |t| (centre(*t), *t));
    let (left, right) = order.split_at_mut(middle);
    split(ends, left, first, nodes);
    nodes[number].next = nodes.len() as u32;
    nodes[number].count = 0;
    split(ends, right, first + middle as u32, nodes);
}

#[cfg(test)]
mod tests {
    use mesh_decode::{GridBox, triangle_meets_box};

    use super::TriangleTree;

    #[test]
    fn every_triangle_that_meets_a_box_is_near_it() {
        let points: Vec<[i32; 3]> = (0..300).map(|k| [k * 37 % 101, k * 53 % 97, k * 11 % 89]).collect();
        let triangles: Vec<[u32; 3]> = (0..298).map(|k| [k, k + 1, k + 2]).collect();
        let tree = TriangleTree::build(&points, &triangles);
        assert!(tree.bytes() > 0);
        for k in 0..40 {
            let low = [k * 2, k, 88 - 2 * k].map(|x| 128 * x);
            let closed_box = GridBox { low, high: low.map(|x| x + 128 * 9) };
            let meets = |t: &u32| triangle_meets_box(triangles[*t as usize].map(|v| points[v as usize]), &closed_box);
            let mut near: Vec<u32> = tree.near(&closed_box).into_iter().filter(meets).collect();
            near.sort_unstable();
            assert_eq!(near, (0..298).filter(meets).collect::<Vec<u32>>());
        }
        assert!(TriangleTree::build(&[], &[]).near(&GridBox { low: [0; 3], high: [1; 3] }).is_empty());
    }
}
