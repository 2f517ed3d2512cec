//! What a grid goes through before it is written.

use sparse_topology::{GridBatch, Neighbours};

use super::Error;

/// Coarsening, then dilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Morphology {
    /// Factor along each axis; 1 leaves the axis as it is.
    pub coarsen: [u32; 3],
    /// Steps of dilation over the 26 neighbours; 0 leaves the grid as it is.
    pub dilate: u32,
}

impl Default for Morphology {
    fn default() -> Self {
        Self { coarsen: [1; 3], dilate: 0 }
    }
}

impl Morphology {
    /// Whether it leaves every grid as it is.
    pub fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// The grid coarsened, then dilated.
    ///
    /// # Errors
    /// As [`GridBatch::coarsen_cpu`] and [`GridBatch::dilate_cpu`].
    pub fn cpu(&self, grid: &GridBatch) -> Result<GridBatch, Error> {
        Ok(grid.coarsen_cpu(self.coarsen)?.dilate_cpu(Neighbours::Vertex, self.dilate)?)
    }

    /// The same on a device, as one chain with one read-back: that of its counts.
    ///
    /// # Errors
    /// As [`sparse_topology::device::Chain::finish`].
    #[cfg(feature = "gpu")]
    #[cfg_attr(docsrs, doc(cfg(feature = "gpu")))]
    pub fn device(
        &self,
        grid: &sparse_topology::device::DeviceGrid,
    ) -> Result<sparse_topology::device::DeviceGrid, Error> {
        let mut chain = grid.device().chain();
        let coarse = chain.coarsen(grid, self.coarsen)?;
        let dilated = chain.dilate(coarse, Neighbours::Vertex, self.dilate)?;
        let [grid] = chain.finish([dilated])?;
        Ok(grid)
    }
}
