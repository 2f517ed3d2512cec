//! A compressed mesh decoded whole, for what goes on with it.

use std::path::Path;

use mesh_decode::{File, Format, Outputs, open};
use mesh_distance::Mesh;

use super::{damage_failure, failed, require_room};
#[cfg(feature = "gpu")]
use crate::console::Phases;
use crate::device::Engine;
use crate::failure::Failure;

/// The mesh of a compressed file, decoded on `engine`; vertices at one place are one vertex.
pub(crate) fn whole_mesh(path: &Path, bytes: &[u8], engine: &Engine) -> Result<Mesh, Failure> {
    let file = with_positions(path, bytes)?;
    let decoded = match engine {
        Engine::Cpu => Ok(file.decode_cpu(Outputs::MESH)),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => super::on_device::OnDevice::new(context, &file, false)
            .and_then(|device| Ok(device.launch(None, Outputs::MESH)?.0)),
    };
    let decoded = decoded.map_err(|e| failed(path, &e))?;
    damage_failure(path, &decoded)?;
    require_triangles(path, decoded.triangles.len())?;
    merged(path, &decoded.positions, decoded.triangles)
}

/// The surface of a compressed file, decoded and built on a device. The mesh itself comes back only where it is `wanted`.
#[cfg(feature = "gpu")]
pub(crate) fn surface_on(
    path: &Path,
    context: &gpu_runtime::Context,
    wanted: bool,
    phases: &mut Phases,
) -> Result<(mesh_distance::DeviceSurface, Option<Mesh>), Failure> {
    let bytes = phases.time("read", || super::read_bytes(path))?;
    let file = with_positions(path, &bytes)?;
    let decoded = phases.time("decode", || {
        let device = mesh_decode::DeviceFile::upload(context, &file)?;
        let mesh = device.decode(&device.select_all()?, mesh_decode::VertexOutput::Positions)?;
        match mesh.check(device.units()) {
            Ok(()) => Ok((false, mesh)),
            Err(mesh_decode::Error::UnitStatus { .. }) => Ok((true, mesh)),
            Err(error) => Err(error),
        }
    });
    let (damaged, decoded) = decoded.map_err(|e| failed(path, &e))?;
    if damaged {
        // The reference says what is wrong with which unit.
        damage_failure(path, &file.decode_cpu(Outputs::MESH))?;
    }
    require_triangles(path, decoded.triangles.len())?;
    let of_device = |e: gpu_runtime::Error| Failure::from(e);
    let mesh = match wanted {
        true => Some(phases.time("read back", || {
            let positions = decoded.positions.download().map_err(of_device)?;
            merged(path, &positions, decoded.triangles.download().map_err(of_device)?)
        })?),
        false => None,
    };
    let built = phases.time("build", || mesh_distance::DeviceSurface::build(&decoded.positions, &decoded.triangles));
    Ok((built.map_err(|e| Failure::of_mesh(path, e))?, mesh))
}

/// The file, if it has positions and its mesh fits into memory.
fn with_positions(path: &Path, bytes: &[u8]) -> Result<File, Failure> {
    let file = open(bytes).map_err(|e| failed(path, &e))?;
    require_room(path, &file)?;
    if file.format() == Format::MeshoptMeshlets {
        let what = "a meshlet set holds connectivity alone, there are no positions (allowed: formats with positions)";
        return Err(Failure::file(path, what));
    }
    Ok(file)
}

fn require_triangles(path: &Path, count: usize) -> Result<(), Failure> {
    if count == 0 { Err(Failure::file(path, "no triangles (0, allowed: 1 or more)")) } else { Ok(()) }
}

/// The mesh with vertices at one place as one vertex.
fn merged(path: &Path, positions: &[[f32; 3]], triangles: Vec<[u32; 3]>) -> Result<Mesh, Failure> {
    let positions = positions.iter().map(|p| p.map(f64::from)).collect();
    let mut mesh = Mesh::new(positions, triangles).map_err(|e| Failure::of_mesh(path, e))?;
    mesh.merge_equal_positions();
    Ok(mesh)
}
