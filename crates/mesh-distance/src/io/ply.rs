//! PLY (Turk 1994), ASCII and binary of either byte order.
//!
//! Of the element `vertex` the properties x, y, z are taken, of `face` and `tristrips` the list `vertex_indices` (or `vertex_index`); all else
//! is skipped.

use super::content::looks_like;
use super::polygon::append_polygon;
use super::{Malformed, MeshFile, are, counted, without_mark};
use crate::Mesh;
use input_text::{number, sentence, token, why_not_text};
use std::borrow::Cow;

/// Longest header that is read.
const HEADER: usize = 1 << 16;

/// The words of the types.
const TYPES: &str =
    "char, uchar, short, ushort, int, uint, float, double, int8, uint8, int16, uint16, int32, uint32, float32, float64";

/// A type of numbers, by its size in bytes and kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    /// The type of the count of a list.
    pub(super) count: Option<Kind>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Encoding {
    Text,
    Little,
    Big,
}

pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, Malformed> {
    let bytes = without_mark(bytes);
    let (encoding, elements, body) = header(bytes).map_err(Malformed::whole)?;
    let mut numbers = Numbers { encoding, bytes: &bytes[body..] };
    let mut found = Found::default();
    for element in &elements {
        let axes = axes(element)?;
        // Items without properties take no place, however many are promised.
        let rows = if element.properties.is_empty() { 0 } else { element.count };
        for row in 0..rows {
            let place = |what: String| Malformed::whole(format!("{} {row}: {what}", token(&element.name)));
            found.item(element, axes, &mut numbers).map_err(place)?;
        }
    }
    let rest = if encoding == Encoding::Text { numbers.bytes.trim_ascii() } else { numbers.bytes }.len() as u64;
    let Found { mut mesh, faces, strips } = found;
    for (face, corners) in faces.iter().enumerate() {
        append_polygon(&mut mesh, corners).map_err(|what| Malformed::whole(format!("face {face}: {what}")))?;
    }
    for (strip, corners) in strips.iter().enumerate() {
        append_strips(&mut mesh, corners).map_err(|what| Malformed::whole(format!("tristrips {strip}: {what}")))?;
    }
    let left_out = elements.iter().filter(|e| e.count > 0 && !["vertex", "face", "tristrips"].contains(&&*e.name));
    let note = |e: &Element| {
        format!("{} of the element {} {} left out", counted(e.count, "item"), token(&e.name), are(e.count))
    };
    let mut notes: Vec<String> = left_out.map(note).collect();
    if rest > 0 {
        notes.push(format!("{} behind the last element {} left out", counted(rest, "byte"), are(rest)));
    }
    Ok(MeshFile { mesh, notes, ..MeshFile::default() })
}

/// The properties of an element that are coordinates.
fn axes(element: &Element) -> Result<[Option<usize>; 3], Malformed> {
    let index = |name: &str| element.properties.iter().position(|p| p.name == name && p.count.is_none());
    let axes = ["x", "y", "z"].map(index);
    match (axes.iter().position(Option::is_none), element.name.as_str()) {
        (Some(k), "vertex") => {
            Err(Malformed::whole(format!("the element vertex has no property {}", ["x", "y", "z"][k])))
        }
        _ => Ok(axes),
    }
}

/// What the items read so far are.
#[derive(Default)]
struct Found {
    /// Positions alone.
    mesh: Mesh,
    faces: Vec<Vec<i64>>,
    strips: Vec<Vec<i64>>,
}

impl Found {
    /// Reads the next item of an element.
    fn item(&mut self, element: &Element, axes: [Option<usize>; 3], numbers: &mut Numbers<'_>) -> Result<(), String> {
        let mut position = [0.0; 3];
        for (k, property) in element.properties.iter().enumerate() {
            let count = property.count.map_or(Ok(1.0), |kind| numbers.next(kind))?;
            let kept = match element.name.as_str() {
                "face" => Some(&mut self.faces),
                "tristrips" => Some(&mut self.strips),
                _ => None,
            };
            let kept = kept.filter(|_| matches!(property.name.as_str(), "vertex_indices" | "vertex_index"));
            let mut corners = Vec::new();
            let axis = axes.iter().position(|axis| *axis == Some(k));
            for _ in 0..count as u64 {
                if kept.is_none() && axis.is_none() {
                    numbers.skip(property.kind)?;
                    continue;
                }
                let value = numbers.next(property.kind)?;
                if kept.is_some() {
                    corners.push(integer(value)?);
                }
                if let Some(axis) = axis {
                    position[axis] = value;
                }
            }
            if let Some(kept) = kept {
                kept.push(corners);
            }
        }
        if element.name == "vertex" {
            if let Some(x) = position.iter().find(|x| !x.is_finite()) {
                return Err(format!("coordinate {}, allowed are finite numbers", number(*x)));
            }
            self.mesh.positions.push(position);
        }
        Ok(())
    }
}

fn integer(value: f64) -> Result<i64, String> {
    match value.fract() == 0.0 {
        true => Ok(value as i64),
        false => Err(format!("vertex index {}, allowed are integers", number(value))),
    }
}

/// Appends strips of triangles, a -1 between two of them. Corners are repeated to join strips: such triangles are no faces.
fn append_strips(mesh: &mut Mesh, corners: &[i64]) -> Result<(), String> {
    for strip in corners.split(|corner| *corner == -1) {
        for (k, corners) in strip.windows(3).enumerate() {
            let [a, b, c] = [corners[0], corners[1 + k % 2], corners[2 - k % 2]];
            if a != b && b != c && c != a {
                append_polygon(mesh, &[a, b, c])?;
            }
        }
    }
    Ok(())
}

/// Encoding, elements, and where the header ends.
pub(super) fn header(bytes: &[u8]) -> Result<(Encoding, Vec<Element>, usize), String> {
    let head = &bytes[..bytes.len().min(HEADER)];
    let mut elements: Vec<Element> = Vec::new();
    let mut encoding = None;
    let (mut at, mut number) = (0, 0);
    // A carriage return ends lines where the first one has no line feed behind it.
    let first = head.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(0);
    let end = if head[first..].starts_with(b"\r") && !head[first..].starts_with(b"\r\n") { b'\r' } else { b'\n' };
    for line in head.split_inclusive(|byte| *byte == end) {
        let start = at == 0;
        at += line.len();
        number += 1;
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        // A line that the file's end cuts says nothing.
        if at == bytes.len() && !line.ends_with(&[end]) && !start && words != ["end_header"] {
            return Err("the file ends in its header".into());
        }
        match words[..] {
            ["ply"] if start => {}
            _ if start => {
                let why = why_not_text(bytes).filter(|why| why.starts_with("UTF"));
                let other = looks_like(bytes).map_or(String::new(), |kind| format!("; it looks like {kind}"));
                return Err(why.unwrap_or_else(|| format!("not a PLY file: the first line is not ply{other}")));
            }
            ["format", "ascii", "1.0"] => encoding = Some(Encoding::Text),
            ["format", "binary_little_endian", "1.0"] => encoding = Some(Encoding::Little),
            ["format", "binary_big_endian", "1.0"] => encoding = Some(Encoding::Big),
            ["comment" | "obj_info", ..] | [] => {}
            ["element", name, count] => {
                let count = count
                    .parse()
                    .map_err(|_| format!("element {}: {} is no number of items", token(name), token(count)))?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", ref rest @ ..] => {
                let last = elements.last_mut().ok_or("a property before any element")?;
                last.properties.push(property(rest).map_err(|what| format!("header line {number}: {what}"))?);
            }
            ["end_header"] => {
                let encoding = encoding.ok_or("the header names no format")?;
                return Ok((encoding, elements, at));
            }
            _ => return Err(format!("header line {:?} is not known", sentence(text.trim()))),
        }
    }
    match head.len() < HEADER {
        true => Err("the file ends in its header: there is no end_header".into()),
        false => Err(format!("not a PLY file: no end_header in the first {HEADER} bytes")),
    }
}

fn property(words: &[&str]) -> Result<Property, String> {
    let (count, kind, name) = match words {
        ["list", count, kind, name] => (Some(kind_of(count)?), kind, name),
        [kind, name] => (None, kind, name),
        _ => return Err(format!("property {} is not known", sentence(&words.join(" ")))),
    };
    Ok(Property { name: (*name).into(), count, kind: kind_of(kind)? })
}

fn kind_of(word: &str) -> Result<Kind, String> {
    Ok(match word {
        "char" | "int8" => Kind::Signed(1),
        "uchar" | "uint8" => Kind::Unsigned(1),
        "short" | "int16" => Kind::Signed(2),
        "ushort" | "uint16" => Kind::Unsigned(2),
        "int" | "int32" => Kind::Signed(4),
        "uint" | "uint32" => Kind::Unsigned(4),
        "float" | "float32" => Kind::Float(4),
        "double" | "float64" => Kind::Float(8),
        _ => return Err(format!("type {} is not known (known: {TYPES})", token(word))),
    })
}

/// The numbers of the body, one after the other. Every number takes a byte or more, so no count leads past the file.
struct Numbers<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
}

impl Numbers<'_> {
    fn next(&mut self, kind: Kind) -> Result<f64, String> {
        match self.encoding {
            Encoding::Text => {
                let word = self.word()?;
                word.parse().map_err(|_| format!("{} is no number", token(&word)))
            }
            _ => self.binary(kind),
        }
    }

    /// Passes over a number that nobody needs; in a text it may be any word, as programs write `-nan(ind)`.
    fn skip(&mut self, kind: Kind) -> Result<(), String> {
        match self.encoding {
            Encoding::Text => self.word().map(drop),
            _ => self.binary(kind).map(drop),
        }
    }

    fn word(&mut self) -> Result<Cow<'_, str>, String> {
        self.bytes = self.bytes.trim_ascii_start();
        let end = self.bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(self.bytes.len());
        let (word, rest) = self.bytes.split_at(end);
        self.bytes = rest;
        let word = String::from_utf8_lossy(word);
        if word.is_empty() {
            return Err("the file ends before it".into());
        }
        Ok(word)
    }

    fn binary(&mut self, kind: Kind) -> Result<f64, String> {
        let (Kind::Signed(size) | Kind::Unsigned(size) | Kind::Float(size)) = kind;
        let (own, rest) = self.bytes.split_at_checked(size).ok_or("the file ends before it")?;
        self.bytes = rest;
        let mut word = [0u8; 8];
        word[..size].copy_from_slice(own);
        if self.encoding == Encoding::Big {
            word[..size].reverse();
        }
        let bits = u64::from_le_bytes(word);
        let unused = 64 - 8 * size as u32;
        Ok(match kind {
            Kind::Unsigned(_) => bits as f64,
            Kind::Signed(_) => ((bits << unused) as i64 >> unused) as f64,
            Kind::Float(4) => f64::from(f32::from_bits(bits as u32)),
            Kind::Float(_) => f64::from_bits(bits),
        })
    }
}
