//! `inspect` of meshes that are not compressed as a whole (STL, OBJ, PLY, glTF) and of voxel grids (.nvdb).

use std::path::Path;

use mesh_decode::gltf::COMPRESSION;
use mesh_distance::{ExtensionKind, FileParts, MeshFormat};
use serde_json::{Map, Value, json};

use crate::cli::InspectArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::verbs::{counted, grouped, object, topology};

/// What a file is, how long, and what is in it.
struct Answer {
    fields: Value,
    text: String,
}

impl Answer {
    fn new(path: &Path, format: &str, bytes: u64) -> Self {
        let fields = json!({"file": path.display().to_string(), "format": format, "bytes": bytes});
        let mut answer = Self { fields, text: format!("{}: {format}", path.display()) };
        answer.line("bytes", &grouped(bytes));
        answer
    }

    fn line(&mut self, name: &str, value: &str) {
        self.text += &format!("\n  {name:<28} {value}");
    }

    fn finish(self, phases: Phases, console: Console) -> Result<(), Failure> {
        console.answer(object("inspect", Engine::Cpu.describe(), phases, self.fields), &self.text)
    }
}

/// Fails where a picture is asked for: it is of units, which these files have not.
fn no_picture(args: &InspectArgs) -> Result<(), Failure> {
    match &args.png {
        Some(_) => {
            let what = format!("{} has no units to draw (allowed for compressed meshes)", args.file.display());
            Err(Failure::Usage(format!("--png: {what}")))
        }
        None => Ok(()),
    }
}

/// A mesh file.
pub(super) fn mesh(args: &InspectArgs, bytes: &[u8], mut phases: Phases, console: Console) -> Result<(), Failure> {
    no_picture(args)?;
    let path = &args.file;
    let of_mesh = |e| Failure::of_mesh(path, e);
    let format = MeshFormat::of(path).map_err(of_mesh)?;
    let parts = phases.time("open", || FileParts::of_bytes(bytes, format, path)).map_err(of_mesh)?;
    let name = match format {
        MeshFormat::Stl => "STL",
        MeshFormat::Obj => "OBJ",
        MeshFormat::Ply => "PLY",
        _ => "glTF",
    };
    let mut answer = Answer::new(path, name, bytes.len() as u64);
    let words = |list: &[(String, String)]| -> Map<String, Value> {
        list.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect()
    };
    answer.fields["header"] = Value::Object(words(&parts.header));
    parts.header.iter().for_each(|(name, value)| answer.line(name, value));
    sizes(&mut answer, "section_bytes", "", &parts.sections);
    if format == MeshFormat::Gltf {
        sizes(&mut answer, "content_bytes", "views: ", &parts.contents);
    }
    let counts: Map<String, Value> =
        parts.counts.iter().map(|(name, count)| (name.clone(), Value::from(*count))).collect();
    answer.fields["counts"] = Value::Object(counts);
    parts.counts.iter().for_each(|(name, count)| answer.line(name, &grouped(*count)));
    if format == MeshFormat::Gltf {
        extensions(&mut answer, &parts);
    }
    // As every other verb reads it, so that damage is seen here too; what cannot be read is no failure to look at it.
    let read = phases.time("decode", || crate::verbs::read_mesh_bytes(path, bytes, format, console));
    match read {
        Ok(mesh) => {
            let [vertices, triangles] = [mesh.positions.len() as u64, mesh.triangles.len() as u64];
            answer.fields["vertices"] = json!(vertices);
            answer.fields["triangles"] = json!(triangles);
            let bits = 8.0 * bytes.len() as f64 / triangles.max(1) as f64;
            answer.line(
                "mesh",
                &format!(
                    "{}, {}, {bits:.2} bits a triangle",
                    counted(vertices, "vertex", "vertices"),
                    counted(triangles, "triangle", "triangles")
                ),
            );
        }
        Err(failure) => {
            let text = failure.to_string();
            let why = text.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&text);
            answer.fields["unread"] = json!(why);
            answer.line("mesh", &format!("not read: {why}"));
        }
    }
    answer.finish(phases, console)
}

fn sizes(answer: &mut Answer, field: &str, prefix: &str, list: &[(String, u64)]) {
    let all: u64 = list.iter().map(|(_, bytes)| bytes).sum();
    let object = list.iter().map(|(name, bytes)| (name.clone(), Value::from(*bytes))).collect::<Map<_, _>>();
    answer.fields[field] = Value::Object(object);
    for (name, bytes) in list {
        let share = 100.0 * *bytes as f64 / all.max(1) as f64;
        answer.line(&format!("{prefix}{name}"), &format!("{} bytes, {share:.1} %", grouped(*bytes)));
    }
}

fn extensions(answer: &mut Answer, parts: &FileParts) {
    let mut list = Vec::new();
    for extension in &parts.extensions {
        let kind = match extension.kind {
            _ if COMPRESSION.contains(&extension.name.as_str()) => "read",
            ExtensionKind::Read => "read",
            ExtensionKind::Harmless => "no part of a mesh",
            _ => "not read",
        };
        let needed = if extension.required { "required" } else { "used" };
        answer.line("extension", &format!("{}, {needed}, {kind}", extension.name));
        list.push(json!({"name": extension.name, "required": extension.required, "kind": kind}));
    }
    answer.fields["extensions"] = Value::Array(list);
}

/// A file of voxel grids.
pub(super) fn grids(args: &InspectArgs, mut phases: Phases, console: Console) -> Result<(), Failure> {
    no_picture(args)?;
    let path = &args.file;
    let length = std::fs::metadata(path).map_err(|e| Failure::io(path, "read", &e))?.len();
    let file = phases.time("read", || topology::read(path, &Default::default()))?;
    let mut answer = Answer::new(path, "NanoVDB", length);
    let described = phases.time("describe", || topology::describe_file(path, &file))?;
    for (name, unit) in
        [("voxels", ""), ("leaves", ""), ("lower", " nodes"), ("upper", " nodes"), ("bytes", " in memory")]
    {
        let count = described[name].as_u64().unwrap_or(0);
        answer.line(&format!("{name}{unit}"), &grouped(count));
    }
    let bits = 8.0 * length as f64 / described["voxels"].as_f64().unwrap_or(1.0).max(1.0);
    answer.line("bits a voxel", &format!("{bits:.2}"));
    let empty = Vec::new();
    let [grids, codecs, checksums] =
        ["grids", "codecs", "checksums"].map(|name| described[name].as_array().unwrap_or(&empty));
    for (k, ((grid, codec), checksum)) in grids.iter().zip(codecs).zip(checksums).enumerate() {
        let voxels = counted(grid["voxels"].as_u64().unwrap_or(0), "voxel", "voxels");
        let [codec, checksum] = [codec, checksum].map(|word| word.as_str().unwrap_or("none"));
        answer.line(&format!("grid {k}"), &format!("{}: {voxels}, packed {codec}, checksum {checksum}", grid["name"]));
    }
    if let (Value::Object(all), Value::Object(more)) = (&mut answer.fields, described) {
        // The bytes of the file stand; those in memory are the grids' own.
        all.extend(more.into_iter().map(|(name, value)| match name.as_str() {
            "bytes" => ("memory_bytes".to_owned(), value),
            _ => (name, value),
        }));
    }
    answer.finish(phases, console)
}
