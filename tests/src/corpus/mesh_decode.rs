//! The corpus of mesh-decode: `dgf`, `stride`, `md1`, `meshopt`, `hostile`.

use std::path::Path;

use gpu_runtime::Context;
use mesh_decode::corpus;

use super::{Difference, Tally};
use crate::error::Error;

/// Runs a folder.
pub(super) fn run(dir: &Path, context: Option<&Context>) -> Result<Tally, Error> {
    if context.is_some() {
        return Err(Error::Corpus(
            "mesh-decode decodes corpora on the CPU alone in this version (--device cpu)".into(),
        ));
    }
    let report = corpus::run(dir, &corpus::Cpu).map_err(|error| Error::Corpus(error.to_string()))?;
    let differences = report.differences.into_iter().map(|(case, what)| Difference { case, what }).collect();
    let compared = vec![(report.vectors, "files"), (report.arrays, "arrays"), (report.hostile, "hostile files")];
    Ok(Tally { compared, differences })
}
