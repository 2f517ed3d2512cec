//! The document of a glTF file: what a mesh is made of, taken out of all the rest, then the indices in it.

use gltf::json::Value;
use input_text::{sentence, token, why_not_text};

use super::super::{ExtensionKind, are, counted};
use super::Malformed;

/// Extensions that add to materials, pictures, lights and notes: a mesh means the same without them.
const HARMLESS: [&str; 7] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp", "KHR_animation_"];
/// Extensions that are read: whole numbers as positions, and copies of a mesh.
const READ: [&str; 2] = ["KHR_mesh_quantization", super::INSTANCING];

/// A file whose document is checked.
pub(super) struct File {
    /// The document, its indices checked, and the binary part.
    pub(super) gltf: gltf::Gltf,
    /// The nodes as they stand in the text: transforms in f64, and extensions.
    pub(super) nodes: Vec<Value>,
    /// The skins, likewise.
    pub(super) skins: Vec<Value>,
    /// What is left out.
    pub(super) notes: Vec<String>,
}

/// The document as it stands in the file, and the binary part.
pub(in crate::io) fn document(bytes: &[u8]) -> Result<(Value, Option<&[u8]>), Malformed> {
    let bytes = super::super::without_mark(bytes);
    let (text, blob) = if bytes.starts_with(b"glTF") { parts(bytes)? } else { (bytes, None) };
    let document = gltf::json::deserialize::from_slice(text);
    let document = document.map_err(|e| unreadable(&why_not_text(text).unwrap_or_else(|| e.to_string())))?;
    Ok((document, blob))
}

fn unreadable(why: &str) -> Malformed {
    Malformed::whole(format!("not a readable glTF file: {}", sentence(why)))
}

/// What an extension means for a mesh.
pub(in crate::io) fn extension_kind(name: &str) -> ExtensionKind {
    match name {
        _ if READ.contains(&name) => ExtensionKind::Read,
        _ if HARMLESS.iter().any(|start| name.starts_with(start)) => ExtensionKind::Harmless,
        _ => ExtensionKind::Unread,
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<File, Malformed> {
    let (whole, blob) = document(bytes)?;
    // A missing version is refused below.
    if let Some(version) = whole["asset"]["version"].as_str().filter(|version| version.split('.').next() != Some("2")) {
        return Err(Malformed::whole(format!("glTF of version {}, allowed is 2.x", token(version))));
    }
    let mut notes = Vec::new();
    let json = reduced(&whole, &mut notes);
    let mut json: gltf::json::Root =
        gltf::json::deserialize::from_value(json).map_err(|e| unreadable(&e.to_string()))?;
    // The crate refuses every extension that it does not know itself.
    json.extensions_required.retain(|name| extension_kind(name) == ExtensionKind::Unread);
    if let Some(name) = json.extensions_required.first() {
        return Err(Malformed::whole(format!("needs the extension {}, which is not read", token(name))));
    }
    // The crate follows these indices before it checks them.
    let attributes =
        json.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|primitive| primitive.attributes.values());
    if let Some(index) = attributes.map(|index| index.value()).find(|index| *index >= json.accessors.len()) {
        let accessors = json.accessors.len();
        return Err(Malformed::whole(format!("an attribute of accessor {index}, the file has {accessors} accessors")));
    }
    // Compressed accessors have no data of their own.
    let compression = json.extensions_used.iter().find(|name| name.contains("draco") || name.contains("meshopt"));
    let compression =
        compression.map_or_else(String::new, |name| format!("; it uses {}, which is not read", token(name)));
    let invalid = |e: gltf::Error| {
        Malformed::whole(format!(
            "not a readable glTF file: {}{compression}",
            sentence(e.to_string().trim_end_matches(';'))
        ))
    };
    let document = gltf::Document::from_json(json).map_err(invalid)?;
    let nodes = list(&whole, "nodes").to_vec();
    let skins = list(&whole, "skins").to_vec();
    Ok(File { gltf: gltf::Gltf { document, blob: blob.map(<[u8]>::to_vec) }, nodes, skins, notes })
}

/// What the triangles are made of, so that nothing wrong with a picture or a material matters.
fn reduced(whole: &Value, notes: &mut Vec<String>) -> Value {
    let top = ["asset", "scene", "scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers"];
    let mut json = picked(whole, &[&top[..], &["extensionsRequired", "extensionsUsed"]].concat());
    each(&mut json, "scenes", |scene| {
        *scene = picked(scene, &["nodes"]);
        // A scene may be without; the library wants the list.
        if scene.get("nodes").is_none() {
            scene["nodes"] = Value::Array(Vec::new());
        }
    });
    each(&mut json, "nodes", |node| *node = picked(node, &["mesh", "children"]));
    // Limits are for drawing; not every program writes them.
    each(&mut json, "accessors", |accessor| {
        if accessor.is_object() {
            ["min", "max"].iter().for_each(|limit| accessor[*limit] = Value::from(vec![0, 0, 0]));
        }
    });
    let (mut other, mut bare, mut morphs) = (0, 0, 0);
    each(&mut json, "meshes", |mesh| {
        *mesh = picked(mesh, &["primitives"]);
        let Some(Value::Array(primitives)) = mesh.get_mut("primitives") else { return };
        primitives.retain(|primitive| {
            let surface = primitive["mode"].as_u64().is_none_or(|mode| mode > 3);
            let placed = !primitive["attributes"].is_object() || primitive["attributes"].get("POSITION").is_some();
            morphs += usize::from(primitive.get("targets").is_some());
            other += usize::from(!surface);
            bare += usize::from(surface && !placed);
            surface && placed
        });
        for primitive in primitives {
            let attributes = attributes(&primitive["attributes"]);
            *primitive = picked(primitive, &["indices", "mode"]);
            primitive["attributes"] = attributes;
        }
    });
    let counts = [
        (other, format!("{} of points or lines {} left out", counted(other as u64, "primitive"), are(other as u64))),
        (bare, format!("{} without positions {} left out", counted(bare as u64, "primitive"), are(bare as u64))),
        (morphs, format!("{} with morph targets, which are not applied", counted(morphs as u64, "primitive"))),
    ];
    notes.extend(counts.into_iter().filter(|(n, _)| *n > 0).map(|(_, note)| note));
    json
}

/// Positions, and what binds them to joints.
fn attributes(all: &Value) -> Value {
    let kept = |name: &str| name == "POSITION" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
    let names = all.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    picked(all, &names.filter(|name| kept(name)).collect::<Vec<_>>())
}

/// An object with some of the fields of another.
fn picked(object: &Value, names: &[&str]) -> Value {
    let field = |name: &&str| Some(((*name).to_owned(), object.get(*name)?.clone()));
    Value::Object(names.iter().filter_map(field).collect())
}

fn each(json: &mut Value, name: &str, change: impl FnMut(&mut Value)) {
    if let Some(Value::Array(items)) = json.get_mut(name) {
        items.iter_mut().for_each(change);
    }
}

/// A list of the document; an absent one is empty.
pub(in crate::io) fn list<'a>(json: &'a Value, name: &str) -> &'a [Value] {
    json.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The JSON and the binary part of a binary file: a header of 12 bytes, then parts of length, kind and bytes. Not by the crate, whose reader
/// (1.4.1) subtracts lengths before it compares them.
fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Malformed> {
    let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let cut = |at: usize| Malformed::whole(format!("not a readable glTF file: it ends in the part at byte {at}"));
    let (version, length) = word(4).zip(word(8)).ok_or_else(|| cut(0))?;
    if version != 2 || !(20..=bytes.len()).contains(&(length as usize)) {
        let found = bytes.len();
        let what = match found {
            0..20 => format!("binary glTF of {found} bytes, needed are at least 20"),
            _ => format!("binary glTF of version {version} and {length} bytes, allowed are 2 and 20 to {found}"),
        };
        return Err(Malformed::whole(what));
    }
    let part = |at: usize| {
        let (size, kind) = word(at).zip(word(at + 4)).ok_or_else(|| cut(at))?;
        let part = bytes[..length as usize].get(at + 8..).and_then(|rest| rest.get(..size as usize));
        Ok((kind.to_le_bytes(), part.ok_or_else(|| cut(at))?))
    };
    let (kind, text) = part(12)?;
    if &kind != b"JSON" {
        return Err(Malformed::whole(format!("the first part is {}, needed is JSON", kind.escape_ascii())));
    }
    let next = 20 + text.len().next_multiple_of(4);
    if next >= length as usize {
        return Ok((text, None));
    }
    let (kind, data) = part(next)?;
    Ok((text, (&kind == b"BIN\0").then_some(data)))
}
