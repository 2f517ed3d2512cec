//! STL, binary and ASCII, by `stl_io` behind checks of what it takes on trust.
//!
//! `stl_io` calls every file that begins with "solid " ASCII, believes a binary count, reads the first solid of a text only and knows
//! lower-case keywords; so the kind, the size and the solids are settled here before it is called. Facet normals, which exporters may
//! write as nan, have no meaning here and are not handed on.

use super::{Malformed, text_of, without_mark};
use crate::Mesh;
use input_text::{has_control_characters, number, sentence, token, why_not_text};
use std::io::Cursor;

/// Header and count of a binary file.
const BINARY_START: usize = 84;
/// Bytes of a binary triangle.
const RECORD: usize = 50;

/// The two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Binary,
    Text,
}

pub(super) fn read(bytes: &[u8]) -> Result<Mesh, Malformed> {
    match kind(bytes)? {
        Kind::Binary => read_binary(bytes),
        Kind::Text => read_ascii(bytes),
    }
}

/// Which form a file has: binary where its count fits its size, else text where it looks like one.
pub(super) fn kind(bytes: &[u8]) -> Result<Kind, Malformed> {
    if bytes.is_empty() {
        return Err(Malformed::whole("0 bytes, not an STL file"));
    }
    match binary_size(bytes) {
        Some(needed) if needed == bytes.len() as u64 => return Ok(Kind::Binary),
        _ if is_text(without_mark(bytes)) => return Ok(Kind::Text),
        _ => {}
    }
    // What looks like a count may be letters.
    if let Some(why) = why_not_text(bytes).filter(|why| why.starts_with("UTF")) {
        return Err(Malformed::whole(why));
    }
    Err(Malformed::whole(match binary_size(bytes) {
        Some(needed) => format!(
            "binary STL of {} triangles needs {needed} bytes, the file has {}",
            (needed - BINARY_START as u64) / RECORD as u64,
            bytes.len()
        ),
        None => format!(
            "{} bytes, a binary STL has at least {BINARY_START} and an ASCII STL begins with solid",
            bytes.len()
        ),
    }))
}

/// Bytes that a binary file of this count must have.
fn binary_size(bytes: &[u8]) -> Option<u64> {
    let count: [u8; 4] = bytes.get(80..BINARY_START)?.try_into().ok()?;
    Some(BINARY_START as u64 + RECORD as u64 * u64::from(u32::from_le_bytes(count)))
}

/// Begins with the word solid and has no control characters in its first kibibyte.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && !has_control_characters(start)
}

fn read_binary(bytes: &[u8]) -> Result<Mesh, Malformed> {
    // A blank header, so that no header is taken for a text.
    let mut body = bytes.to_vec();
    body[..80].fill(0);
    let mut mesh = Mesh::default();
    append(&mut mesh, &mut Cursor::new(body), Malformed::at)?;
    Ok(mesh)
}

fn read_ascii(bytes: &[u8]) -> Result<Mesh, Malformed> {
    let text = text_of(bytes)?.to_ascii_lowercase();
    let mut mesh = Mesh::default();
    let mut solid: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            None => continue,
            Some("solid") if solid.is_empty() => solid.push("solid name"),
            Some("endsolid") if !solid.is_empty() => {
                solid.push("endsolid");
                append_solid(&mut mesh, &solid)?;
                solid.clear();
            }
            Some(word) if solid.is_empty() => {
                return Err(Malformed::at(number + 1, format!("{} outside of solid .. endsolid", token(word))));
            }
            Some("facet") => solid.push("facet normal 0 0 0"),
            Some("vertex") => {
                coordinates(words, number + 1)?;
                solid.push(line);
            }
            Some("outer" | "endloop" | "endfacet") => solid.push(line),
            // Colours and other additions; a vertex too many or too few is found all the same.
            Some(_) => {}
        }
    }
    if !solid.is_empty() {
        let whole =
            mesh.triangles.len() + solid.iter().filter(|line| line.trim_start().starts_with("endfacet")).count();
        return Err(Malformed::whole(format!("the text ends without endsolid, after {whole} whole facets: truncated")));
    }
    Ok(mesh)
}

/// Checks the numbers of a vertex: `stl_io` names neither the line nor the value.
fn coordinates<'a>(words: impl Iterator<Item = &'a str>, line: usize) -> Result<(), Malformed> {
    let mut found = 0;
    for word in words {
        found += 1;
        if !word.parse::<f32>().is_ok_and(f32::is_finite) {
            return Err(Malformed::at(
                line,
                format!("coordinate {}, allowed are finite numbers of 32 bits", token(word)),
            ));
        }
    }
    if found != 3 {
        return Err(Malformed::at(line, format!("vertex with {found} coordinates, needed are 3")));
    }
    Ok(())
}

fn append_solid(mesh: &mut Mesh, lines: &[&str]) -> Result<(), Malformed> {
    let base = mesh.triangles.len();
    let text = lines.join("\n");
    append(mesh, &mut Cursor::new(text.into_bytes()), |triangle, what| {
        Malformed::whole(format!("triangle {}: {what}", base + triangle))
    })
}

/// Appends the triangles of one solid, three vertices each.
fn append(
    mesh: &mut Mesh,
    source: &mut Cursor<Vec<u8>>,
    malformed: impl Fn(usize, String) -> Malformed,
) -> Result<(), Malformed> {
    let reader = stl_io::create_stl_reader(source).map_err(|e| Malformed::whole(sentence(&e.to_string())))?;
    for (index, triangle) in reader.enumerate() {
        let triangle = triangle.map_err(|e| malformed(index, sentence(&e.to_string())))?;
        let first = u32::try_from(mesh.positions.len()).ok().filter(|&v| v <= u32::MAX - 3);
        let first = first.ok_or_else(|| malformed(index, "more vertices than 32-bit indices can name".into()))?;
        for (corner, vertex) in triangle.vertices.iter().enumerate() {
            let position = vertex.0.map(f64::from);
            if let Some(axis) = position.iter().position(|x| !x.is_finite()) {
                let name = crate::mesh::axis_name(axis);
                let what = format!("corner {corner}: {name} is {}, allowed are finite numbers", number(position[axis]));
                return Err(malformed(index, what));
            }
            mesh.positions.push(position);
        }
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    Ok(())
}
