//! Intervals and affine forms with guaranteed bounds, on CPU and GPU, bit for bit.
//!
//! Every operation on an [`Interval`], an [`Affine`] form or a [`Mixed`] one contains the exact real result for all values of its inputs,
//! rounding errors included. A function that is generic over [`Scalar`] runs on all of them, on floats, and on [`Expr`], which traces it into a
//! [`Plan`]; [`subdivide_cpu`] keeps the cells of a box in which a plan may vanish. Domains, bounds and how they were established:
//! docs/affine-arith.md.
//!
//! ```
//! use affine_arith::{Affine, Interval, Scalar};
//!
//! fn sphere<S: Scalar>(x: &S, y: &S) -> S {
//!     x.sqr() + y.sqr() - S::constant(1.0)
//! }
//!
//! # fn main() -> Result<(), affine_arith::Error> {
//! let x = Affine::<f32, 2>::variable(0, Interval::new(0.2, 0.3)?);
//! let y = Affine::<f32, 2>::variable(1, Interval::new(0.4, 0.5)?);
//! assert!(sphere(&x, &y).interval().upper() < 0.0); // the whole cell is inside
//! assert!((sphere(&0.2, &0.4) + 0.8).abs() < 1e-15);
//! # Ok(())
//! # }
//! ```

mod affine;
mod continuous;
mod contour;
#[cfg(feature = "gpu")]
mod device;
mod directed;
mod double_word;
mod elementary;
mod error;
mod estimate;
mod expr;
mod float;
mod function;
pub mod gallery;
mod interval;
mod march;
mod mixed;
mod real;
mod render;
mod roots;
mod scalar;
mod sign_map;
mod standard;
mod subdivide;
#[cfg(feature = "gpu")]
mod wgsl;

pub use affine::{Affine, Standard};
pub use contour::{Contour, contour};
#[cfg(feature = "gpu")]
pub use device::{
    BoxQuery, CellCounts, CellQuery, FormAndRange, RayQuery, RenderQuery, Subdivided, WordQuery,
    kernels as device_kernels, subdivide,
};
pub use elementary::{Sweep, enclose_word, sweep_all, sweep_function, swept_functions};
pub use error::Error;
pub use expr::{Expr, Op, Plan, variable_column};
pub use function::{Binary, Unary};
pub use interval::{Interval, Sign};
pub use march::{Hit, MarchOptions, Method, Ray, march_cpu};
pub use mixed::Mixed;
pub use real::Real;
pub use render::{Camera, MAX_PIXELS, Picture, RenderOptions, Shading, render_cpu};
pub use roots::{RootBox, RootOptions, isolate_roots};
pub use scalar::Scalar;
pub use sign_map::{MAX_MAP_LEVEL, sign_map};
pub use standard::{StandardForm, StandardPlan};
pub use subdivide::{Cells, MAX_LEVEL, Model, Rounding, SubdivideOptions, subdivide_cpu};
#[cfg(feature = "gpu")]
pub use wgsl::{DeviceReal, wgsl, wgsl_double};
