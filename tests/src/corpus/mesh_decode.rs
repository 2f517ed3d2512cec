//! The corpus of mesh-decode: `dgf`, `stride`, `md1`, `meshopt`, `hostile`.

use std::path::Path;

use gpu_runtime::Context;
use mesh_decode::corpus::{self, Decoder};
use mesh_decode::meshopt::Filter;
use mesh_decode::{Decoded, DeviceFile, File, Outputs, Stream, VertexOutput, decode_streams, record_filter};

use super::{Difference, Tally};
use crate::error::Error;

/// Everything on a device; the faults behind status words, which have to be the same, are the CPU reference's.
struct Device<'a>(&'a Context);

impl Decoder for Device<'_> {
    /// The device's arrays in place of the CPU's.
    fn units(&self, file: &File) -> Result<Decoded, String> {
        units(self.0, file).map_err(|error| error.to_string())?
    }

    fn vertices(&self, bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
        let words = stream(self.0, Stream::Vertices { bytes, count, stride })?;
        Ok(words.into_iter().flat_map(u32::to_le_bytes).take(count * stride).collect())
    }

    fn indices(&self, bytes: &[u8], count: usize, vertices: Option<u32>) -> Result<Vec<u32>, String> {
        stream(self.0, Stream::Indices { bytes, count, vertices })
    }

    fn sequence(&self, bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
        stream(self.0, Stream::Sequence { bytes, count, vertices: None })
    }

    fn filter(&self, filter: Filter, bytes: &mut [u8], stride: usize) -> Result<(), String> {
        filtered(self.0, filter, bytes, stride).map_err(|error| error.to_string())
    }
}

fn stream(context: &Context, stream: Stream<'_>) -> Result<Vec<u32>, String> {
    let decoded = decode_streams(context, &[stream]).map_err(|error| error.to_string())?;
    decoded.words.download().map_err(|error| error.to_string())
}

fn filtered(context: &Context, filter: Filter, bytes: &mut [u8], stride: usize) -> Result<(), mesh_decode::Error> {
    let words: Vec<u32> =
        bytes.chunks(4).map(|c| c.iter().rev().fold(0, |word, b| word << 8 | u32::from(*b))).collect();
    let words = context.upload("vertices", &words)?;
    let mut recording = context.record("filter");
    record_filter(&mut recording, filter, &words, stride)?;
    let back = recording.download(&words);
    let words = recording.submit()?.take(back)?;
    bytes.iter_mut().zip(words.into_iter().flat_map(u32::to_le_bytes)).for_each(|(byte, found)| *byte = found);
    Ok(())
}

/// The outer error is the device's, the inner one says which status differs.
fn units(context: &Context, file: &File) -> Result<Result<Decoded, String>, mesh_decode::Error> {
    let expected = file.decode_cpu(Outputs::ALL);
    let device = DeviceFile::upload(context, file)?;
    let all = device.select_all()?;
    let (mesh, grid) = (device.decode(&all, VertexOutput::Positions)?, device.decode(&all, VertexOutput::Grid)?);
    let attributes = device.attributes(&all, &mesh)?;
    for statuses in [mesh.statuses.download()?, grid.statuses.download()?] {
        if let Some(unit) = statuses.iter().zip(&expected.statuses).position(|(a, b)| a != b) {
            let (found, cpu) = (statuses[unit], expected.statuses[unit]);
            return Ok(Err(format!("status of unit {unit}: {found}, the CPU's is {cpu}")));
        }
    }
    Ok(Ok(Decoded {
        positions: mesh.positions.download()?,
        grid: grid.grid.download()?,
        vertex_references: mesh.references.download()?,
        triangles: mesh.triangles.download()?,
        geometry_ids: attributes.geometry_ids.download()?,
        opaque: attributes.opaque.download()?.into_iter().map(|flag| flag as u8).collect(),
        primitive_ids: attributes.primitive_ids.download()?,
        user_words: attributes.user_words.download()?,
        ..expected
    }))
}

/// Runs a folder.
pub(super) fn run(dir: &Path, context: Option<&Context>) -> Result<Tally, Error> {
    let report = match context {
        None => corpus::run(dir, &corpus::Cpu),
        Some(context) => corpus::run(dir, &Device(context)),
    };
    let report = report.map_err(|error| Error::Corpus(error.to_string()))?;
    let differences = report.differences.into_iter().map(|(case, what)| Difference { case, what }).collect();
    let compared = vec![(report.vectors, "files"), (report.arrays, "arrays"), (report.hostile, "hostile files")];
    Ok(Tally { compared, differences })
}
