//! VTK XML ImageData (.vti): the points are the cell centres, one PointData array `distance`, appended raw
//! little-endian data with a UInt64 byte count. Format: "VTK XML file formats" of the VTK documentation.
//!
//! The crate vtkio stores origin and spacing as f32, which would move the grid; hence these few lines.

use std::io::{Read, Write};

use super::{Values, Volume};

/// Name of the PointData array.
const ARRAY: &str = "distance";
/// Where the XML stops and the bytes begin.
const APPENDED: &[u8] = b"<AppendedData encoding=\"raw\">";
/// The XML part of a file of ours is below 1 KiB; more than this is another kind of file.
const MAX_HEADER: usize = 1 << 16;

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

/// Reads back a file of this form (ImageData of one piece, the first point array appended raw and uncompressed).
pub(crate) fn read(mut input: impl Read) -> Result<Volume, String> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|e| format!("cannot read ({e})"))?;
    let head = &bytes[..bytes.len().min(MAX_HEADER)];
    let Some(split) = head.windows(APPENDED.len()).position(|w| w == APPENDED) else {
        return Err("not a .vti file with appended raw data".to_owned());
    };
    let header = String::from_utf8_lossy(&head[..split]) + "</VTKFile>";
    let mut volume = parse_header(&header)?;
    let data = &bytes[split + APPENDED.len()..];
    let start = data.iter().position(|&b| b == b'_').ok_or("no data after the header")? + 1;
    let (count, data) = data[start..].split_first_chunk::<8>().ok_or("truncated before the data")?;
    let count = u64::from_le_bytes(*count);
    let cells = volume.cells.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).ok_or("more cells than a file holds")?;
    let size = if matches!(volume.values, Values::F32(_)) { 4 } else { 8 };
    let needed = cells.checked_mul(size).ok_or("more cells than a file holds")?;
    if count != needed as u64 || data.len() < needed {
        return Err(format!(
            "truncated or inconsistent ({cells} cells need {needed} bytes, the file names {count} and has {})",
            data.len()
        ));
    }
    let data = &data[..needed];
    volume.values = if size == 4 {
        Values::F32(data.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect())
    } else {
        Values::F64(data.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect())
    };
    Ok(volume)
}

/// Size, place and type from the XML part; the values stay empty.
fn parse_header(header: &str) -> Result<Volume, String> {
    let tree = roxmltree::Document::parse(header).map_err(|e| format!("not readable as XML ({e})"))?;
    let root = tree.root_element();
    for (name, allowed) in [("type", "ImageData"), ("byte_order", "LittleEndian"), ("header_type", "UInt64")] {
        let value = root.attribute(name).unwrap_or("none");
        if value != allowed {
            return Err(format!("{name} is {value} (allowed: {allowed})"));
        }
    }
    if let Some(compressor) = root.attribute("compressor") {
        return Err(format!("compressed with {compressor} (allowed: no compression)"));
    }
    let find = |tag: &str| root.descendants().find(|n| n.has_tag_name(tag)).ok_or(format!("no element {tag}"));
    let image = find("ImageData")?;
    let array = find("PointData")?;
    let array = array.children().find(|n| n.has_tag_name("DataArray")).ok_or("no point array")?;
    if array.attribute("format") != Some("appended") || array.attribute("offset") != Some("0") {
        return Err("the first point array is not the first block of appended data".to_owned());
    }
    let extent = numbers::<i64, 6>(image, "WholeExtent")?;
    let mut cells = [0; 3];
    for axis in 0..3 {
        let n = i128::from(extent[2 * axis + 1]) - i128::from(extent[2 * axis]) + 1;
        cells[axis] =
            usize::try_from(n).ok().filter(|&n| n > 0).ok_or(format!("extent of {n} points on axis {axis}"))?;
    }
    let values = match array.attribute("type") {
        Some("Float32") => Values::F32(Vec::new()),
        Some("Float64") => Values::F64(Vec::new()),
        other => return Err(format!("values are {} (allowed: Float32, Float64)", other.unwrap_or("untyped"))),
    };
    Ok(Volume { cells, first: numbers(image, "Origin")?, spacing: numbers(image, "Spacing")?, values })
}

fn numbers<T: std::str::FromStr, const N: usize>(node: roxmltree::Node<'_, '_>, name: &str) -> Result<[T; N], String> {
    let text = node.attribute(name).ok_or(format!("no attribute {name}"))?;
    let values: Option<Vec<T>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    values.and_then(|v| v.try_into().ok()).ok_or(format!("{name} is \"{text}\" (allowed: {N} numbers)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(values: Values) -> Volume {
        Volume { cells: [2, 1, 3], first: [0.1, -1e-9, 3.0e20], spacing: [1.0 / 3.0, 0.25, 2.0], values }
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        for values in
            [Values::F32(vec![0.1, -2.0, 3.5, 1e-30, 7.0, -0.5]), Values::F64(vec![0.1, -2.0, 3.5, 1e-300, 7.0, 0.3])]
        {
            let before = volume(values);
            let mut bytes = Vec::new();
            write(&before, &mut bytes).expect("write");
            assert_eq!(read(&bytes[..]).expect("read"), before);
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
