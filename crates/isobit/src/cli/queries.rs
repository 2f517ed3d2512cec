//! Options of `query` and `mark`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::options::{GridPlace, OutputKind, Precision, SignChoice};
use crate::verbs::query::columns::OutputList;

/// Options of `query`.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) mesh: PathBuf,
    /// Points: .npy (n x 3) or .csv (lines x,y,z; a first line of names and lines that begin with # are left out)
    #[arg(long, value_name = "FILE")]
    pub(crate) points: PathBuf,
    /// How inside (negative) is decided: auto (the mesh report decides), none, pseudo-normal, winding, rays or solid-angle
    #[arg(long, default_value = "auto", value_name = "SIGN")]
    pub(crate) sign: SignChoice,
    /// Points farther than this are misses: distance inf, triangle -1
    #[arg(long, value_name = "D", value_parser = crate::options::not_negative, allow_negative_numbers = true)]
    pub(crate) max_distance: Option<f64>,
    /// Numbers of the distances and of u, v: f32 or f64 (a device needs 64-bit floats)
    #[arg(long, value_name = "f32|f64", default_value = "f32")]
    pub(crate) precision: Precision,
    /// What the table holds, of distance, square, point (x, y, z: the closest point), triangle, uv (weights of the triangle's second and third
    /// corner), feature (0 = inside the triangle; 1, 2, 3 = on the edge of corners 1-2, 2-3, 3-1; -1, -2, -3 = at corner 1, 2, 3), inside (0, 1),
    /// normal (nx, ny, nz: the pseudo-normal), gradient (gx, gy, gz) and winding (the winding number), in this order
    #[arg(long, value_name = "LIST", default_value = "distance,point,triangle,uv,feature")]
    pub(crate) outputs: OutputList,
    /// With --outputs winding: sizes from which on expansions stand for triangles (2 without it); 0: the sum over all triangles
    #[arg(long, value_parser = crate::options::beta, allow_negative_numbers = true)]
    pub(crate) beta: Option<f32>,
    /// Table to write: .csv, .npy (a row a point), .ply or .vtp
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Options of `mark`.
#[derive(Debug, Args)]
pub(crate) struct MarkArgs {
    /// Triangle mesh: .stl, .obj, .ply, .glb or .gltf
    pub(crate) mesh: PathBuf,
    #[command(flatten)]
    pub(crate) grid: GridPlace,
    /// How inside is decided: auto (the mesh report decides), pseudo-normal, winding, rays or solid-angle
    #[arg(long, default_value = "auto", value_name = "SIGN")]
    pub(crate) sign: SignChoice,
    /// Numbers of the distances and tests: f32 or f64 (a device needs 64-bit floats)
    #[arg(long, value_name = "f32|f64", default_value = "f32")]
    pub(crate) precision: Precision,
    /// When a cell is cut
    #[arg(long, value_enum, default_value_t = CutRule::Diagonal)]
    pub(crate) cut: CutRule,
    /// Marks to write, a byte a cell (0 outside, 1 cut, 2 inside): .npy (shape NZ, NY, NX) or .vti (ImageData)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<OutputKind>,
}

/// When a cell counts as cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CutRule {
    /// The surface is within half a cell diagonal of the centre
    Diagonal,
    /// The surface meets the cell
    Surface,
}

impl CutRule {
    /// The word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Diagonal => "diagonal",
            Self::Surface => "surface",
        }
    }
}

impl From<CutRule> for mesh_distance::mark::Cut {
    fn from(rule: CutRule) -> Self {
        match rule {
            CutRule::Diagonal => Self::Diagonal,
            CutRule::Surface => Self::Surface,
        }
    }
}
