//! `inspect`: header, sizes by section, counts, extensions and statistics of a file, by its kind.

mod parts;
mod units;

use super::read_bytes;
use crate::cli::InspectArgs;
use crate::console::{Console, Phases};
use crate::failure::Failure;
use crate::options::extension;
use crate::output::OutputFile;

/// Looks at the file and answers.
pub(crate) fn run(args: &InspectArgs, console: Console) -> Result<(), Failure> {
    args.png.as_deref().map(OutputFile::picture).transpose()?;
    let mut phases = Phases::default();
    if extension(&args.file) == "nvdb" {
        return parts::grids(args, phases, console);
    }
    let bytes = phases.time("read", || read_bytes(&args.file))?;
    // A compressed file may have any ending.
    match crate::verbs::is_mesh(&args.file) && mesh_decode::Format::detect(&bytes).is_none() {
        true => parts::mesh(args, &bytes, phases, console),
        false => units::units(args, &bytes, phases, console),
    }
}
