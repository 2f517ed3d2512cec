//! The verbs for compressed meshlet formats.

mod boxes;
pub(crate) mod decode;
pub(crate) mod encode;
mod gltf;
pub(crate) mod inspect;
mod launches;
mod mesh_out;
#[cfg(feature = "gpu")]
mod on_device;
mod streams;
mod whole;

use std::fs;
use std::path::{Path, PathBuf};

use mesh_decode::{Decoded, Error, File};
use serde_json::{Value, json};

pub(crate) use gltf::plain as plain_gltf;
#[cfg(feature = "gpu")]
pub(crate) use whole::surface_on;
pub(crate) use whole::whole_mesh;

use crate::failure::Failure;
use crate::output::OutputFile;

/// Bytes that a decoded vertex and a decoded triangle take with all arrays.
const VERTEX_BYTES: u64 = 28;
const TRIANGLE_BYTES: u64 = 21;

/// A failure of mesh-decode on the file at `path`.
pub(crate) fn failed(path: &Path, error: &Error) -> Failure {
    match error {
        Error::TooLarge { .. } | Error::TooFine { .. } => Failure::Limit(format!("{}: {error}", path.display())),
        #[cfg(feature = "gpu")]
        Error::Device(_) => Failure::Device(format!("{}: {error}", path.display())),
        Error::UnknownFormat { .. } if crate::verbs::is_mesh(path) => {
            Failure::file(path, "a mesh that is not compressed: there is nothing to decode")
        }
        _ => Failure::file(path, error),
    }
}

/// The bytes of a file, if they fit into memory twice.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    crate::output::input(path)?;
    let length = fs::metadata(path).map_err(|e| Failure::io(path, "read", &e))?.len();
    crate::memory::require(&path.display().to_string(), length.checked_mul(2))?;
    fs::read(path).map_err(|e| Failure::io(path, "read", &e))
}

/// Fails when the arrays of a whole decode do not fit into memory.
pub(super) fn require_room(path: &Path, file: &File) -> Result<(), Failure> {
    let needed = VERTEX_BYTES * u64::from(file.vertex_count()) + TRIANGLE_BYTES * u64::from(file.triangle_count());
    crate::memory::require(&path.display().to_string(), Some(needed))
}

/// `PREFIX` with an ending behind its name.
pub(super) fn with_ending(prefix: &Path, ending: &str) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Writes the bytes whole and returns the name for the answer.
pub(super) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<String, Failure> {
    OutputFile::check(path)?.write(|out| out.write_all(bytes))?;
    Ok(path.display().to_string())
}

/// The damaged units of a decode: unit, status word and what is wrong.
pub(super) fn damage(decoded: &Decoded) -> Vec<Value> {
    let faults = decoded.faults.iter();
    faults
        .map(|(unit, fault)| json!({"unit": unit, "status": fault.status as u32, "what": fault.to_string()}))
        .collect()
}

/// One sentence about the damaged units of `path`, if there are any.
pub(super) fn damage_failure(path: &Path, decoded: &Decoded) -> Result<(), Failure> {
    match decoded.faults.as_slice() {
        [] => Ok(()),
        [(unit, fault), rest @ ..] => {
            let others = if rest.is_empty() { String::new() } else { format!(" (and {} more units)", rest.len()) };
            Err(Failure::Input(format!("{}:{unit}: {fault}{others}", path.display())))
        }
    }
}
