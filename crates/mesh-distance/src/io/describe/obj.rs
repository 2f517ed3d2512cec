//! Wavefront OBJ: its statements by kind.

use input_text::{sentence, token};

use super::super::{Malformed, text_of};
use super::{FileParts, add};

/// Statements by their first word, and what they are; all others are counted together.
const STATEMENTS: [(&str, &str); 13] = [
    ("v", "vertices"),
    ("vt", "texture coordinates"),
    ("vn", "normals"),
    ("vp", "parameters"),
    ("f", "faces"),
    ("l", "lines"),
    ("p", "points"),
    ("o", "objects"),
    ("g", "groups"),
    ("s", "smoothing groups"),
    ("usemtl", "uses of a material"),
    ("mtllib", "material files"),
    ("#", "remarks"),
];

pub(super) fn parts(bytes: &[u8]) -> Result<FileParts, Malformed> {
    let text = text_of(bytes)?;
    let mut parts = FileParts::default();
    let mut corners = [0u64; 3];
    let mut known = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let word = trimmed.split_whitespace().next().unwrap_or_default();
        let word = if word.starts_with('#') { "#" } else { word };
        let found = STATEMENTS.iter().find(|(name, _)| *name == word).map(|(_, what)| *what);
        known += u64::from(found.is_some());
        let what = found.unwrap_or(if word.is_empty() { "empty lines" } else { "other statements" });
        add(&mut parts.counts, what, 1);
        add(&mut parts.sections, what, line.len() as u64);
        let rest = trimmed.get(word.len()..).unwrap_or_default().trim();
        match word {
            "#" if parts.header.is_empty() => parts.header.push(("first remark".into(), sentence(rest))),
            "mtllib" => parts.header.push(("material file".into(), token(rest))),
            "f" => corners[rest.split_whitespace().count().clamp(3, 5) - 3] += 1,
            _ => {}
        }
    }
    if known == 0 {
        let lines = text.lines().count();
        return Err(Malformed::whole(format!("0 statements of OBJ in {lines} lines")));
    }
    // Before the text was decoded: a mark, bytes of other codes.
    let read: u64 = parts.sections.iter().map(|(_, bytes)| *bytes).sum();
    add(&mut parts.sections, "marks", (bytes.len() as u64).saturating_sub(read));
    for (name, count) in ["faces of 3 corners", "faces of 4 corners", "faces of more corners"].into_iter().zip(corners)
    {
        add(&mut parts.counts, name, count);
    }
    Ok(parts)
}
