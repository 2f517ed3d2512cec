//! The document of a glTF file: extensions first, then everything that its indices name.

use super::Malformed;

/// Extensions that add to materials, pictures, lights and notes: a mesh means the same without them.
const HARMLESS: [&str; 7] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp", "KHR_animation_"];

/// The document, its indices checked, and the binary part.
pub(super) fn read(bytes: &[u8]) -> Result<gltf::Gltf, Malformed> {
    let (text, blob) = if bytes.starts_with(b"glTF") { parts(bytes)? } else { (bytes, None) };
    let mut json: gltf::json::Root = gltf::json::deserialize::from_slice(text)
        .map_err(|e| Malformed::whole(format!("not a readable glTF file: {e}")))?;
    // The crate refuses every extension that it does not know itself.
    json.extensions_required.retain(|name| !HARMLESS.iter().any(|start| name.starts_with(start)));
    if let Some(name) = json.extensions_required.first() {
        return Err(Malformed::whole(format!("needs the extension {name}, which is not read")));
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
    let compression = compression.map_or_else(String::new, |name| format!("; it uses {name}, which is not read"));
    let invalid = |e: gltf::Error| {
        Malformed::whole(format!("not a readable glTF file: {}{compression}", e.to_string().trim_end_matches(';')))
    };
    let document = gltf::Document::from_json(json).map_err(invalid)?;
    Ok(gltf::Gltf { document, blob: blob.map(<[u8]>::to_vec) })
}

/// The JSON and the binary part of a binary file: a header of 12 bytes, then parts of length, kind and bytes. Not by the crate, whose reader
/// (1.4.1) subtracts lengths before it compares them.
fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Malformed> {
    let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let cut = |at: usize| Malformed::whole(format!("not a readable glTF file: it ends in the part at byte {at}"));
    let (version, length) = word(4).zip(word(8)).ok_or_else(|| cut(0))?;
    if version != 2 || !(20..=bytes.len()).contains(&(length as usize)) {
        let what =
            format!("binary glTF of version {version} and {length} bytes, allowed are 2 and 20 to {}", bytes.len());
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
