//! The image of a batch under relations: the schedule that all separable operations share.
//!
//! Work goes by destination lower node, so no key of a leaf or a voxel is ever sorted and no two threads write the same leaf.

use rayon::prelude::*;

use super::relation::{AxisEntry, AxisRelation, Relation};
use crate::Error;
use crate::grid::{Accumulator, GridBatch, LowerKey, Part};
use crate::kernels::leaf::{leaf_bounds, leaf_occupancy, leaf_slots, voxel_position};
use crate::kernels::leaf_image::leaf_image;
use crate::kernels::node_key::{lower_position, lower_slot};
use crate::memory::Budget;

/// Bytes of a leaf with its slot in a part.
const PART_LEAF_BYTES: u64 = 66;
/// Lowest and highest lower coordinate.
const LOWER_RANGE: (i64, i64) = (-(1 << 24), (1 << 24) - 1);

/// Voxel bounds of a lower node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    lo: [i64; 3],
    hi: [i64; 3],
}

/// A source lower node that reaches a destination lower node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    pub(crate) to: LowerKey,
    pub(crate) from: u32,
}

/// The destinations of all voxels under all relations, as parts in ascending order.
///
/// # Errors
/// [`Error::CoordinateOverflow`] when a destination lies outside `i32`; [`Error::Memory`].
pub(crate) fn image(source: &GridBatch, relations: &[Relation]) -> Result<Vec<Part>, Error> {
    let least = least_leaves(source, relations);
    Budget::new("the result").add(least.saturating_mul(PART_LEAF_BYTES))?;
    let occupancies = occupancies(source);
    let bounds = lower_bounds(source, &occupancies);
    check_range(source, &bounds, relations)?;
    let links = links(source, &occupancies, &bounds, relations)?;
    let groups: Vec<&[Link]> = links.chunk_by(|a, b| a.to == b.to).collect();
    let budget = Budget::new("the result");
    let make = |accumulator: &mut Accumulator, group: &&[Link]| {
        for link in *group {
            for relation in relations {
                scatter(source, &occupancies, relation, link, accumulator);
            }
        }
        let part = accumulator.take(group[0].to);
        budget.add(part.slots.len() as u64 * PART_LEAF_BYTES)?;
        Ok(part)
    };
    groups.par_iter().map_init(Accumulator::new, make).collect()
}

/// The projections of every leaf.
pub(crate) fn occupancies(source: &GridBatch) -> Vec<u32> {
    source.leaf_masks().par_iter().with_min_len(1024).map(leaf_occupancy).collect()
}

/// The voxel bounds of every lower node.
pub(crate) fn lower_bounds(source: &GridBatch, occupancies: &[u32]) -> Vec<Bounds> {
    let of = |lower: usize| {
        let mut bounds = Bounds { lo: [i64::MAX; 3], hi: [i64::MIN; 3] };
        for leaf in source.nodes.leaves(lower) {
            let origin = source.leaf_position(leaf).map(|n| i64::from(n) << 3);
            let (lo, hi) = leaf_bounds(occupancies[leaf]);
            for k in 0..3 {
                bounds.lo[k] = bounds.lo[k].min(origin[k] + i64::from(lo[k]));
                bounds.hi[k] = bounds.hi[k].max(origin[k] + i64::from(hi[k]));
            }
        }
        bounds
    };
    (0..source.nodes.lower_nodes()).into_par_iter().map(of).collect()
}

/// Refuses results with a voxel outside `i32`: the first source voxel (in canonical order) with such a destination decides the message.
pub(crate) fn check_range(source: &GridBatch, bounds: &[Bounds], relations: &[Relation]) -> Result<(), Error> {
    let outside = |v: i64| i32::try_from(v).is_err();
    for (lower, bounds) in bounds.iter().enumerate() {
        for relation in relations {
            let ends: [(i64, i64); 3] = std::array::from_fn(|k| relation[k].image(bounds.lo[k], bounds.hi[k]));
            if !ends.iter().any(|&(lo, hi)| outside(lo) || outside(hi)) {
                continue;
            }
            // The ends of the box are outside; whether a voxel is depends on holes along the other axes.
            for leaf in source.nodes.leaves(lower) {
                let origin = source.leaf_position(leaf).map(|n| i64::from(n) << 3);
                for slot in leaf_slots(&source.leaf_masks()[leaf]) {
                    let at = voxel_position(slot);
                    let ends: [(i64, i64); 3] = std::array::from_fn(|k| {
                        let x = origin[k] + i64::from(at[k]);
                        relation[k].image(x, x)
                    });
                    if ends.iter().all(|&(lo, hi)| lo <= hi) && ends.iter().any(|&(lo, hi)| outside(lo) || outside(hi))
                    {
                        let coordinate = ends.map(|(lo, hi)| if !outside(lo) && outside(hi) { hi } else { lo });
                        return Err(Error::CoordinateOverflow { item: source.leaf_item(leaf), coordinate });
                    }
                }
            }
        }
    }
    Ok(())
}

/// [`check_range`] of a batch.
#[cfg(feature = "gpu")]
pub(crate) fn check_range_cpu(source: &GridBatch, relations: &[Relation]) -> Result<(), Error> {
    check_range(source, &lower_bounds(source, &occupancies(source)), relations)
}

/// The pairs of lower nodes that relations join, sorted by destination.
///
/// A lower node reaches what lies between the ends of its image; where a large step leaves gaps of whole nodes there, what each of its leaves reaches.
pub(crate) fn links(
    source: &GridBatch,
    occupancies: &[u32],
    bounds: &[Bounds],
    relations: &[Relation],
) -> Result<Vec<Link>, Error> {
    let budget = Budget::new("the list of reached nodes");
    let mut links = Vec::new();
    for (from, bounds) in bounds.iter().enumerate() {
        for relation in relations {
            let between: [(i64, i64); 3] = std::array::from_fn(|k| {
                let (lo, hi) = relation[k].image(bounds.lo[k], bounds.hi[k]);
                ((lo >> 7).max(LOWER_RANGE.0), (hi >> 7).min(LOWER_RANGE.1))
            });
            let count = between.iter().map(|&(lo, hi)| (hi - lo + 1).max(0) as u64).fold(1, u64::saturating_mul);
            if relation.iter().all(|axis| axis.gap() <= 128) {
                budget.add(count.saturating_mul(size_of::<Link>() as u64))?;
                join(source, from, between.map(|(lo, hi)| (lo..=hi).collect()), &mut links);
                continue;
            }
            for leaf in source.nodes.leaves(from) {
                let reached: [Vec<i64>; 3] = std::array::from_fn(|k| {
                    let origin = i64::from(source.leaf_position(leaf)[k]) << 3;
                    reached_nodes(&relation[k], origin, occupancies[leaf] >> (8 * k) & 255)
                });
                let count = reached.iter().map(|list| list.len() as u64).fold(1, u64::saturating_mul);
                budget.add(count.saturating_mul(size_of::<Link>() as u64))?;
                join(source, from, reached, &mut links);
            }
        }
    }
    links.par_sort_unstable();
    links.dedup();
    Ok(links)
}

/// Joins a lower node with those at all combinations of these coordinates.
fn join(source: &GridBatch, from: usize, to: [Vec<i64>; 3], links: &mut Vec<Link>) {
    let item = source.lower_key(from).tile.item;
    for &x in &to[0] {
        for &y in &to[1] {
            for &z in &to[2] {
                links.push(Link { to: LowerKey::at(item, [x as i32, y as i32, z as i32]), from: from as u32 });
            }
        }
    }
}

/// Lower coordinates that the positions `bits` of a leaf at `origin` reach along an axis, ascending.
fn reached_nodes(relation: &AxisRelation, origin: i64, bits: u32) -> Vec<i64> {
    let mut found = Vec::new();
    for position in (0..8).filter(|p| bits >> p & 1 != 0) {
        let (lo, hi) = relation.image(origin + position, origin + position);
        found.extend((lo >> 7).max(LOWER_RANGE.0)..=(hi >> 7).min(LOWER_RANGE.1));
    }
    found.dedup();
    found
}

/// For the 16 leaf positions of a source lower node along an axis: the destination leaf positions they reach, with the maps.
struct AxisTable {
    first: [u32; 17],
    entries: Vec<(u32, AxisEntry)>,
}

impl AxisTable {
    /// `from`, `to`: lower coordinates of the source and the destination node.
    fn new(relation: &AxisRelation, from: i32, to: i32) -> Self {
        let mut table = Self { first: [0; 17], entries: Vec::new() };
        for m in 0..16 {
            let start = (i64::from(from) << 7) + 8 * m as i64;
            let (lo, hi) = relation.image(start, start + 7);
            let base = i64::from(to) << 4;
            for n in ((lo >> 3) - base).max(0)..=((hi >> 3) - base).min(15) {
                let entry = relation.entry(start, (base + n) << 3);
                if entry.sources != 0 {
                    table.entries.push((n as u32, entry));
                }
            }
            table.first[m + 1] = table.entries.len() as u32;
        }
        table
    }

    fn at(&self, m: u32) -> &[(u32, AxisEntry)] {
        &self.entries[self.first[m as usize] as usize..self.first[m as usize + 1] as usize]
    }
}

/// ORs the images of a source lower node's leaves into a destination lower node.
fn scatter(source: &GridBatch, occupancies: &[u32], relation: &Relation, link: &Link, into: &mut Accumulator) {
    let from = link.from as usize;
    let (here, there) = (source.lower_key(from).position(), link.to.position());
    let tables: [AxisTable; 3] = std::array::from_fn(|k| AxisTable::new(&relation[k], here[k], there[k]));
    if tables.iter().any(|table| table.entries.is_empty()) {
        return;
    }
    for leaf in source.nodes.leaves(from) {
        let m = lower_position(source.leaf_keys[leaf] as u32 & 4095);
        let occupancy = occupancies[leaf];
        let reached =
            |k: usize| tables[k].at(m[k]).iter().filter(move |(_, entry)| entry.sources & (occupancy >> (8 * k)) != 0);
        for (x, x_entry) in reached(0) {
            for (y, y_entry) in reached(1) {
                for (z, z_entry) in reached(2) {
                    let mask = leaf_image(&source.masks[leaf], &x_entry.map, &y_entry.map, &z_entry.map);
                    into.or(lower_slot([*x, *y, *z]), &mask);
                }
            }
        }
    }
}

/// A lower bound on the leaves of a result: disjoint blocks of all voxels, or the whole window of one voxel.
fn least_leaves(source: &GridBatch, relations: &[Relation]) -> u64 {
    if source.voxels() == 0 {
        return 0;
    }
    let product = |first: u64, sizes: [u64; 3]| sizes.into_iter().fold(first, u64::saturating_mul);
    let one = |relation: &Relation| {
        let blocks = product(source.voxels(), relation.map(|axis| axis.least_block()));
        blocks.max(product(1, relation.map(|axis| axis.least_window())))
    };
    relations.iter().map(one).max().unwrap_or(0) / 512
}
