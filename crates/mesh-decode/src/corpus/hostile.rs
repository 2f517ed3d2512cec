//! Hostile files: a clean error, and nothing else.

use std::path::Path;

use super::{Decoder, Report, failed, manifest, read};
use crate::error::Error;
use crate::file::open;

/// What the streams of the set were made with: they do not carry their counts.
const VERTICES: (usize, usize) = (4225, 20);
const INDICES: (usize, u32) = (24576, 4225);

pub(super) fn run(dir: &Path, decoder: &dyn Decoder, report: &mut Report) -> Result<(), Error> {
    let folder = dir.join("hostile");
    let path = folder.join("manifest.json");
    for entry in manifest(&path)? {
        let name = entry["file"].as_str().ok_or_else(|| failed(&path, "an entry without a file"))?;
        let bytes = read(&folder.join(name))?;
        let case = format!("hostile/{name}");
        report.hostile += 1;
        if name == "meshopt_issue1035.mvb" {
            // The library's two paths disagree on it; there is one verdict here, that of its scalar path.
            if decoder.vertices(&bytes, 16, 4).as_deref() != Ok(&[0; 64][..]) {
                report.differ(&case, "not the zeros of the scalar decoder");
            }
            continue;
        }
        match refusal(decoder, name, &bytes) {
            Some(message) if message.bytes().any(|c| c.is_ascii_digit()) => {}
            Some(message) => report.differ(&case, format!("no number in the message ({message})")),
            None => report.differ(&case, format!("was decoded; expected an error: {}", entry["why"])),
        }
    }
    Ok(())
}

/// The error of a file, or of its first damaged unit; `None` when it decodes.
fn refusal(decoder: &dyn Decoder, name: &str, bytes: &[u8]) -> Option<String> {
    if name.ends_with(".mvb") {
        return decoder.vertices(bytes, VERTICES.0, VERTICES.1).err();
    }
    if name.ends_with(".mib") {
        return decoder.indices(bytes, INDICES.0, Some(INDICES.1)).err();
    }
    let file = match open(bytes) {
        Ok(file) => file,
        Err(error) => return Some(error.to_string()),
    };
    match decoder.units(&file) {
        Ok(decoded) => decoded.check().err().map(|error| error.to_string()),
        Err(error) => Some(error),
    }
}
