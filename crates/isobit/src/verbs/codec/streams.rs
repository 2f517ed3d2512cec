//! meshoptimizer's streams and filters, which carry no counts: `decode --format .. --count .. --stride ..`.

use std::path::Path;

use mesh_decode::Format;
use mesh_decode::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};
use serde_json::{Value, json};

use super::{failed, read_bytes, with_ending, write_bytes};
use crate::cli::DecodeArgs;
use crate::failure::Failure;

/// Names of the filters for `--format`.
pub(super) const FILTERS: [(&str, Filter); 4] = [
    ("filter-octahedral", Filter::Octahedral),
    ("filter-quaternion", Filter::Quaternion),
    ("filter-exponential", Filter::Exponential),
    ("filter-colour", Filter::Colour),
];

/// What a stream or a filter gave.
pub(super) struct Stream {
    ending: &'static str,
    bytes: Vec<u8>,
    /// Fields of the answer.
    pub(super) fields: Value,
    /// Line of the summary.
    pub(super) summary: String,
}

impl Stream {
    /// Writes the array behind the prefix and returns its name.
    pub(super) fn dump(&self, prefix: &Path) -> Result<String, Failure> {
        write_bytes(&with_ending(prefix, self.ending), &self.bytes)
    }
}

/// Decodes the file as a stream or filter; `None` when it is a file of units.
pub(super) fn decode(args: &DecodeArgs, bytes: &[u8]) -> Result<Option<Stream>, Failure> {
    let path = &args.file;
    let asked = args.format.as_deref();
    if let Some((name, filter)) = FILTERS.into_iter().find(|(name, _)| asked == Some(*name)) {
        let stride = needed(args.stride, path, name, "--stride")?;
        let mut out = bytes.to_vec();
        apply_filter(filter, &mut out, stride).map_err(|e| failed(path, &e))?;
        let count = out.len() / stride.max(1);
        let fields = json!({"format": name, "count": count, "stride": stride});
        let summary = format!("{}: {name}, {count} values of {stride} bytes", path.display());
        return Ok(Some(Stream { ending: ".out", bytes: out, fields, summary }));
    }
    let Some(format) = Format::detect(bytes) else { return Ok(None) };
    let words = |values: Vec<u32>| -> Vec<u8> { values.into_iter().flat_map(u32::to_le_bytes).collect() };
    let name = format.name();
    let count = || {
        let count = needed(args.count, path, name, "--count")?;
        // The largest array that the count can ask for; the decoders check it against the stream before they allocate.
        crate::memory::require(&path.display().to_string(), (count as u64).checked_mul(4))?;
        Ok::<usize, Failure>(count)
    };
    let (ending, bytes, stride) = match format {
        Format::MeshoptVertices => {
            let (count, stride) = (count()?, needed(args.stride, path, name, "--stride")?);
            (".raw", decode_vertices(bytes, count, stride).map_err(|e| failed(path, &e))?, stride)
        }
        Format::MeshoptIndices => {
            (".idx.u32", words(decode_indices(bytes, count()?, None).map_err(|e| failed(path, &e))?), 4)
        }
        Format::MeshoptSequence => {
            (".seq.u32", words(decode_sequence(bytes, count()?, None).map_err(|e| failed(path, &e))?), 4)
        }
        _ => return Ok(None),
    };
    let count = bytes.len() / stride;
    let fields = json!({"format": name, "count": count, "stride": stride});
    let summary = format!("{}: {name}, {count} values of {stride} bytes", path.display());
    Ok(Some(Stream { ending, bytes, fields, summary }))
}

fn needed(value: Option<usize>, path: &Path, format: &str, option: &str) -> Result<usize, Failure> {
    value
        .ok_or_else(|| Failure::Usage(format!("{}: {format} does not carry its counts: give {option}", path.display())))
}

/// Reads the file of `decode`.
pub(super) fn read(args: &DecodeArgs) -> Result<Vec<u8>, Failure> {
    read_bytes(&args.file)
}
