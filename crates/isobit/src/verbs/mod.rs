//! The verbs, one module each.

pub(crate) mod adapters;
pub(crate) mod codec;
pub(crate) mod deviation;
pub(crate) mod implicit;
pub(crate) mod make;
pub(crate) mod mark;
pub(crate) mod pipeline;
pub(crate) mod query;
pub(crate) mod repair;
pub(crate) mod report;
pub(crate) mod sdf;
pub(crate) mod topology;
pub(crate) mod view;

use std::path::Path;

use mesh_distance::{Mesh, MeshFile, MeshFormat, MeshReport};
use serde_json::{Map, Value};

use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{Sign, SignChoice};

/// The fields that every answer has, followed by the verb's own.
pub(crate) fn object(verb: &str, device: Value, seconds: Phases, fields: Value) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("isobit".to_owned(), Value::from(env!("CARGO_PKG_VERSION")));
    object.insert("verb".to_owned(), Value::from(verb));
    object.insert("device".to_owned(), device);
    object.insert("seconds".to_owned(), seconds.into_json());
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    object
}

/// Whether a file's ending is that of an uncompressed mesh.
pub(crate) fn is_mesh(path: &Path) -> bool {
    matches!(crate::options::extension(path).as_str(), "stl" | "obj" | "ply" | "glb" | "gltf")
}

/// Reads a mesh that may be compressed; such a one is decoded on `engine`.
pub(crate) fn read_any_mesh(
    path: &Path,
    engine: &Engine,
    phases: &mut Phases,
    console: Console,
) -> Result<Mesh, Failure> {
    if is_mesh(path) {
        return phases.time("read", || read_mesh(path, console));
    }
    let bytes = phases.time("read", || codec::read_bytes(path))?;
    phases.time("decode", || codec::whole_mesh(path, &bytes, engine))
}

/// Reads a mesh; it has at least one triangle. Says what of the file is not in it.
pub(crate) fn read_mesh(path: &Path, console: Console) -> Result<Mesh, Failure> {
    crate::output::input(path)?;
    let of_mesh = |e| Failure::of_mesh(path, e);
    let read = match MeshFormat::of(path).map_err(of_mesh)? {
        MeshFormat::Gltf => return Ok(read_gltf(path, &codec::read_bytes(path)?, console)?.0),
        _ => MeshFile::read(path),
    };
    noted(path, read.map_err(of_mesh)?, console)
}

/// As [`read_mesh`], of bytes that were read.
pub(crate) fn read_mesh_bytes(
    path: &Path,
    bytes: &[u8],
    format: MeshFormat,
    console: Console,
) -> Result<Mesh, Failure> {
    match format {
        MeshFormat::Gltf => Ok(read_gltf(path, bytes, console)?.0),
        _ => noted(path, MeshFile::of_bytes(bytes, format, path).map_err(|e| Failure::of_mesh(path, e))?, console),
    }
}

/// The triangles of a glTF file's scene, and how many of its views were compressed.
pub(crate) fn read_gltf(path: &Path, bytes: &[u8], console: Console) -> Result<(Mesh, usize), Failure> {
    let plain = codec::plain_gltf(path, bytes)?;
    let (bytes, views) = plain.as_ref().map_or((bytes, 0), |file| (&file.bytes[..], file.compressed_views));
    let file = MeshFile::of_bytes(bytes, MeshFormat::Gltf, path).map_err(|e| Failure::of_mesh(path, e))?;
    Ok((noted(path, file, console)?, views))
}

/// The mesh of a file; what else the file has is said, and the files that it names are inputs as it is one.
fn noted(path: &Path, file: MeshFile, console: Console) -> Result<Mesh, Failure> {
    let MeshFile { mesh, notes, beside, .. } = file;
    beside.iter().try_for_each(|file| crate::output::input(file))?;
    notes.iter().for_each(|note| console.note(&format!("{}: {note}", path.display())));
    Ok(mesh)
}

/// Why a mesh could not be written, naming the file that was asked for, not the temporary one.
pub(crate) fn write_failed(path: &Path, error: mesh_distance::Error) -> Failure {
    match error {
        mesh_distance::Error::Io { source, .. } => Failure::io(path, "write", &source),
        mesh_distance::Error::File { what, .. } => Failure::file(path, what),
        other => Failure::file(path, other),
    }
}

/// The sign to use for a mesh, and why; says in one line why pseudo-normals were not chosen, or that the sign cannot be relied on.
pub(crate) fn sign_for(
    choice: SignChoice,
    path: &Path,
    report: &MeshReport,
    console: Console,
) -> Result<(Sign, String), Failure> {
    let (sign, reason) = choice.of(report);
    let chosen = choice == SignChoice::Auto && sign != Sign::PseudoNormal;
    let trust = report.trust(sign.into());
    let (file, name) = (path.display(), sign.name());
    match (chosen, trust.reliable) {
        (true, true) => console.note(&format!("{file}: sign {name}: {reason}")),
        (true, false) => {
            let what = format!("{reason}; sign {name} is not reliable on this mesh either: {}", trust.reason);
            console.note(&format!("{file}: sign {name}: {what}"));
        }
        (false, false) => {
            console.note(&format!("{file}: sign {name} is not reliable on this mesh: {}", trust.reason));
        }
        (false, true) => {}
    }
    Ok((sign, reason))
}

/// A file's name without its folders, for titles.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A count and what is counted, in the singular or the plural.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// How many numbers were given and how many there may be.
pub(crate) fn numbers_given(count: usize, allowed: &str) -> String {
    format!("{} (allowed: {allowed})", counted(count as u64, "number", "numbers"))
}

/// A count with its digits in groups of three.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_counted_has_its_number() {
        assert_eq!(super::counted(1, "leaf", "leaves"), "1 leaf");
        assert_eq!(super::counted(1000, "leaf", "leaves"), "1,000 leaves");
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(super::grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
