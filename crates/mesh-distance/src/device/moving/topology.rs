//! What a refit needs of a surface that was built on the host.

use std::ops::Range;

use crate::Surface;
use crate::double::Precision;
use crate::edges::{Edges, first_of_same_vertices};
use crate::pseudo_normals::corners_by_vertex;
use crate::tree::Tree;

/// Arrays that moving the vertices does not change, as they lie on the device.
pub(super) struct Arrays {
    /// The triangle of each slot, and 8 node + child.
    pub(super) slots: Vec<[u32; 2]>,
    /// The first triangle of the same three vertices.
    pub(super) firsts: Vec<u32>,
    /// First and end of each class's corners in `vertex_corners`.
    pub(super) vertex_ranges: Vec<[u32; 2]>,
    /// Corners 3 t + k by class, ascending.
    pub(super) vertex_corners: Vec<u32>,
    /// A half-edge of each edge.
    pub(super) edge_halves: Vec<u32>,
    /// Node, 8 parent + child, first slot and end of each node but the root, the deepest level first.
    pub(super) node_infos: Vec<[u32; 4]>,
    /// Where the levels lie in `node_infos`.
    pub(super) levels: Vec<Range<usize>>,
}

impl Arrays {
    /// The arrays of a surface, whose pseudo-normals have the same order of edges and vertices.
    pub(super) fn of<R: Precision>(surface: &Surface<R>) -> Arrays {
        let topology = &surface.topology;
        let (triangles, classes) = (&topology.triangles, topology.kept.len());
        let edges = Edges::new(triangles, classes);
        let firsts = first_of_same_vertices(triangles, &edges);
        let edge_halves = (0..edges.len()).map(|edge| edges.halves(edge)[0]).collect();
        let (starts, vertex_corners) = corners_by_vertex(triangles, classes);
        let vertex_ranges = starts.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let (places, node_infos, levels) = places(surface.tree(), triangles.len());
        let slots = topology.order.iter().zip(places).map(|(&facet, place)| [facet, place]).collect();
        Arrays { slots, firsts, vertex_ranges, vertex_corners, edge_halves, node_infos, levels }
    }
}

/// Where each slot and each node stands in its parent, nodes by level.
fn places(tree: &Tree, slot_count: usize) -> (Vec<u32>, Vec<[u32; 4]>, Vec<Range<usize>>) {
    let subtrees = tree.slot_ranges();
    let mut slots = vec![0; slot_count];
    let mut levels: Vec<Vec<[u32; 4]>> = vec![Vec::new(); tree.depth + 1];
    let mut todo = vec![(0u32, 0usize)];
    while let Some((at, level)) = todo.pop() {
        let node = &tree.nodes[at as usize];
        for k in 0..node.children {
            let place = 8 * at + k;
            match k.checked_sub(node.inner) {
                Some(leaf) => slots[(node.slot_base + leaf) as usize] = place,
                None => {
                    let child = node.child_base + k;
                    let [first, end] = subtrees[child as usize];
                    levels[level].push([child, place, first, end]);
                    todo.push((child, level + 1));
                }
            }
        }
    }
    let mut ranges = Vec::new();
    let mut infos = Vec::with_capacity(tree.nodes.len());
    for level in levels.into_iter().rev().filter(|level| !level.is_empty()) {
        ranges.push(infos.len()..infos.len() + level.len());
        infos.extend(level);
    }
    (slots, infos, ranges)
}
