//! `pipeline`: several crates in one go, on a device without reading back what the next step takes.

pub(crate) mod args;
mod band;
mod octree;
mod source;

use std::path::Path;

use isobit::pipeline::{Error, Morphology};
use serde_json::{Value, json};
use sparse_topology::GridBatch;
use sparse_topology::nvdb::{self, WriteOptions};

use self::args::{GridArgs, Operation, PipelineArgs};
use super::topology::describe;
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;

/// Runs a pipeline.
pub(crate) fn run(args: &PipelineArgs, common: &Common, console: Console) -> Result<(), Failure> {
    match &args.operation {
        Operation::Band(args) => band::run(args, common, console),
        Operation::Octree(args) => octree::run(args, common, console),
    }
}

/// A failure of a step on the input at `path`.
pub(super) fn failed(path: &Path, error: Error) -> Failure {
    match error {
        Error::Distance(error) => Failure::of_mesh(path, *error),
        Error::Decode(error) => super::codec::failed(path, &error),
        Error::Topology(error) => Failure::of_topology(path, *error),
        Error::Affine(error) => super::implicit::failed(&path.display().to_string(), *error),
        #[cfg(feature = "gpu")]
        Error::Device(error) => Failure::from(*error),
        other => Failure::file(path, other),
    }
}

impl GridArgs {
    fn morphology(&self) -> Morphology {
        Morphology { coarsen: self.coarsen.0, dilate: self.dilate }
    }

    /// The file of grids, checked before any work.
    fn place(&self) -> Result<OutputFile, Failure> {
        match extension(&self.out).as_str() {
            "nvdb" => OutputFile::check(&self.out),
            _ => Err(refuse_extension(&self.out, ".nvdb")),
        }
    }

    /// Writes the grid and the one made of it; what is said of them.
    fn write(
        &self,
        file: &OutputFile,
        title: &str,
        grid: &GridBatch,
        second: Option<&GridBatch>,
        phases: &mut Phases,
    ) -> Result<Value, Failure> {
        let failed = |e| Failure::of_topology(&self.out, e);
        let batches: Vec<&GridBatch> = std::iter::once(grid).chain(second).collect();
        let all = GridBatch::concatenate(&batches).map_err(failed)?;
        // The format's longest name has 255 bytes.
        let title: String = title.chars().take(50).collect();
        let names = [title.clone(), format!("{title} second")];
        let names: Vec<String> = names.into_iter().take(all.items()).collect();
        phases.time("write", || {
            let words: Vec<&str> = names.iter().map(String::as_str).collect();
            let options = WriteOptions { codec: self.codec.into(), ..WriteOptions::default() };
            let bytes = nvdb::write(&all, &words, &options).map_err(failed)?;
            file.write(|out| out.write_all(&bytes))
        })?;
        let mut fields = describe::fields(&all, &names).map_err(failed)?;
        fields["out"] = json!(self.out.display().to_string());
        Ok(fields)
    }
}

/// The second grid, where one is asked for.
fn second(morphology: Morphology, grid: &GridBatch) -> Result<Option<GridBatch>, Error> {
    if morphology.is_identity() { Ok(None) } else { morphology.cpu(grid).map(Some) }
}

/// The second grid of one on a device, read back.
#[cfg(feature = "gpu")]
fn second_on(morphology: Morphology, grid: &sparse_topology::device::DeviceGrid) -> Result<Option<GridBatch>, Error> {
    if morphology.is_identity() { Ok(None) } else { Ok(Some(morphology.device(grid)?.download()?)) }
}
