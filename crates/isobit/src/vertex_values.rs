//! Meshes with a number at each vertex: PLY (binary, little-endian) and VTK PolyData, for colouring.

use std::io::{Result, Write};

use mesh_distance::Mesh;

use crate::signed_grid::Column;

/// Writes vertices x, y, z (f64) and `name` (f32 or f64), then triangles.
pub(crate) fn write_ply<R: Column>(mesh: &Mesh, name: &str, values: &[R], out: &mut dyn Write) -> Result<()> {
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         property {} {name}\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.positions.len(),
        R::NAMES.0,
        mesh.triangles.len()
    )?;
    for (point, value) in mesh.positions.iter().zip(values) {
        for x in point {
            out.write_all(&x.to_le_bytes())?;
        }
        write_number(*value, out)?;
    }
    for triangle in &mesh.triangles {
        out.write_all(&[3])?;
        for v in triangle {
            out.write_all(&v.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Writes a .vtp file of one piece with appended raw data: points (f64), point data `name` (f32 or f64), triangles.
pub(crate) fn write_vtp<R: Column>(mesh: &Mesh, name: &str, values: &[R], out: &mut dyn Write) -> Result<()> {
    let (points, triangles) = (mesh.positions.len() as u64, mesh.triangles.len() as u64);
    // Each block is its number of bytes (u64), then the bytes.
    let sizes = [points * 24, points * 4 * R::WORDS as u64, triangles * 24, triangles * 8];
    let mut starts = [0u64; 4];
    for k in 1..4 {
        starts[k] = starts[k - 1] + 8 + sizes[k - 1];
    }
    write!(
        out,
        r#"<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<PolyData>
<Piece NumberOfPoints="{points}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="{triangles}">
<Points>
<DataArray type="Float64" Name="Points" NumberOfComponents="3" format="appended" offset="{}"/>
</Points>
<PointData Scalars="{name}">
<DataArray type="{}" Name="{name}" format="appended" offset="{}"/>
</PointData>
<Polys>
<DataArray type="Int64" Name="connectivity" format="appended" offset="{}"/>
<DataArray type="Int64" Name="offsets" format="appended" offset="{}"/>
</Polys>
</Piece>
</PolyData>
<AppendedData encoding="raw">
_"#,
        starts[0],
        R::NAMES.1,
        starts[1],
        starts[2],
        starts[3]
    )?;
    out.write_all(&sizes[0].to_le_bytes())?;
    mesh.positions.iter().flatten().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
    out.write_all(&sizes[1].to_le_bytes())?;
    values.iter().try_for_each(|x| write_number(*x, out))?;
    out.write_all(&sizes[2].to_le_bytes())?;
    mesh.triangles.iter().flatten().try_for_each(|&v| out.write_all(&i64::from(v).to_le_bytes()))?;
    out.write_all(&sizes[3].to_le_bytes())?;
    (1..=mesh.triangles.len() as i64).try_for_each(|t| out.write_all(&(3 * t).to_le_bytes()))?;
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

/// The words of a number, the low one first.
pub(crate) fn write_number<R: Column>(x: R, out: &mut dyn Write) -> Result<()> {
    x.words()[..R::WORDS].iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_hold_the_numbers_where_their_headers_say() {
        let mesh = mesh_distance::make::cube(12);
        let values: Vec<f32> = (0..mesh.positions.len()).map(|v| v as f32 * 0.5).collect();
        let mut ply = Vec::new();
        write_ply(&mesh, "deviation", &values, &mut ply).expect("memory");
        let head = ply.windows(11).position(|w| w == b"end_header\n").expect("a header") + 11;
        assert_eq!(ply.len(), head + 28 * mesh.positions.len() + 13 * mesh.triangles.len());
        assert_eq!(ply[head + 28 + 24..head + 56], 0.5f32.to_le_bytes());
        let mut vtp = Vec::new();
        write_vtp(&mesh, "deviation", &values, &mut vtp).expect("memory");
        let start = vtp.windows(3).position(|w| w == b">\n_").expect("data") + 3;
        let at =
            |offset: usize| u64::from_le_bytes(vtp[start + offset..start + offset + 8].try_into().expect("8 bytes"));
        let points = mesh.positions.len();
        assert_eq!((at(0), at(8 + 24 * points)), (24 * points as u64, 4 * points as u64));
        assert!(vtp.ends_with(b"</AppendedData>\n</VTKFile>\n"));
    }
}
