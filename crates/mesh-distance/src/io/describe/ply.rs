//! PLY: the elements of its header.

use input_text::{sentence, token};

use super::super::ply::{Encoding, Kind, header};
use super::super::{Malformed, without_mark};
use super::{FileParts, add};

pub(super) fn parts(bytes: &[u8]) -> Result<FileParts, Malformed> {
    let text = without_mark(bytes);
    let (encoding, elements, body) = header(text).map_err(Malformed::whole)?;
    let form = match encoding {
        Encoding::Text => "text",
        Encoding::Little => "binary, little-endian",
        Encoding::Big => "binary, big-endian",
    };
    let mut parts = FileParts { header: vec![("form".into(), form.into())], ..FileParts::default() };
    let head = String::from_utf8_lossy(&text[..body]);
    for line in head.lines().map(str::trim) {
        for name in ["comment", "obj_info"] {
            if let Some(rest) = line.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
                parts.header.push((name.to_owned(), sentence(rest.trim())));
            }
        }
    }
    let all = (text.len() - body) as u64;
    let mut left = all;
    add(&mut parts.sections, "header", (bytes.len() - text.len() + body) as u64);
    for element in &elements {
        let name = token(&element.name);
        let properties: Vec<String> = element.properties.iter().map(|p| token(&p.name)).collect();
        parts.header.push((format!("element {name}"), sentence(&properties.join(" "))));
        parts.counts.push((name.clone(), element.count));
        // Lists have lengths of their own; so has everything in a text.
        let sizes = element.properties.iter().map(|p| match (p.count, p.kind) {
            (None, Kind::Signed(size) | Kind::Unsigned(size) | Kind::Float(size)) => Some(size as u64),
            (Some(_), _) => None,
        });
        let row = sizes.sum::<Option<u64>>().filter(|_| encoding != Encoding::Text);
        let Some(size) = row.and_then(|row| row.checked_mul(element.count)).filter(|size| *size <= left) else {
            continue;
        };
        left -= size;
        add(&mut parts.sections, &name, size);
    }
    add(&mut parts.sections, if left == all { "body" } else { "the rest of the body" }, left);
    Ok(parts)
}
