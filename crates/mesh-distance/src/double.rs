//! What a surface of f32 or of f64 can be asked.

#[cfg(feature = "gpu")]
use std::any::Any;

use crate::kernels::Vec3;
use crate::kernels::real::Real;
use crate::{Error, Sign, Surface};

/// What exists in one precision alone, from what is generic over it: `x` itself where it has that type.
#[cfg(feature = "gpu")]
pub(crate) fn same<T: 'static, U: 'static>(x: &T) -> Option<&U> {
    (x as &dyn Any).downcast_ref()
}

/// The numbers of a [`Surface`]: f32 has every sign, f64 none, the pseudo-normal and ray parity.
pub trait Precision: Real {
    /// `f32` or `f64`.
    const NAME: &'static str;

    /// Whether the sign exists for these numbers.
    ///
    /// # Errors
    /// [`Error::Question`] naming the sign.
    fn check_sign(sign: Sign) -> Result<(), Error>;

    /// Inside by a sign other than the pseudo-normal; only for signs that [`Precision::check_sign`] lets pass.
    fn robust_sign(surface: &Surface<Self>, p: Vec3<Self>, sign: Sign) -> bool;
}

impl Precision for f32 {
    const NAME: &'static str = "f32";

    fn check_sign(_: Sign) -> Result<(), Error> {
        Ok(())
    }

    fn robust_sign(surface: &Surface, p: Vec3, sign: Sign) -> bool {
        match sign {
            Sign::None | Sign::PseudoNormal => false,
            Sign::Winding => surface.winds_round(p),
            Sign::Rays => surface.rays_say_inside(p),
            Sign::SolidAngle => surface.encloses(p),
        }
    }
}

impl Precision for f64 {
    const NAME: &'static str = "f64";

    fn check_sign(sign: Sign) -> Result<(), Error> {
        if matches!(sign, Sign::None | Sign::PseudoNormal | Sign::Rays) {
            return Ok(());
        }
        let problem = format!("{sign:?} has no f64 form, allowed are None, PseudoNormal and Rays; f32 has every sign");
        Err(Error::Question { what: "sign in f64", index: None, problem })
    }

    fn robust_sign(surface: &Surface<f64>, p: Vec3<f64>, sign: Sign) -> bool {
        sign == Sign::Rays && surface.rays_say_inside(p)
    }
}
