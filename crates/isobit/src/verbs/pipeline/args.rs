//! The options of `pipeline`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::options::{GridPlace, SignChoice};
use crate::triples::Positive;
use crate::verbs::implicit::args::{Method, SceneArgs};
use crate::verbs::topology::args::Codec;

/// Options of `pipeline`.
#[derive(Debug, Args)]
pub(crate) struct PipelineArgs {
    #[command(subcommand)]
    pub(crate) operation: Operation,
}

/// Which way to go.
#[derive(Debug, Subcommand)]
pub(crate) enum Operation {
    /// A mesh, compressed or not, to the voxels of its narrow band with their distances as rows
    Band(BandArgs),
    /// An expression to the voxels of its octree, and the surface measured against a mesh
    Octree(OctreeArgs),
}

/// What both ways take.
#[derive(Debug, Clone, Args)]
pub(crate) struct GridArgs {
    /// Voxel grids to write: the grid itself, then the one that is coarsened and dilated, where that is asked for
    #[arg(short, long, value_name = "FILE.nvdb")]
    pub(crate) out: PathBuf,
    /// How to pack them
    #[arg(long, value_enum, default_value_t = Codec::None)]
    pub(crate) codec: Codec,
    /// A second grid, coarsened by this factor: one number for all axes, or three
    #[arg(long, value_name = "a[,b,c]", default_value = "1", allow_hyphen_values = true)]
    pub(crate) coarsen: Positive,
    /// A second grid, dilated this often over 26 neighbours, after coarsening
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub(crate) dilate: u32,
}

/// Options of `pipeline band`.
#[derive(Debug, Args)]
pub(crate) struct BandArgs {
    /// Triangle mesh (.stl, .obj, .ply, .glb, .gltf) or a compressed one in any format that `decode` reads whole
    pub(crate) mesh: PathBuf,
    #[command(flatten)]
    pub(crate) grid: GridPlace,
    /// Cells whose centre is at most this far from the surface are taken; three half diagonals of a cell when left out
    #[arg(long, value_name = "D", value_parser = crate::options::not_negative, allow_negative_numbers = true)]
    pub(crate) band: Option<f64>,
    /// How inside (negative) is decided: auto (the mesh report decides), none, pseudo-normal, winding, rays or solid-angle
    #[arg(long, value_name = "SIGN", default_value = "auto")]
    pub(crate) sign: SignChoice,
    #[command(flatten)]
    pub(crate) grids: GridArgs,
}

/// Options of `pipeline octree`.
#[derive(Debug, Args)]
pub(crate) struct OctreeArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// 2^LEVEL cells along each axis
    #[arg(long, value_name = "LEVEL", default_value_t = 7, value_parser = clap::value_parser!(u32).range(0..=16))]
    pub(crate) level: u32,
    /// What cells are evaluated with; auto takes forms, and an interval beside them where roots or high powers of several variables occur
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) method: Method,
    /// Most cells of a level; on a device there is room for them from the start, 8 bytes each, twice (16 million fit into 128 MiB bindings)
    #[arg(long, value_name = "N", default_value_t = 16_000_000)]
    pub(crate) capacity: usize,
    /// Surface to write: .stl, .obj or .ply
    #[arg(long, value_name = "FILE")]
    pub(crate) surface: Option<PathBuf>,
    /// A mesh that the surface is measured against
    #[arg(long, value_name = "MESH")]
    pub(crate) against: Option<PathBuf>,
    /// Largest gap between the bounds of the deviation; a tenth of a cell when left out
    #[arg(long, value_name = "T", value_parser = crate::options::tolerance, allow_negative_numbers = true, requires = "against")]
    pub(crate) tolerance: Option<f64>,
    #[command(flatten)]
    pub(crate) grids: GridArgs,
}
