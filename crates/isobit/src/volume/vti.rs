//! VTK XML ImageData (.vti): the points are the cell centres, one PointData array `distance`, appended raw
//! little-endian data with a UInt64 byte count. Format: "VTK XML file formats" of the VTK documentation.
//!
//! The crate vtkio stores origin and spacing as f32, which would move the grid; hence these few lines, and [`vti_read`](super::vti_read).

use std::io::Write;

use super::{Values, Volume};

/// Name of the PointData array.
const ARRAY: &str = "distance";
/// Writes the volume: origin = centre of the first cell, spacing = distance of centres, x fastest.
pub(crate) fn write(volume: &Volume, out: &mut dyn Write) -> std::io::Result<()> {
    let [nx, ny, nz] = volume.cells;
    let extent = format!("0 {} 0 {} 0 {}", nx.saturating_sub(1), ny.saturating_sub(1), nz.saturating_sub(1));
    let [x, y, z] = volume.first;
    let [dx, dy, dz] = volume.spacing;
    let name = if matches!(volume.values, Values::U8(_)) { "mark" } else { ARRAY };
    let (kind, size) = match volume.values {
        Values::F32(_) => ("Float32", 4u64),
        Values::F64(_) => ("Float64", 8u64),
        Values::U8(_) => ("UInt8", 1u64),
    };
    write!(
        out,
        r#"<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<ImageData WholeExtent="{extent}" Origin="{x:?} {y:?} {z:?}" Spacing="{dx:?} {dy:?} {dz:?}">
<Piece Extent="{extent}">
<PointData Scalars="{name}">
<DataArray type="{kind}" Name="{name}" format="appended" offset="0"/>
</PointData>
</Piece>
</ImageData>
<AppendedData encoding="raw">
_"#
    )?;
    out.write_all(&(volume.values.len() as u64 * size).to_le_bytes())?;
    match &volume.values {
        Values::F32(values) => write_words(values, |x| x.to_le_bytes(), out)?,
        Values::F64(values) => write_words(values, |x| x.to_le_bytes(), out)?,
        Values::U8(values) => out.write_all(values)?,
    }
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

fn write_words<T: Copy, const N: usize>(
    values: &[T],
    bytes: impl Fn(T) -> [u8; N],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut buffer = Vec::with_capacity(N << 14);
    for chunk in values.chunks(1 << 14) {
        buffer.clear();
        buffer.extend(chunk.iter().flat_map(|&x| bytes(x)));
        out.write_all(&buffer)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::vti_read::read;
    use super::*;

    fn volume(values: Values) -> Volume {
        Volume { cells: [2, 1, 3], first: [0.1, -1e-9, 3.0e20], spacing: [1.0 / 3.0, 0.25, 2.0], values }
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        for (values, name) in [
            (Values::F32(vec![0.1, -2.0, 3.5, 1e-30, 7.0, -0.5]), "distance"),
            (Values::F64(vec![0.1, -2.0, 3.5, 1e-300, 7.0, 0.3]), "distance"),
            (Values::U8(vec![0, 1, 2, 2, 1, 0]), "mark"),
        ] {
            let before = volume(values);
            let mut bytes = Vec::new();
            write(&before, &mut bytes).expect("write");
            assert_eq!(read(&bytes[..]).expect("read"), (before, name.to_owned()));
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let mut bytes = Vec::new();
        write(&volume(Values::F32(vec![0.5; 6])), &mut bytes).expect("write");
        for keep in [0, 10, 200, bytes.len() - 60] {
            assert!(read(&bytes[..keep]).is_err(), "{keep} bytes");
        }
        let text = String::from_utf8_lossy(&bytes).replace("0 1 0 0 0 2", "0 9 0 0 0 2");
        assert!(read(text.as_bytes()).is_err(), "an extent that lies");
    }
}
