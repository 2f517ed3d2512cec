//! The narrow band of a mesh as voxels with their distances.

use mesh_distance::kernels::real::Real;
use mesh_distance::{Band, Grid, Progress, Sign, Surface};
use sparse_topology::{GridBatch, Transform};

use super::Error;

/// The cells of a dense grid within a distance of a surface.
#[derive(Debug, Clone)]
pub struct BandGrid<R = f32> {
    /// One grid: voxel (i, j, k) is the dense grid's cell, its centre the cell's.
    pub grid: GridBatch,
    /// Distance of each voxel's centre, in the order of rows: the words of [`Surface::grid_distance_cpu`].
    pub distance: Vec<R>,
}

impl<R: Real> BandGrid<R> {
    /// The voxels of a band of `grid`.
    ///
    /// # Errors
    /// As [`GridBatch::from_coordinates_cpu`].
    pub fn of(grid: &Grid, band: &Band<R>) -> Result<BandGrid<R>, Error> {
        let [nx, ny, _] = grid.counts;
        let place = |&cell: &u32| [cell % nx, cell / nx % ny, cell / nx / ny].map(|i| i as i32);
        let coordinates: Vec<[i32; 3]> = band.cells.iter().map(place).collect();
        let batch = GridBatch::from_coordinates_cpu(&[&coordinates], &[grid_transform(grid)])?;
        let distance = batch.values_by_row_cpu(0, &coordinates, &band.distance, R::from_f64(f64::NAN))?;
        Ok(BandGrid { grid: batch, distance })
    }
}

/// Where the cells of a dense grid lie as voxels.
pub fn grid_transform(grid: &Grid) -> Transform {
    Transform { voxel_size: grid.cell, origin: grid.centre([0; 3]) }
}

/// The cells of `grid` whose centre is at most `width` from the surface, as voxels, and their distances.
///
/// # Errors
/// As [`Surface::band_cpu`] and [`GridBatch::from_coordinates_cpu`].
///
/// Cost: that of the band, which grows with the band and hardly with the grid; 16 bytes a voxel of the band while it runs.
pub fn band_grid_cpu(
    surface: &Surface,
    grid: &Grid,
    width: f64,
    sign: Sign,
    progress: &Progress<'_>,
) -> Result<BandGrid, Error> {
    let band = surface.band_cpu(grid, width, sign, progress)?;
    BandGrid::of(grid, &band)
}

/// [`BandGrid`] on a device.
#[cfg(feature = "gpu")]
#[cfg_attr(docsrs, doc(cfg(feature = "gpu")))]
#[derive(Debug)]
pub struct DeviceBandGrid {
    /// One grid.
    pub grid: sparse_topology::device::DeviceGrid,
    /// The bits of each voxel's distance, in the order of rows.
    pub distance: gpu_runtime::DeviceVec<u32>,
}

#[cfg(feature = "gpu")]
impl DeviceBandGrid {
    /// Reads both back.
    ///
    /// # Errors
    /// [`Error::Topology`], [`Error::Device`].
    pub fn download(&self) -> Result<BandGrid, Error> {
        let distance = self.distance.download()?.into_iter().map(f32::from_bits).collect();
        Ok(BandGrid { grid: self.grid.download()?, distance })
    }
}

/// [`band_grid_cpu`] on a device: the lists of the band, the grid and the rows stay there.
///
/// `topology` must be of the surface's context.
///
/// # Errors
/// As [`mesh_distance::DeviceSurface::band_on`], [`sparse_topology::device::DeviceGrid::from_coordinates_on`] and
/// [`sparse_topology::device::DeviceGrid::values_by_row`].
#[cfg(feature = "gpu")]
#[cfg_attr(docsrs, doc(cfg(feature = "gpu")))]
pub fn band_grid(
    surface: &mesh_distance::DeviceSurface,
    topology: &sparse_topology::device::TopologyDevice,
    grid: &Grid,
    width: f64,
    sign: Sign,
    progress: &Progress<'_>,
) -> Result<DeviceBandGrid, Error> {
    let band = surface.band_on(grid, width, sign, progress)?;
    let voxels = sparse_topology::device::DeviceGrid::from_coordinates_on(
        topology,
        &band.coordinates,
        &[band.len() as u64],
        &[grid_transform(grid)],
    )?;
    let distance = voxels.values_by_row(0, &band.coordinates, &band.distance, f32::NAN.to_bits())?;
    Ok(DeviceBandGrid { grid: voxels, distance })
}
