//! glTF: chunks and buffers, what the buffer views hold, counts of the document, extensions.

use std::collections::BTreeSet;
use std::path::Path;

use gltf::json::Value;
use input_text::{sentence, token};

use super::super::gltf::INSTANCING;
use super::super::gltf::document::{document, extension_kind, list};
use super::super::{Malformed, without_mark};
use super::{Extension, FileParts, add};

/// Lists of the document.
const LISTS: [&str; 12] = [
    "scenes",
    "nodes",
    "meshes",
    "accessors",
    "bufferViews",
    "buffers",
    "materials",
    "textures",
    "images",
    "skins",
    "animations",
    "cameras",
];

pub(super) fn parts(bytes: &[u8], path: &Path) -> Result<FileParts, Malformed> {
    let bytes = without_mark(bytes);
    let (json, blob) = document(bytes)?;
    let mut parts = FileParts::default();
    let form = if bytes.starts_with(b"glTF") { "binary" } else { "text" };
    parts.header.push(("form".into(), form.into()));
    for (name, value) in json.get("asset").and_then(Value::as_object).into_iter().flatten() {
        if let Some(text) = value.as_str() {
            parts.header.push((name.clone(), sentence(text)));
        }
    }
    sections(&json, bytes, blob, path, &mut parts);
    contents(&json, &mut parts);
    for name in LISTS {
        add(&mut parts.counts, name, list(&json, name).len() as u64);
    }
    for primitive in list(&json, "meshes").iter().flat_map(|mesh| list(mesh, "primitives")) {
        let mode = primitive.get("mode").map_or(Some(4), Value::as_u64);
        let what = match mode {
            Some(0) => "points",
            Some(1..=3) => "lines",
            Some(4) => "triangles",
            Some(5) => "triangle strips",
            Some(6) => "triangle fans",
            _ => "an unknown kind",
        };
        add(&mut parts.counts, &format!("primitives of {what}"), 1);
    }
    let names = |list_name| list(&json, list_name).iter().filter_map(Value::as_str).collect::<BTreeSet<&str>>();
    let required = names("extensionsRequired");
    let all = names("extensionsUsed").union(&required).copied().collect::<Vec<_>>();
    let extension =
        |name: &str| Extension { name: token(name), required: required.contains(name), kind: extension_kind(name) };
    parts.extensions = all.into_iter().map(extension).collect();
    Ok(parts)
}

/// The document, the binary part, and the buffers that lie elsewhere.
fn sections(json: &Value, bytes: &[u8], blob: Option<&[u8]>, path: &Path, parts: &mut FileParts) {
    let blob_bytes = blob.map_or(0, <[u8]>::len) as u64;
    let document = bytes.len() as u64 - blob_bytes;
    parts.sections.push(("document".into(), document));
    add(&mut parts.sections, "binary part", blob_bytes);
    for (k, buffer) in list(json, "buffers").iter().enumerate() {
        let Some(uri) = buffer.get("uri").and_then(Value::as_str) else { continue };
        if uri.starts_with("data:") {
            // A part of the document, four letters for three bytes.
            add(&mut parts.counts, "buffers in the document", 1);
        } else if let Ok((file, bytes)) = super::super::gltf::beside(path, uri) {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            parts.sections.push((format!("buffer {k}, {}", token(&name)), bytes.len() as u64));
        } else {
            add(&mut parts.counts, "buffers that are not there", 1);
        }
    }
}

/// Bytes of the buffer views by what names them; a view of several kinds counts as the first.
fn contents(json: &Value, parts: &mut FileParts) {
    let views = list(json, "bufferViews");
    let mut kinds: Vec<Option<&str>> = vec![None; views.len()];
    let index = |value: Option<&Value>| value.and_then(Value::as_u64).map(|n| n as usize);
    let mut mark = |view: Option<usize>, kind| {
        if let Some(place) = view.and_then(|view| kinds.get_mut(view)) {
            place.get_or_insert(kind);
        }
    };
    let accessors = list(json, "accessors");
    let of_accessor = |value: Option<&Value>| {
        let accessor = index(value).and_then(|at| accessors.get(at));
        let sparse = accessor.and_then(|a| a.get("sparse"));
        let part = |name: &str| sparse.and_then(|s| s.get(name)).and_then(|part| index(part.get("bufferView")));
        [accessor.and_then(|a| index(a.get("bufferView"))), part("indices"), part("values")]
    };
    for primitive in list(json, "meshes").iter().flat_map(|mesh| list(mesh, "primitives")) {
        let attributes = primitive.get("attributes").and_then(Value::as_object);
        for (name, value) in attributes.into_iter().flatten() {
            let kind = match name.as_str() {
                "POSITION" => "positions",
                "NORMAL" | "TANGENT" => "normals and tangents",
                name if name.starts_with("TEXCOORD") => "texture coordinates",
                _ => "other attributes",
            };
            of_accessor(Some(value)).into_iter().for_each(|view| mark(view, kind));
        }
        of_accessor(primitive.get("indices")).into_iter().for_each(|view| mark(view, "indices"));
        for value in list(primitive, "targets").iter().filter_map(Value::as_object).flat_map(|target| target.values()) {
            of_accessor(Some(value)).into_iter().for_each(|view| mark(view, "morph targets"));
        }
    }
    list(json, "images").iter().for_each(|image| mark(index(image.get("bufferView")), "images"));
    for sampler in list(json, "animations").iter().flat_map(|animation| list(animation, "samplers")) {
        for name in ["input", "output"] {
            of_accessor(sampler.get(name)).into_iter().for_each(|view| mark(view, "animations"));
        }
    }
    for skin in list(json, "skins") {
        of_accessor(skin.get("inverseBindMatrices")).into_iter().for_each(|view| mark(view, "skins"));
    }
    for node in list(json, "nodes") {
        let copies =
            node.get("extensions").and_then(|all| all.get(INSTANCING)).and_then(|copies| copies.get("attributes"));
        for value in copies.and_then(Value::as_object).into_iter().flat_map(|attributes| attributes.values()) {
            of_accessor(Some(value)).into_iter().for_each(|view| mark(view, "copies of nodes"));
        }
    }
    let mut compressed = 0;
    for (view, kind) in views.iter().zip(kinds) {
        let extensions = view.get("extensions").and_then(Value::as_object);
        let stored = extensions.into_iter().flatten().find_map(|(_, e)| e.get("byteLength")?.as_u64());
        compressed += u64::from(stored.is_some());
        let bytes = stored.or_else(|| view.get("byteLength")?.as_u64()).unwrap_or(0);
        add(&mut parts.contents, kind.unwrap_or("other views"), bytes);
    }
    add(&mut parts.counts, "compressed buffer views", compressed);
}
