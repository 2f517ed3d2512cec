//! A clean checkout of the last commit: what a clone has, and nothing that only this folder has.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::error::{Result, in_file};
use crate::{shell, workspace};

/// Clones the repository into a folder that goes away with the value.
pub(super) fn clone() -> Result<TempDir> {
    let parent = workspace::target();
    std::fs::create_dir_all(&parent).map_err(in_file(&parent))?;
    let folder = tempfile::Builder::new().prefix("package.").tempdir_in(&parent).map_err(in_file(&parent))?;
    let mut command = Command::new("git");
    command.args(["clone", "--quiet", "--local", "--no-hardlinks"]).arg(workspace::root()).arg(folder.path());
    shell::run(&mut command)?;
    Ok(folder)
}

/// Packages of a build folder with their bytes.
pub(super) fn packages(target: &Path) -> Result<Vec<(String, u64)>> {
    let folder = target.join("package");
    let entries = std::fs::read_dir(&folder).map_err(in_file(&folder))?;
    let mut found = Vec::new();
    for entry in entries.filter_map(std::result::Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".crate") {
            found.push((name, entry.metadata().map_err(in_file(&entry.path()))?.len()));
        }
    }
    found.sort();
    Ok(found)
}
