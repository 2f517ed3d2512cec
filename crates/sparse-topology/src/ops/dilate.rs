//! Dilation and erosion by the 6, 18 or 26 neighbours.

use rayon::prelude::*;

use super::Relation;
use super::image::{Link, check_range, links, lower_bounds, occupancies};
use super::stencil::pad;
use crate::grid::{Accumulator, GridBatch, LowerKey, Part};
use crate::kernels::LeafMask;
use crate::kernels::leaf_dilate::leaf_dilate;
use crate::kernels::node_key::{lower_position, lower_slot};
use crate::{Error, Neighbours};

/// Leaves along an axis of a lower node and one more on both sides.
const WINDOW: i32 = 18;

impl GridBatch {
    /// `S` with the `neighbours` of its voxels, `steps` times over (0 steps: a copy).
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::CoordinateOverflow`]; [`Error::Memory`].
    ///
    /// Cost: 27 leaves are read for every leaf of the result and step. Source: NanoVDB `DilateGrid`; OpenVDB `dilateActiveValues`.
    pub fn dilate_cpu(&self, neighbours: Neighbours, steps: u32) -> Result<Self, Error> {
        let mut out = self.clone();
        for _ in 0..steps {
            out = Self::assemble(self.transforms.clone(), step(&out, neighbours, Kind::Dilation)?)?;
        }
        Ok(out)
    }

    /// The voxels of `S` all of whose `neighbours` are in `S`, `steps` times over (0 steps: a copy).
    ///
    /// Transform: unchanged.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// Cost: 27 leaves are read for every leaf and step. Source: OpenVDB `erodeActiveValues`.
    pub fn erode_cpu(&self, neighbours: Neighbours, steps: u32) -> Result<Self, Error> {
        let mut out = self.clone();
        for _ in 0..steps {
            out = Self::assemble(self.transforms.clone(), step(&out, neighbours, Kind::Erosion)?)?;
        }
        Ok(out)
    }
}

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Dilation,
    /// The complement of the erosion is the dilation of the complement.
    Erosion,
}

/// The boxes whose union is the neighbourhood.
pub(crate) fn relations(neighbours: Neighbours) -> Vec<Relation> {
    let boxes: &[[i32; 3]] = match neighbours {
        Neighbours::Face => &[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        Neighbours::Edge => &[[0, 1, 1], [1, 0, 1], [1, 1, 0]],
        Neighbours::Vertex => &[[1, 1, 1]],
    };
    boxes.iter().map(|&reach| pad(reach.map(|r| -r), reach)).collect()
}

/// One step over every lower node, with all leaves around it at hand.
pub(crate) fn step(source: &GridBatch, neighbours: Neighbours, kind: Kind) -> Result<Vec<Part>, Error> {
    let occupancies = occupancies(source);
    let bounds = lower_bounds(source, &occupancies);
    if kind == Kind::Dilation {
        check_range(source, &bounds, &relations(neighbours))?;
    }
    let links = links(source, &occupancies, &bounds, &[pad([-1; 3], [1; 3])])?;
    let groups: Vec<&[Link]> = links.chunk_by(|a, b| a.to == b.to).collect();
    let make = |window: &mut Window, group: &&[Link]| {
        window.fill(source, &occupancies, group, kind);
        window.results(source, group[0].to, neighbours, kind)
    };
    Ok(groups.par_iter().map_init(Window::new, make).collect())
}

/// The leaves of a lower node and of the shell of leaves around it.
struct Window {
    /// Leaf at every position; the zero leaf where there is none.
    leaves: Vec<u32>,
    /// Bit z + 1 of word (x + 1) * 18 + y + 1: the leaf may hold a voxel of the result.
    reached: Vec<u32>,
    accumulator: Accumulator,
}

impl Window {
    fn new() -> Self {
        Self { leaves: Vec::new(), reached: Vec::new(), accumulator: Accumulator::new() }
    }

    /// [1] the source leaves in the window of a lower node, and the leaves that can be in the result
    fn fill(&mut self, source: &GridBatch, occupancies: &[u32], group: &[Link], kind: Kind) {
        let there = group[0].to.position();
        self.leaves.clear();
        self.leaves.resize((WINDOW * WINDOW * WINDOW) as usize, source.leaves() as u32);
        self.reached.clear();
        self.reached.resize((WINDOW * WINDOW) as usize, 0);
        for link in group {
            let here = source.lower_key(link.from as usize).position();
            let offset: [i32; 3] = std::array::from_fn(|k| ((here[k] - there[k]) << 4) + 1);
            for leaf in source.nodes.leaves(link.from as usize) {
                let at = lower_position(source.leaf_keys[leaf] as u32 & 4095);
                let at: [i32; 3] = std::array::from_fn(|k| offset[k] + at[k] as i32);
                if at.iter().all(|p| (0..WINDOW).contains(p)) {
                    self.leaves[window_index(at)] = leaf as u32;
                    self.reach(at, if kind == Kind::Dilation { occupancies[leaf] } else { 0 });
                }
            }
        }
    }

    /// [2] every leaf of the node that can be in the result, from its 27 neighbours
    fn results(&mut self, source: &GridBatch, key: LowerKey, neighbours: Neighbours, kind: Kind) -> Part {
        let flip = if kind == Kind::Dilation { 0 } else { u32::MAX };
        for x in 0..16 {
            for y in 0..16 {
                let mut columns = self.reached[((x + 1) * WINDOW + y + 1) as usize] & 0x1_fffe;
                while columns != 0 {
                    let z = columns.trailing_zeros() as i32 - 1;
                    columns &= columns - 1;
                    let corner = window_index([x, y, z]);
                    let mut around: [&LeafMask; 27] = [&[0; 16]; 27];
                    for (row, leaves) in around.chunks_exact_mut(3).enumerate() {
                        let at = corner + (row / 3 * WINDOW as usize + row % 3) * WINDOW as usize;
                        for (leaf, &index) in leaves.iter_mut().zip(&self.leaves[at..at + 3]) {
                            *leaf = &source.masks[index as usize];
                        }
                    }
                    let mut mask = leaf_dilate(&around, neighbours, flip);
                    for word in &mut mask {
                        *word ^= flip;
                    }
                    self.accumulator.or(lower_slot([x, y, z].map(|p| p as u32)), &mask);
                }
            }
        }
        self.accumulator.take(key)
    }

    /// Marks the leaf at a position and the neighbours that its first and last slices, rows and columns touch.
    fn reach(&mut self, at: [i32; 3], occupancy: u32) {
        let low = |k: u32| (occupancy >> (8 * k)) & 1;
        let high = |k: u32| (occupancy >> (8 * k + 7)) & 1;
        let columns = (((low(2) | 2 | (high(2) << 2)) << at[2]) >> 1) & ((1 << WINDOW) - 1);
        let range =
            |k: u32| (at[k as usize] - low(k) as i32).max(0)..=(at[k as usize] + high(k) as i32).min(WINDOW - 1);
        for x in range(0) {
            for y in range(1) {
                self.reached[(x * WINDOW + y) as usize] |= columns;
            }
        }
    }
}

fn window_index(at: [i32; 3]) -> usize {
    ((at[0] * WINDOW + at[1]) * WINDOW + at[2]) as usize
}
