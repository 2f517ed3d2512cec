//! The document of a glTF file: extensions first, then everything that its indices name.

use super::Malformed;

/// Extensions that add to materials, pictures, lights and notes: a mesh means the same without them.
const HARMLESS: [&str; 7] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp", "KHR_animation_"];

/// The document, its indices checked, and the binary part.
pub(super) fn read(bytes: &[u8]) -> Result<gltf::Gltf, Malformed> {
    let unreadable = |e: gltf::Error| Malformed::whole(format!("not a readable glTF file: {e}"));
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice_without_validation(bytes).map_err(unreadable)?;
    let mut json = document.into_json();
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
    Ok(gltf::Gltf { document, blob })
}
