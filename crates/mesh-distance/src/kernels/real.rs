//! The numbers that distances are made of: f32, or f64 where more digits are wanted.
//!
//! The twins of this folder are written once for both; so is their WGSL, with `real` for the type. All else (trees, bounds,
//! schedules) is f32 in either case and decides no bit.

use super::Vec3;
use gpu_shaders::WgslModule;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Mul, Neg, Not, Shl, Shr, Sub};

/// Half of a fixed-point number: u32 for sums over f32, u64 for those over f64.
pub trait Limb:
    Copy
    + Debug
    + Default
    + Ord
    + From<bool>
    + Into<u64>
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Sub<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Send
    + Sync
    + bytemuck::Pod
{
    /// 32, 64.
    const BITS: u32;

    /// The sum modulo 2^BITS.
    fn wrapping_add(self, y: Self) -> Self;
}

macro_rules! limb {
    ($of:ty) => {
        impl Limb for $of {
            const BITS: u32 = <$of>::BITS;

            #[inline(always)]
            fn wrapping_add(self, y: $of) -> $of {
                <$of>::wrapping_add(self, y)
            }
        }
    };
}
limb!(u32);
limb!(u64);

/// f32 or f64 with strict operations: `+ - *` rounded to nearest, and the named functions of `gpu_shaders`.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Send
    + Sync
    + bytemuck::Pod
    + 'static
{
    /// The record of a triangle.
    type Record: Record<Real = Self>;
    /// Half of a sum of turns.
    type Limb: Limb;

    /// WGSL text of the strict arithmetic of these numbers and of the module that names them `real`: first of every list of modules.
    const MODULES: [WgslModule; 2];
    /// WGSL text of the arc cosine.
    const ACOS: WgslModule;
    /// WGSL text of the arc tangent, and what it needs beside the arithmetic.
    const ATAN2: [WgslModule; 2];
    /// The module of working coordinates of vertices of f32.
    const FRAME_VERTEX: WgslModule;
    /// 32-bit words of a number on a device: 1, 2.
    const WORDS: usize;
    /// The words of infinity, which is the distance and each coordinate of a miss.
    const FAR: [u32; 2];
    /// 0.
    const ZERO: Self;
    /// 1/2.
    const HALF: Self;
    /// 1.
    const ONE: Self;
    /// 2^120: above every squared distance, finite.
    const NOTHING: Self;
    /// 127, 1023.
    const EXPONENT_BIAS: i32;
    /// 2^-60, 2^-150: below it a squared length or a component of a cross product counts as 0.
    const SMALL: Self;
    /// 2^60, 2^150: a gradient with a component above it counts as that of a triangle without interior.
    const LARGE: Self;
    /// 2^-40, 2^-100: coordinates and components of scaled vectors below it are 0.
    const TINY: Self;
    /// 2^-46, 2^-104: the squared sine of an angle up to which a triangle counts as having no interior.
    const FLAT: Self;
    /// 2^-20, 2^-48: a sum of weighted unit normals up to this part of the sum of weights has cancelled and has no direction;
    /// components of a stored pseudo-normal below it are 0.
    const CANCELLED: Self;
    /// 2^24, 2^52: squared distance from which every point is outside.
    const OUTSIDE: Self;
    /// 2^-18, 2^-47: the margin of an axis between a cell and a triangle, in units of the sum of all magnitudes on it.
    const MARGIN: Self;
    /// 2^-100, 2^-250: margins below it are 0.
    const NO_MARGIN: Self;
    /// 2^-20, 2^-49: triangles with a scaled normal below it are so thin that the axes of their edges do.
    const THIN: Self;
    /// 2^-80, 2^-200: dot products of a solid angle below it are 0.
    const TINY_DOT: Self;
    /// 2^-100, 2^-250: terms of a solid angle's denominator below it are 0.
    const TINY_TERM: Self;
    /// 2^12, 2^26: a point with a larger coordinate has the winding number 0.
    const FAR_AWAY: Self;
    /// 1 / (2 pi), rounded.
    const TURNS: Self;
    /// 1 / (4 pi), rounded.
    const SPHERE: Self;
    /// 3.
    const THREE: Self;
    /// 23, 52: stored bits of a significand.
    const SIGNIFICAND_BITS: i32;
    /// 36, 96: binary places of a sum of turns.
    const FRACTION: i32;

    /// The number nearest to `x`.
    fn from_f64(x: f64) -> Self;
    /// The largest number that is not above `x`.
    fn rounded_down(x: f64) -> Self;
    /// The same number in f64.
    fn to_f64(self) -> f64;
    /// The f32 nearest to it, for bounds.
    fn to_f32(self) -> f32;
    /// The number with these words, the lower one first; f32 has no second.
    fn of_words(low: u32, high: u32) -> Self;
    /// Its words, the lower one first; the second of f32 is 0.
    fn words(self) -> [u32; 2];
    /// The same with the sign bit set where `negative`.
    fn with_sign(self, negative: bool) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// The biased exponent, 0 for zeros.
    fn exponent_field(self) -> i32;
    /// `x`, or +0 when |x| < limit.
    fn snap(self, limit: Self) -> Self;
    /// Sum and its error.
    fn two_sum(self, y: Self) -> (Self, Self);
    /// Product and its error.
    fn two_prod(self, y: Self) -> (Self, Self);
    /// Quotient rounded to nearest.
    fn div_rn(self, y: Self) -> Self;
    /// Square root rounded to nearest.
    fn sqrt_rn(self) -> Self;
    /// x 2^k, exact.
    fn scale_pow2(self, k: i32) -> Self;
    /// Arc cosine.
    fn acos_strict(self) -> Self;
    /// Angle of the point (x, self).
    fn atan2_strict(self, x: Self) -> Self;
    /// The bits.
    fn to_limb(self) -> Self::Limb;
    /// The limb with this value.
    fn limb(value: u32) -> Self::Limb;
}

/// A triangle with its reciprocals, as [`triangle_record`](super::triangle_record::triangle_record) makes it.
pub trait Record: bytemuck::Pod + Debug + PartialEq + Send + Sync {
    /// Its numbers.
    type Real: Real<Record = Self>;

    /// From corners, 1/|ab|^2, 1/|ac|^2, 1/|bc|^2, gradient and index.
    fn new(
        corners: [Vec3<Self::Real>; 3],
        reciprocals: Vec3<Self::Real>,
        gradient: Vec3<Self::Real>,
        facet: u32,
    ) -> Self;
    /// The three corners.
    fn corners(&self) -> [Vec3<Self::Real>; 3];
    /// 1 / |ab|^2, 1 / |ac|^2, 1 / |bc|^2; 0 where the length is 0.
    fn reciprocals(&self) -> Vec3<Self::Real>;
    /// Gradient of the barycentric coordinate of c.
    fn gradient(&self) -> Vec3<Self::Real>;
    /// Index of the triangle in the mesh.
    fn facet(&self) -> u32;
}

/// `x`, or +0 when |x| < limit.
#[inline(always)]
pub(crate) fn snap<R: Real>(x: R, limit: R) -> R {
    x.snap(limit)
}

/// Sum and its error.
#[inline(always)]
pub(crate) fn two_sum<R: Real>(x: R, y: R) -> (R, R) {
    x.two_sum(y)
}

/// Product and its error.
#[inline(always)]
pub(crate) fn two_prod<R: Real>(x: R, y: R) -> (R, R) {
    x.two_prod(y)
}

/// Quotient rounded to nearest.
#[inline(always)]
pub(crate) fn div_rn<R: Real>(x: R, y: R) -> R {
    x.div_rn(y)
}

/// Square root rounded to nearest.
#[inline(always)]
pub(crate) fn sqrt_rn<R: Real>(x: R) -> R {
    x.sqrt_rn()
}

/// x 2^k, exact.
#[inline(always)]
pub(crate) fn scale_pow2<R: Real>(x: R, k: i32) -> R {
    x.scale_pow2(k)
}

/// Arc cosine.
#[inline(always)]
pub(crate) fn acos_strict<R: Real>(x: R) -> R {
    x.acos_strict()
}

/// Angle of the point (x, y).
#[inline(always)]
pub(crate) fn atan2_strict<R: Real>(y: R, x: R) -> R {
    y.atan2_strict(x)
}
