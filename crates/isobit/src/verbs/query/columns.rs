//! The table of `query` as .csv, .npy, .ply and .vtp. Numbers in text read back to the same bits.

use std::io::{Result, Write};
use std::path::Path;

use mesh_distance::{Answers, is_miss};

use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::signed_grid::Number;

/// Numbers of columns.
pub(super) trait Column: Number {
    /// The type in PLY and in VTK.
    const NAMES: (&'static str, &'static str);

    /// Its bytes, the low one first.
    fn bytes(self) -> Vec<u8> {
        self.words()[..Self::WORDS].iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

impl Column for f32 {
    const NAMES: (&'static str, &'static str) = ("float", "Float32");
}

impl Column for f64 {
    const NAMES: (&'static str, &'static str) = ("double", "Float64");
}

/// The columns, in order.
const NAMES: [&str; 8] = ["distance", "x", "y", "z", "triangle", "u", "v", "feature"];

/// Refuses other extensions before any work is done.
pub(super) fn check_extension(path: &Path) -> std::result::Result<(), Failure> {
    match extension(path).as_str() {
        "csv" | "npy" | "ply" | "vtp" => Ok(()),
        _ => Err(refuse_extension(path, ".csv, .npy, .ply, .vtp")),
    }
}

/// Writes the answers of the points.
pub(super) fn write<R: Column>(
    extension: &str,
    points: &[[f64; 3]],
    answers: &Answers<R>,
    out: &mut dyn Write,
) -> Result<()> {
    match extension {
        "csv" => csv(answers, out),
        "npy" => npy(answers, out),
        "ply" => ply(points, answers, out),
        _ => vtp(points, answers, out),
    }
}

/// The triangle's index, -1 for a miss.
fn triangle(t: u32) -> i64 {
    if is_miss(t) { -1 } else { i64::from(t) }
}

fn csv<R: Column>(a: &Answers<R>, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", NAMES.join(","))?;
    for i in 0..a.distance.len() {
        let (d, [x, y, z], [u, v]) = (a.distance[i], a.point[i], a.uv[i]);
        writeln!(out, "{d:?},{x:?},{y:?},{z:?},{},{u:?},{v:?},{}", triangle(a.triangle[i]), a.feature[i].code())?;
    }
    Ok(())
}

/// n x 8, f64: every column fits exactly.
fn npy<R: Column>(a: &Answers<R>, out: &mut dyn Write) -> Result<()> {
    crate::table::write_header("'<f8'", &[a.distance.len() as u64, 8], out)?;
    for i in 0..a.distance.len() {
        let ([x, y, z], [u, v]) = (a.point[i], a.uv[i].map(R::to_f64));
        let row = [a.distance[i].to_f64(), x, y, z, triangle(a.triangle[i]) as f64, u, v, a.feature[i].code().into()];
        out.write_all(row.map(f64::to_le_bytes).as_flattened())?;
    }
    Ok(())
}

/// A point cloud of the query points, the columns as properties: closest point as cx, cy, cz.
fn ply<R: Column>(points: &[[f64; 3]], a: &Answers<R>, out: &mut dyn Write) -> Result<()> {
    let (real, _) = R::NAMES;
    write!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}\n", points.len())?;
    write!(out, "property double x\nproperty double y\nproperty double z\nproperty {real} distance\n")?;
    write!(out, "property double cx\nproperty double cy\nproperty double cz\nproperty int triangle\n")?;
    write!(out, "property {real} u\nproperty {real} v\nproperty char feature\nend_header\n")?;
    for (i, point) in points.iter().enumerate() {
        out.write_all(point.map(f64::to_le_bytes).as_flattened())?;
        out.write_all(&a.distance[i].bytes())?;
        out.write_all(a.point[i].map(f64::to_le_bytes).as_flattened())?;
        out.write_all(&(triangle(a.triangle[i]) as i32).to_le_bytes())?;
        out.write_all(&a.uv[i].map(R::bytes).concat())?;
        out.write_all(&a.feature[i].code().to_le_bytes())?;
    }
    Ok(())
}

/// VTK XML PolyData of one vertex a point, the columns as PointData, appended raw.
fn vtp<R: Column>(points: &[[f64; 3]], a: &Answers<R>, out: &mut dyn Write) -> Result<()> {
    let (n, (_, real)) = (points.len(), R::NAMES);
    let arrays: [(&str, &str, usize, Vec<u8>); 5] = [
        ("distance", real, 1, a.distance.iter().flat_map(|x| x.bytes()).collect()),
        ("closest", "Float64", 3, a.point.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect()),
        ("triangle", "Int32", 1, a.triangle.iter().flat_map(|t| (triangle(*t) as i32).to_le_bytes()).collect()),
        ("uv", real, 2, a.uv.as_flattened().iter().flat_map(|x| x.bytes()).collect()),
        ("feature", "Int8", 1, a.feature.iter().flat_map(|f| f.code().to_le_bytes()).collect()),
    ];
    let coordinates: Vec<u8> = points.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let connectivity: Vec<u8> = (0..n as i64).flat_map(i64::to_le_bytes).collect();
    let offsets: Vec<u8> = (1..=n as i64).flat_map(i64::to_le_bytes).collect();
    write!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <PolyData>\n<Piece NumberOfPoints=\"{n}\" NumberOfVerts=\"{n}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <PointData Scalars=\"distance\">\n"
    )?;
    let mut at = 0;
    let mut array = |out: &mut dyn Write, name: &str, kind: &str, parts: usize, bytes: &[u8]| {
        let line = writeln!(
            out,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{parts}\" format=\"appended\" offset=\"{at}\"/>"
        );
        at += 8 + bytes.len();
        line
    };
    for (name, kind, parts, bytes) in &arrays {
        array(out, name, kind, *parts, bytes)?;
    }
    out.write_all(b"</PointData>\n<Points>\n")?;
    array(out, "points", "Float64", 3, &coordinates)?;
    out.write_all(b"</Points>\n<Verts>\n")?;
    array(out, "connectivity", "Int64", 1, &connectivity)?;
    array(out, "offsets", "Int64", 1, &offsets)?;
    out.write_all(b"</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")?;
    let blocks = arrays.iter().map(|(.., bytes)| bytes).chain([&coordinates, &connectivity, &offsets]);
    for bytes in blocks {
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(bytes)?;
    }
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}
