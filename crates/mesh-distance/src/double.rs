//! What a surface of f32 or of f64 can be asked.

use crate::kernels::real::Real;

/// The numbers of a [`Surface`](crate::Surface): either has every query and every sign.
pub trait Precision: Real {
    /// `f32` or `f64`.
    const NAME: &'static str;
}

impl Precision for f32 {
    const NAME: &'static str = "f32";
}

impl Precision for f64 {
    const NAME: &'static str = "f64";
}
