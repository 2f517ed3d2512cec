//! Intervals and affine forms with guaranteed bounds, on CPU and GPU, bit for bit.

mod affine;
mod directed;
mod double_word;
mod elementary;
mod error;
mod expr;
mod float;
mod function;
mod interval;
mod mixed;
mod real;
mod scalar;
mod subdivide;

pub use affine::Affine;
pub use elementary::{Sweep, sweep_all, sweep_function};
pub use error::Error;
pub use expr::{Expr, Op, Plan};
pub use function::{Binary, Unary};
pub use interval::{Interval, Sign};
pub use mixed::Mixed;
pub use real::Real;
pub use scalar::Scalar;
pub use subdivide::{Cells, MAX_LEVEL, Model, SubdivideOptions, subdivide_cpu};
