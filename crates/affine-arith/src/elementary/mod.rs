//! Elementary functions of this crate's own: strict arithmetic in double words, enclosed in intervals.
//!
//! No system library reaches a result, so results are the same everywhere.

mod binary;
mod composed;
pub(crate) mod constants;
mod enclose;
mod erf;
mod gamma;
mod kernels;
mod powers;
mod reduction;
mod references;
mod sweep;
mod tables;
mod turns;

pub(crate) use binary::{enclose_atan2, enclose_power};
pub(crate) use constants::{HALF_PI, LN_2, LN_10, PI, TWO_OVER_SQRT_PI, TWO_PI};
#[cfg(feature = "gpu")]
pub(crate) use enclose::odd_small;
pub(crate) use enclose::{constant, enclose};
#[cfg(feature = "gpu")]
pub(crate) use erf::tail_steps;
pub(crate) use gamma::{digamma, is_pole, positive_minimum};
pub(crate) use powers::{enclose_powf, enclose_powi};
pub use references::{sweep_all, sweep_function, swept_functions};
pub use sweep::{Sweep, enclose_word};
pub(crate) use tables::Tables;
pub(crate) use turns::{Turn, sine_of_pi, sine_quadrant, tangent_quadrant};
