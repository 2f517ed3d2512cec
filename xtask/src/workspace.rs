//! Where the workspace lies and which files belong to it.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::error::{Result, in_file};

/// The root of the workspace this program was built from.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// The folder of build products, where downloads may be kept as well.
pub(crate) fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    // Test processes run in the folders of their packages.
    std::path::absolute(&named).unwrap_or(named)
}

/// A text file of the tree.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// Relative to the root, with `/` on every system.
    pub(crate) path: String,
    /// The contents.
    pub(crate) text: String,
}

impl SourceFile {
    /// The file's extension, or nothing.
    pub(crate) fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|e| e.to_str()).unwrap_or("")
    }

    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// Folders with a hidden name that belong to the tree all the same.
const HIDDEN: [&str; 3] = [".cargo", ".ci", ".github"];

/// Reads every UTF-8 file under `root` except build products and hidden folders, in order of path.
pub(crate) fn read_sources(root: &Path) -> Result<Vec<SourceFile>> {
    let mut sources = Vec::new();
    let walk = WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        let hidden = entry.file_type().is_dir() && name.starts_with('.') && !HIDDEN.contains(&name.as_ref());
        entry.depth() == 0 || !(hidden || name == "target" || name == "node_modules")
    });
    for entry in walk.filter_map(std::result::Result::ok).filter(|entry| entry.file_type().is_file()) {
        let bytes = fs::read(entry.path()).map_err(in_file(entry.path()))?;
        let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let path = relative.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        if let Ok(text) = String::from_utf8(bytes) {
            sources.push(SourceFile { path, text });
        }
    }
    Ok(sources)
}
