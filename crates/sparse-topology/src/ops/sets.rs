//! Set algebra of batches, item by item.

use rayon::prelude::*;

use crate::grid::{Accumulator, LowerKey, map_leaves};
use crate::{Error, GridBatch};

impl GridBatch {
    /// The voxels of any of the batches, which have the same number of items.
    ///
    /// Transforms: of the first batch. Voxels are joined by coordinate, wherever the transforms put them.
    ///
    /// # Errors
    /// [`Error::Length`] for other numbers of items or no batch at all; [`Error::Memory`].
    ///
    /// Cost: one visit a leaf of every batch. Source: fVDB `merged_grid`; NanoVDB `MergeGrids`.
    pub fn union_cpu(batches: &[&Self]) -> Result<Self, Error> {
        let first = check_items(batches)?;
        let mut nodes: Vec<(LowerKey, usize, usize)> = Vec::new();
        for (b, batch) in batches.iter().enumerate() {
            nodes.extend((0..batch.nodes.lower_nodes()).map(|lower| (batch.lower_key(lower), b, lower)));
        }
        nodes.par_sort_unstable();
        let groups: Vec<_> = nodes.chunk_by(|a, b| a.0 == b.0).collect();
        let join = |accumulator: &mut Accumulator, group: &&[(LowerKey, usize, usize)]| {
            for &(_, b, lower) in *group {
                for leaf in batches[b].nodes.leaves(lower) {
                    accumulator.or(batches[b].leaf_keys[leaf] as u32 & 4095, &batches[b].masks[leaf]);
                }
            }
            accumulator.take(group[0].0)
        };
        let parts = groups.par_iter().map_init(Accumulator::new, join).collect();
        Self::assemble(first.transforms.clone(), parts)
    }

    /// The voxels of all of the batches, which have the same number of items. Transforms: of the first batch.
    ///
    /// # Errors
    /// As [`union_cpu`](Self::union_cpu).
    ///
    /// Cost: one visit a leaf of the first batch. Source: OpenVDB `topologyIntersection`.
    pub fn intersection_cpu(batches: &[&Self]) -> Result<Self, Error> {
        combine(batches, |mask, other| std::array::from_fn(|i| mask[i] & other[i]))
    }

    /// The voxels of the first batch that are in none of the others; the batches have the same number of items. Transforms: of the first batch.
    ///
    /// # Errors
    /// As [`union_cpu`](Self::union_cpu).
    ///
    /// Cost: one visit a leaf of the first batch. Source: OpenVDB `topologyDifference`.
    pub fn difference_cpu(batches: &[&Self]) -> Result<Self, Error> {
        combine(batches, |mask, other| std::array::from_fn(|i| mask[i] & !other[i]))
    }
}

/// Folds the masks of the other batches into every leaf of the first.
fn combine(
    batches: &[&GridBatch],
    fold: impl Fn([u32; 16], &[u32; 16]) -> [u32; 16] + Sync,
) -> Result<GridBatch, Error> {
    let first = check_items(batches)?;
    let parts = map_leaves(first, |leaf, mask| {
        let (item, position) = (first.leaf_item(leaf), first.leaf_position(leaf));
        batches[1..].iter().fold(*mask, |mask, batch| fold(mask, batch.mask_at(item, position)))
    });
    GridBatch::assemble(first.transforms.clone(), parts)
}

fn check_items<'a>(batches: &[&'a GridBatch]) -> Result<&'a GridBatch, Error> {
    let Some(&first) = batches.first() else {
        return Err(Error::Length { what: "batches", needed: 1, found: 0 });
    };
    match batches.iter().find(|batch| batch.items() != first.items()) {
        Some(other) => {
            Err(Error::Length { what: "items of a batch", needed: first.items() as u64, found: other.items() as u64 })
        }
        None => Ok(first),
    }
}

impl GridBatch {
    /// The mask of the leaf at a leaf coordinate, zero where there is none.
    pub(crate) fn mask_at(&self, item: usize, leaf: [i32; 3]) -> &[u32; 16] {
        &self.masks[self.find_leaf(item, leaf).unwrap_or(self.leaves())]
    }
}
