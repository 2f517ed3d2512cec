//! Compressed meshes as surfaces.

use mesh_decode::{File, Outputs};
use mesh_distance::{Mesh, Surface};

use super::Error;

/// The surface of a compressed mesh: all units decoded, vertices of equal position one.
///
/// # Errors
/// [`Error::Decode`] for a damaged unit, [`Error::Distance`] as [`Surface::build`].
pub fn decoded_surface_cpu(file: &File) -> Result<Surface, Error> {
    let decoded = file.decode_cpu(Outputs::MESH);
    decoded.check()?;
    let positions = decoded.positions.iter().map(|p| p.map(f64::from)).collect();
    Ok(Surface::build(&Mesh::new(positions, decoded.triangles)?)?)
}

/// [`decoded_surface_cpu`] on a device: vertices and triangles go from the decoder to the surface's build without coming back, and the surface
/// answers with the same words.
///
/// A status word a unit comes back, and what [`mesh_distance::DeviceSurface::build`] reads back.
///
/// # Errors
/// As [`decoded_surface_cpu`], and [`Error::Device`].
#[cfg(feature = "gpu")]
#[cfg_attr(docsrs, doc(cfg(feature = "gpu")))]
pub fn decoded_surface(file: &mesh_decode::DeviceFile) -> Result<mesh_distance::DeviceSurface, Error> {
    let mesh = file.decode(&file.select_all()?, mesh_decode::VertexOutput::Positions)?;
    mesh.check(file.units())?;
    Ok(mesh_distance::DeviceSurface::build(&mesh.positions, &mesh.triangles)?)
}
