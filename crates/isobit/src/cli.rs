//! The command line as clap types: options that every verb takes, and the verbs with theirs.

mod codec;
mod queries;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use codec::{DecodeArgs, EncodeArgs, InspectArgs, PositionMode, Target};

pub(crate) use queries::{MarkArgs, QueryArgs};

use crate::options::{DistanceOutput, GridPlace, Precision, SignChoice, Slice};
use crate::verbs::implicit::args::{EncloseArgs, ImplicitArgs};
use crate::verbs::pipeline::args::PipelineArgs;
use crate::verbs::topology::args::TopologyArgs;

/// Signed distances of triangle meshes, the same bits on the CPU and on every GPU.
#[derive(Debug, Parser)]
#[command(name = "isobit", version, about, arg_required_else_help = true, subcommand_required = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Options of every verb, before or after it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Where to compute: `auto` = the best hardware adapter that passes its self-test, else the CPU; `gpu` = the best
    /// adapter of any kind; an index or a part of a name as `isobit adapters` lists them
    #[arg(long, global = true, env = "ISOBIT_DEVICE", default_value = "auto", value_name = "auto|cpu|gpu|INDEX|NAME")]
    pub(crate) device: String,
    /// How the device is kept from changing float arithmetic
    #[arg(long, global = true, value_enum, default_value_t = Numerics::Auto)]
    pub(crate) numerics: Numerics,
    /// Print exactly one JSON object on stdout
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No notes and no progress on stderr
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// The strict form of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Numerics {
    /// The fastest form that passes the self-test
    Auto,
    /// SPIR-V decorated with NoContraction (Vulkan)
    Decorated,
    /// Integer guards round every float operation
    Guarded,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Distances from the cell centres of a grid to a mesh, as volume and picture
    Sdf(SdfArgs),
    /// Distance, closest point, triangle and feature of listed points
    Query(QueryArgs),
    /// Which cells of a grid are outside, cut by the surface and inside: the immersed-boundary marker
    Mark(MarkArgs),
    /// What is wrong with a mesh, and which signs can be trusted on it
    Report(ReportArgs),
    /// Certified bounds of how far two meshes are apart
    Deviation(DeviationArgs),
    /// A mesh without degenerate and duplicate triangles and gaps of rounding size, oriented outward
    Repair(RepairArgs),
    /// Sparse voxel grids (.nvdb): build, coarsen, refine, dilate, convolution topology, sets
    Topology(TopologyArgs),
    /// A picture of a mesh (compressed or not), a volume (.npy, .vti) or voxel grids (.nvdb)
    View(ViewArgs),
    /// A procedural mesh
    Make(MakeArgs),
    /// Compress a mesh on an exact grid
    Encode(EncodeArgs),
    /// Decode a compressed mesh, or some of its units
    Decode(DecodeArgs),
    /// Header, sizes by section, counts and extensions of a mesh, compressed or not, or of voxel grids
    Inspect(InspectArgs),
    /// Implicit curves and surfaces from expressions: sign maps, octrees, surfaces, roots
    Implicit(ImplicitArgs),
    /// Bounds of an expression over boxes
    Enclose(EncloseArgs),
    /// Several crates in one go: a mesh or an expression to voxel grids (.nvdb) with distances, and to deviations
    Pipeline(PipelineArgs),
    /// The adapters of this machine with limits, features and self-tests
    Adapters,
}

/// Options of `sdf`.
#[derive(Debug, Args)]
pub(crate) struct SdfArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) mesh: PathBuf,
    #[command(flatten)]
    pub(crate) grid: GridPlace,
    /// How inside (negative) is decided; `auto` takes pseudo-normals where the mesh allows them, else winding numbers, and says why
    #[arg(long, value_name = "auto|none|pseudo-normal|winding|rays|solid-angle", default_value = "auto")]
    pub(crate) sign: SignChoice,
    /// Squared distances; the sign is applied to the square
    #[arg(long)]
    pub(crate) squared: bool,
    /// Numbers of the distances and of the volume: f32 or f64 (a device needs 64-bit floats)
    #[arg(long, value_name = "f32|f64", default_value = "f32")]
    pub(crate) precision: Precision,
    /// Only the cells whose centre is at most this far from the surface: their number grows with the surface, not with the grid
    #[arg(long, value_name = "D", value_parser = crate::options::not_negative, allow_negative_numbers = true, conflicts_with = "squared")]
    pub(crate) band: Option<f64>,
    /// With --band: what cells outside of the band hold in a volume and a picture
    #[arg(long, value_name = "VALUE", default_value = "nan", value_parser = crate::options::fill, allow_hyphen_values = true, requires = "band")]
    pub(crate) fill: f32,
    /// With --band: .npy holds the list of the band's cells (n x 4, f64: i, j, k, distance) instead of a volume
    #[arg(long, requires = "band")]
    pub(crate) sparse: bool,
    /// Volume to write: .npy (shape NZ, NY, NX) or .vti (ImageData). With --band also .csv (lines i,j,k,distance)
    /// and .nvdb (voxels; their distances beside it as .npy, in the order of rows)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<DistanceOutput>,
    /// Picture of a slice to write
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Plane of the picture: an axis, and where along it from 0 to 1
    #[arg(long, value_name = "x|y|z:FRACTION", default_value = "z:0.5", requires = "png")]
    pub(crate) slice: Slice,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) mesh: PathBuf,
}

/// Options of `deviation`.
#[derive(Debug, Args)]
pub(crate) struct DeviationArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) a: PathBuf,
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) b: PathBuf,
    /// Largest gap between lower and upper bound of each direction; 1e-4 of the larger diagonal without it
    #[arg(long, value_name = "T", value_parser = crate::options::tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Numbers of the distances: f32, or f64 for tolerances below a millionth of the mesh (a device needs 64-bit floats)
    #[arg(long, value_name = "f32|f64", default_value = "f32")]
    pub(crate) precision: Precision,
    /// The first mesh with the distance of each vertex from the second: .ply or .vtp. Vertices in the file's order; those of equal position are one,
    /// the first of them
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Options of `repair`.
#[derive(Debug, Args)]
pub(crate) struct RepairArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) mesh: PathBuf,
    /// Mesh to write: .stl, .obj or .ply
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Vertices up to this part of the diagonal apart become one where edges are open
    #[arg(long, default_value_t = 1e-6, value_name = "PART")]
    pub(crate) weld: f64,
    /// Triangles up to this part of the squared diagonal in area are degenerate
    #[arg(long, default_value_t = 1e-14, value_name = "PART")]
    pub(crate) area: f64,
}

/// Options of `view`.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Mesh (.stl, .obj, .ply, .glb, .gltf, or compressed in any format that `decode` reads whole), volume (.npy or .vti, floats or integers) or voxel grids (.nvdb)
    pub(crate) file: PathBuf,
    /// Picture to write
    #[arg(long, value_name = "FILE")]
    pub(crate) png: PathBuf,
    /// Plane of a volume's picture: an axis, and where along it from 0 to 1
    #[arg(long, value_name = "x|y|z:FRACTION", default_value = "z:0.5")]
    pub(crate) slice: Slice,
}

/// Options of `make`.
#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// Which shape
    #[arg(value_enum)]
    pub(crate) shape: Shape,
    /// Triangles wanted; the nearest count the shape can have is made
    #[arg(long, value_name = "N")]
    pub(crate) triangles: usize,
    /// Mesh to write: .stl, .obj or .ply
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Shapes of `make`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// A tube along a torus knot
    Knot,
    /// A sphere
    Sphere,
    /// A torus
    Torus,
    /// The unit cube
    Box,
    /// Hills over a square, open
    Terrain,
}
