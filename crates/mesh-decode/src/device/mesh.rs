//! What a decode leaves on the device.

use gpu_runtime::{Binding, Context, DeviceVec};

use crate::error::Error;
use crate::format::Format;
use crate::units::UnitRange;

use super::program::{COLUMNS, ScratchWords};
use super::selection::Selection;

/// What a decode writes for each vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexOutput {
    /// f32 positions; meshlet sets: the vertex of the mesh behind each vertex.
    #[default]
    Positions,
    /// Integer grid positions or codes, as in [`crate::Decoded::grid`].
    Grid,
}

/// Decoded units in device buffers, which other crates take as they are.
#[derive(Debug)]
pub struct DeviceMesh {
    /// x, y, z a vertex. Empty for meshlet sets and for [`VertexOutput::Grid`].
    pub positions: DeviceVec<[f32; 3]>,
    /// x, y, z a vertex in grid steps. Empty for [`VertexOutput::Positions`].
    pub grid: DeviceVec<[i32; 3]>,
    /// Meshlet sets: the vertex of the mesh behind each vertex. Empty for other formats.
    pub references: DeviceVec<u32>,
    /// Three vertices a triangle.
    pub triangles: DeviceVec<[u32; 3]>,
    /// A status word a unit: 0, or a [`crate::Status`]; the ranges of a unit that is not good are zeros.
    pub statuses: DeviceVec<u32>,
    pub(super) output: VertexOutput,
    /// What the dispatches of a decode share.
    pub(super) strips: DeviceVec<u32>,
    pub(super) contexts: DeviceVec<u32>,
    pub(super) residuals: DeviceVec<u32>,
    pub(super) codes: DeviceVec<u32>,
}

/// Jobs, and what fills the last columns of codes.
fn columns(selection: &Selection) -> usize {
    selection.jobs.len().next_multiple_of(COLUMNS as usize)
}

impl DeviceMesh {
    /// Buffers for the outputs of a selection.
    pub(super) fn new(
        context: &Context,
        format: Format,
        selection: &Selection,
        output: VertexOutput,
        words: ScratchWords,
    ) -> Result<DeviceMesh, Error> {
        let sets = format == Format::MeshoptMeshlets;
        let (vertices, triangles) = (selection.vertices as usize, selection.triangles as usize);
        let count = |wanted: bool| if wanted { vertices } else { 0 };
        let positions = output == VertexOutput::Positions;
        Ok(DeviceMesh {
            positions: context.zeroed("positions", count(positions && !sets))?,
            grid: context.zeroed("grid", count(!positions && !sets))?,
            references: context.zeroed("references", count(sets))?,
            triangles: context.zeroed("triangles", triangles)?,
            statuses: context.zeroed("statuses", selection.jobs.len())?,
            output,
            strips: context.zeroed("strips", words.strips * selection.jobs.len())?,
            contexts: context.zeroed("contexts", words.contexts * selection.jobs.len())?,
            residuals: context.zeroed("residuals", words.residuals * selection.jobs.len())?,
            codes: context.zeroed("codes", words.codes * columns(selection))?,
        })
    }

    /// Fails unless the buffers hold the outputs of a selection.
    pub(super) fn check_room(&self, format: Format, selection: &Selection, words: ScratchWords) -> Result<(), Error> {
        let vertices = match self.output {
            _ if format == Format::MeshoptMeshlets => self.references.len(),
            VertexOutput::Positions => self.positions.len(),
            VertexOutput::Grid => self.grid.len(),
        };
        let rooms = [
            ("vertices", selection.vertices as usize, vertices),
            ("triangles", selection.triangles as usize, self.triangles.len()),
            ("status words", selection.jobs.len(), self.statuses.len()),
            ("scratch words", words.strips * selection.jobs.len(), self.strips.len()),
            ("scratch words", words.contexts * selection.jobs.len(), self.contexts.len()),
            ("scratch words", words.residuals * selection.jobs.len(), self.residuals.len()),
            ("scratch words", words.codes * columns(selection), self.codes.len()),
        ];
        match rooms.into_iter().find(|(_, needed, given)| needed > given) {
            None => Ok(()),
            Some((what, needed, given)) => {
                let what = format!("decode into buffers: {what}");
                Err(gpu_runtime::Error::Length { what, needed, given }.into())
            }
        }
    }

    /// The buffer that a kernel writes vertices to.
    pub(super) fn vertices(&self, format: Format) -> Binding<'_> {
        match self.output {
            _ if format == Format::MeshoptMeshlets => self.references.bind(),
            VertexOutput::Positions => self.positions.bind(),
            VertexOutput::Grid => self.grid.bind(),
        }
    }

    /// Reads the status words back and fails with the first unit that is not good; one small read-back.
    ///
    /// # Errors
    /// [`Error::UnitStatus`] and device errors.
    pub fn check(&self, units: &[UnitRange]) -> Result<(), Error> {
        let statuses = self.statuses.download()?;
        match statuses.iter().zip(units).find(|(word, _)| **word != 0) {
            Some((word, range)) => Err(Error::UnitStatus { unit: range.unit, status: *word }),
            None => Ok(()),
        }
    }
}
