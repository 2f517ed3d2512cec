//! The 64 bytes of a triangle that a query reads: twin of `triangle_record.wgsl`.
//!
//! Everything that needs a division is computed here, once, by strict f32 operations on the working coordinates, so that a device
//! without f64 can remake the same words after the vertices moved.

use super::Vec3;
use super::real::{Real, Record, div_rn, scale_pow2, snap, two_prod, two_sum};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `strict_float` and `real_single`, or `strict_double` and `real_double`.
pub const TRIANGLE_RECORD: WgslModule =
    WgslModule { name: "triangle_record", source: include_str!("triangle_record.wgsl") };

/// [`Real::SMALL`] of f32.
pub const SMALL: f32 = <f32 as Real>::SMALL;
/// [`Real::TINY`] of f32.
pub const TINY: f32 = <f32 as Real>::TINY;
/// [`Real::FLAT`] of f32.
pub const FLAT: f32 = <f32 as Real>::FLAT;

/// A triangle with its reciprocals, in the layout of the device: four vec4.
///
/// `ia = 1/|ab|^2`, `ib = 1/|ac|^2`, `ic = 1/|bc|^2`, 0 where the length is 0. `g` is the gradient of the barycentric coordinate of c,
/// (n x ab) / |n|^2 with n = ab x ac: g . (p - a) is 0 along ab and 1 at c. It is 0 for a triangle without interior (sine of the
/// angle at a up to 2^-23).
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct TriangleRecord {
    /// First corner.
    pub a: Vec3,
    /// 1 / |ab|^2.
    pub ia: f32,
    /// Second corner.
    pub b: Vec3,
    /// 1 / |ac|^2.
    pub ib: f32,
    /// Third corner.
    pub c: Vec3,
    /// 1 / |bc|^2.
    pub ic: f32,
    /// Gradient of the barycentric coordinate of c.
    pub g: Vec3,
    /// Index of the triangle in the mesh.
    pub facet: u32,
}

impl TriangleRecord {
    /// The 16 words as they lie on the device.
    pub fn words(&self) -> [u32; 16] {
        let mut words = [self.facet; 16];
        let rows = [(self.a, self.ia), (self.b, self.ib), (self.c, self.ic), (self.g, 0.0)];
        for (k, (v, w)) in rows.into_iter().enumerate() {
            words[4 * k..4 * k + 3].copy_from_slice(&v.map(f32::to_bits));
            if k < 3 {
                words[4 * k + 3] = w.to_bits();
            }
        }
        words
    }
}

impl Record for TriangleRecord {
    type Real = f32;

    fn new([a, b, c]: [Vec3; 3], [ia, ib, ic]: Vec3, g: Vec3, facet: u32) -> Self {
        TriangleRecord { a, ia, b, ib, c, ic, g, facet }
    }

    #[inline(always)]
    fn corners(&self) -> [Vec3; 3] {
        [self.a, self.b, self.c]
    }

    #[inline(always)]
    fn reciprocals(&self) -> Vec3 {
        [self.ia, self.ib, self.ic]
    }

    #[inline(always)]
    fn gradient(&self) -> Vec3 {
        self.g
    }

    #[inline(always)]
    fn facet(&self) -> u32 {
        self.facet
    }
}

/// A [`TriangleRecord`] in f64: 128 bytes.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(128))]
pub struct DoubleRecord {
    /// First corner.
    pub a: Vec3<f64>,
    /// 1 / |ab|^2.
    pub ia: f64,
    /// Second corner.
    pub b: Vec3<f64>,
    /// 1 / |ac|^2.
    pub ib: f64,
    /// Third corner.
    pub c: Vec3<f64>,
    /// 1 / |bc|^2.
    pub ic: f64,
    /// Gradient of the barycentric coordinate of c.
    pub g: Vec3<f64>,
    /// Index of the triangle in the mesh.
    pub facet: u32,
    /// 0.
    pub pad: u32,
}

impl Record for DoubleRecord {
    type Real = f64;

    fn new([a, b, c]: [Vec3<f64>; 3], [ia, ib, ic]: Vec3<f64>, g: Vec3<f64>, facet: u32) -> Self {
        DoubleRecord { a, ia, b, ib, c, ic, g, facet, pad: 0 }
    }

    #[inline(always)]
    fn corners(&self) -> [Vec3<f64>; 3] {
        [self.a, self.b, self.c]
    }

    #[inline(always)]
    fn reciprocals(&self) -> Vec3<f64> {
        [self.ia, self.ib, self.ic]
    }

    #[inline(always)]
    fn gradient(&self) -> Vec3<f64> {
        self.g
    }

    #[inline(always)]
    fn facet(&self) -> u32 {
        self.facet
    }
}

/// `ux vx + uy vy + uz vz`, three products and two sums in this order.
pub fn dt<R: Real>(u: Vec3<R>, v: Vec3<R>) -> R {
    (u[0] * v[0] + u[1] * v[1]) + u[2] * v[2]
}

/// `u - v`, one rounding a component, without a flush: differences of working coordinates are 0 or at least 2^-63.
pub fn sub<R: Real>(u: Vec3<R>, v: Vec3<R>) -> Vec3<R> {
    [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

/// `u . v` with the errors of products and sums added at the end.
///
/// Domain (f32): components 0 or in 2^-40 to 2^2. Error about 2^-24 of the result plus 2^-46 of |u| |v|.
pub fn dot_compensated<R: Real>(u: Vec3<R>, v: Vec3<R>) -> R {
    let (x, x_error) = two_prod(u[0], v[0]);
    let (y, y_error) = two_prod(u[1], v[1]);
    let (z, z_error) = two_prod(u[2], v[2]);
    let (xy, xy_error) = two_sum(x, y);
    let (xyz, xyz_error) = two_sum(xy, z);
    xyz + ((xy_error + xyz_error) + ((x_error + y_error) + z_error))
}

/// `a d - b c` with the errors of both products, components below `SMALL` set to 0. Domain as [`dot_compensated`].
pub fn difference_of_products<R: Real>(a: R, d: R, b: R, c: R) -> R {
    let (p, p_error) = two_prod(a, d);
    let (q, q_error) = two_prod(b, c);
    snap((p - q) + (p_error - q_error), R::SMALL)
}

/// `u x v` by [`difference_of_products`]: swapping u and v negates every bit of it exactly.
pub fn cross_compensated<R: Real>(u: Vec3<R>, v: Vec3<R>) -> Vec3<R> {
    [
        difference_of_products(u[1], v[2], u[2], v[1]),
        difference_of_products(u[2], v[0], u[0], v[2]),
        difference_of_products(u[0], v[1], u[1], v[0]),
    ]
}

/// The biased exponent of the largest component, 0 for the zero vector.
pub fn largest_exponent<R: Real>(v: Vec3<R>) -> i32 {
    let m = v.map(R::exponent_field);
    m[0].max(m[1]).max(m[2])
}

/// `v * 2^k` with components below `TINY` set to 0.
pub fn scale_vector<R: Real>(v: Vec3<R>, k: i32) -> Vec3<R> {
    v.map(|x| snap(scale_pow2(x, k), R::TINY))
}

/// `1 / |v|^2`, or 0 when |v|^2 is below `SMALL`.
pub fn reciprocal_square<R: Real>(v: Vec3<R>) -> R {
    let g = dt(v, v);
    if g < R::SMALL { R::ZERO } else { div_rn(R::ONE, g) }
}

/// The gradient of the barycentric coordinate of c, or zeros for a triangle without interior.
///
/// A Gram matrix would give the same point, but with errors that grow as 1 / sin^2 of the angle at a: 4e-4 of the size of the mesh on a
/// thin wing. The gradient's error is a few 2^-24 of its length, whatever the shape.
pub fn apex_gradient<R: Real>(ab: Vec3<R>, ac: Vec3<R>) -> Vec3<R> {
    // [1] scale both edges by the same power of two: the largest component in [1, 2)
    let exponent = largest_exponent(ab).max(largest_exponent(ac));
    let k = R::EXPONENT_BIAS - exponent;
    let u = scale_vector(ab, k);
    let w = scale_vector(ac, k);
    // [2] without interior; |u x w|^2 does not cancel
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (R::FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return [R::ZERO; 3];
    }
    // [3] normal and base edge, each with its largest component in [1, 2)
    let n_exponent = largest_exponent(n);
    let ab_exponent = largest_exponent(ab);
    let m = scale_vector(n, R::EXPONENT_BIAS - n_exponent);
    let base = scale_vector(ab, R::EXPONENT_BIAS - ab_exponent);
    // [4] the quotient, then its scale: n is 2^(n_exponent - bias - 2k) m, ab is 2^(ab_exponent - bias) base
    let across = cross_compensated(m, base);
    let square = dt(m, m);
    let scale = ab_exponent - n_exponent + 2 * k;
    let x = scale_pow2(snap(div_rn(across[0], square), R::TINY), scale);
    let y = scale_pow2(snap(div_rn(across[1], square), R::TINY), scale);
    let z = scale_pow2(snap(div_rn(across[2], square), R::TINY), scale);
    if x.abs() > R::LARGE || y.abs() > R::LARGE || z.abs() > R::LARGE {
        return [R::ZERO; 3];
    }
    [x, y, z]
}

/// The record of the triangle a, b, c.
///
/// Domain: working coordinates (0 or `TINY` to 2 in magnitude).
pub fn triangle_record<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>, facet: u32) -> R::Record {
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    let (ia, ib, ic) = (reciprocal_square(ab), reciprocal_square(ac), reciprocal_square(bc));
    R::Record::new([a, b, c], [ia, ib, ic], apex_gradient(ab, ac), facet)
}
