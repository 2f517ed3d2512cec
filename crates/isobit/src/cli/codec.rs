//! Options of the verbs for compressed meshlet formats.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::options::{ClosedBox, MeshOutput, MeshletSize};

/// Options of `encode`.
#[derive(Debug, Args)]
pub(crate) struct EncodeArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) mesh: PathBuf,
    /// Format to write
    #[arg(long, value_enum)]
    pub(crate) format: Target,
    /// Grid bits, 1 to 16: the finest power-of-two step with which every axis needs at most this many (stride: 3 to 15, the longest side
    /// has 2^BITS steps)
    #[arg(long, value_name = "BITS", conflicts_with = "step", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) bits: u32,
    /// Grid step in the mesh's unit; the largest power of two that is not above it is taken (stride: the coarsest grid whose step is not above it)
    #[arg(long, value_name = "STEP", value_parser = crate::options::positive)]
    pub(crate) step: Option<f64>,
    /// Most vertices and triangles of a meshlet
    #[arg(long, value_name = "V,T")]
    pub(crate) meshlet: Option<MeshletSize>,
    /// md1: how positions are coded
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) mode: Option<PositionMode>,
    /// md1: keep which vertex and triangle of the mesh each output came from (4 bytes each)
    #[arg(long)]
    pub(crate) sources: bool,
    /// md1: leave out the box of each meshlet (12 bytes)
    #[arg(long)]
    pub(crate) no_boxes: bool,
    /// dgf: geometry ids, a little-endian u32 (below 2^24) for each triangle of the mesh
    #[arg(long, value_name = "FILE")]
    pub(crate) geometry_ids: Option<PathBuf>,
    /// dgf: a byte for each triangle of the mesh, 1 opaque, 0 not (without it all are opaque)
    #[arg(long, value_name = "FILE")]
    pub(crate) opaque: Option<PathBuf>,
    /// dgf: a user word for every block (4 bytes)
    #[arg(long, value_name = "WORD")]
    pub(crate) user_word: Option<u32>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Formats of `encode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// The project's own format: smallest, keeps winding
    Md1,
    /// DGF1 blocks in a DGFB file
    Dgf,
    /// Clusters of meshoptimizer (MXC): positions and connectivity
    Meshopt,
    /// A meshlet set of meshoptimizer (MML): connectivity alone
    MeshoptMeshlets,
    /// STRIDE blob, version 4: loses winding
    Stride,
}

/// How MD1 codes positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PositionMode {
    /// Residuals of a predictor: smallest
    Predicted,
    /// Offsets of fixed width: decoded without a chain
    Offsets,
    /// Residuals of fixed width: little larger than predicted, decoded several times faster on a device
    Fixed,
}

/// Options of `decode`.
#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    /// Compressed file; its format is found from its content
    pub(crate) file: PathBuf,
    /// Refuse any other format; the vertex filters of meshoptimizer are only taken when named
    #[arg(long, value_name = "FORMAT", value_parser = crate::options::not_empty)]
    pub(crate) format: Option<String>,
    /// Vertices or indices of a meshoptimizer stream
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Bytes of a vertex of a meshoptimizer stream
    #[arg(long, value_name = "BYTES")]
    pub(crate) stride: Option<usize>,
    /// Units to decode, strictly increasing: numbers and ranges such as 0,4,8-15, or a file of little-endian u32 ids (an empty file
    /// selects nothing)
    #[arg(long, value_name = "LIST|FILE", value_parser = crate::options::not_empty, conflicts_with = "units_batch")]
    pub(crate) units: Option<String>,
    /// Several unit lists, decoded one after the other: a file of records of a u32 count and that many u32 ids
    #[arg(long, value_name = "FILE")]
    pub(crate) units_batch: Option<PathBuf>,
    /// Only the triangles that meet this closed box, decided exactly on the file's grid; `--dump-compact` keeps all triangles of the units that do
    #[arg(long = "box", value_name = "x0,y0,z0,x1,y1,z1", allow_hyphen_values = true, conflicts_with_all = ["units", "units_batch", "dump", "launch_csv", "streamed"])]
    pub(crate) closed_box: Option<ClosedBox>,
    /// Sidecar with the tree over the units (without it the tree is built anew)
    #[arg(long, value_name = "FILE", requires = "closed_box")]
    pub(crate) sidecar: Option<PathBuf>,
    /// Build the tree over the units and write it as a sidecar
    #[arg(long, value_name = "FILE", conflicts_with = "sidecar")]
    pub(crate) write_sidecar: Option<PathBuf>,
    /// Mesh to write: .obj, .stl or .ply
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<MeshOutput>,
    /// Write every array as PREFIX.tris.u32, PREFIX.verts.f32 and so on, raw and little-endian
    #[arg(long, value_name = "PREFIX")]
    pub(crate) dump: Option<PathBuf>,
    /// Write each selection k as PREFIX-k.units.bin, PREFIX-k.verts.bin and PREFIX-k.tris.bin
    #[arg(long, value_name = "PREFIX")]
    pub(crate) dump_compact: Option<PathBuf>,
    /// Time the selections and write a row for each launch
    #[arg(long, value_name = "FILE")]
    pub(crate) launch_csv: Option<PathBuf>,
    /// Launches of each selection that are not timed
    #[arg(long, value_name = "N", default_value_t = 0, requires = "launch_csv")]
    pub(crate) warmup: u32,
    /// Timed launches of each selection
    #[arg(long, value_name = "N", default_value_t = 1, requires = "launch_csv", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) launches: u32,
    /// Repeats of the timed launches
    #[arg(long, value_name = "N", default_value_t = 1, requires = "launch_csv", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeats: u32,
    /// Leave the file in host memory and hand over only the bytes of the selected units
    #[arg(long)]
    pub(crate) streamed: bool,
}

/// Options of `inspect`.
#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Compressed file, whose format is found from its content; mesh (.stl, .obj, .ply, .glb, .gltf) or voxel grids (.nvdb)
    pub(crate) file: PathBuf,
    /// Picture to write: histograms over the units of a compressed file
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
}
