//! glTF 2.0, text (.gltf) and binary (.glb), by the crate `gltf`: all triangles of the default scene, where its nodes put them.
//!
//! The crate believes sizes in several places, so accessors are checked here before it reads them.

mod accessor;
pub(super) mod document;
mod place;
mod skin;

use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use input_text::{number, token};

use self::accessor::{check, vectors};
pub(in crate::io) use self::place::INSTANCING;
use self::place::{IDENTITY, Matrix, determinant, instances, local, moved, product};
use self::skin::{Skin, skins};
use super::polygon::append_polygon;
use super::{Malformed, MeshFile};
use crate::{Error, Mesh};

/// Positions as glTF has them, and as `KHR_mesh_quantization` allows them.
const POSITIONS: [DataType; 5] = [DataType::F32, DataType::I8, DataType::U8, DataType::I16, DataType::U16];

/// Reads a file of these bytes; other files that it names are looked for beside `path`.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<MeshFile, Malformed> {
    let document::File { gltf: file, nodes, skins: whole, mut notes } = document::read(bytes)?;
    let (buffers, beside) = buffers(&file, path)?;
    let room = host_memory::available();
    let mut target = Target { mesh: Mesh::default(), buffers: &buffers, room };
    if file.nodes().len() == 0 {
        // A library of meshes without a place.
        for primitive in file.meshes().flat_map(|mesh| mesh.primitives()) {
            target.append(&primitive, &IDENTITY, None).map_err(Malformed::whole)?;
        }
        return Ok(MeshFile { mesh: target.mesh, notes, beside });
    }
    let skins = skins(&whole, &nodes, &file, &buffers).map_err(Malformed::whole)?;
    let mut seen = vec![false; file.nodes().len()];
    let mut todo: Vec<(gltf::Node<'_>, Matrix)> = roots(&file, &mut notes).map(|node| (node, IDENTITY)).collect();
    todo.reverse();
    while let Some((node, parent)) = todo.pop() {
        let at = node.index();
        if std::mem::replace(&mut seen[at], true) {
            return Err(Malformed::whole(format!("node {at} is reached twice, allowed are trees of nodes")));
        }
        let malformed = |what| Malformed::whole(format!("node {at}: {what}"));
        let own = product(&parent, &local(&nodes[at]).map_err(malformed)?);
        if let Some(mesh) = node.mesh() {
            let skin = skin_of(&nodes[at], &skins).map_err(malformed)?;
            for place in instances(&nodes[at], &file, &buffers, room).map_err(malformed)? {
                let place = product(&own, &place);
                mesh.primitives().try_for_each(|one| target.append(&one, &place, skin)).map_err(malformed)?;
            }
        }
        let mut children: Vec<_> = node.children().map(|child| (child, own)).collect();
        children.reverse();
        todo.extend(children);
    }
    Ok(MeshFile { mesh: target.mesh, notes, beside })
}

/// The skin that a node names.
fn skin_of<'a>(node: &gltf::json::Value, skins: &'a [Skin]) -> Result<Option<&'a Skin>, String> {
    let Some(value) = node.get("skin") else { return Ok(None) };
    let skin = value.as_u64().and_then(|index| skins.get(index as usize));
    let (value, count) = (value.to_string(), skins.len());
    skin.map(Some).ok_or_else(|| format!("skin {}, the file has {count}", token(&value)))
}

/// The nodes that the default scene, else the first one, shows; without scenes those that are no children.
fn roots<'a>(file: &'a gltf::Gltf, notes: &mut Vec<String>) -> Box<dyn Iterator<Item = gltf::Node<'a>> + 'a> {
    let scenes = file.scenes().len();
    let Some(scene) = file.default_scene().or_else(|| file.scenes().next()) else {
        let mut child = vec![false; file.nodes().len()];
        file.nodes().flat_map(|node| node.children()).for_each(|node| child[node.index()] = true);
        return Box::new(file.nodes().filter(move |node| !child[node.index()]));
    };
    if scenes > 1 {
        notes.push(format!("scene {} of {scenes} is read", scene.index()));
    }
    Box::new(scene.nodes())
}

/// The bytes of all buffers, and the files that some of them are.
fn buffers(file: &gltf::Gltf, path: &Path) -> Result<(Vec<Vec<u8>>, Vec<PathBuf>), Malformed> {
    let mut files = Vec::new();
    let one = |buffer: gltf::Buffer<'_>| {
        let at = buffer.index();
        let bytes = match buffer.source() {
            gltf::buffer::Source::Bin => file.blob.clone().ok_or("the file has no binary part".to_owned()),
            gltf::buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let (_, text) = data.split_once(";base64,").unwrap_or(("", data));
                    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
                    GeneralPurpose::new(&STANDARD, config).decode(text).map_err(|e| e.to_string())
                }
                None => beside(path, uri).map(|(file, bytes)| {
                    files.push(file);
                    bytes
                }),
            },
        };
        let bytes = bytes.map_err(|what| Malformed::whole(format!("buffer {at}: {what}")))?;
        if bytes.len() < buffer.length() {
            let what = format!("buffer {at}: {} bytes, the file promises {}", bytes.len(), buffer.length());
            return Err(Malformed::whole(what));
        }
        Ok(bytes)
    };
    let buffers = file.buffers().map(one).collect::<Result<_, _>>()?;
    Ok((buffers, files))
}

/// A buffer by the URI that the glTF file `path` gives it: a file at or below its folder, and its bytes.
///
/// # Errors
/// [`Error::File`] naming the file and the URI.
pub fn read_gltf_buffer(path: impl AsRef<Path>, uri: &str) -> Result<(PathBuf, Vec<u8>), Error> {
    let path = path.as_ref();
    beside(path, uri).map_err(|what| Error::File { path: path.into(), index: None, what })
}

/// A file of this name in the folder of `path`, and its bytes.
pub(super) fn beside(path: &Path, uri: &str) -> Result<(PathBuf, Vec<u8>), String> {
    let name = percent_decoded(uri)?;
    let inside = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside || uri.contains("://") {
        return Err(format!("{} is no file beside this one", token(uri)));
    }
    let file = path.parent().unwrap_or(Path::new("")).join(&name);
    let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", token(uri)))?;
    Ok((file, bytes))
}

/// The text of an URI: `%` and two hexadecimal digits are a byte.
fn percent_decoded(uri: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut parts = uri.split('%');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.ok_or_else(|| format!("{} is no URI: % stands before two hexadecimal digits", token(uri)))?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).map_err(|_| format!("{} is no URI of UTF-8", token(uri)))
}

/// Where the triangles go, and what they are made of.
struct Target<'a> {
    mesh: Mesh,
    buffers: &'a [Vec<u8>],
    /// Bytes that the mesh may take.
    room: u64,
}

impl Target<'_> {
    /// Appends the triangles of a primitive. Vertices with joints are where the skin puts them, whatever the place of their node, as glTF has it.
    fn append(&mut self, primitive: &gltf::Primitive<'_>, place: &Matrix, skin: Option<&Skin>) -> Result<(), String> {
        let mode = primitive.mode();
        let positions = primitive.get(&gltf::Semantic::Positions).ok_or("a primitive without positions")?;
        check(&positions, Dimensions::Vec3, &POSITIONS)?;
        let indices = primitive.indices();
        if let Some(indices) = &indices {
            check(indices, Dimensions::Scalar, &[DataType::U8, DataType::U16, DataType::U32])?;
        }
        let corners = indices.as_ref().map_or(positions.count(), gltf::Accessor::count);
        self.check_room(positions.count(), corners)?;
        let base = self.mesh.positions.len() as i64;
        let blend = skin.map_or(Ok(None), |skin| skin.blend(primitive, positions.count(), self.buffers))?;
        let place_of = |vertex| blend.as_ref().map_or(*place, |blend| blend.matrix(vertex));
        for (vertex, p) in vectors::<3>(&positions, Dimensions::Vec3, &POSITIONS, self.buffers)?.into_iter().enumerate()
        {
            let moved = moved(&place_of(vertex), p);
            if let Some(x) = moved.iter().find(|x| !x.is_finite()) {
                return Err(format!(
                    "accessor {}: coordinate {}, allowed are finite numbers",
                    positions.index(),
                    number(*x)
                ));
            }
            self.mesh.positions.push(moved);
        }
        let reader = primitive.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
        let count = self.mesh.positions.len() as i64 - base;
        let order: Vec<i64> = match reader.read_indices() {
            Some(indices) => indices.into_u32().map(i64::from).collect(),
            None if indices.is_some() => return Err("indices that lie outside of their buffer".into()),
            None => (0..count).collect(),
        };
        if let Some(index) = order.iter().find(|index| **index >= count) {
            return Err(format!("vertex index {index}, allowed are 0 to {}", count - 1));
        }
        if mode == Mode::Triangles && !order.len().is_multiple_of(3) {
            return Err(format!("{} corners of triangles, allowed are multiples of 3", order.len()));
        }
        // A mirrored part keeps its outside: glTF turns the corners round where the determinant is negative.
        let mirrored = determinant(&place_of(0)) < 0.0;
        let mut triangle = |[a, b, c]: [i64; 3]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            // Corners are repeated to join strips: such triangles are no faces.
            if mode != Mode::Triangles && (a == b || b == c || c == a) {
                return Ok(());
            }
            append_polygon(&mut self.mesh, &[base + a, base + b, base + c])
        };
        match mode {
            Mode::Triangles => order.as_chunks().0.iter().try_for_each(|t| triangle(*t)),
            Mode::TriangleStrip => {
                (2..order.len()).try_for_each(|k| triangle([order[k - 2], order[k - 1 + k % 2], order[k - k % 2]]))
            }
            _ => (2..order.len()).try_for_each(|k| triangle([order[0], order[k - 1], order[k]])),
        }
    }

    /// Whether as many more vertices and corners have room: a few bytes of a file can place one mesh at many nodes.
    fn check_room(&self, vertices: usize, corners: usize) -> Result<(), String> {
        let vertices = self.mesh.positions.len() as u64 + vertices as u64;
        let triangles = self.mesh.triangles.len() as u64 + corners as u64;
        let needed = vertices.saturating_mul(24).saturating_add(triangles.saturating_mul(12));
        if vertices > u64::from(u32::MAX) || needed > self.room {
            let (most, room) = (u32::MAX, self.room);
            return Err(format!("{vertices} vertices in {needed} bytes, allowed are {most} in {room}"));
        }
        Ok(())
    }
}
