//! Folders of test vectors: `dgf/`, `stride/`, `md1/`, `meshopt/manifest.json` and `hostile/manifest.json`, each where it is there.
//!
//! Every file is decoded and each array compared word for word with the file of its name beside it (`STEM.tris.u32`, ..); the float positions of
//! STRIDE with `.muladd.verts.f32`; filters within 1 unit, the exponential one exactly. A hostile file must be refused.

mod hostile;
mod vectors;

use std::fs;
use std::path::{Path, PathBuf};

use crate::decoded::{Decoded, Outputs};
use crate::error::Error;
use crate::file::File;
use crate::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};

/// What decodes: the CPU references, or a device in their place. Statuses count: both must give the same for the same bytes.
pub trait Decoder {
    /// All units of a file, all arrays.
    ///
    /// # Errors
    /// What the decoder has for one; damage of a unit is none, it lies in the result.
    fn units(&self, file: &File) -> Result<Decoded, String> {
        Ok(file.decode_cpu(Outputs::ALL))
    }

    /// A vertex stream of meshoptimizer.
    ///
    /// # Errors
    /// As [`decode_vertices`].
    fn vertices(&self, bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
        decode_vertices(bytes, count, stride).map_err(|error| error.to_string())
    }

    /// A triangle index stream of meshoptimizer.
    ///
    /// # Errors
    /// As [`decode_indices`].
    fn indices(&self, bytes: &[u8], count: usize, vertices: Option<u32>) -> Result<Vec<u32>, String> {
        decode_indices(bytes, count, vertices).map_err(|error| error.to_string())
    }

    /// An index sequence of meshoptimizer.
    ///
    /// # Errors
    /// As [`decode_sequence`].
    fn sequence(&self, bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
        decode_sequence(bytes, count, None).map_err(|error| error.to_string())
    }

    /// A filter of meshoptimizer, in place.
    ///
    /// # Errors
    /// As [`apply_filter`].
    fn filter(&self, filter: Filter, bytes: &mut [u8], stride: usize) -> Result<(), String> {
        apply_filter(filter, bytes, stride).map_err(|error| error.to_string())
    }
}

/// The CPU references.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl Decoder for Cpu {}

/// What a run of a folder found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that were decoded and compared.
    pub vectors: usize,
    /// Arrays that were compared.
    pub arrays: usize,
    /// Hostile files.
    pub hostile: usize,
    /// SHA-256 of all output arrays of each good file, by its name in the folder; arrays without a file to compare with count too.
    pub hashes: Vec<(String, String)>,
    /// Every case that differs: its name in the folder, and what differs with both values.
    pub differences: Vec<(String, String)>,
}

impl Report {
    fn differ(&mut self, case: &str, what: impl Into<String>) {
        self.differences.push((case.to_owned(), what.into()));
    }

    /// Compares an array with a file and names the first byte that differs.
    fn compare(&mut self, case: &str, found: &[u8], path: &Path) -> Result<(), Error> {
        self.arrays += 1;
        let expected = read(path)?;
        if found == expected {
            return Ok(());
        }
        let first = found.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(found.len().min(expected.len()));
        let near = |bytes: &[u8]| bytes[(first & !3).min(bytes.len())..bytes.len().min((first & !3) + 8)].to_vec();
        let (a, b) = (near(found), near(&expected));
        let lengths = format!("lengths {} and {}", found.len(), expected.len());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.differ(case, format!("{name}: byte {first} differs, {lengths}: found {a:02x?}, expected {b:02x?}"));
        Ok(())
    }
}

/// Runs every vector of a folder.
///
/// # Errors
/// [`Error::Corpus`] when the folder has none of the parts, or a file of it cannot be read.
pub fn run(dir: &Path, decoder: &dyn Decoder) -> Result<Report, Error> {
    let mut report = Report::default();
    let mut parts = 0;
    for (name, endings) in [("dgf", &["dgfblob"][..]), ("stride", &["dprb", "dpr4"]), ("md1", &["md1"])] {
        if dir.join(name).is_dir() {
            parts += 1;
            vectors::files(dir, name, endings, decoder, &mut report)?;
        }
    }
    if dir.join("meshopt/manifest.json").is_file() {
        parts += 1;
        vectors::meshopt(dir, decoder, &mut report)?;
    }
    if dir.join("hostile/manifest.json").is_file() {
        parts += 1;
        hostile::run(dir, decoder, &mut report)?;
    }
    if parts == 0 {
        return Err(failed(dir, "none of dgf, stride, md1, meshopt/manifest.json, hostile/manifest.json is there"));
    }
    Ok(report)
}

fn failed(path: &Path, what: impl ToString) -> Error {
    Error::Corpus { path: path.display().to_string(), what: what.to_string() }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| failed(path, error))
}

/// The files of a folder with one of these endings, sorted.
fn files_in(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A manifest: a list of objects.
fn manifest(path: &Path) -> Result<Vec<serde_json::Value>, Error> {
    let value: serde_json::Value = serde_json::from_slice(&read(path)?).map_err(|error| failed(path, error))?;
    match value {
        serde_json::Value::Array(list) => Ok(list),
        _ => Err(failed(path, "not a list")),
    }
}
