//! STL, binary by `stl_io` behind checks of what it takes on trust, ASCII by a reader of its own.
//!
//! `stl_io` calls every file that begins with "solid " ASCII and believes a binary count; so the kind and the size are settled here before
//! it is called. Facet normals, which exporters may write as nan, have no meaning here and are not looked at.

use super::{Malformed, content, stl_text, text_of, without_mark};
use crate::Mesh;
use input_text::{has_control_characters, number, sentence, why_not_text};
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
        Kind::Text => stl_text::read(&text_of(bytes)?),
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
    Err(Malformed::whole(neither(bytes)))
}

/// Why a file is neither form, and what it looks like. The count of a file that looks like something else is of letters.
fn neither(bytes: &[u8]) -> String {
    let found = bytes.len();
    let size = match binary_size(bytes) {
        Some(needed) => {
            let triangles = (needed - BINARY_START as u64) / RECORD as u64;
            format!("binary STL of {triangles} triangles needs {needed} bytes, the file has {found}")
        }
        None => format!("{found} bytes, a binary STL has at least {BINARY_START} and an ASCII STL begins with solid"),
    };
    let other = content::looks_like(bytes);
    if other.is_none() && has_control_characters(bytes) {
        return size;
    }
    let other = other.map_or(String::new(), |kind| format!("; it looks like {kind}"));
    format!("neither a binary STL by its size ({size}) nor a text that begins with solid{other}")
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
    append(&mut mesh, &mut Cursor::new(body))?;
    Ok(mesh)
}

/// Appends the triangles of a binary file, three vertices each.
fn append(mesh: &mut Mesh, source: &mut Cursor<Vec<u8>>) -> Result<(), Malformed> {
    let malformed = |index: usize, what: String| Malformed::whole(format!("triangle {index}: {what}"));
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
