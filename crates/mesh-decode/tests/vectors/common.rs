//! Folders of test vectors: the small set of this repository, and the full one of `../shared` where it exists.

use std::fs;
use std::path::{Path, PathBuf};

use mesh_decode::Decoded;

/// The folders to test: always `tests/data`, and the full corpus beside the workspace unless it is absent (says so in one line).
pub(crate) fn folders() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("ISOBIT_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let full = shared.join("corpus/mesh-decode");
    if full.is_dir() {
        vec![own, full]
    } else {
        println!("skipped: the full corpus, no folder {}", full.display());
        vec![own]
    }
}

/// The files of a folder with one of these endings, sorted.
pub(crate) fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a folder entry").path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending))).collect();
    found.sort();
    assert!(!found.is_empty(), "{} has no {endings:?}", folder.display());
    found
}

pub(crate) fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares two byte strings and names the first word that differs.
#[track_caller]
pub(crate) fn assert_same(found: &[u8], expected: &[u8], what: &dyn std::fmt::Display) {
    if found == expected {
        return;
    }
    let first = found.iter().zip(expected).position(|(a, b)| a != b).unwrap_or(found.len().min(expected.len()));
    let near = |bytes: &[u8]| bytes[(first & !3).min(bytes.len())..bytes.len().min((first & !3) + 16)].to_vec();
    panic!(
        "{what}: byte {first} differs, lengths {} and {}: found {:?}, expected {:?}",
        found.len(),
        expected.len(),
        near(found),
        near(expected)
    );
}

/// Compares the arrays of a decode with the files `STEM + ending`, where they exist; returns how many were compared.
#[track_caller]
pub(crate) fn compare_arrays(decoded: &Decoded, folder: &Path, stem: &str) -> usize {
    decoded.check().unwrap_or_else(|error| panic!("{stem}: {error}"));
    let mut compared = 0;
    for (ending, bytes) in decoded.arrays() {
        let path = folder.join(format!("{stem}{ending}"));
        if path.is_file() {
            assert_same(&bytes, &read(&path), &path.display());
            compared += 1;
        }
    }
    assert!(compared > 0, "{stem}: nothing to compare with");
    compared
}

/// The file's name without the last ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}
