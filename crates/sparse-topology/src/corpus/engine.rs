//! What runs the cases of a folder.

use super::Operation;
use crate::{AxisOrder, Error, GridBatch, Pair};

/// What runs the cases of a folder: batches, rows, neighbour pairs and codes. A function from operation and batch to batch is one, with the CPU references for the rest.
pub trait Engine {
    /// The batch of an operation.
    ///
    /// # Errors
    /// Those of the operation.
    fn apply(&self, operation: &Operation, input: &GridBatch) -> Result<GridBatch, Error>;

    /// Whether its batches are compared with the CPU references', word for word, transforms included: for all engines but the references.
    fn twin(&self) -> bool {
        false
    }

    /// [`GridBatch::coordinates_to_index_cpu`].
    ///
    /// # Errors
    /// Those of the operation.
    fn rows(&self, input: &GridBatch, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        input.coordinates_to_index_cpu(item, queries)
    }

    /// The neighbour pairs of a convolution, a transposed one or of pooling; none of another operation.
    ///
    /// # Errors
    /// Those of the operation.
    fn pairs(&self, operation: &Operation, input: &GridBatch, output: &GridBatch) -> Result<Vec<Pair>, Error> {
        match operation {
            Operation::Coarsen(factor) => input.pool_pairs_cpu(output, *factor),
            Operation::Conv(kernel, stride) => input.conv_pairs_cpu(output, *kernel, *stride),
            Operation::ConvTranspose(kernel, stride) => input.conv_transpose_pairs_cpu(output, *kernel, *stride),
            _ => Ok(Vec::new()),
        }
    }

    /// The codes of an item's voxels along a curve.
    ///
    /// # Errors
    /// Those of the operation.
    fn codes(
        &self,
        input: &GridBatch,
        item: usize,
        offset: [i32; 3],
        hilbert: bool,
        order: AxisOrder,
    ) -> Result<Vec<u64>, Error> {
        match hilbert {
            true => input.hilbert_codes_cpu(item, offset, order),
            false => input.morton_codes_cpu(item, offset, order),
        }
    }
}

impl<F: Fn(&Operation, &GridBatch) -> Result<GridBatch, Error>> Engine for F {
    fn apply(&self, operation: &Operation, input: &GridBatch) -> Result<GridBatch, Error> {
        self(operation, input)
    }
}

#[cfg(feature = "gpu")]
impl Engine for crate::device::TopologyDevice {
    fn apply(&self, operation: &Operation, input: &GridBatch) -> Result<GridBatch, Error> {
        operation.apply_device(self, input)
    }

    fn twin(&self) -> bool {
        true
    }

    fn rows(&self, input: &GridBatch, item: usize, queries: &[[i32; 3]]) -> Result<Vec<i64>, Error> {
        crate::device::DeviceGrid::upload(self, input)?.coordinates_to_index(item, queries)
    }

    fn pairs(&self, operation: &Operation, input: &GridBatch, output: &GridBatch) -> Result<Vec<Pair>, Error> {
        use crate::device::DeviceGrid;
        let (from, to) = (DeviceGrid::upload(self, input)?, DeviceGrid::upload(self, output)?);
        match operation {
            Operation::Coarsen(factor) => from.pool_pairs(&to, *factor)?.download(),
            Operation::Conv(kernel, stride) => from.conv_pairs(&to, *kernel, *stride)?.download(),
            Operation::ConvTranspose(kernel, stride) => from.conv_transpose_pairs(&to, *kernel, *stride)?.download(),
            _ => Ok(Vec::new()),
        }
    }

    fn codes(
        &self,
        input: &GridBatch,
        item: usize,
        offset: [i32; 3],
        hilbert: bool,
        order: AxisOrder,
    ) -> Result<Vec<u64>, Error> {
        let grid = crate::device::DeviceGrid::upload(self, input)?;
        match hilbert {
            true => grid.hilbert_codes(item, offset, order),
            false => grid.morton_codes(item, offset, order),
        }
    }
}
