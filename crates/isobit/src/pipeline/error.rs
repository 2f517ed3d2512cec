//! What stops a pipeline: the error of the crate whose step it was.

/// Why a pipeline stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A step of mesh-distance.
    #[error(transparent)]
    Distance(Box<mesh_distance::Error>),
    /// A step of mesh-decode.
    #[error(transparent)]
    Decode(Box<mesh_decode::Error>),
    /// A step of sparse-topology.
    #[error(transparent)]
    Topology(Box<sparse_topology::Error>),
    /// A step of affine-arith.
    #[error(transparent)]
    Affine(Box<affine_arith::Error>),
    /// A device.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(Box<gpu_runtime::Error>),
}

macro_rules! boxed {
    ($variant:ident, $error:ty) => {
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant(Box::new(error))
            }
        }
    };
}
boxed!(Distance, mesh_distance::Error);
boxed!(Decode, mesh_decode::Error);
boxed!(Topology, sparse_topology::Error);
boxed!(Affine, affine_arith::Error);
#[cfg(feature = "gpu")]
boxed!(Device, gpu_runtime::Error);
