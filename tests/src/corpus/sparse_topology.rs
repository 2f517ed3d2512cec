//! The corpus of sparse-topology: `manifest.json`, `data.i32`, `.nvdb` files with `nvdb.json`.

use std::path::Path;

use gpu_runtime::Context;
use sparse_topology::corpus;
use sparse_topology::device::{TopologyDevice, TopologyOptions};

use super::{Difference, Tally};
use crate::error::Error;

/// Runs a folder.
pub(super) fn run(dir: &Path, context: Option<&Context>) -> Result<Tally, Error> {
    let report = match context {
        None => corpus::run(dir)?,
        Some(context) => {
            let device = TopologyDevice::new(context, &TopologyOptions::default());
            corpus::run_with(dir, &device)?
        }
    };
    let differences = report.differences.into_iter().map(|d| Difference { case: d.id, what: d.what }).collect();
    Ok(Tally {
        compared: vec![
            (report.inputs, "inputs"),
            (report.cases, "cases"),
            (report.lists, "lists of pairs and codes"),
            (report.files, "files"),
        ],
        differences,
    })
}
