//! `decode` of glTF: the triangles of the scene, compressed by meshoptimizer or plain, as every other verb reads them.

use std::path::{Path, PathBuf};

use mesh_decode::gltf::{ExpandedGltf, expand_gltf};
use mesh_distance::read_gltf_buffer;
use serde_json::json;

use super::{failed, mesh_out};
use crate::cli::DecodeArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::extension;
use crate::verbs::{counted, object};

/// Reads the document with the buffers beside it and writes the mesh.
pub(super) fn run(args: &DecodeArgs, bytes: &[u8], mut phases: Phases, console: Console) -> Result<(), Failure> {
    let units = args.units.is_some() || args.units_batch.is_some() || args.closed_box.is_some() || args.streamed;
    let dumps = args.dump.is_some() || args.dump_compact.is_some() || args.launch_csv.is_some();
    if units || dumps || args.write_sidecar.is_some() {
        return Err(Failure::file(&args.file, "glTF has no units (allowed: --out)"));
    }
    let (mesh, compressed_views) = phases.time("decode", || crate::verbs::read_gltf(&args.file, bytes, console))?;
    let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
    let mut written = Vec::new();
    if let Some(out) = &args.out {
        if extension(out.path()) == "stl" {
            crate::single::note(out.path(), "STL", &mesh, console);
        }
        phases.time("write", || mesh_out::write_mesh_of(out.path(), &mesh))?;
        written.push(out.path().display().to_string());
    }
    let summary = format!(
        "{}: gltf, {}, {}, {}",
        args.file.display(),
        counted(compressed_views as u64, "compressed view", "compressed views"),
        counted(vertices as u64, "vertex", "vertices"),
        counted(triangles as u64, "triangle", "triangles")
    );
    let fields = json!({
        "file": args.file.display().to_string(),
        "format": "gltf",
        "compressed_views": compressed_views,
        "vertices": vertices,
        "triangles": triangles,
        "written": written,
    });
    console.answer(object("decode", Engine::Cpu.describe(), phases, fields), &summary)
}

/// The same document with plain buffer views, as binary glTF; none where there is nothing to decode.
pub(crate) fn plain(path: &Path, bytes: &[u8]) -> Result<Option<ExpandedGltf>, Failure> {
    let mut refused = None;
    let load = |uri: &str| {
        let (file, bytes) = load_beside(path, uri)?;
        // Only its own words can be handed through the reader.
        crate::output::input(&file).map_err(|failure| {
            let text = failure.to_string();
            refused = Some(failure);
            text
        })?;
        Ok(bytes)
    };
    let expanded = expand_gltf(bytes, load);
    match refused {
        Some(failure) => Err(failure),
        None => expanded.map_err(|e| failed(path, &e)),
    }
}

/// A buffer named in the document: a file at or below its folder, and its bytes.
fn load_beside(file: &Path, uri: &str) -> Result<(PathBuf, Vec<u8>), String> {
    read_gltf_buffer(file, uri).map_err(|error| match error {
        mesh_distance::Error::File { what, .. } => what,
        other => other.to_string(),
    })
}
