//! Accessors, primitives and the nodes that place them.

use serde_json::Value;

use super::views::View;
use super::{GltfMesh, list, number, slice, wrong};
use crate::error::Error;

/// Extensions that change positions and triangles, and are read.
const READ: [&str; 3] = [super::expand::COMPRESSION[0], super::expand::COMPRESSION[1], "KHR_mesh_quantization"];
/// Beginnings of the names of extensions that do not change them.
const HARMLESS: [&str; 7] =
    ["KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "EXT_texture_", "EXT_lights_", "KHR_animation_"];
/// Copies of a node's mesh: left to a reader of whole scenes, such as that of mesh-distance.
const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// A matrix, column by column.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Nodes below each other: the walk down is recursive.
const MAX_DEPTH: usize = 1000;

/// Reads the default scene, else the first one, else every mesh where it is.
pub(super) fn read(json: &Value, views: &[View]) -> Result<GltfMesh, Error> {
    let names = list(json, "extensionsRequired").iter().filter_map(Value::as_str);
    let unknown = |name: &&str| !READ.contains(name) && !HARMLESS.iter().any(|start| name.starts_with(start));
    if let Some(name) = names.into_iter().find(unknown) {
        return Err(wrong("extensionsRequired", format!("{}, which is not read", input_text::token(name))));
    }
    let mut reader = Reader { json, views, mesh: GltfMesh::default(), reached: vec![false; list(json, "nodes").len()] };
    let scenes = list(json, "scenes");
    let scene = number(json, "scene", "scene", Some(0))?;
    match scenes.get(scene) {
        Some(scene) => {
            for root in indices(&scene["nodes"], "scene.nodes")? {
                reader.node(root, &IDENTITY, 0)?;
            }
        }
        None if scenes.is_empty() => {
            for mesh in 0..list(json, "meshes").len() {
                reader.mesh(mesh, &IDENTITY)?;
            }
        }
        None => return Err(wrong("scene", format!("scene {scene}, there are {}", scenes.len()))),
    }
    Ok(reader.mesh)
}

fn indices(value: &Value, place: &str) -> Result<Vec<usize>, Error> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice).iter();
    let index = |value: &Value| value.as_u64().and_then(|index| usize::try_from(index).ok());
    list.map(|value| index(value).ok_or_else(|| wrong(place, format!("{value} is no index")))).collect()
}

/// Numbers of a list of known length; `default` when it is absent.
fn numbers<const N: usize>(object: &Value, name: &str, default: [f64; N], place: &str) -> Result<[f64; N], Error> {
    let Some(list) = object[name].as_array() else { return Ok(default) };
    let values: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
    let array = values.and_then(|values| <[f64; N]>::try_from(values).ok());
    array.ok_or_else(|| wrong(place, format!("{name} needs {N} numbers")))
}

/// The product a * b.
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

/// Of the linear part.
fn determinant([x, y, z, _]: &Matrix) -> f64 {
    x[0] * (y[1] * z[2] - y[2] * z[1]) - y[0] * (x[1] * z[2] - x[2] * z[1]) + z[0] * (x[1] * y[2] - x[2] * y[1])
}

/// The matrix of a node: its own, or translation * rotation * scale.
fn local(node: &Value, place: &str) -> Result<Matrix, Error> {
    if node["matrix"].is_array() {
        let m: [f64; 16] = numbers(node, "matrix", [0.0; 16], place)?;
        return Ok([0, 1, 2, 3].map(|k| [m[4 * k], m[4 * k + 1], m[4 * k + 2], m[4 * k + 3]]));
    }
    let t: [f64; 3] = numbers(node, "translation", [0.0; 3], place)?;
    let [x, y, z, w]: [f64; 4] = numbers(node, "rotation", [0.0, 0.0, 0.0, 1.0], place)?;
    let square = x * x + y * y + z * z + w * w;
    if !(0.99..=1.01).contains(&square) {
        return Err(wrong(place, format!("a rotation of length {}, allowed is 1", square.sqrt())));
    }
    let s: [f64; 3] = numbers(node, "scale", [1.0; 3], place)?;
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let column = |k: usize| [columns[k][0] * s[k], columns[k][1] * s[k], columns[k][2] * s[k], 0.0];
    Ok([column(0), column(1), column(2), [t[0], t[1], t[2], 1.0]])
}

struct Reader<'a> {
    json: &'a Value,
    views: &'a [View],
    mesh: GltfMesh,
    /// Nodes are trees: one reached again would show its children twice at every level above, and a small document one mesh very often.
    reached: Vec<bool>,
}

/// An accessor's elements as bytes with their type.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
    component: usize,
    normalized: bool,
}

impl<'a> Reader<'a> {
    fn node(&mut self, index: usize, above: &Matrix, depth: usize) -> Result<(), Error> {
        let place = format!("nodes[{index}]");
        let json = self.json;
        let node = list(json, "nodes").get(index).ok_or_else(|| wrong(&place, "no such node"))?;
        if std::mem::replace(&mut self.reached[index], true) {
            return Err(wrong(&place, "reached twice; nodes are trees"));
        }
        if depth > MAX_DEPTH {
            return Err(wrong(&place, format!("more than {MAX_DEPTH} nodes below each other")));
        }
        if !node["extensions"][INSTANCING].is_null() {
            return Err(wrong(&place, format!("{INSTANCING}, which is not read here")));
        }
        let matrix = product(above, &local(node, &place)?);
        if !node["mesh"].is_null() {
            self.mesh(number(node, &place, "mesh", None)?, &matrix)?;
        }
        for child in indices(&node["children"], &place)? {
            self.node(child, &matrix, depth + 1)?;
        }
        Ok(())
    }

    fn mesh(&mut self, index: usize, matrix: &Matrix) -> Result<(), Error> {
        let place = format!("meshes[{index}]");
        let json = self.json;
        let mesh = list(json, "meshes").get(index).ok_or_else(|| wrong(&place, "no such mesh"))?;
        for (k, primitive) in list(mesh, "primitives").iter().enumerate() {
            let place = format!("{place}.primitives[{k}]");
            let position = &primitive["attributes"]["POSITION"];
            if number(primitive, &place, "mode", Some(4))? != 4 || position.is_null() {
                self.mesh.skipped += 1;
                continue;
            }
            let position = number(&primitive["attributes"], &place, "POSITION", None)?;
            let corners = match &primitive["indices"] {
                Value::Null => None,
                _ => Some(number(primitive, &place, "indices", None)?),
            };
            self.primitive(position, corners, matrix)?;
        }
        Ok(())
    }

    fn primitive(&mut self, position: usize, corners: Option<usize>, matrix: &Matrix) -> Result<(), Error> {
        let base = self.mesh.positions.len();
        let place = format!("accessors[{position}]");
        let points = self.elements(position, "VEC3")?;
        if base + points.count > u32::MAX as usize {
            return Err(wrong(&place, "more vertices than 32-bit indices"));
        }
        for k in 0..points.count {
            let p = [0, 1, 2].map(|axis| points.value(k, axis));
            let at =
                |row: usize| matrix[0][row] * p[0] + matrix[1][row] * p[1] + matrix[2][row] * p[2] + matrix[3][row];
            self.mesh.positions.push([at(0) as f32, at(1) as f32, at(2) as f32]);
        }
        let list: Vec<u32> = match corners {
            None => (0..points.count as u32).collect(),
            Some(accessor) => {
                let place = format!("accessors[{accessor}]");
                let elements = self.elements(accessor, "SCALAR")?;
                let read = |k: usize| match elements.component {
                    5121 | 5123 | 5125 => Ok(elements.value(k, 0) as u32),
                    other => Err(wrong(&place, format!("indices of component type {other}"))),
                };
                (0..elements.count).map(read).collect::<Result<_, _>>()?
            }
        };
        let (triangles, rest) = list.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(wrong(&place, format!("{} corners, allowed: multiples of 3", list.len())));
        }
        // A mirrored part keeps its outside.
        let mirrored = determinant(matrix) < 0.0;
        for triangle in triangles {
            if let Some(corner) = triangle.iter().find(|corner| **corner as usize >= points.count) {
                return Err(wrong(&place, format!("index {corner}, allowed: below {}", points.count)));
            }
            let [a, b, c] = triangle.map(|corner| corner + base as u32);
            self.mesh.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    fn elements(&self, index: usize, kind: &str) -> Result<Elements<'a>, Error> {
        let place = format!("accessors[{index}]");
        let accessor = list(self.json, "accessors").get(index).ok_or_else(|| wrong(&place, "no such accessor"))?;
        if accessor["type"].as_str() != Some(kind) {
            return Err(wrong(&place, format!("type {}, allowed here: {kind}", accessor["type"])));
        }
        if accessor["sparse"].is_object() {
            return Err(wrong(&place, "sparse accessors are not read"));
        }
        let component = number(accessor, &place, "componentType", None)?;
        let size = match component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            other => return Err(wrong(&place, format!("componentType {other}"))),
        };
        let count = number(accessor, &place, "count", None)?;
        let view = number(accessor, &place, "bufferView", None)?;
        let view = self.views.get(view).ok_or_else(|| wrong(&place, format!("no buffer view {view}")))?;
        let width = size * if kind == "VEC3" { 3 } else { 1 };
        let stride = view.stride.unwrap_or(width).max(width);
        let offset = number(accessor, &place, "byteOffset", Some(0))?;
        let length = match count {
            0 => 0,
            _ => (count - 1).checked_mul(stride).and_then(|all| all.checked_add(width)).unwrap_or(usize::MAX),
        };
        let bytes = slice(&view.bytes, offset, length, &place)?;
        Ok(Elements { bytes, stride, count, component, normalized: accessor["normalized"].as_bool() == Some(true) })
    }
}

impl Elements<'_> {
    /// Component `k` of element `index`, which exist.
    fn value(&self, index: usize, k: usize) -> f64 {
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(0);
        let at = |size: usize| index * self.stride + k * size;
        let half = |at: usize| u16::from_le_bytes([byte(at), byte(at + 1)]);
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| byte(at + k)));
        let (value, most) = match self.component {
            5120 => (f64::from(byte(at(1)) as i8), 127.0),
            5121 => (f64::from(byte(at(1))), 255.0),
            5122 => (f64::from(half(at(2)) as i16), 32767.0),
            5123 => (f64::from(half(at(2))), 65535.0),
            5125 => (f64::from(word(at(4))), 1.0),
            _ => return f64::from(f32::from_bits(word(at(4)))),
        };
        if self.normalized { (value / most).max(-1.0) } else { value }
    }
}
