//! The `.nvdb` files of a folder.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::manifest::{read, read_json};
use super::{Difference, Report};
use crate::nvdb::{self, Codec, WriteOptions};
use crate::{Error, Transform};

/// What `nvdb.json` says of a file.
#[derive(Debug, Deserialize)]
struct Description {
    codec: String,
    voxel_size: f64,
    origin: [f64; 3],
    grids: Vec<Grid>,
}

#[derive(Debug, Deserialize)]
struct Grid {
    name: String,
    voxels: u64,
    #[serde(rename = "nodes_leaf_lower_upper")]
    nodes: [usize; 3],
    #[serde(rename = "sha256_of_i32_xyz_in_index_order")]
    sha256: String,
}

/// Reads every file that `nvdb.json` describes, compares and writes it again: the same bytes, or when packed the same grids.
pub(super) fn run(dir: &Path, report: &mut Report) -> Result<(), Error> {
    let path = dir.join("nvdb.json");
    if !path.exists() {
        return Ok(());
    }
    let files: BTreeMap<String, Description> = read_json(&path)?;
    for (name, description) in files {
        report.files += 1;
        let what = one(&read(&dir.join(&name))?, &description)?;
        report.differences.extend(what.map(|what| Difference { id: name, what }));
    }
    Ok(())
}

/// The first difference of a file.
fn one(bytes: &[u8], expected: &Description) -> Result<Option<String>, Error> {
    let file = match nvdb::read(bytes) {
        Ok(file) => file,
        Err(error) => return Ok(Some(format!("error: {error}"))),
    };
    let batch = &file.batch;
    let transform = Transform::uniform(expected.voxel_size, expected.origin);
    if let Some(found) = batch.transforms().iter().find(|&t| *t != transform) {
        return Ok(Some(format!("{found:?}, expected {transform:?}")));
    }
    let codec = match expected.codec.as_str() {
        "zip" => Codec::Zip,
        "blosc" => Codec::Blosc,
        _ => Codec::None,
    };
    if batch.items() != expected.grids.len() || file.codecs.iter().any(|&c| c != codec) {
        return Ok(Some(format!("{:?}, expected {} grids of {codec:?}", file.codecs, expected.grids.len())));
    }
    for (item, grid) in expected.grids.iter().enumerate() {
        let rows = batch.item_rows(item)?;
        let nodes =
            [batch.item_leaves(item)?.len(), batch.item_lower_nodes(item)?.len(), batch.item_tiles(item)?.len()];
        let found = (file.names[item].as_str(), rows.end - rows.start, nodes, batch.sha256(item)?);
        if found != (grid.name.as_str(), grid.voxels, grid.nodes, grid.sha256.clone()) {
            return Ok(Some(format!("{found:?}, expected {grid:?}")));
        }
    }
    again(bytes, &file, codec)
}

/// Writes what was read, and compares.
fn again(bytes: &[u8], file: &nvdb::File, codec: Codec) -> Result<Option<String>, Error> {
    let names: Vec<&str> = file.names.iter().map(String::as_str).collect();
    let options = WriteOptions { codec, checksum: file.checksums.first().copied().unwrap_or_default() };
    let written = nvdb::write(&file.batch, &names, &options)?;
    // Two packers may differ, what they pack may not.
    let unpack = |bytes: &[u8]| if codec == Codec::None { Ok(vec![bytes.to_vec()]) } else { nvdb::unpacked(bytes) };
    for (grid, (written, read)) in unpack(&written)?.iter().zip(unpack(bytes)?).enumerate() {
        if let Some(i) = (0..written.len().max(read.len())).find(|&i| written.get(i) != read.get(i)) {
            let what = format!("grid {grid}, byte {i}: written {:?}, read {:?}", written.get(i), read.get(i));
            return Ok(Some(what));
        }
    }
    Ok((nvdb::read(&written)? != *file).then(|| "the file that was written reads otherwise".into()))
}
