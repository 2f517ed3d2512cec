//! A compressed mesh decoded whole, for what goes on with it.

use std::path::Path;

use mesh_decode::{Format, Outputs, open};
use mesh_distance::Mesh;

use super::{damage_failure, failed, require_room};
use crate::device::Engine;
use crate::failure::Failure;

/// The mesh of a compressed file, decoded on `engine`; vertices at one place are one vertex.
pub(crate) fn whole_mesh(path: &Path, bytes: &[u8], engine: &Engine) -> Result<Mesh, Failure> {
    let file = open(bytes).map_err(|e| failed(path, &e))?;
    require_room(path, &file)?;
    if file.format() == Format::MeshoptMeshlets {
        let what = "a meshlet set holds connectivity alone, there are no positions (allowed: formats with positions)";
        return Err(Failure::file(path, what));
    }
    let decoded = match engine {
        Engine::Cpu => Ok(file.decode_cpu(Outputs::MESH)),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => super::on_device::OnDevice::new(context, &file, false)
            .and_then(|device| Ok(device.launch(None, Outputs::MESH)?.0)),
    };
    let decoded = decoded.map_err(|e| failed(path, &e))?;
    damage_failure(path, &decoded)?;
    if decoded.triangles.is_empty() {
        return Err(Failure::file(path, "no triangles (0, allowed: 1 or more)"));
    }
    let positions = decoded.positions.iter().map(|p| p.map(f64::from)).collect();
    let mut mesh = Mesh::new(positions, decoded.triangles).map_err(|e| Failure::of_mesh(path, e))?;
    mesh.merge_equal_positions();
    Ok(mesh)
}
