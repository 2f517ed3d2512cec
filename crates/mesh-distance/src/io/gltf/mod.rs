//! glTF 2.0, text (.gltf) and binary (.glb), by the crate `gltf`: all triangles of the default scene, where its nodes put them.
//!
//! The crate believes sizes in several places, so accessors are checked here before it reads them.

use std::path::Path;

use base64::Engine;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;

use super::{Malformed, append_fan};
use crate::Mesh;

/// A 4 x 4 matrix by columns.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Deepest tree of nodes.
const DEPTH: usize = 256;

/// Reads a file of these bytes; other files that it names are looked for beside `path`.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Mesh, Malformed> {
    let file = gltf::Gltf::from_slice(bytes).map_err(|e| Malformed::whole(format!("not a readable glTF file: {e}")))?;
    let buffers = buffers(&file, path)?;
    let scene = file.default_scene().or_else(|| file.scenes().next());
    let scene = scene.ok_or_else(|| Malformed::whole("0 scenes, at least 1 is needed"))?;
    let mut mesh = Mesh::default();
    let mut todo: Vec<(gltf::Node<'_>, Matrix, usize)> = scene.nodes().map(|node| (node, IDENTITY, 0)).collect();
    todo.reverse();
    while let Some((node, parent, depth)) = todo.pop() {
        if depth > DEPTH {
            return Err(Malformed::whole(format!("nodes more than {DEPTH} deep, or in a circle")));
        }
        let own = product(&parent, &node.transform().matrix().map(|column| column.map(f64::from)));
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            let what = |what| Malformed::whole(format!("node {}: {what}", node.index()));
            append(&mut mesh, &primitive, &buffers, &own).map_err(what)?;
        }
        let mut children: Vec<_> = node.children().map(|child| (child, own, depth + 1)).collect();
        children.reverse();
        todo.extend(children);
    }
    Ok(mesh)
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
    let name = uri.replace("%20", " ");
    let inside = Path::new(&name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !inside {
        return Err(format!("{uri} is no file beside this one"));
    }
    let file = path.parent().unwrap_or(Path::new("")).join(&name);
    std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Appends the triangles of a primitive; points and lines have no surface.
fn append(mesh: &mut Mesh, primitive: &gltf::Primitive<'_>, buffers: &[Vec<u8>], place: &Matrix) -> Result<(), String> {
    let mode = primitive.mode();
    if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(());
    }
    let positions = primitive.get(&gltf::Semantic::Positions).ok_or("a primitive without positions")?;
    check(&positions, Dimensions::Vec3, &[DataType::F32])?;
    if let Some(indices) = primitive.indices() {
        check(&indices, Dimensions::Scalar, &[DataType::U8, DataType::U16, DataType::U32])?;
    }
    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
    let base = mesh.positions.len() as i64;
    for p in reader.read_positions().ok_or("positions that lie outside of their buffer")? {
        let p = p.map(f64::from);
        let moved: [f64; 3] =
            std::array::from_fn(|k| place[0][k] * p[0] + place[1][k] * p[1] + place[2][k] * p[2] + place[3][k]);
        if let Some(x) = moved.iter().find(|x| !x.is_finite()) {
            return Err(format!("coordinate {x}, allowed are finite numbers"));
        }
        mesh.positions.push(moved);
    }
    let count = mesh.positions.len() as i64 - base;
    let order: Vec<i64> = match reader.read_indices() {
        Some(indices) => indices.into_u32().map(i64::from).collect(),
        None if primitive.indices().is_some() => return Err("indices that lie outside of their buffer".into()),
        None => (0..count).collect(),
    };
    if let Some(index) = order.iter().find(|index| **index >= count) {
        return Err(format!("vertex index {index}, allowed are 0 to {}", count - 1));
    }
    let at = |k: usize| base + order[k];
    match mode {
        Mode::Triangles => {
            order.chunks_exact(3).try_for_each(|t| append_fan(mesh, &[base + t[0], base + t[1], base + t[2]]))
        }
        Mode::TriangleStrip => {
            (2..order.len()).try_for_each(|k| append_fan(mesh, &[at(k - 2), at(k - 1 + k % 2), at(k - k % 2)]))
        }
        _ => (2..order.len()).try_for_each(|k| append_fan(mesh, &[at(0), at(k - 1), at(k)])),
    }
}

/// Whether an accessor is of a kind that is read here and lies in its view.
fn check(accessor: &gltf::Accessor<'_>, dimensions: Dimensions, types: &[DataType]) -> Result<(), String> {
    let at = accessor.index();
    if accessor.dimensions() != dimensions || !types.contains(&accessor.data_type()) {
        return Err(format!(
            "accessor {at} holds {:?} of {:?}, allowed are {dimensions:?} of {types:?}",
            accessor.dimensions(),
            accessor.data_type()
        ));
    }
    let view = accessor.view().filter(|_| accessor.sparse().is_none());
    let view = view.ok_or_else(|| format!("accessor {at} is sparse, allowed are dense ones"))?;
    let (count, size) = (accessor.count(), accessor.size());
    let stride = view.stride().unwrap_or(size);
    let rows = count.checked_sub(1).ok_or_else(|| format!("accessor {at} has 0 values, allowed are 1 or more"))?;
    let end = stride.checked_mul(rows).and_then(|n| n.checked_add(size)?.checked_add(accessor.offset()));
    let in_buffer = view.offset().checked_add(view.length()).is_some_and(|end| end <= view.buffer().length());
    if stride < size || end.is_none_or(|end| end > view.length()) || !in_buffer {
        return Err(format!("accessor {at}: {count} values pass the end of their view of {} bytes", view.length()));
    }
    Ok(())
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * b[column][k]).sum()))
}
