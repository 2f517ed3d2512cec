//! Options of `implicit` and `enclose`.

use std::path::PathBuf;

use affine_arith::{Model, Rounding, Shading};
use clap::{Args, Subcommand, ValueEnum};

use crate::failure::Failure;

/// What an expression may hold, for help texts.
pub(crate) const EXPRESSIONS: &str = "Expressions: + - * / ^ (to the right; -x^2 is -(x^2)), parentheses, pi, e, and the functions
  abs neg sqr sqrt cbrt reciprocal rsqrt rcbrt positive_part exp exp2 exp10 expm1 log ln log2 log10 log1p sin cos tan cot sinpi cospi
  asin acos atan sinh cosh tanh asinh acosh atanh erf erfc normcdf tgamma lgamma floor ceil trunc round rint fract modf
  min max atan2(y,x) pow fmod remainder hypot rhypot clamp(x,lo,hi) lerp(a,b,t) smoothstep(e0,e1,x) smooth_min(x,y,k) smooth_max(x,y,k)
A product needs its *: 2*x. Any other name is a variable.";

/// Options of `implicit`.
#[derive(Debug, Args)]
#[command(after_help = EXPRESSIONS)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ImplicitArgs {
    #[command(subcommand)]
    pub(crate) operation: Option<Operation>,
    #[command(flatten)]
    pub(crate) map: Option<MapArgs>,
}

impl ImplicitArgs {
    /// What is asked for where it computes on the CPU alone.
    pub(crate) fn without_device(&self) -> Option<&'static str> {
        match &self.operation {
            Some(Operation::Octree(_) | Operation::Quadtree(_) | Operation::Render(_)) => None,
            Some(Operation::List) => Some("implicit list"),
            Some(Operation::Roots(_)) => Some("implicit roots"),
            Some(Operation::Enclose(_)) => Some("implicit enclose"),
            None => Some("implicit EXPR --png"),
        }
    }
}

/// What to do with an expression.
#[derive(Debug, Subcommand)]
pub(crate) enum Operation {
    /// The scenes of the gallery
    List,
    /// Cells of an octree round the surface, and the surface
    Octree(TreeArgs),
    /// Cells of a quadtree round the curve
    Quadtree(QuadtreeArgs),
    /// A picture by rays that pass no surface
    Render(RenderArgs),
    /// Boxes that hold the solutions of one to three equations
    Roots(RootsArgs),
    /// Bounds of an expression over boxes
    Enclose(EncloseArgs),
}

/// An expression and where to look at it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SceneArgs {
    /// Expression in x, y, z and the time t, or the name of a scene (`isobit implicit list`)
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Box: the lower corner, then the upper one; the scene's own, or -2 to 2, when left out
    #[arg(long, value_name = "x0,y0[,z0],x1,y1[,z1]", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) bounds: Vec<f64>,
    /// Value of t; for `render` also pictures of a sequence, N of them from T0 on, T1 being that after the last
    #[arg(long, value_name = "T|T0:T1:N", default_value = "0", allow_hyphen_values = true)]
    pub(crate) time: Times,
}

/// One time or several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Times {
    first: f64,
    end: f64,
    pub(crate) count: u32,
}

impl Times {
    /// The time of picture `i`.
    pub(crate) fn at(self, i: u32) -> f64 {
        self.first + (self.end - self.first) * (f64::from(i) / f64::from(self.count))
    }
}

impl std::str::FromStr for Times {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = crate::options::finite;
        let fields: Vec<&str> = text.split(':').collect();
        match fields[..] {
            [time] => Ok(Self { first: number(time)?, end: number(time)?, count: 1 }),
            [first, end, count] => {
                let pictures = count.trim().parse().ok().filter(|n| (1..=9999).contains(n));
                let count =
                    pictures.ok_or_else(|| format!("{} pictures (allowed: 1 to 9999)", input_text::token(count)))?;
                Ok(Self { first: number(first)?, end: number(end)?, count })
            }
            _ => Err(format!("{} fields (allowed: T or T0:T1:N)", fields.len())),
        }
    }
}

/// Options of the sign map. Those of [`SceneArgs`] once more: clap leaves a group that may be missing empty when it holds another.
#[derive(Debug, Clone, Args)]
pub(crate) struct MapArgs {
    /// Expression in x, y, z and the time t, or the name of a scene (`isobit implicit list`)
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,
    /// Box: the lower corner, then the upper one; the scene's own, or -2 to 2, when left out
    #[arg(long, value_name = "x0[,y0],x1[,y1]", value_delimiter = ',', allow_hyphen_values = true)]
    bounds: Vec<f64>,
    /// Value of t
    #[arg(long, value_name = "T", default_value = "0", allow_hyphen_values = true)]
    time: Times,
    /// Picture to write: signs over the plane; bounds over the line when x is the only variable
    #[arg(long, value_name = "FILE")]
    pub(crate) png: PathBuf,
    /// Value of z
    #[arg(long, value_name = "Z", default_value_t = 0.0, allow_hyphen_values = true)]
    pub(crate) z: f64,
    /// 2^LEVEL cells along each axis; 2^LEVEL pieces of the line
    #[arg(long, value_name = "LEVEL", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub(crate) level: u32,
}

impl MapArgs {
    /// The expression and where to look at it.
    pub(crate) fn scene(&self) -> SceneArgs {
        SceneArgs { expression: self.expression.clone(), bounds: self.bounds.clone(), time: self.time }
    }
}

/// Options of `implicit octree` and `implicit quadtree`.
#[derive(Debug, Clone, Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// 2^LEVEL cells along each axis
    #[arg(long, value_name = "LEVEL", default_value_t = 7, value_parser = clap::value_parser!(u32).range(0..=16))]
    pub(crate) level: u32,
    /// What cells are evaluated with; auto takes forms, and an interval beside them where roots or high powers of several variables occur
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) method: Method,
    /// Whether rounding errors are counted; ignore is NOT rigorous, for drawing: cells may be missing
    #[arg(long, value_enum, default_value_t = RoundingChoice::Rigorous)]
    pub(crate) rounding: RoundingChoice,
    /// Most cells of a level
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) capacity: usize,
    /// Cells (.npy, u32, n x 3 or n x 2) or surface (.stl, .obj, .ply) to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Picture to write
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
}

/// Options of `implicit quadtree`.
#[derive(Debug, Clone, Args)]
pub(crate) struct QuadtreeArgs {
    #[command(flatten)]
    pub(crate) tree: TreeArgs,
    /// Value of z, for expressions and scenes in x, y, z: the section at that height
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    pub(crate) z: Option<f64>,
}

/// Kinds of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// Affine or mixed, by the expression
    Auto,
    /// Intervals
    Intervals,
    /// Affine forms
    Affine,
    /// Affine forms with intervals beside them
    Mixed,
    /// Affine forms with a symbol for every operation: the tightest of the forms, the slowest; on devices up to 32 symbols; mixed may still be tighter
    Aa,
}

/// What is done about rounding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoundingChoice {
    /// They are counted: no cell of the surface is lost
    Rigorous,
    /// They are not: NOT rigorous
    Ignore,
}

impl RoundingChoice {
    pub(crate) fn rounding(self) -> Rounding {
        if self == Self::Rigorous { Rounding::Rigorous } else { Rounding::Ignore }
    }
}

impl TreeArgs {
    /// The kind of numbers for a plan, and whether rounding errors are counted.
    pub(crate) fn model(&self, plan: &affine_arith::Plan) -> Result<(Model, Rounding), Failure> {
        match (self.rounding, self.method) {
            (RoundingChoice::Rigorous, method) => Ok((method.model(plan), Rounding::Rigorous)),
            (RoundingChoice::Ignore, Method::Auto | Method::Affine) => Ok((Model::Affine, Rounding::Ignore)),
            (RoundingChoice::Ignore, _) => Err(Failure::Usage(
                "--rounding ignore: for --method affine alone (the others are always rigorous)".to_owned(),
            )),
        }
    }
}

impl Method {
    /// The kind of numbers for a plan.
    pub(crate) fn model(self, plan: &affine_arith::Plan) -> Model {
        match self {
            Self::Auto => plan.suggested_model(),
            Self::Intervals => Model::Intervals,
            Self::Affine => Model::Affine,
            Self::Mixed => Model::Mixed,
            Self::Aa => Model::Standard,
        }
    }
}

/// Options of `implicit render`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Picture to write; a sequence of pictures gets the number of the picture before the extension
    #[arg(long, value_name = "FILE")]
    pub(crate) png: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "W,H", value_delimiter = ',', default_value = "640,480", allow_hyphen_values = true)]
    pub(crate) size: Vec<u32>,
    /// What pixels show
    #[arg(long, value_enum, default_value_t = Mode::Shaded)]
    pub(crate) mode: Mode,
    /// The viewer: degrees round the z axis and above the plane, and the distance in diagonals of the box; without a distance the surface (in a
    /// sequence the box) fills the picture
    #[arg(
        long,
        value_name = "TURN,LIFT[,DISTANCE]",
        value_delimiter = ',',
        default_value = "-60,28",
        allow_hyphen_values = true
    )]
    pub(crate) camera: Vec<f64>,
    /// How windows of a ray that may hold a zero are made shorter
    #[arg(long, value_enum, default_value_t = March::Window)]
    pub(crate) march: March,
    /// What windows of rays are evaluated with
    #[arg(long, value_enum, default_value_t = RayMethod::Affine)]
    pub(crate) method: RayMethod,
    /// Whether rounding errors of rays are counted; ignore is NOT rigorous, for drawing: a surface may be passed
    #[arg(long, value_enum, default_value_t = RoundingChoice::Rigorous)]
    pub(crate) rounding: RoundingChoice,
    /// Shadows
    #[arg(long)]
    pub(crate) shadows: bool,
    /// Rays a pixel, at places that do not repeat
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) samples: u32,
}

/// What the pixels of a rendering show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Lit surfaces
    Shaded,
    /// Directions of the gradient as colours
    Normals,
    /// Windows that were looked at
    Steps,
}

impl Mode {
    pub(crate) fn shading(self) -> Shading {
        match self {
            Self::Shaded => Shading::Light,
            Self::Normals => Shading::Normals,
            Self::Steps => Shading::Steps,
        }
    }
}

/// What is done with a window of a ray that may hold a zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum March {
    /// Halved, by the sign of the bounds
    Sign,
    /// Cut to the part in which the affine form has zeros
    Window,
}

impl March {
    pub(crate) fn method(self) -> affine_arith::Method {
        match self {
            Self::Sign => affine_arith::Method::Sign,
            Self::Window => affine_arith::Method::Window,
        }
    }
}

/// Kinds of numbers of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RayMethod {
    /// Intervals
    Intervals,
    /// Affine forms
    Affine,
    /// Affine forms with intervals beside them: fewer windows where roots or quotients meet long ones
    Mixed,
}

impl RayMethod {
    pub(crate) fn model(self) -> Model {
        match self {
            Self::Intervals => Model::Intervals,
            Self::Affine => Model::Affine,
            Self::Mixed => Model::Mixed,
        }
    }
}

/// Options of `implicit roots`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RootsArgs {
    /// Expressions that vanish together, as many as they have variables (x; x, y; x, y, z); separate them by `;`
    #[arg(value_name = "EXPR[;EXPR..]", allow_hyphen_values = true)]
    pub(crate) expressions: String,
    /// Box: the lower corner, then the upper one
    #[arg(
        long,
        value_name = "x0[,y0,z0],x1[,y1,z1]",
        value_delimiter = ',',
        allow_hyphen_values = true,
        required = true
    )]
    pub(crate) bounds: Vec<f64>,
    /// Boxes narrower than this are not divided
    #[arg(long, value_name = "WIDTH", default_value_t = 1e-12)]
    pub(crate) width: f64,
    /// Most boxes that are looked at
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) capacity: usize,
}

/// Options of `enclose`.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXPRESSIONS)]
pub(crate) struct EncloseArgs {
    /// Expression in at most four variables, which are taken in alphabetical order
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Boxes, a row each: lo,hi of every variable (.csv; .npy, n x 2v)
    #[arg(long, value_name = "FILE")]
    pub(crate) boxes: PathBuf,
    /// Kind of numbers; aa: affine forms with a symbol for every operation
    #[arg(long, value_enum, default_value_t = EncloseModel::Affine)]
    pub(crate) model: EncloseModel,
    /// Precision of the bounds
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    pub(crate) precision: Precision,
    /// Bounds to write, lo,hi a row (.csv; an empty range is nan,nan); on stdout when left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Kinds of numbers of `enclose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncloseModel {
    /// Intervals
    Interval,
    /// Reduced affine forms
    Affine,
    /// Reduced affine forms with intervals beside them
    Mixed,
    /// Standard affine forms
    Aa,
}

/// Floats of the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Precision {
    /// 32 bits
    F32,
    /// 64 bits
    F64,
}

#[cfg(test)]
mod tests {
    use affine_arith::{Binary, Expr, Unary};

    #[test]
    fn the_help_of_expressions_names_every_function() {
        let words: Vec<&str> = super::EXPRESSIONS.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for function in Unary::all() {
            assert!(words.contains(&function.name()), "{}", function.name());
        }
        let functions = super::EXPRESSIONS.lines().skip(1).take(3).flat_map(str::split_whitespace);
        for word in functions {
            let name = word.split('(').next().unwrap_or(word);
            let calls = [1, 2, 3].map(|n| format!("{name}({})", ["x"; 3][..n].join(",")));
            assert!(calls.iter().any(|call| call.parse::<Expr>().is_ok()), "{name}");
            let binary = Binary::named(name).is_some();
            assert!(!binary || calls[1].parse::<Expr>().is_ok(), "{name}");
        }
    }
}
