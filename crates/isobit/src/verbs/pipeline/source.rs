//! What a band is made of: a mesh on the host, or the surface that a compressed one became on the device.

use mesh_distance::{Bounds, Mesh};

use super::args::BandArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{Sign, SignChoice};
use crate::verbs::{read_any_mesh, sign_for};

/// The surface's triangles.
pub(super) enum Source {
    /// A mesh on the host.
    Host(Mesh),
    /// A surface on the device, and the mesh read back where its report is asked for.
    #[cfg(feature = "gpu")]
    Device(Box<mesh_distance::DeviceSurface>, Option<Mesh>),
}

impl Source {
    /// Reads the file; a compressed one stays on the device where there is one.
    pub(super) fn read(
        args: &BandArgs,
        engine: &Engine,
        phases: &mut Phases,
        console: Console,
    ) -> Result<Source, Failure> {
        #[cfg(feature = "gpu")]
        if let (Engine::Gpu(context), false) = (engine, crate::verbs::is_mesh(&args.mesh)) {
            let wanted = args.sign == SignChoice::Auto;
            let (surface, mesh) = crate::verbs::codec::surface_on(&args.mesh, context, wanted, phases)?;
            return Ok(Source::Device(Box::new(surface), mesh));
        }
        Ok(Source::Host(read_any_mesh(&args.mesh, engine, phases, console)?))
    }

    /// The box of its triangles.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        match self {
            Source::Host(mesh) => mesh.bounds(),
            #[cfg(feature = "gpu")]
            Source::Device(surface, _) => surface.bounds(),
        }
    }

    /// Number of triangles.
    pub(super) fn triangles(&self) -> usize {
        match self {
            Source::Host(mesh) => mesh.triangles.len(),
            #[cfg(feature = "gpu")]
            Source::Device(surface, _) => surface.triangles(),
        }
    }

    /// The sign, and why.
    pub(super) fn sign(&self, args: &BandArgs, console: Console) -> Result<(Sign, String), Failure> {
        let mesh = match self {
            Source::Host(mesh) => Some(mesh),
            #[cfg(feature = "gpu")]
            Source::Device(_, mesh) => mesh.as_ref(),
        };
        match (mesh, args.sign) {
            (Some(mesh), choice) => sign_for(choice, &args.mesh, &mesh.report(), console),
            (None, SignChoice::Asked(sign)) => Ok((sign, "asked for".to_owned())),
            // Such a mesh is read back.
            (None, SignChoice::Auto) => Ok((Sign::Winding, "nothing is known of the mesh".to_owned())),
        }
    }
}
