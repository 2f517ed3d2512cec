//! Good files and what they decode to.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Decoder, Report, failed, files_in, manifest, read};
use crate::decoded::Decoded;
use crate::error::Error;
use crate::file::open;
use crate::format::Format;
use crate::meshopt::Filter;

/// Decodes a file of units, checks it and takes its hash; `None` when that failed, which is a difference.
fn decode(name: &str, bytes: &[u8], decoder: &dyn Decoder, report: &mut Report) -> Option<Decoded> {
    report.vectors += 1;
    let file = open(bytes).map_err(|error| error.to_string());
    let decoded = file.and_then(|file| decoder.units(&file));
    let checked = decoded.and_then(|decoded| decoded.check().map(|()| decoded).map_err(|error| error.to_string()));
    match checked {
        Ok(decoded) => {
            let mut arrays: Vec<Vec<u8>> = decoded.arrays().into_iter().map(|(_, bytes)| bytes).collect();
            arrays.push(decoded.unit_records());
            let words = decoded.primitive_ids.iter().chain(&decoded.user_words);
            arrays.push(words.flat_map(|word| word.to_le_bytes()).collect());
            report.hashes.push((name.to_owned(), hash(&arrays)));
            Some(decoded)
        }
        Err(error) => {
            report.differ(name, error);
            None
        }
    }
}

/// SHA-256 over the arrays, each with its length before it.
fn hash(arrays: &[Vec<u8>]) -> String {
    let mut sha = Sha256::new();
    for bytes in arrays {
        sha.update((bytes.len() as u64).to_le_bytes());
        sha.update(bytes);
    }
    sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares the arrays with the files `STEM + ending` that exist.
fn compare(name: &str, stem: &Path, decoded: &Decoded, report: &mut Report) -> Result<(), Error> {
    let before = report.arrays;
    for (ending, bytes) in decoded.arrays() {
        let mut path = stem.as_os_str().to_owned();
        path.push(ending);
        if Path::new(&path).is_file() {
            report.compare(name, &bytes, Path::new(&path))?;
        }
    }
    // The positions of STRIDE are ours in the order of operations of this file.
    let mut path = stem.as_os_str().to_owned();
    path.push(".muladd.verts.f32");
    if Path::new(&path).is_file() {
        let positions: Vec<u8> = decoded.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        report.compare(name, &positions, Path::new(&path))?;
    }
    if report.arrays == before {
        report.differ(name, "no array to compare with");
    }
    Ok(())
}

/// All files of one part with these endings.
pub(super) fn files(
    dir: &Path,
    part: &str,
    endings: &[&str],
    decoder: &dyn Decoder,
    report: &mut Report,
) -> Result<(), Error> {
    for path in files_in(&dir.join(part), endings)? {
        let name = format!("{part}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let bytes = read(&path)?;
        if let Some(decoded) = decode(&name, &bytes, decoder, report) {
            compare(&name, &path.with_extension(""), &decoded, report)?;
            if decoded.format == Format::StrideContainer {
                container(&name, &bytes, &path.with_extension("dprb"), report)?;
            }
        }
    }
    Ok(())
}

/// A container becomes the blob beside it, byte for byte.
fn container(name: &str, bytes: &[u8], blob: &Path, report: &mut Report) -> Result<(), Error> {
    if !blob.is_file() {
        return Ok(());
    }
    match open(bytes)?.stride_blob() {
        Some(Ok(found)) => report.compare(name, &found, blob),
        Some(Err(error)) => {
            report.differ(name, error.to_string());
            Ok(())
        }
        None => Ok(()),
    }
}

/// The list of meshoptimizer's vectors.
pub(super) fn meshopt(dir: &Path, decoder: &dyn Decoder, report: &mut Report) -> Result<(), Error> {
    let folder = dir.join("meshopt");
    let path = folder.join("manifest.json");
    for entry in manifest(&path)? {
        let Some(kind) = entry["kind"].as_str() else { continue };
        one(&Case { folder: &folder, path: &path, entry: &entry }, kind, decoder, report)?;
    }
    Ok(())
}

/// An entry of the list.
struct Case<'a> {
    folder: &'a Path,
    path: &'a Path,
    entry: &'a Value,
}

impl Case<'_> {
    fn text(&self, key: &str) -> Result<&str, Error> {
        self.entry[key].as_str().ok_or_else(|| failed(self.path, format!("an entry without {key}: {}", self.entry)))
    }

    fn number(&self, key: &str) -> Result<usize, Error> {
        let number = self.entry[key].as_u64().and_then(|n| usize::try_from(n).ok());
        number.ok_or_else(|| failed(self.path, format!("an entry without {key}: {}", self.entry)))
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn one(case: &Case<'_>, kind: &str, decoder: &dyn Decoder, report: &mut Report) -> Result<(), Error> {
    let file = case.text("file")?;
    let name = format!("meshopt/{file}");
    let input = read(&case.folder.join(file))?;
    let filters = [
        ("filter-oct", Filter::Octahedral),
        ("filter-quat", Filter::Quaternion),
        ("filter-exp", Filter::Exponential),
        ("filter-color", Filter::Colour),
    ];
    if let Some((_, filter)) = filters.into_iter().find(|(name, _)| *name == kind) {
        return filtered(case, &name, input, filter, decoder, report);
    }
    let stream = match kind {
        "vertex" => decoder.vertices(&input, case.number("count")?, case.number("stride")?),
        "index" => decoder.indices(&input, case.number("count")?, None).map(|words| bytes_of(&words)),
        "sequence" => decoder.sequence(&input, case.number("count")?).map(|words| bytes_of(&words)),
        "meshlets" => {
            if let Some(decoded) = decode(&name, &input, decoder, report) {
                let vertices = case.folder.join(case.text("expect_vertices")?);
                report.compare(&name, &bytes_of(&decoded.vertex_references), &vertices)?;
                let triangles = case.folder.join(case.text("expect_triangles")?);
                report.compare(&name, &bytes_of(&decoded.local_triangles()), &triangles)?;
            }
            return Ok(());
        }
        "cluster" => {
            if let Some(decoded) = decode(&name, &input, decoder, report) {
                compare(&name, &case.folder.join(file), &decoded, report)?;
            }
            return Ok(());
        }
        _ => return Err(failed(case.path, format!("{file}: unknown kind {kind}"))),
    };
    report.vectors += 1;
    match stream {
        Ok(found) => {
            report.compare(&name, &found, &case.folder.join(case.text("expect")?))?;
            report.hashes.push((name, hash(&[found])));
        }
        Err(error) => report.differ(&name, error),
    }
    Ok(())
}

/// Components of 1, 2 or 4 bytes; all but the exponential filter may differ by 1 from the reference, whose own paths do.
fn filtered(
    case: &Case<'_>,
    name: &str,
    mut bytes: Vec<u8>,
    filter: Filter,
    decoder: &dyn Decoder,
    report: &mut Report,
) -> Result<(), Error> {
    report.vectors += 1;
    report.arrays += 1;
    let stride = case.number("stride")?;
    if let Err(error) = decoder.filter(filter, &mut bytes, stride) {
        report.differ(name, error);
        return Ok(());
    }
    let expected = read(&case.folder.join(case.text("expect")?))?;
    let unsigned = filter == Filter::Colour;
    let component = |bytes: &[u8]| match *bytes {
        [a] if unsigned => i64::from(a),
        [a] => i64::from(a as i8),
        [a, b] if unsigned => i64::from(u16::from_le_bytes([a, b])),
        [a, b] => i64::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i64::from(u32::from_le_bytes([a, b, c, d])),
        _ => 0,
    };
    let (size, tolerance) = if filter == Filter::Exponential { (4, 0) } else { ((stride / 4).max(1), 1) };
    let pairs = bytes.chunks(size).zip(expected.chunks(size)).map(|(a, b)| (component(a), component(b)));
    let differs = pairs.enumerate().find(|(_, (a, b))| a.abs_diff(*b) > tolerance);
    if bytes.len() != expected.len() {
        report.differ(name, format!("{} bytes, expected {}", bytes.len(), expected.len()));
    } else if let Some((index, (found, expected))) = differs {
        report.differ(name, format!("component {index} is {found}, expected {expected} within {tolerance}"));
    }
    report.hashes.push((name.to_owned(), hash(&[bytes])));
    Ok(())
}
