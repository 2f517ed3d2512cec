//! Reads VTK XML ImageData of one piece: point or cell data, as text, inline or appended, raw or as base64, plain or packed by zlib.
//! Format: "VTK XML file formats" of the VTK documentation.

use std::io::Read;

use input_text::{sentence, token, why_not_text};
use roxmltree::Node;

use super::vti_data::{Coding, Source, from_text, width};
use super::{Values, Volume};

/// Where the XML stops when bytes follow.
const APPENDED: &[u8] = b"<AppendedData";

/// Bytes behind the XML.
struct Appended {
    bytes: Vec<u8>,
    base64: bool,
}

/// Reads the array that the file calls its scalars, else the first of one component; and its name.
pub(crate) fn read(mut input: impl Read) -> Result<(Volume, String), String> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|e| format!("cannot read ({e})"))?;
    let split = bytes.windows(APPENDED.len()).position(|w| w == APPENDED);
    let appended = split.map(|at| appended(&bytes[at..])).transpose()?;
    let head = std::str::from_utf8(&bytes[..split.unwrap_or(bytes.len())])
        .map_err(|e| why_not_text(&bytes).unwrap_or_else(|| format!("not text ({e})")))?;
    let head = head.to_owned() + if split.is_some() { "</VTKFile>" } else { "" };
    drop(bytes);
    let tree =
        roxmltree::Document::parse(&head).map_err(|e| format!("not readable as XML ({})", sentence(&e.to_string())))?;
    let root = tree.root_element();
    let coding = coding(root)?;
    let image = child(root, "ImageData")?;
    let piece = child(image, "Piece")?;
    if image.children().filter(|n| n.has_tag_name("Piece")).count() > 1 {
        return Err("several pieces (allowed: 1)".to_owned());
    }
    let (array, of_cells) = array(piece)?;
    let mut volume = place(image, piece, of_cells)?;
    let kind = array.attribute("type").unwrap_or("none");
    let size = width(kind)
        .ok_or_else(|| format!("values are of type {} (allowed: integers, Float32, Float64)", token(kind)))?;
    let cells = volume.cells.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).ok_or("more cells than a file holds")?;
    let needed = cells.checked_mul(size).ok_or("more cells than a file holds")?;
    volume.values = match array.attribute("format").unwrap_or("ascii") {
        "ascii" => from_text(kind, &text_of(array))?,
        form => {
            crate::memory::require("its values", needed.checked_mul(2).map(|n| n as u64)).map_err(|e| e.to_string())?;
            let bytes = match form {
                "binary" => {
                    let text = without_space(text_of(array).as_bytes());
                    coding.block(Source { bytes: &text, base64: true }, needed)?
                }
                "appended" => {
                    let data = appended.as_ref().ok_or("no appended data")?;
                    let [offset] = numbers::<usize, 1>(array, "offset")?;
                    let bytes = data.bytes.get(offset..).ok_or("truncated before the data")?;
                    coding.block(Source { bytes, base64: data.base64 }, needed)?
                }
                other => return Err(format!("format {} (allowed: ascii, binary, appended)", token(other))),
            };
            coding.numbers(kind, &bytes).ok_or("values of an unknown type")?
        }
    };
    if volume.values.len() != cells {
        return Err(format!("{} values for {cells} cells", volume.values.len()));
    }
    Ok((volume, array.attribute("Name").unwrap_or("value").to_owned()))
}

/// What stands behind the XML, from its tag on.
fn appended(bytes: &[u8]) -> Result<Appended, String> {
    let end = bytes.iter().position(|&b| b == b'>').ok_or("truncated before the data")?;
    let tag = String::from_utf8_lossy(&bytes[..end]).replace('\'', "\"");
    let base64 = match tag.split_once("encoding=\"").and_then(|(_, rest)| rest.split_once('"')) {
        Some(("raw", _)) => false,
        None | Some(("base64", _)) => true,
        Some((other, _)) => return Err(format!("appended data as {} (allowed: raw, base64)", token(other))),
    };
    let start = bytes.iter().position(|&b| b == b'_').ok_or("no data after the header")? + 1;
    let data = &bytes[start..];
    if !base64 {
        return Ok(Appended { bytes: data.to_vec(), base64 });
    }
    let end = data.iter().position(|&b| b == b'<').unwrap_or(data.len());
    Ok(Appended { bytes: without_space(&data[..end]), base64 })
}

/// The text of an element; VTK may write other elements between.
fn text_of(node: Node<'_, '_>) -> String {
    node.children().filter(Node::is_text).filter_map(|text| text.text()).collect()
}

fn without_space(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect()
}

fn coding(root: Node<'_, '_>) -> Result<Coding, String> {
    let one_of = |name: &str, default: &'static str, allowed: [&str; 2]| {
        let value = root.attribute(name).unwrap_or(default);
        let refused = || format!("{name} is {} (allowed: {})", token(value), allowed.join(", "));
        allowed.iter().position(|&a| a == value).ok_or_else(refused)
    };
    if root.attribute("type") != Some("ImageData") {
        return Err(format!("type is {} (allowed: ImageData)", token(root.attribute("type").unwrap_or("none"))));
    }
    Ok(Coding {
        big: one_of("byte_order", "LittleEndian", ["LittleEndian", "BigEndian"])? == 1,
        wide: one_of("header_type", "UInt32", ["UInt32", "UInt64"])? == 1,
        zlib: one_of("compressor", "", ["", "vtkZLibDataCompressor"])? == 1,
    })
}

fn child<'a, 'input>(node: Node<'a, 'input>, tag: &str) -> Result<Node<'a, 'input>, String> {
    node.children().find(|n| n.has_tag_name(tag)).ok_or_else(|| format!("no element {tag}"))
}

/// The array to show, and whether it is of cells.
fn array<'a, 'input>(piece: Node<'a, 'input>) -> Result<(Node<'a, 'input>, bool), String> {
    for (tag, of_cells) in [("PointData", false), ("CellData", true)] {
        let Ok(data) = child(piece, tag) else { continue };
        let single = |n: &Node<'_, '_>| n.attribute("NumberOfComponents").is_none_or(|count| count.trim() == "1");
        let arrays = || data.children().filter(|n| n.has_tag_name("DataArray")).filter(single);
        let scalars = data.attribute("Scalars");
        let named = scalars.and_then(|name| arrays().find(|n| n.attribute("Name") == Some(name)));
        if let Some(array) = named.or_else(|| arrays().next()) {
            return Ok((array, of_cells));
        }
    }
    Err("no array of one component (allowed: one in PointData or CellData)".to_owned())
}

/// Size and place; the values stay empty.
fn place(image: Node<'_, '_>, piece: Node<'_, '_>, of_cells: bool) -> Result<Volume, String> {
    if let Some(direction) = image.attribute("Direction") {
        let turned = direction.split_whitespace().map(|word| word.parse::<f64>().ok());
        if !turned.eq([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0].map(Some)) {
            return Err(format!("turned in space (direction {}, allowed: 1 0 0 0 1 0 0 0 1)", token(direction)));
        }
    }
    let extent = match piece.attribute("Extent") {
        Some(_) => numbers::<i64, 6>(piece, "Extent")?,
        None => numbers(image, "WholeExtent")?,
    };
    let (mut first, spacing) = (numbers::<f64, 3>(image, "Origin")?, numbers::<f64, 3>(image, "Spacing")?);
    let mut cells = [0; 3];
    for axis in 0..3 {
        let points = i128::from(extent[2 * axis + 1]) - i128::from(extent[2 * axis]) + 1;
        // A flat image has a layer of cells.
        let n = if of_cells && points > 1 { points - 1 } else { points };
        let counted = usize::try_from(n).ok().filter(|&n| n > 0);
        cells[axis] = counted.ok_or_else(|| format!("extent of {n} points on axis {axis}"))?;
        let half = if of_cells && points > 1 { 0.5 } else { 0.0 };
        first[axis] += (extent[2 * axis] as f64 + half) * spacing[axis];
    }
    Ok(Volume { cells, first, spacing, values: Values::U8(Vec::new()) })
}

fn numbers<T: std::str::FromStr, const N: usize>(node: Node<'_, '_>, name: &str) -> Result<[T; N], String> {
    let text = node.attribute(name).ok_or_else(|| format!("no attribute {name}"))?;
    let values: Option<Vec<T>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    values
        .and_then(|v| v.try_into().ok())
        .ok_or_else(|| format!("{name} is \"{}\" (allowed: {N} numbers)", token(text)))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    /// A word of 32 or 64 bits.
    fn word(n: usize, wide: bool) -> Vec<u8> {
        if wide { (n as u64).to_le_bytes().to_vec() } else { (n as u32).to_le_bytes().to_vec() }
    }

    /// A file of 3 x 2 x 1 points with one array; `tail` stands behind the image.
    fn file(root: &str, array: &str, tail: &[u8]) -> Vec<u8> {
        let head = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" {root}>\n\
             <ImageData WholeExtent=\"1 3 0 1 0 0\" Origin=\"0.5 0 0\" Spacing=\"0.25 1 1\">\n<Piece Extent=\"1 3 0 1 0 0\">\n\
             <PointData Scalars=\"d\">{array}</PointData>\n</Piece>\n</ImageData>\n"
        );
        [head.as_bytes(), tail, b"</VTKFile>"].concat()
    }

    const VALUES: [f32; 6] = [0.5, -1.0, 2.0, 3.0, 1e-30, -7.25];

    #[test]
    fn every_form_that_vtk_writes_is_read() {
        let bytes: Vec<u8> = VALUES.iter().flat_map(|x| x.to_le_bytes()).collect();
        let inline = |form: &str, text: &str| {
            format!(r#"<DataArray type="Float32" Name="d" format="{form}">{text}</DataArray>"#)
        };
        let far = r#"<DataArray type="Float32" Name="d" format="appended" offset="4"/>"#;
        let mut files = vec![file("", &inline("ascii", "0.5 -1 2\n3 1e-30 -7.25"), b"")];
        for wide in [false, true] {
            let root = if wide { r#"header_type="UInt64""# } else { r#"header_type="UInt32""# };
            let zlib = format!(r#"{root} compressor="vtkZLibDataCompressor""#);
            let (count, base64) = (word(24, wide), |bytes: &[u8]| STANDARD.encode(bytes));
            let plain = [&count[..], &bytes].concat();
            // Two pieces, the last one shorter.
            let pieces = [packed(&bytes[..16]), packed(&bytes[16..])];
            let head: Vec<u8> =
                [2, 16, 8, pieces[0].len(), pieces[1].len()].into_iter().flat_map(|n| word(n, wide)).collect();
            let texts = [base64(&plain), base64(&count) + &base64(&bytes)];
            for text in &texts {
                files.push(file(root, &inline("binary", &format!("\n  {text}\n")), b""));
                files.push(file(
                    root,
                    far,
                    format!("<AppendedData encoding=\"base64\">\n _AAAA{text}\n</AppendedData>").as_bytes(),
                ));
            }
            let text = base64(&head) + &base64(&pieces.concat());
            files.push(file(&zlib, &inline("binary", &text), b""));
            files.push(file(
                &zlib,
                far,
                format!("<AppendedData encoding=\"base64\">_AAAA{text}</AppendedData>").as_bytes(),
            ));
            for (root, data) in [(root, plain), (zlib.as_str(), [&head[..], &pieces.concat()].concat())] {
                let tail = [b"<AppendedData encoding=\"raw\">\n_four", &data[..], b"\n</AppendedData>"].concat();
                files.push(file(root, far, &tail));
            }
        }
        assert_eq!(files.len(), 17);
        for bytes in files {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let (volume, name) = read(&bytes[..]).unwrap_or_else(|e| panic!("{e}: {text}"));
            assert_eq!((volume.cells, volume.first, name.as_str()), ([3, 2, 1], [0.75, 0.0, 0.0], "d"));
            assert_eq!(volume.values, Values::F32(VALUES.to_vec()), "{text}");
            for keep in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 45] {
                assert!(read(&bytes[..keep]).is_err(), "{keep} bytes of {text}");
            }
        }
    }

    #[test]
    fn types_and_cells_are_told_apart() {
        for (kind, text, values) in [
            ("UInt8", "0 1 2 255 1 0", Values::U8(vec![0, 1, 2, 255, 1, 0])),
            ("Int8", "0 -1 2 3 1 0", Values::F64(vec![0.0, -1.0, 2.0, 3.0, 1.0, 0.0])),
            ("Float64", "0.1 0 0 nan 0 1e300", Values::F64(vec![])),
        ] {
            let array = format!(r#"<DataArray type="{kind}" Name="m" format="ascii">{text}</DataArray>"#);
            let (found, name) = read(&file("", &array, b"")[..]).expect(kind);
            assert_eq!((name.as_str(), found.values.len()), ("m", 6));
            assert!(found.values == values || kind == "Float64", "{:?}", found.values);
        }
        let array = r#"<DataArray type="Int16" Name="m" format="ascii">5 6</DataArray>"#;
        let cells = String::from_utf8(file("", array, b"")).expect("text").replace("PointData", "CellData");
        let (found, _) = read(cells.as_bytes()).expect("cells");
        assert_eq!((found.cells, found.first), ([2, 1, 1], [0.875, 0.5, 0.0]), "a flat axis has one layer");
        let vectors = array.replace("Name", "NumberOfComponents=\"3\" Name");
        for (from, to, part) in [
            (array, vectors.as_str(), "one component"),
            ("Int16", "String", "String"),
            ("5 6", "5", "1 values for 6 cells"),
            ("ImageData\" version", "PolyData\" version", "PolyData"),
            ("LittleEndian\" ", "LittleEndian\" compressor=\"vtkLZ4DataCompressor\"", "vtkLZ4DataCompressor"),
            ("Origin", "Direction=\"0 1 0 1 0 0 0 0 1\" Origin", "turned"),
            ("WholeExtent=\"1 3 0 1 0 0\" ", "", ""),
            ("Extent=\"1 3 0 1 0 0\">", "Extent=\"0 4294967295 0 4294967295 0 4294967295\">", ""),
        ] {
            let text = String::from_utf8(file("", array, b"")).expect("text").replace(from, to);
            let said = read(text.as_bytes()).expect_err(to);
            assert!(said.contains(part), "{said}");
        }
    }
}
