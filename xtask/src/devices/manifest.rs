//! The Vulkan loader's driver manifests (`*_icd.json`).

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables by which a user names the manifests, newest first; the old name is what loaders before 1.3.207 know.
const VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// Folders in which the loader looks on Linux and BSD.
const FOLDERS: [&str; 4] =
    ["/usr/local/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d"];

/// The manifests that the user names, or else those of the system, one for each driver library.
pub(super) fn of_system() -> Vec<PathBuf> {
    for variable in VARIABLES {
        if let Some(list) = env::var_os(variable).filter(|list| !list.is_empty()) {
            return env::split_paths(&list).collect();
        }
    }
    of_folders(&FOLDERS.map(PathBuf::from))
}

/// The manifests in these folders; a library named twice counts once.
fn of_folders(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut libraries = BTreeSet::new();
    let mut found = Vec::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "json")) {
            if library(&path).is_none_or(|library| libraries.insert(library)) {
                found.push(path);
            }
        }
    }
    found
}

/// The library that a manifest names.
fn library(manifest: &Path) -> Option<String> {
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest).ok()?).ok()?;
    Some(json.get("ICD")?.get("library_path")?.as_str()?.to_string())
}

/// Lets a process see the drivers of these manifests and no other.
pub(super) fn show(command: &mut Command, manifests: &[PathBuf]) {
    if let Ok(list) = env::join_paths(manifests) {
        for variable in VARIABLES {
            command.env(variable, &list);
        }
    }
    // Without it the window-system half of some drivers complains for every process; no test has a window.
    if env::var_os("XDG_RUNTIME_DIR").is_none() {
        command.env("XDG_RUNTIME_DIR", env::temp_dir());
    }
}

#[cfg(test)]
mod tests {
    use super::of_folders;
    use std::fs;

    #[test]
    fn a_library_named_by_two_folders_counts_once() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folders = ["etc", "share"].map(|name| root.path().join(name));
        for folder in &folders {
            fs::create_dir(folder).expect("a new folder");
            fs::write(folder.join("lvp_icd.json"), r#"{"ICD": {"library_path": "libvulkan_lvp.so"}}"#).expect("a file");
            fs::write(folder.join("notes.txt"), "not a manifest").expect("a file");
        }
        fs::write(folders[1].join("other.json"), r#"{"ICD": {"library_path": "libother.so"}}"#).expect("a file");
        let found = of_folders(&folders);
        assert_eq!(found, [folders[0].join("lvp_icd.json"), folders[1].join("other.json")]);
    }
}
