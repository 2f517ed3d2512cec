//! What is said of grids: counts, boxes, transforms, fingerprints.

use std::fmt::Write;

use serde_json::{Value, json};
use sparse_topology::{Error, GridBatch};

use crate::verbs::counted;

/// The fields of an answer: totals, and an object for each grid.
pub(in crate::verbs) fn fields(batch: &GridBatch, names: &[String]) -> Result<Value, Error> {
    let grids = (0..batch.items()).map(|item| grid(batch, item, &names[item])).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({
        "voxels": batch.voxels(),
        "leaves": batch.leaves(),
        "lower": batch.nodes().lower_nodes(),
        "upper": batch.tiles().len(),
        "bytes": batch.bytes(),
        "grids": grids,
    }))
}

fn grid(batch: &GridBatch, item: usize, name: &str) -> Result<Value, Error> {
    let rows = batch.item_rows(item)?;
    let transform = batch.transforms()[item];
    Ok(json!({
        "name": name,
        "voxels": rows.end - rows.start,
        "leaves": batch.item_leaves(item)?.len(),
        "lower": batch.item_lower_nodes(item)?.len(),
        "upper": batch.item_tiles(item)?.len(),
        "bbox": batch.bounds(item)?.map_or(Value::Null, |(low, high)| json!([low, high])),
        "voxel_size": transform.voxel_size,
        "origin": transform.origin,
        "sha256": batch.sha256(item)?,
    }))
}

/// The same for a person: a line a grid, up to twelve grids.
pub(in crate::verbs) fn summary(fields: &Value) -> String {
    const MOST: usize = 12;
    let empty = Vec::new();
    let grids = fields["grids"].as_array().unwrap_or(&empty);
    let count = |value: &Value, name: &str, one, many| counted(value[name].as_u64().unwrap_or(0), one, many);
    let mut text = format!(
        "{} in {}, {}, {}",
        count(fields, "voxels", "voxel", "voxels"),
        count(fields, "leaves", "leaf", "leaves"),
        count(fields, "lower", "lower node", "lower nodes"),
        count(fields, "upper", "upper node", "upper nodes"),
    );
    for (item, grid) in grids.iter().take(MOST).enumerate() {
        let bbox = match &grid["bbox"] {
            Value::Null => "empty".to_owned(),
            bbox => format!("box {} to {}", bbox[0], bbox[1]),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n  grid {item} {}: {}, {bbox}, voxel size {}, origin {}\n    sha256 {}",
            grid["name"],
            count(grid, "voxels", "voxel", "voxels"),
            grid["voxel_size"],
            grid["origin"],
            grid["sha256"].as_str().unwrap_or_default(),
        );
    }
    if grids.len() > MOST {
        let _ = write!(text, "\n  and {} more grids (--json lists all)", grids.len() - MOST);
    }
    text
}
