//! The corpus of sparse-topology: `manifest.json`, `data.i32`, `.nvdb` files with `nvdb.json`.

use std::path::Path;

use gpu_runtime::Context;
use sparse_topology::corpus;

use super::{Difference, Tally};
use crate::error::Error;

/// Runs a folder.
pub(super) fn run(dir: &Path, context: Option<&Context>) -> Result<Tally, Error> {
    if context.is_some() {
        return Err(Error::Corpus("sparse-topology computes on the CPU alone in this version (--device cpu)".into()));
    }
    let report = corpus::run(dir)?;
    let differences = report.differences.into_iter().map(|d| Difference { case: d.id, what: d.what }).collect();
    Ok(Tally {
        compared: vec![(report.inputs, "inputs"), (report.cases, "cases"), (report.files, "files")],
        differences,
    })
}
