//! A tree of boxes over the units of a file.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::frame::{FRACTION_BITS, GridBox, GridFrame};
use crate::decoded::{Decoded, Outputs};
use crate::error::Error;
use crate::file::File;

/// A box of grid points: smallest and largest; a damaged unit has the largest before the smallest.
pub(crate) type PointBox = [[i32; 3]; 2];

/// The box of no points.
pub(crate) const NO_POINTS: PointBox = [[i32::MAX; 3], [i32::MIN; 3]];
/// Set in a child that is a unit.
pub(crate) const UNIT: u32 = 1 << 31;

/// An inner node: the box of everything below it, and two children: a node behind this one, or `UNIT` | a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) bounds: PointBox,
    pub(crate) children: [u32; 2],
}

/// A tree of boxes over the units of a file, bound to it by its hash: the sidecar of docs/formats/unit-bvh.md.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitBvh {
    /// The grid of the boxes.
    pub(crate) frame: GridFrame,
    /// A box a unit.
    pub(crate) boxes: Vec<PointBox>,
    /// Units - 1 nodes, the root first; none for fewer than two units.
    pub(crate) nodes: Vec<Node>,
    /// Bytes of the file.
    pub(crate) length: u64,
    /// SHA-256 of the file.
    pub(crate) hash: [u8; 32],
}

/// SHA-256 of a file.
pub(crate) fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn union(a: PointBox, b: PointBox) -> PointBox {
    [[0, 1, 2].map(|k| a[0][k].min(b[0][k])), [0, 1, 2].map(|k| a[1][k].max(b[1][k]))]
}

/// Whether a box of grid points meets a box; both are closed.
pub(crate) fn meets(points: &PointBox, closed_box: &GridBox) -> bool {
    (0..3).all(|k| {
        let [low, high] = [points[0][k], points[1][k]].map(|x| i64::from(x) << FRACTION_BITS);
        low <= high && low <= i64::from(closed_box.high[k]) && i64::from(closed_box.low[k]) <= high
    })
}

impl UnitBvh {
    /// Builds the tree of a file from its bytes: decodes every unit once and splits at the median along the longest axis.
    ///
    /// Damaged units have no box and are never found. Cost: a decode, and n log n in the units.
    ///
    /// # Errors
    /// [`GridFrame::of`]'s; [`Error::TooLarge`] for 2^31 units or more.
    pub fn build(file: &File, bytes: &[u8]) -> Result<Self, Error> {
        let frame = GridFrame::of(file)?;
        if file.unit_count() >= UNIT {
            return Err(Error::TooLarge {
                what: "units",
                needed: file.unit_count().into(),
                allowed: (UNIT - 1).into(),
            });
        }
        let outputs = Outputs { positions: false, grid: true, triangles: false, attributes: false };
        let boxes = unit_boxes(&file.decode_cpu(outputs));
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::with_capacity(boxes.len().saturating_sub(1));
        if boxes.len() > 1 {
            split(&boxes, &mut order, &mut nodes);
        }
        Ok(Self { frame, boxes, nodes, length: bytes.len() as u64, hash: hash(bytes) })
    }

    /// The grid of the boxes: turns coordinates into a [`GridBox`].
    pub fn frame(&self) -> &GridFrame {
        &self.frame
    }

    /// Smallest and largest grid point of a unit; `None` when it is damaged or does not exist.
    pub fn unit_box(&self, unit: u32) -> Option<[[i32; 3]; 2]> {
        self.boxes.get(unit as usize).copied().filter(|b| b[0][0] <= b[1][0])
    }

    /// The units whose boxes meet a box, increasing.
    pub fn units_in(&self, closed_box: &GridBox) -> Vec<u32> {
        let mut found = Vec::new();
        let mut stack = match self.boxes.len() {
            0 => return found,
            1 => vec![UNIT],
            _ => vec![0],
        };
        while let Some(child) = stack.pop() {
            if child & UNIT != 0 {
                let unit = child & !UNIT;
                if meets(&self.boxes[unit as usize], closed_box) {
                    found.push(unit);
                }
            } else if meets(&self.nodes[child as usize].bounds, closed_box) {
                stack.extend(self.nodes[child as usize].children);
            }
        }
        found.sort_unstable();
        found
    }

    /// Fails unless the tree has this many units.
    pub(crate) fn check_units(&self, units: u32) -> Result<(), Error> {
        if self.boxes.len() == units as usize {
            return Ok(());
        }
        let (value, allowed) = (self.boxes.len().to_string(), format!("{units}, those of the file"));
        Err(Error::Input { what: "units of the tree", index: 0, value, allowed })
    }
}

/// The box of each unit of a decode that has the grid.
fn unit_boxes(decoded: &Decoded) -> Vec<PointBox> {
    let units = decoded.units.par_iter().zip(&decoded.statuses);
    let bounds = units.map(|(range, status)| {
        let points = &decoded.grid[range.vertex_offset as usize..][..range.vertex_count as usize];
        if *status == 0 { points.iter().fold(NO_POINTS, |all, p| union(all, [*p, *p])) } else { NO_POINTS }
    });
    bounds.collect()
}

/// Appends the node of at least two units, and everything below it; returns its number.
fn split(boxes: &[PointBox], order: &mut [u32], nodes: &mut Vec<Node>) -> u32 {
    let number = nodes.len() as u32;
    let bounds = order.iter().fold(NO_POINTS, |all, unit| union(all, boxes[*unit as usize]));
    nodes.push(Node { bounds, children: [0; 2] });
    // Twice the centre; the order of units of equal centres is that of their numbers.
    let centre = |unit: u32, axis: usize| {
        let b = boxes[unit as usize];
        i64::from(b[0][axis]) + i64::from(b[1][axis])
    };
    let side = |axis: usize| {
        let ends = order.iter().map(|unit| centre(*unit, axis));
        ends.clone().max().unwrap_or(0) - ends.min().unwrap_or(0)
    };
    let axis = (0..3).max_by_key(|axis| side(*axis)).unwrap_or(0);
    let middle = order.len() / 2;
    order.select_nth_unstable_by_key(middle, |unit| (centre(*unit, axis), *unit));
    let (left, right) = order.split_at_mut(middle);
    let children = [left, right].map(|part| match part {
        [unit] => UNIT | *unit,
        part => split(boxes, part, nodes),
    });
    nodes[number as usize].children = children;
    number
}
