//! `shaders`: every kernel of every crate is validated, and its translations are compared with snapshots.
//!
//! The work is done by the conformance test `snapshots`; this verb builds and runs it, and stores new snapshots when told
//! to. A changed translation (a newer naga, an edited kernel) shows as a readable diff. Other compilers look at
//! the guarded texts when they are asked for (see `compilers`).

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::artifacts::{Artifacts, Binary};
use crate::error::{Result, in_file};
use crate::{compilers, shell};

/// Options of `shaders`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Store the translations as the new snapshots.
    #[arg(long)]
    accept: bool,
    /// Compile the guarded text of every kernel with Tint too (out of an npm package; needs Node and a Vulkan adapter).
    #[arg(long)]
    tint: bool,
    /// Compile the HLSL of every kernel with DXC too (its library is in a source package for Python, 67 MB; needs python3 with pip).
    #[arg(long)]
    dxc: bool,
}

/// Runs the snapshot test.
pub(crate) fn run(options: &Options) -> Result<()> {
    let artifacts = Artifacts::build()?;
    let binary = artifacts.conformance_test("snapshots")?;
    if options.accept {
        remove_snapshots(&binary.folder.join("tests/snapshots"))?;
        // Every kernel's snapshots are written, not only those before the first difference.
        shell::run(command(binary).arg("translations").envs([("INSTA_UPDATE", "always"), ("INSTA_FORCE_PASS", "1")]))?;
    }
    shell::run(command(binary).env("INSTA_UPDATE", "no"))?;
    if options.tint {
        compilers::tint(&artifacts)?;
    }
    if options.dxc { compilers::dxc(&artifacts) } else { Ok(()) }
}

fn command(binary: &Binary) -> Command {
    let mut command = Command::new(&binary.path);
    command.current_dir(&binary.folder).env("CARGO_MANIFEST_DIR", &binary.folder);
    command
}

/// Removes all snapshots, so that none is left of a kernel that is gone.
fn remove_snapshots(folder: &Path) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(in_file(folder))?.filter_map(std::result::Result::ok) {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "snap") {
            fs::remove_file(&path).map_err(in_file(&path))?;
        }
    }
    Ok(())
}
