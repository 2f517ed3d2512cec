//! Where nodes put their meshes: matrices in f64, and the copies of `EXT_mesh_gpu_instancing`.

use gltf::accessor::{DataType, Dimensions};
use gltf::json::Value;

use super::accessor::vectors;

/// A 4 x 4 matrix by columns.
pub(super) type Matrix = [[f64; 4]; 4];

pub(super) const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Copies of a node's mesh, each with a translation, a rotation and a scale.
pub(in crate::io) const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// Of the linear part.
pub(super) fn determinant([x, y, z, _]: &Matrix) -> f64 {
    x[0] * (y[1] * z[2] - y[2] * z[1]) - y[0] * (x[1] * z[2] - x[2] * z[1]) + z[0] * (x[1] * y[2] - x[2] * y[1])
}

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * b[column][k]).sum()))
}

/// A point where a matrix puts it.
pub(super) fn moved(m: &Matrix, p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| m[0][k] * p[0] + m[1][k] * p[1] + m[2][k] * p[2] + m[3][k])
}

/// The matrix of a node: its own, else translation * rotation * scale. The crate `gltf` would round them to f32.
pub(super) fn local(node: &Value) -> Result<Matrix, String> {
    if let Some(m) = numbers::<16>(node, "matrix")? {
        return Ok(std::array::from_fn(|column| std::array::from_fn(|row| m[4 * column + row])));
    }
    let translation = numbers(node, "translation")?.unwrap_or([0.0; 3]);
    let rotation = numbers(node, "rotation")?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    Ok(composed(translation, rotation, numbers(node, "scale")?.unwrap_or([1.0; 3])))
}

/// A list of so many numbers, if there is one.
fn numbers<const N: usize>(node: &Value, name: &str) -> Result<Option<[f64; N]>, String> {
    let Some(value) = node.get(name) else { return Ok(None) };
    let numbers: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    let array = numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok());
    array
        .map(Some)
        .ok_or_else(|| format!("{name} is {}, needed are {N} numbers", input_text::token(&value.to_string())))
}

/// Scaled, then turned by a quaternion of any length (0 turns nothing), then moved.
fn composed(t: [f64; 3], q: [f64; 4], s: [f64; 3]) -> Matrix {
    let square: f64 = q.iter().map(|x| x * x).sum();
    let two = if square > 0.0 { 2.0 / square } else { 0.0 };
    let [x, y, z, w] = q;
    let turned = [
        [1.0 - two * (y * y + z * z), two * (x * y + z * w), two * (x * z - y * w)],
        [two * (x * y - z * w), 1.0 - two * (x * x + z * z), two * (y * z + x * w)],
        [two * (x * z + y * w), two * (y * z - x * w), 1.0 - two * (x * x + y * y)],
    ];
    let column = |k: usize| [turned[k][0] * s[k], turned[k][1] * s[k], turned[k][2] * s[k], 0.0];
    [column(0), column(1), column(2), [t[0], t[1], t[2], 1.0]]
}

/// Where the copies of a node's mesh lie in the node; the node itself where it has none.
pub(super) fn instances(
    node: &Value,
    document: &gltf::Document,
    buffers: &[Vec<u8>],
    room: u64,
) -> Result<Vec<Matrix>, String> {
    let Some(extension) = node.get("extensions").and_then(|all| all.get(INSTANCING)) else {
        return Ok(vec![IDENTITY]);
    };
    let accessor = |name: &str| {
        let Some(value) = extension.get("attributes").and_then(|all| all.get(name)) else { return Ok(None) };
        let accessor = value.as_u64().and_then(|index| document.accessors().nth(index as usize));
        accessor.map(Some).ok_or_else(|| {
            format!("{INSTANCING}: {name} is accessor {}, there is none", input_text::token(&value.to_string()))
        })
    };
    let [translations, rotations, scales] = [accessor("TRANSLATION")?, accessor("ROTATION")?, accessor("SCALE")?];
    let counts: Vec<usize> = [&translations, &rotations, &scales].into_iter().flatten().map(|a| a.count()).collect();
    let Some(&count) = counts.first() else {
        return Err(format!("{INSTANCING}: none of TRANSLATION, ROTATION and SCALE says how many copies there are"));
    };
    if counts.iter().any(|other| *other != count) {
        return Err(format!("{INSTANCING}: attributes of {counts:?} values, allowed are as many of each"));
    }
    if (count as u64).saturating_mul(size_of::<Matrix>() as u64) > room {
        return Err(format!("{INSTANCING}: {count} copies, allowed are those that fit into {room} bytes"));
    }
    let floats = [DataType::F32];
    let turns = [DataType::F32, DataType::I8, DataType::I16];
    let three = |accessor: Option<gltf::Accessor<'_>>, value: f64| match accessor {
        Some(accessor) => vectors::<3>(&accessor, Dimensions::Vec3, &floats, buffers),
        None => Ok(vec![[value; 3]; count]),
    };
    let (translations, scales) = (three(translations, 0.0)?, three(scales, 1.0)?);
    let rotations = match rotations {
        Some(accessor) => vectors::<4>(&accessor, Dimensions::Vec4, &turns, buffers)?,
        None => vec![[0.0, 0.0, 0.0, 1.0]; count],
    };
    Ok((0..count).map(|k| composed(translations[k], rotations[k], scales[k])).collect())
}
