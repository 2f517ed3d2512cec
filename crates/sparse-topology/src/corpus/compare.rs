//! Comparing a batch with its description.

use super::manifest::{Folder, Item};
use crate::{Error, GridBatch};

/// The first difference between a batch and the items that describe it.
pub(super) fn items(folder: &Folder, batch: &GridBatch, items: &[Item]) -> Result<Option<String>, Error> {
    if batch.items() != items.len() {
        return Ok(Some(format!("{} items, expected {}", batch.items(), items.len())));
    }
    for (index, item) in items.iter().enumerate() {
        if let Some(what) = one(folder, batch, index, item)? {
            return Ok(Some(format!("item {index}: {what}")));
        }
    }
    Ok(None)
}

fn one(folder: &Folder, batch: &GridBatch, index: usize, item: &Item) -> Result<Option<String>, Error> {
    let rows = batch.item_rows(index)?;
    let count = rows.end - rows.start;
    if count != item.count {
        return Ok(Some(format!("{count} voxels, expected {}", item.count)));
    }
    let nodes = [batch.item_leaves(index)?.len(), batch.item_lower_nodes(index)?.len(), batch.item_tiles(index)?.len()];
    if nodes != item.nodes {
        return Ok(Some(format!("nodes {nodes:?}, expected {:?}", item.nodes)));
    }
    let bounds = batch.bounds(index)?;
    if item.count > 0 && bounds != item.min.zip(item.max) {
        return Ok(Some(format!("bounds {bounds:?}, expected {:?}", item.min.zip(item.max))));
    }
    if let Some(offset) = item.offset {
        let (found, expected) = (batch.coordinates(index)?, folder.coordinates(offset, item.count)?);
        if let Some(at) = (0..found.len()).find(|&i| found[i] != expected[i]) {
            return Ok(Some(format!("row {at} is {:?}, expected {:?}", found[at], expected[at])));
        }
    }
    let hash = batch.sha256(index)?;
    Ok((hash != item.sha256).then(|| format!("SHA-256 {hash}, expected {}", item.sha256)))
}
