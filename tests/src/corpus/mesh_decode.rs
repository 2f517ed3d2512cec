//! The corpus of mesh-decode: `dgf`, `stride`, `md1`, `meshopt`, `hostile`.

use std::path::Path;

use gpu_runtime::Context;
use mesh_decode::corpus::{self, Decoder};
use mesh_decode::{Decoded, DeviceFile, DeviceMesh, File, Outputs, VertexOutput};

use super::{Difference, Tally};
use crate::error::Error;

/// Units on a device; streams and filters have no device form, the CPU reference decodes them.
struct Device<'a>(&'a Context);

impl Decoder for Device<'_> {
    /// The device's vertices, triangles and statuses in place of the CPU's. Statuses must be the same words: the faults behind them are the CPU's.
    fn units(&self, file: &File) -> Result<Decoded, String> {
        let mut decoded = file.decode_cpu(Outputs::ALL);
        let device = DeviceFile::upload(self.0, file).map_err(|error| error.to_string())?;
        let decode = |output: VertexOutput| {
            let mesh =
                device.select_all().and_then(|all| device.decode(&all, output)).map_err(|error| error.to_string())?;
            let statuses = mesh.statuses.download().map_err(|error| error.to_string())?;
            match statuses.iter().zip(&decoded.statuses).position(|(a, b)| a != b) {
                Some(unit) => {
                    Err(format!("status of unit {unit}: {}, the CPU's is {}", statuses[unit], decoded.statuses[unit]))
                }
                None => Ok(mesh),
            }
        };
        let (positions, grid) = (decode(VertexOutput::Positions)?, decode(VertexOutput::Grid)?);
        download(&positions, &grid, &mut decoded).map_err(|error| error.to_string())?;
        Ok(decoded)
    }
}

/// Replaces what the device has computed.
fn download(positions: &DeviceMesh, grid: &DeviceMesh, decoded: &mut Decoded) -> Result<(), gpu_runtime::Error> {
    decoded.positions = positions.positions.download()?;
    decoded.grid = grid.grid.download()?;
    decoded.vertex_references = positions.references.download()?;
    decoded.triangles = positions.triangles.download()?;
    Ok(())
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
