//! The 64 bytes of a triangle that a query reads: twin of `triangle_record.wgsl`.
//!
//! Everything that needs a division is computed here, once, by strict f32 operations on the working coordinates, so that a device
//! without f64 can remake the same words after the vertices moved.

use super::Vec3;
use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::{div_rn, scale_pow2, snap, two_prod, two_sum};

/// WGSL text of this module; needs `strict_float`.
pub const TRIANGLE_RECORD: WgslModule =
    WgslModule { name: "triangle_record", source: include_str!("triangle_record.wgsl") };

/// 2^-60: below it a squared length or a component of a cross product counts as 0.
pub const SMALL: f32 = f32::from_bits((127 - 60) << 23);

/// 2^60: a gradient with a component above it counts as that of a triangle without interior.
pub const LARGE: f32 = f32::from_bits((127 + 60) << 23);

/// 2^-40: components of a scaled vector below it are 0.
pub const TINY: f32 = f32::from_bits((127 - 40) << 23);

/// 2^-46: the squared sine of an angle up to which a triangle counts as having no interior.
pub const FLAT: f32 = f32::from_bits((127 - 46) << 23);

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

/// `ux vx + uy vy + uz vz`, three products and two sums in this order.
pub fn dt(u: Vec3, v: Vec3) -> f32 {
    (u[0] * v[0] + u[1] * v[1]) + u[2] * v[2]
}

/// `u - v`, one rounding a component, without a flush: differences of working coordinates are 0 or at least 2^-63.
pub fn sub(u: Vec3, v: Vec3) -> Vec3 {
    [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

/// `u . v` with the errors of products and sums added at the end.
///
/// Domain: components 0 or in 2^-40 to 2^2. Error about 2^-24 of the result plus 2^-46 of |u| |v|.
pub fn dot_compensated(u: Vec3, v: Vec3) -> f32 {
    let (x, x_error) = two_prod(u[0], v[0]);
    let (y, y_error) = two_prod(u[1], v[1]);
    let (z, z_error) = two_prod(u[2], v[2]);
    let (xy, xy_error) = two_sum(x, y);
    let (xyz, xyz_error) = two_sum(xy, z);
    xyz + ((xy_error + xyz_error) + ((x_error + y_error) + z_error))
}

/// `a d - b c` with the errors of both products, components below 2^-60 set to 0. Domain as [`dot_compensated`].
pub fn difference_of_products(a: f32, d: f32, b: f32, c: f32) -> f32 {
    let (p, p_error) = two_prod(a, d);
    let (q, q_error) = two_prod(b, c);
    snap((p - q) + (p_error - q_error), SMALL)
}

/// `u x v` by [`difference_of_products`]: swapping u and v negates every bit of it exactly.
pub fn cross_compensated(u: Vec3, v: Vec3) -> Vec3 {
    [
        difference_of_products(u[1], v[2], u[2], v[1]),
        difference_of_products(u[2], v[0], u[0], v[2]),
        difference_of_products(u[0], v[1], u[1], v[0]),
    ]
}

/// The biased exponent of the largest component, 0 for the zero vector.
pub fn largest_exponent(v: Vec3) -> i32 {
    let m = v.map(|x| (x.to_bits() & 0x7fff_ffff) >> 23);
    m[0].max(m[1]).max(m[2]) as i32
}

/// `v * 2^k` with components below 2^-40 set to 0.
pub fn scale_vector(v: Vec3, k: i32) -> Vec3 {
    v.map(|x| snap(scale_pow2(x, k), TINY))
}

/// `1 / |v|^2`, or 0 when |v|^2 is below 2^-60.
pub fn reciprocal_square(v: Vec3) -> f32 {
    let g = dt(v, v);
    if g < SMALL { 0.0 } else { div_rn(1.0, g) }
}

/// The gradient of the barycentric coordinate of c, or zeros for a triangle without interior.
///
/// A Gram matrix would give the same point, but with errors that grow as 1 / sin^2 of the angle at a: 4e-4 of the size of the mesh on a
/// thin wing. The gradient's error is a few 2^-24 of its length, whatever the shape.
pub fn apex_gradient(ab: Vec3, ac: Vec3) -> Vec3 {
    // [1] scale both edges by the same power of two: the largest component in [1, 2)
    let exponent = largest_exponent(ab).max(largest_exponent(ac));
    let k = 127 - exponent;
    let u = scale_vector(ab, k);
    let w = scale_vector(ac, k);
    // [2] without interior; |u x w|^2 does not cancel
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return [0.0; 3];
    }
    // [3] normal and base edge, each with its largest component in [1, 2)
    let n_exponent = largest_exponent(n);
    let ab_exponent = largest_exponent(ab);
    let m = scale_vector(n, 127 - n_exponent);
    let base = scale_vector(ab, 127 - ab_exponent);
    // [4] the quotient, then its scale: n is 2^(n_exponent - 127 - 2k) m, ab is 2^(ab_exponent - 127) base
    let across = cross_compensated(m, base);
    let square = dt(m, m);
    let scale = ab_exponent - n_exponent + 2 * k;
    let x = scale_pow2(snap(div_rn(across[0], square), TINY), scale);
    let y = scale_pow2(snap(div_rn(across[1], square), TINY), scale);
    let z = scale_pow2(snap(div_rn(across[2], square), TINY), scale);
    if x.abs() > LARGE || y.abs() > LARGE || z.abs() > LARGE {
        return [0.0; 3];
    }
    [x, y, z]
}

/// The record of the triangle a, b, c.
///
/// Domain: working coordinates (0 or 2^-40 to 2 in magnitude).
pub fn triangle_record(a: Vec3, b: Vec3, c: Vec3, facet: u32) -> TriangleRecord {
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    let (ia, ib, ic) = (reciprocal_square(ab), reciprocal_square(ac), reciprocal_square(bc));
    TriangleRecord { a, ia, b, ib, c, ic, g: apex_gradient(ab, ac), facet }
}
