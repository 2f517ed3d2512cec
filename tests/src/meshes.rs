//! Test meshes: the optional folder of real ones.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder `meshes` of the optional test data: in ISOBIT_SHARED, else in `../shared` beside the workspace.
///
/// Where it is absent, a line on standard error says that the test was skipped.
pub fn shared_folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("ISOBIT_SHARED").map_or_else(beside, PathBuf::from).join("meshes");
    if folder.is_dir() {
        return Some(folder);
    }
    let _ = writeln!(std::io::stderr(), "SKIPPED: {} is not there (optional test data)", folder.display());
    None
}

/// The STL and OBJ files of a folder, in order of name.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_mesh = |path: &PathBuf| path.extension().is_some_and(|e| e == "stl" || e == "obj");
    let mut found: Vec<PathBuf> = entries.filter(is_mesh).collect();
    found.sort();
    found
}
