//! Solid angles of triangles, and their sum in fixed point: twin of `solid_angle.wgsl`.
//!
//! Source: Van Oosterom & Strackee, The solid angle of a plane triangle, 1983: with A, B, C from the point to the corners,
//! tan(angle / 2) = A . (ab x ac) / (|A| |B| |C| + (A . B) |C| + (A . C) |B| + (B . C) |A|). Unit: turns, the whole sphere is 1.
//! A sum of turns over a surface is its winding number; integers have no order, so neither has the sum.

use super::Vec3;
use super::triangle_record::{TINY, TriangleRecord, cross_compensated, dt, largest_exponent, scale_vector, sub};
use gpu_shaders::WgslModule;
use gpu_shaders::atan2::atan2_strict;
use gpu_shaders::strict_float::{scale_pow2, snap, sqrt_rn};

/// WGSL text of this module; needs `atan2` and `triangle_record`.
pub const SOLID_ANGLE: WgslModule = WgslModule { name: "solid_angle", source: include_str!("solid_angle.wgsl") };

/// 1 / (2 pi), rounded.
const TURNS: f32 = 0.159_154_94;
/// 2^-80: dot products below it are 0.
const TINY_DOT: f32 = f32::from_bits((127 - 80) << 23);
/// 2^-100: terms of the denominator below it are 0.
const TINY_TERM: f32 = f32::from_bits((127 - 100) << 23);
/// 4096: a point with a larger coordinate has the winding number 0.
pub const FAR_AWAY: f32 = 4096.0;
/// Binary places of the fixed point.
pub const FRACTION: i32 = 36;

/// A 64-bit integer in two words, the low one first.
pub type Fixed = [u32; 2];

/// Solid angle of the triangle seen from `p`, in turns, in [-1/2, 1/2]: positive where its corners turn clockwise.
///
/// That is inside of an outward triangle. 0 on the triangle's plane and for triangles without area. Domain: |p| <= 4096 in every
/// component. Error: a few 2^-24 of the angle and of |ab| |ac| / |A| |B| |C| times the nearest corner's distance; near the plane inside
/// the triangle the sign is that of the rounded volume.
pub fn solid_angle(r: &TriangleRecord, p: Vec3) -> f32 {
    // [1] from the point to the corners, the largest component in [1, 2)
    let pa = sub(r.a, p);
    let pb = sub(r.b, p);
    let pc = sub(r.c, p);
    let exponent = largest_exponent(pa).max(largest_exponent(pb)).max(largest_exponent(pc));
    let a = scale_vector(pa, 127 - exponent);
    let b = scale_vector(pb, 127 - exponent);
    let c = scale_vector(pc, 127 - exponent);
    // [2] the normal, likewise
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let edge_exponent = largest_exponent(ab).max(largest_exponent(ac));
    let m = cross_compensated(scale_vector(ab, 127 - edge_exponent), scale_vector(ac, 127 - edge_exponent));
    let n = [snap(m[0], TINY), snap(m[1], TINY), snap(m[2], TINY)];
    // [3] numerator, in the scale of the denominator
    let y = scale_pow2(dt(a, n), 2 * (edge_exponent - exponent));
    // [4] denominator
    let la = sqrt_rn(dt(a, a));
    let lb = sqrt_rn(dt(b, b));
    let lc = sqrt_rn(dt(c, c));
    let t0 = snap((la * lb) * lc, TINY_TERM);
    let t1 = snap(snap(dt(a, b), TINY_DOT) * lc, TINY_TERM);
    let t2 = snap(snap(dt(a, c), TINY_DOT) * lb, TINY_TERM);
    let t3 = snap(snap(dt(b, c), TINY_DOT) * la, TINY_TERM);
    let x = ((t0 + t1) + t2) + t3;
    // [5] angles below 2^-40 are 0; so is everything on the plane or without area
    let angle = snap(atan2_strict(y, x), TINY);
    (if y == 0.0 { 0.0 } else { angle }) * TURNS
}

/// `x` in units of 2^-36, cut off towards 0. Domain: |x| < 2^17.
pub fn to_fixed(x: f32) -> Fixed {
    let bits = x.to_bits();
    let exponent = (bits >> 23 & 0xff) as i32;
    // Zeros are shifted out like everything below a unit.
    let significand = (bits & 0x007f_ffff) | 0x0080_0000;
    let shift = exponent - 150 + FRACTION;
    let left = significand << (shift & 31);
    let right = significand >> (-shift & 31);
    let low = if shift > 0 {
        left
    } else if shift > -24 {
        right
    } else {
        0
    };
    let high = if shift > 0 { significand >> ((32 - shift) & 31) } else { 0 };
    let negative = add_fixed([!low, !high], [1, 0]);
    if bits >> 31 == 1 { negative } else { [low, high] }
}

/// The sum, modulo 2^64.
pub fn add_fixed(u: Fixed, v: Fixed) -> Fixed {
    let low = u[0].wrapping_add(v[0]);
    let carry = u32::from(low < u[0]);
    [low, u[1].wrapping_add(v[1]).wrapping_add(carry)]
}

/// Whether a winding number is above 1/2.
pub fn above_half(w: Fixed) -> bool {
    let high = w[1] as i32;
    high > 8 || (high == 8 && w[0] > 0)
}
