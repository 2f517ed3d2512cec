//! `shaders`: every kernel of every crate is validated, and its translations are compared with snapshots.
//!
//! The work is done by the conformance test `snapshots`; this verb builds and runs it, and stores new snapshots when told
//! to. A changed translation (a newer naga, an edited kernel) shows as a readable diff. With `--tint` the guarded texts also go through Tint, the
//! compiler of WGSL in Dawn and Chrome, which shares nothing with naga.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::artifacts::{Artifacts, Binary};
use crate::error::{Result, in_file};
use crate::{devices, shell, workspace};

/// Options of `shaders`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Store the translations as the new snapshots.
    #[arg(long)]
    accept: bool,
    /// Compile the guarded text of every kernel with Tint too (out of an npm package; needs Node and a Vulkan adapter).
    #[arg(long)]
    tint: bool,
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
    if options.tint { tint() } else { Ok(()) }
}

/// Dawn for Node (MIT; Dawn itself BSD-3-Clause).
const WEBGPU: &str = "webgpu@0.6.2";

/// Writes the texts and compiles them; says in a line why it does not where npm or an adapter is missing.
fn tint() -> Result<()> {
    if !shell::exists("npm") || !shell::exists("node") {
        println!("skipped Tint: npm and node are not on this machine");
        return Ok(());
    }
    let mut skips = Vec::new();
    // Dawn needs an adapter to make a device, and takes this one.
    let Some(icd) = devices::swiftshader(&mut skips) else {
        println!("skipped Tint: {}", skips.join("; "));
        return Ok(());
    };
    let folder = workspace::target().join("tint");
    let texts = folder.join("texts");
    if texts.is_dir() {
        fs::remove_dir_all(&texts).map_err(in_file(&texts))?;
    }
    fs::create_dir_all(&folder).map_err(in_file(&folder))?;
    let mut write = shell::cargo();
    write.args(["run", "--quiet", "--package", "conformance", "--", "texts", "--out"]).arg(&texts);
    shell::run(&mut write)?;
    if !folder.join("node_modules/webgpu").is_dir() {
        let mut npm = Command::new("npm");
        shell::run(npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(WEBGPU))?;
    }
    // Node looks for packages beside the script.
    let script = folder.join("validate.mjs");
    fs::copy(workspace::root().join("tests/tint/validate.mjs"), &script).map_err(in_file(&script))?;
    shell::run(Command::new("node").arg(&script).arg(&texts).env("VK_DRIVER_FILES", icd))
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
