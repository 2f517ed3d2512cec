//! Folders of test vectors: run every case, report each that differs.
//!
//! A folder holds `manifest.json` (inputs and cases: `op`, `input`, `params`, `expect`), `data.i32` (coordinates, little endian, x y z a voxel, canonical order) and, if it likes,
//! `nvdb.json` with the `.nvdb` files it describes. Inputs and results are lists of items: `count`, `sha256` of the coordinates, `nodes_leaf_lower_upper`, `min` and `max`, and `offset` into `data.i32` when the coordinates are stored.
//! An input that is not stored is made by its `generator`. The expectation `"coordinate-overflow"` is [`Error::CoordinateOverflow`].

mod compare;
mod engine;
mod files;
mod generate;
mod lists;
mod manifest;
mod operation;

use std::collections::BTreeMap;
use std::path::Path;

pub use engine::Engine;
pub use operation::Operation;

use manifest::{Case, Expect, Folder};

use crate::{Error, GridBatch};

/// A case that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The case's `id`, or the name of an input or file.
    pub id: String,
    /// What differs, with both values.
    pub what: String,
}

/// What a run found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Number of inputs compared with their description.
    pub inputs: usize,
    /// Number of cases run.
    pub cases: usize,
    /// Number of lists of neighbour pairs and of codes compared.
    pub lists: usize,
    /// Number of `.nvdb` files read, listed and written again.
    pub files: usize,
    /// Those that differ, in the order of the manifest.
    pub differences: Vec<Difference>,
}

/// Runs every case of a folder with the CPU references, and reads its files.
///
/// # Errors
/// [`Error::Io`] and [`Error::Corpus`] when the folder is not laid out as described. Cases that differ are no errors but entries of the report.
pub fn run(dir: &Path) -> Result<Report, Error> {
    let mut report = run_with(dir, &Operation::apply_cpu)?;
    files::run(dir, &mut report)?;
    Ok(report)
}

/// Runs every case of a folder with `engine`: its batch (of a [twin](Engine::twin) also its words, against the CPU reference's), its rows; of convolutions and coarsening the neighbour pairs, one by one by their definition, where the voxels of the result times the taps are at most 2^16; and of every input the Morton and
/// Hilbert codes, against the CPU references. Reads no `.nvdb` files.
///
/// # Errors
/// As [`run`].
pub fn run_with(dir: &Path, engine: &dyn Engine) -> Result<Report, Error> {
    let folder = Folder::open(dir)?;
    let mut report = Report::default();
    let mut inputs = BTreeMap::new();
    for (name, items) in &folder.manifest.inputs {
        let batch = generate::input(&folder, name, items)?;
        report.inputs += 1;
        let what = compare::items(&folder, &batch, items)?;
        report.differences.extend(what.map(|what| Difference { id: name.clone(), what }));
        let (compared, what) = lists::codes(engine, &batch)?;
        report.lists += compared;
        report.differences.extend(what.map(|what| Difference { id: name.clone(), what }));
        inputs.insert(name.as_str(), batch);
    }
    for case in &folder.manifest.cases {
        let Some(input) = inputs.get(case.input.as_str()) else {
            return Err(folder.fault(format!("case {} names the input {:?}, which is not there", case.id, case.input)));
        };
        report.cases += 1;
        let what = run_case(&folder, case, input, engine, &mut report.lists)?;
        report.differences.extend(what.map(|what| Difference { id: case.id.clone(), what }));
    }
    Ok(report)
}

/// What differs in a case, if anything.
fn run_case(
    folder: &Folder,
    case: &Case,
    input: &GridBatch,
    engine: &dyn Engine,
    lists: &mut usize,
) -> Result<Option<String>, Error> {
    if let Expect::Rows(rows) = &case.expect
        && case.op == "ijk_to_index"
    {
        let found = engine.rows(input, case.item, &case.queries)?;
        return Ok((found != *rows).then(|| format!("rows {found:?}, expected {rows:?}")));
    }
    let found = operation::parse(case, input)
        .and_then(|operation| engine.apply(&operation, input).map(|batch| (operation, batch)));
    match (found, &case.expect) {
        (Err(error @ Error::Corpus { .. }), _) => Err(error),
        (Ok((operation, batch)), Expect::Items(items)) => {
            if let Some(what) = compare::items(folder, &batch, items)? {
                return Ok(Some(what));
            }
            if engine.twin() && batch != operation.apply_cpu(input)? {
                return Ok(Some("the voxels are right, but not the words of the CPU reference".into()));
            }
            let pairs = lists::pairs(engine, &operation, input, &batch)?;
            *lists += usize::from(pairs.is_some());
            Ok(pairs.flatten())
        }
        (Err(Error::CoordinateOverflow { .. }), Expect::Text(text)) if text == "coordinate-overflow" => Ok(None),
        (Ok((_, batch)), expect) => Ok(Some(format!("{} voxels, expected {expect:?}", batch.voxels()))),
        (Err(error), Expect::Items(items)) => Ok(Some(format!("error: {error}; expected {} items", items.len()))),
        (Err(error), expect) => Ok(Some(format!("error: {error}; expected {expect:?}"))),
    }
}
