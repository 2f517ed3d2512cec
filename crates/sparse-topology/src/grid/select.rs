//! Items of a batch by number, slice, list or mask.

use super::{GridBatch, Part, Tile};
use crate::Error;

/// Which items of a batch, in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// One item; negative numbers count from the end.
    Item(i64),
    /// `start, start + step, ..` up to but without `stop`, by the rules of Python's slices (negative numbers count from the end, ends outside are clamped).
    Slice {
        /// First item; `None` is the first in the direction of the step.
        start: Option<i64>,
        /// The end, not included; `None` is the end in the direction of the step.
        stop: Option<i64>,
        /// Not 0.
        step: i64,
    },
    /// Items in this order, repetitions allowed; negative numbers count from the end.
    List(Vec<i64>),
    /// The items whose entry is true; one entry an item.
    Mask(Vec<bool>),
}

impl Selection {
    /// The selected items of a batch of `items`.
    ///
    /// # Errors
    /// [`Error::Index`] for an item that does not exist, [`Error::Length`] for a mask of another length, [`Error::Parameter`] for a step of 0.
    pub fn resolve(&self, items: usize) -> Result<Vec<usize>, Error> {
        let count = items as i64;
        let one = |index: i64| {
            let at = if index < 0 { index.saturating_add(count) } else { index };
            if !(0..count).contains(&at) {
                return Err(Error::Index { what: "item", index, count: items as u64 });
            }
            Ok(at as usize)
        };
        match self {
            Self::Item(index) => Ok(vec![one(*index)?]),
            Self::List(list) => list.iter().map(|&index| one(index)).collect(),
            Self::Mask(mask) if mask.len() != items => {
                Err(Error::Length { what: "mask of items", needed: items as u64, found: mask.len() as u64 })
            }
            Self::Mask(mask) => Ok((0..items).filter(|&item| mask[item]).collect()),
            Self::Slice { step: 0, .. } => {
                Err(Error::Parameter { what: "step".into(), value: "0".into(), allowed: "all numbers but 0".into() })
            }
            Self::Slice { start, stop, step } => Ok(slice(count, *start, *stop, *step)),
        }
    }
}

fn slice(count: i64, start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<usize> {
    let (low, high) = if step > 0 { (0, count) } else { (-1, count - 1) };
    let clamp = |index: i64| if index < 0 { index.saturating_add(count) } else { index }.clamp(low, high);
    let start = start.map_or(if step > 0 { low } else { high }, clamp);
    let stop = stop.map_or(if step > 0 { high } else { low }, clamp);
    let mut out = Vec::new();
    let mut at = start;
    while (step > 0 && at < stop) || (step < 0 && at > stop) {
        out.push(at as usize);
        at = at.saturating_add(step);
    }
    out
}

impl GridBatch {
    /// The selected items as a batch of their own, in the order of the selection.
    ///
    /// The result holds copies and nothing of the source, so it is contiguous and every operation sees exactly the selected items. Cost: proportional to the result.
    ///
    /// # Errors
    /// As [`Selection::resolve`].
    pub fn select(&self, selection: &Selection) -> Result<Self, Error> {
        let chosen = selection.resolve(self.items())?;
        let transforms = chosen.iter().map(|&item| self.transforms[item]).collect();
        let mut parts = Vec::new();
        for (to, &item) in chosen.iter().enumerate() {
            for lower in self.item_lower_nodes(item)? {
                let mut key = self.lower_key(lower);
                key.tile = Tile { item: to as u32, ..key.tile };
                let leaves = self.nodes.leaves(lower);
                let slots = self.leaf_keys[leaves.clone()].iter().map(|&k| k as u16 & 4095).collect();
                parts.push(Part { key, slots, masks: self.masks[leaves].to_vec() });
            }
        }
        Self::assemble(transforms, parts)
    }

    /// Several batches one behind the other.
    ///
    /// # Errors
    /// [`Error::TooMany`], [`Error::Memory`].
    pub fn concatenate(batches: &[&Self]) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let mut transforms = Vec::new();
        for batch in batches {
            for lower in 0..batch.nodes.lower_nodes() {
                let mut key = batch.lower_key(lower);
                key.tile.item += transforms.len() as u32;
                let leaves = batch.nodes.leaves(lower);
                let slots = batch.leaf_keys[leaves.clone()].iter().map(|&k| k as u16 & 4095).collect();
                parts.push(Part { key, slots, masks: batch.masks[leaves].to_vec() });
            }
            transforms.extend_from_slice(&batch.transforms);
        }
        Self::assemble(transforms, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_follow_python() {
        let resolve = |start, stop, step| Selection::Slice { start, stop, step }.resolve(5).unwrap();
        assert_eq!(resolve(None, None, -1), [4, 3, 2, 1, 0]);
        assert_eq!(resolve(Some(-2), None, 1), [3, 4]);
        assert_eq!(resolve(Some(1), Some(100), 2), [1, 3]);
        assert_eq!(resolve(Some(3), Some(0), -2), [3, 1]);
        assert_eq!(resolve(Some(4), Some(2), 1), [0; 0]);
        assert_eq!(resolve(None, Some(-9), i64::MIN), [4]);
        assert!(Selection::Slice { start: None, stop: None, step: 0 }.resolve(5).is_err());
    }

    #[test]
    fn items_outside_are_errors_with_numbers() {
        assert_eq!(Selection::Item(-1).resolve(3).unwrap(), [2]);
        assert_eq!(Selection::Item(3).resolve(3).unwrap_err().to_string(), "item 3, allowed are 0 to 2 (3 in all)");
        assert_eq!(Selection::List(vec![2, 0, -1]).resolve(3).unwrap(), [2, 0, 2]);
        assert!(Selection::List(vec![i64::MIN]).resolve(3).is_err());
        assert_eq!(Selection::Mask(vec![true, false, true]).resolve(3).unwrap(), [0, 2]);
        assert!(Selection::Mask(vec![true]).resolve(3).is_err());
    }
}
