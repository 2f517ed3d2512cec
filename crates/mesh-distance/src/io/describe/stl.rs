//! STL: the header and its triangles, or the solids of a text.

use input_text::sentence;

use super::super::stl_text::{Keyword, statements};
use super::super::{Malformed, stl, text_of};
use super::FileParts;

pub(super) fn parts(bytes: &[u8]) -> Result<FileParts, Malformed> {
    match stl::kind(bytes)? {
        stl::Kind::Binary => Ok(binary(bytes)),
        stl::Kind::Text => text(bytes),
    }
}

fn binary(bytes: &[u8]) -> FileParts {
    let words = String::from_utf8_lossy(&bytes[..80]);
    let words = words.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let records = bytes[84..].chunks_exact(50);
    // The two bytes behind a triangle are 0, or a colour.
    let coloured = records.clone().filter(|record| record[48..] != [0, 0]).count();
    let mut header = vec![("form".into(), "binary".into())];
    header.extend((!words.is_empty()).then(|| ("text".into(), sentence(words))));
    FileParts {
        header,
        sections: vec![("header".into(), 80), ("count".into(), 4), ("triangles".into(), bytes.len() as u64 - 84)],
        counts: vec![
            ("triangles".into(), records.len() as u64),
            ("triangles with attribute bytes".into(), coloured as u64),
        ],
        ..FileParts::default()
    }
}

fn text(bytes: &[u8]) -> Result<FileParts, Malformed> {
    let text = text_of(bytes)?;
    let mut parts = FileParts { header: vec![("form".into(), "text".into())], ..FileParts::default() };
    let (mut solids, mut facets) = (0, 0);
    let mut name = None;
    statements(&text, |_, keyword, _, values| {
        solids += u64::from(keyword == Keyword::EndSolid);
        facets += u64::from(keyword == Keyword::Facet);
        if keyword == Keyword::Solid && name.is_none() {
            name = Some(sentence(&values.join(" ")));
        }
        Ok(())
    })?;
    parts.header.push(("solid".into(), name.unwrap_or_default()));
    parts.counts = vec![("solids".into(), solids), ("triangles".into(), facets)];
    parts.sections = vec![("text".into(), bytes.len() as u64)];
    Ok(parts)
}
