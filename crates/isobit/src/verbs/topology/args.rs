//! The options of `topology`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::triples::{Offset, Point3, Positive, Size3};

/// Options of `topology`.
#[derive(Debug, Args)]
pub(crate) struct TopologyArgs {
    #[command(subcommand)]
    pub(crate) operation: Operation,
    /// Read grids whose checksum does not fit their bytes: fVDB gives them names and voxel sizes after it was made.
    /// Everything else is checked as ever
    #[arg(long, global = true)]
    pub(crate) ignore_checksums: bool,
}

impl TopologyArgs {
    /// How to read files.
    pub(crate) fn reading(&self) -> sparse_topology::nvdb::ReadOptions {
        sparse_topology::nvdb::ReadOptions { checksums: !self.ignore_checksums }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Operation {
    /// Voxels, nodes, box and fingerprint of every grid
    Info(InfoArgs),
    /// The voxels named by a list of coordinates (.npy or .csv, integers, n x 3)
    FromCoordinates(ListArgs),
    /// The voxels that hold a point of a list (.npy or .csv, n x 3): floor((p - origin) / voxel size + 0.5), in f64; in f32
    /// for .npy files of f16 and f32
    FromPoints(PointsArgs),
    /// Every voxel that a triangle of a mesh (.stl, .obj, .ply, .glb, .gltf) touches, in the coordinates of the file (f64)
    FromMesh(ListArgs),
    /// The cells of a dense box, all or those chosen by an array
    FromDense(DenseArgs),
    /// Coarser voxels, one for each block of f: floor(x / f)
    Coarsen(FactorPairsArgs),
    /// The voxels whose coordinates are multiples of f, as x / f
    Subsample(FactorArgs),
    /// Finer voxels, a block of f for each: f x + [0, f) on every axis
    Refine(FactorArgs),
    /// The voxels that a convolution writes, any kernel and stride, and its neighbour pairs
    Conv(WindowArgs),
    /// The voxels that a transposed convolution writes, and its neighbour pairs
    ConvTranspose(WindowArgs),
    /// The voxels and their neighbours (6, 18 or 26)
    Dilate(NeighboursArgs),
    /// The voxels all of whose neighbours are voxels too
    Erode(NeighboursArgs),
    /// The voxels moved by every offset of a box
    Pad(BoxArgs),
    /// The corners of all voxels, as voxels of a grid moved by half a voxel
    Dual(DualArgs),
    /// The voxels of any of the files, which hold the same number of grids
    Merge(SetArgs),
    /// The voxels of all of the files
    Intersect(SetArgs),
    /// The voxels of the first file that are in none of the others
    Difference(SetArgs),
    /// The voxels whose entry in an array is not zero
    Prune(PruneArgs),
    /// The voxels in a box
    Clip(BoxArgs),
    /// Some of the grids, in any order
    Select(SelectArgs),
    /// The coordinates in canonical order, as .npy (i32, n x 3) or .csv
    List(ListOutArgs),
}

impl Operation {
    /// The operations that read and list, which is the host's.
    pub(crate) fn without_device(&self) -> Option<&'static str> {
        match self {
            Self::Info(_) => Some("topology info"),
            Self::List(_) => Some("topology list"),
            _ => None,
        }
    }
}

/// What every operation with a result takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutArgs {
    /// Grids to write
    #[arg(short, long, value_name = "FILE.nvdb")]
    pub(crate) out: Option<PathBuf>,
    /// How to pack them; as the input when left out, else none
    #[arg(long, value_enum)]
    pub(crate) codec: Option<Codec>,
}

/// The same where every voxel of the result comes from one voxel at most.
#[derive(Debug, Clone, Args)]
pub(crate) struct CarryArgs {
    #[command(flatten)]
    pub(crate) grids: OutArgs,
    /// Rows of features of the input (.npy, n or n x c, any numbers); those of the result are written beside it, as .npy
    /// with the same name: a voxel that was not there gets zeros
    #[arg(long, value_name = "FILE.npy", requires = "out")]
    pub(crate) features: Option<PathBuf>,
}

/// Packing of a .nvdb file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Codec {
    /// Not packed
    None,
    /// zlib
    Zip,
    /// Blosc with LZ4
    Blosc,
}

/// Options of `info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
}

/// Where the voxels of a new grid lie.
#[derive(Debug, Clone, Args)]
pub(crate) struct PlaceArgs {
    /// Edge of a voxel: one number or three
    #[arg(long, value_name = "S|a,b,c", default_value = "1", allow_hyphen_values = true)]
    pub(crate) voxel_size: Size3,
    /// Centre of voxel 0, 0, 0
    #[arg(long, value_name = "x,y,z", default_value = "0,0,0", allow_hyphen_values = true)]
    pub(crate) origin: Point3,
}

/// Options of `from-coordinates` and `from-mesh`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// One file a grid
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// Options of `from-points`.
#[derive(Debug, Args)]
pub(crate) struct PointsArgs {
    #[command(flatten)]
    pub(crate) list: ListArgs,
    /// The eight voxels around each point instead of the one that holds it
    #[arg(long)]
    pub(crate) nearest: bool,
}

/// Options of `from-dense`.
#[derive(Debug, Args)]
pub(crate) struct DenseArgs {
    /// Array of three dimensions (bool, integers or floats); cells that are not zero are taken
    #[arg(value_name = "FILE.npy")]
    pub(crate) file: Option<PathBuf>,
    /// All cells of a box of this size
    #[arg(long, value_name = "a,b,c", conflicts_with = "file", allow_hyphen_values = true)]
    pub(crate) size: Option<Positive>,
    /// Take the cells below this value
    #[arg(long, value_name = "VALUE", requires = "file", allow_negative_numbers = true, value_parser = crate::options::finite)]
    pub(crate) below: Option<f64>,
    /// Order of the array's dimensions: xyz, or zyx as `isobit sdf` writes
    #[arg(long, value_enum, default_value_t = Axes::Xyz, requires = "file")]
    pub(crate) axes: Axes,
    /// Coordinate of the first cell
    #[arg(long, value_name = "a,b,c", default_value = "0", allow_hyphen_values = true)]
    pub(crate) min: Offset,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// Order of the dimensions of a dense array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Axes {
    /// x slowest
    Xyz,
    /// z slowest
    Zyx,
}

/// Options of `subsample` and `refine`.
#[derive(Debug, Args)]
pub(crate) struct FactorArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Factor: one number for all axes, or three
    #[arg(long, value_name = "a[,b,c]", allow_hyphen_values = true)]
    pub(crate) factor: Positive,
    #[command(flatten)]
    pub(crate) out: CarryArgs,
}

/// Options of `coarsen`.
#[derive(Debug, Args)]
pub(crate) struct FactorPairsArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Factor: one number for all axes, or three
    #[arg(long, value_name = "a[,b,c]", allow_hyphen_values = true)]
    pub(crate) factor: Positive,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Write the pairs of a pooling: i64, n x 3 (tap, input row, output row), by tap, then by output row
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) pairs: Option<PathBuf>,
}

/// Options of `conv` and `conv-transpose`.
#[derive(Debug, Args)]
pub(crate) struct WindowArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Kernel: one number for all axes, or three
    #[arg(long, value_name = "a[,b,c]", allow_hyphen_values = true)]
    pub(crate) kernel: Positive,
    /// Stride: one number for all axes, or three
    #[arg(long, value_name = "a[,b,c]", default_value = "1", allow_hyphen_values = true)]
    pub(crate) stride: Positive,
    /// Write the neighbour pairs: i64, n x 3 (tap, input row, output row), by tap (x slowest), then by output row
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) pairs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// Options of `dilate` and `erode`.
#[derive(Debug, Args)]
pub(crate) struct NeighboursArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Those that share a face (6), an edge too (18), a corner too (26)
    #[arg(long, value_name = "6|18|26", value_parser = clap::builder::PossibleValuesParser::new(["6", "18", "26"]))]
    pub(crate) neighbours: String,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) out: CarryArgs,
}

/// Options of `pad` and `clip`.
#[derive(Debug, Args)]
pub(crate) struct BoxArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Smallest offset or coordinate: one number for all axes, or three
    #[arg(long, value_name = "a,b,c", allow_hyphen_values = true)]
    pub(crate) min: Offset,
    /// Largest offset or coordinate, included
    #[arg(long, value_name = "a,b,c", allow_hyphen_values = true)]
    pub(crate) max: Offset,
    #[command(flatten)]
    pub(crate) out: CarryArgs,
}

/// Options of `dual`.
#[derive(Debug, Args)]
pub(crate) struct DualArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Only the corners all of whose eight voxels are there
    #[arg(long)]
    pub(crate) exclude_border: bool,
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// Options of the set operations.
#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// Grids
    #[arg(required = true, num_args = 2.., value_name = "FILE.nvdb")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) out: CarryArgs,
}

/// Options of `prune`.
#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Bool or integers, one entry a voxel of all grids in canonical order
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) mask: PathBuf,
    #[command(flatten)]
    pub(crate) out: CarryArgs,
}

/// Options of `select`.
#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Numbers from 0, negative ones from the end: `2`, `0,2,-1`, or a slice as Python's, `::-1`
    #[arg(long, value_name = "LIST|SLICE", allow_hyphen_values = true, value_parser = crate::triples::selection)]
    pub(crate) items: sparse_topology::Selection,
    #[command(flatten)]
    pub(crate) out: CarryArgs,
}

/// Options of `list`.
#[derive(Debug, Args)]
pub(crate) struct ListOutArgs {
    /// Grids
    #[arg(value_name = "FILE.nvdb")]
    pub(crate) file: PathBuf,
    /// Which grid: a number from 0, a negative one from the end
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true)]
    pub(crate) item: i64,
    /// Coordinates to write: .npy or .csv
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}
