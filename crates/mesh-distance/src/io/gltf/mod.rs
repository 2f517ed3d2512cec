//! glTF 2.0, text (.gltf) and binary (.glb), by the crate `gltf`: all triangles of the default scene, where its nodes put them.
//!
//! The crate believes sizes in several places, so accessors are checked here before it reads them.

mod accessor;
mod document;

use std::path::Path;

use base64::Engine;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;

use self::accessor::check;
use super::Malformed;
use super::polygon::append_polygon;
use crate::Mesh;

/// A 4 x 4 matrix by columns.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Reads a file of these bytes; other files that it names are looked for beside `path`.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Mesh, Malformed> {
    let file = document::read(bytes)?;
    let buffers = buffers(&file, path)?;
    let scene = file.default_scene().or_else(|| file.scenes().next());
    let scene = scene.ok_or_else(|| Malformed::whole("0 scenes, at least 1 is needed"))?;
    let mut target = Target { mesh: Mesh::default(), buffers: &buffers, room: host_memory::available() };
    let mut seen = vec![false; file.nodes().len()];
    let mut todo: Vec<(gltf::Node<'_>, Matrix)> = scene.nodes().map(|node| (node, IDENTITY)).collect();
    todo.reverse();
    while let Some((node, parent)) = todo.pop() {
        let at = node.index();
        if std::mem::replace(&mut seen[at], true) {
            return Err(Malformed::whole(format!("node {at} is reached twice, allowed are trees of nodes")));
        }
        let own = product(&parent, &node.transform().matrix().map(|column| column.map(f64::from)));
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            target.append(&primitive, &own).map_err(|what| Malformed::whole(format!("node {at}: {what}")))?;
        }
        let mut children: Vec<_> = node.children().map(|child| (child, own)).collect();
        children.reverse();
        todo.extend(children);
    }
    Ok(target.mesh)
}

/// The bytes of all buffers.
fn buffers(file: &gltf::Gltf, path: &Path) -> Result<Vec<Vec<u8>>, Malformed> {
    let one = |buffer: gltf::Buffer<'_>| {
        let at = buffer.index();
        let bytes = match buffer.source() {
            gltf::buffer::Source::Bin => file.blob.clone().ok_or("the file has no binary part".to_owned()),
            gltf::buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let (_, text) = data.split_once(";base64,").unwrap_or(("", data));
                    base64::engine::general_purpose::STANDARD.decode(text).map_err(|e| e.to_string())
                }
                None => beside(path, uri),
            },
        };
        let bytes = bytes.map_err(|what| Malformed::whole(format!("buffer {at}: {what}")))?;
        if bytes.len() < buffer.length() {
            let what = format!("buffer {at}: {} bytes, the file promises {}", bytes.len(), buffer.length());
            return Err(Malformed::whole(what));
        }
        Ok(bytes)
    };
    file.buffers().map(one).collect()
}

/// A file of this name in the folder of `path`.
fn beside(path: &Path, uri: &str) -> Result<Vec<u8>, String> {
    let name = percent_decoded(uri)?;
    let inside = Path::new(&name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !inside {
        return Err(format!("{uri} is no file beside this one"));
    }
    let file = path.parent().unwrap_or(Path::new("")).join(&name);
    std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))
}

/// The text of an URI: `%` and two hexadecimal digits are a byte.
fn percent_decoded(uri: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut parts = uri.split('%');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.ok_or_else(|| format!("{uri} is no URI: % stands before two hexadecimal digits"))?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).map_err(|_| format!("{uri} is no URI of UTF-8"))
}

/// Where the triangles go, and what they are made of.
struct Target<'a> {
    mesh: Mesh,
    buffers: &'a [Vec<u8>],
    /// Bytes that the mesh may take.
    room: u64,
}

impl Target<'_> {
    /// Appends the triangles of a primitive; points and lines have no surface.
    fn append(&mut self, primitive: &gltf::Primitive<'_>, place: &Matrix) -> Result<(), String> {
        let mode = primitive.mode();
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            return Ok(());
        }
        let positions = primitive.get(&gltf::Semantic::Positions).ok_or("a primitive without positions")?;
        check(&positions, Dimensions::Vec3, &[DataType::F32])?;
        let indices = primitive.indices();
        if let Some(indices) = &indices {
            check(indices, Dimensions::Scalar, &[DataType::U8, DataType::U16, DataType::U32])?;
        }
        let corners = indices.as_ref().map_or(positions.count(), gltf::Accessor::count);
        self.check_room(positions.count(), corners)?;
        let base = self.mesh.positions.len() as i64;
        let reader = primitive.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
        for p in reader.read_positions().ok_or("positions that lie outside of their buffer")? {
            let p = p.map(f64::from);
            let moved: [f64; 3] =
                std::array::from_fn(|k| place[0][k] * p[0] + place[1][k] * p[1] + place[2][k] * p[2] + place[3][k]);
            if let Some(x) = moved.iter().find(|x| !x.is_finite()) {
                return Err(format!("coordinate {x}, allowed are finite numbers"));
            }
            self.mesh.positions.push(moved);
        }
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
        let mirrored = determinant(place) < 0.0;
        let mut triangle = |[a, b, c]: [i64; 3]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
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

/// Of the linear part.
fn determinant([x, y, z, _]: &Matrix) -> f64 {
    x[0] * (y[1] * z[2] - y[2] * z[1]) - y[0] * (x[1] * z[2] - x[2] * z[1]) + z[0] * (x[1] * y[2] - x[2] * y[1])
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * b[column][k]).sum()))
}
