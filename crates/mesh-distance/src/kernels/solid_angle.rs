//! Solid angles of triangles, and their sum in fixed point: twin of `solid_angle.wgsl`.
//!
//! Source: Van Oosterom & Strackee, The solid angle of a plane triangle, 1983: with A, B, C from the point to the corners,
//! tan(angle / 2) = A . (ab x ac) / (|A| |B| |C| + (A . B) |C| + (A . C) |B| + (B . C) |A|). Unit: turns, the whole sphere is 1.
//! A sum of turns over a surface is its winding number; integers have no order, so neither has the sum.

use super::Vec3;
use super::real::{Limb, Real, Record, atan2_strict, scale_pow2, snap, sqrt_rn};
use super::triangle_record::{cross_compensated, dt, largest_exponent, scale_vector, sub};
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `atan2` or `atan2_double`, and `triangle_record`.
pub const SOLID_ANGLE: WgslModule = WgslModule { name: "solid_angle", source: include_str!("solid_angle.wgsl") };

/// An integer in two limbs, the low one first: 64 bits for f32, 128 for f64.
pub type Fixed<R = f32> = [<R as Real>::Limb; 2];

/// Solid angle of the triangle seen from `p`, in turns, in [-1/2, 1/2]: positive where its corners turn clockwise.
///
/// That is inside of an outward triangle. 0 on the triangle's plane and for triangles without area. Domain: |p| <= [`Real::FAR_AWAY`] in
/// every component. Error (f64: 2^-53): a few 2^-24 of the angle and of |ab| |ac| / |A| |B| |C| times the nearest corner's distance; near the plane inside
/// the triangle the sign is that of the rounded volume.
pub fn solid_angle<R: Real>(r: &R::Record, p: Vec3<R>) -> R {
    let [ra, rb, rc] = r.corners();
    // [1] from the point to the corners, the largest component in [1, 2)
    let pa = sub(ra, p);
    let pb = sub(rb, p);
    let pc = sub(rc, p);
    let exponent = largest_exponent(pa).max(largest_exponent(pb)).max(largest_exponent(pc));
    let a = scale_vector(pa, R::EXPONENT_BIAS - exponent);
    let b = scale_vector(pb, R::EXPONENT_BIAS - exponent);
    let c = scale_vector(pc, R::EXPONENT_BIAS - exponent);
    // [2] the normal, likewise
    let ab = sub(rb, ra);
    let ac = sub(rc, ra);
    let edge_exponent = largest_exponent(ab).max(largest_exponent(ac));
    let m = cross_compensated(
        scale_vector(ab, R::EXPONENT_BIAS - edge_exponent),
        scale_vector(ac, R::EXPONENT_BIAS - edge_exponent),
    );
    let n = [snap(m[0], R::TINY), snap(m[1], R::TINY), snap(m[2], R::TINY)];
    // [3] numerator, in the scale of the denominator
    let y = scale_pow2(dt(a, n), 2 * (edge_exponent - exponent));
    // [4] denominator
    let la = sqrt_rn(dt(a, a));
    let lb = sqrt_rn(dt(b, b));
    let lc = sqrt_rn(dt(c, c));
    let t0 = snap((la * lb) * lc, R::TINY_TERM);
    let t1 = snap(snap(dt(a, b), R::TINY_DOT) * lc, R::TINY_TERM);
    let t2 = snap(snap(dt(a, c), R::TINY_DOT) * lb, R::TINY_TERM);
    let t3 = snap(snap(dt(b, c), R::TINY_DOT) * la, R::TINY_TERM);
    let x = ((t0 + t1) + t2) + t3;
    // [5] angles below TINY are 0; so is everything on the plane or without area
    let angle = snap(atan2_strict(y, x), R::TINY);
    (if y == R::ZERO { R::ZERO } else { angle }) * R::TURNS
}

/// `x` in units of 2^-[`FRACTION`](Real::FRACTION), cut off towards 0. Domain: |x| < 2^17.
pub fn to_fixed<R: Real>(x: R) -> Fixed<R> {
    let bits = x.to_limb();
    let exponent = x.exponent_field();
    // Zeros are shifted out like everything below a unit.
    let hidden = R::limb(1) << R::SIGNIFICAND_BITS as u32;
    let significand = (bits & (hidden - R::limb(1))) | hidden;
    let shift = exponent - (R::EXPONENT_BIAS + R::SIGNIFICAND_BITS) + R::FRACTION;
    let left = significand << (shift as u32 & (R::Limb::BITS - 1));
    let right = significand >> (-shift as u32 & (R::Limb::BITS - 1));
    let low = if shift > 0 {
        left
    } else if shift > -R::SIGNIFICAND_BITS - 1 {
        right
    } else {
        R::limb(0)
    };
    let high = if shift > 0 {
        significand >> (R::Limb::BITS.wrapping_sub(shift as u32) & (R::Limb::BITS - 1))
    } else {
        R::limb(0)
    };
    let negative = add_fixed::<R>([!low, !high], [R::limb(1), R::limb(0)]);
    if bits >> (R::Limb::BITS - 1) == R::limb(1) { negative } else { [low, high] }
}

/// The sum, modulo 2^64 (f64: 2^128).
pub fn add_fixed<R: Real>(u: Fixed<R>, v: Fixed<R>) -> Fixed<R> {
    let low = u[0].wrapping_add(v[0]);
    let carry = R::Limb::from(low < u[0]);
    [low, u[1].wrapping_add(v[1]).wrapping_add(carry)]
}

/// Whether a winding number is above 1/2.
pub fn above_half<R: Real>(w: Fixed<R>) -> bool {
    let half = R::limb(1) << (R::FRACTION as u32 - R::Limb::BITS - 1);
    let positive = w[1] >> (R::Limb::BITS - 1) == R::limb(0);
    positive && (w[1] > half || (w[1] == half && w[0] > R::limb(0)))
}
