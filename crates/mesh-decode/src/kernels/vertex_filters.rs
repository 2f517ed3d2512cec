//! meshoptimizer's vertex filters, with one rounding of their own: strict f32, halves away from zero.
//!
//! The reference leaves the last unit open (its scalar and SIMD paths differ by 1); here the formula below decides it on
//! every device. Roots and quotients are the named functions of `gpu_shaders::strict_float`.

use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::{div_rn, scale_pow2, sqrt_rn};

/// WGSL text of this module.
pub const VERTEX_FILTERS: WgslModule =
    WgslModule { name: "vertex_filters", source: include_str!("vertex_filters.wgsl") };

/// f32(1 / sqrt(2)) * 32767, rounded once.
const QUATERNION_SCALE: f32 = 23169.768;

/// Nearest integer, halves away from zero; |x| below 2^30.
fn round_away(x: f32) -> i32 {
    if x >= 0.0 { (x + 0.5) as i32 } else { (x - 0.5) as i32 }
}

/// Octahedral normal: components x, y and the value of 1.0 to a vector of length `max` (127 or 32767).
///
/// z = one - |x| - |y|; where z < 0 the other hemisphere is unfolded; then scaled to length `max`. A vector of length 0 gives 0.
pub fn octahedral(x: i32, y: i32, one: i32, max: f32) -> [i32; 3] {
    let mut u = x as f32;
    let mut v = y as f32;
    let z = (one as f32 - u.abs()) - v.abs();
    let fold = if z < 0.0 { z } else { 0.0 };
    u += if u >= 0.0 { fold } else { -fold };
    v += if v >= 0.0 { fold } else { -fold };
    let length = sqrt_rn((u * u + v * v) + z * z);
    if length == 0.0 {
        return [0, 0, 0];
    }
    let scale = div_rn(max, length);
    [round_away(u * scale), round_away(v * scale), round_away(z * scale)]
}

/// Quaternion with its largest component left out: three components and the fourth, whose low two bits name the place of the largest one and
/// whose value (with those bits set) is the scale. Returns the four components in order; they are taken modulo 2^16.
pub fn quaternion(x: i32, y: i32, z: i32, scale_and_place: i32) -> [i32; 4] {
    let place = (scale_and_place & 3) as usize;
    let s = (scale_and_place | 3) as f32;
    let (u, v, w) = (x as f32, y as f32, z as f32);
    let square = (((s * s) * 2.0 - u * u) - v * v) - w * w;
    let largest = sqrt_rn(if square >= 0.0 { square } else { 0.0 });
    let scale = div_rn(QUATERNION_SCALE, s);
    let mut out = [0; 4];
    out[(place + 1) & 3] = round_away(u * scale);
    out[(place + 2) & 3] = round_away(v * scale);
    out[(place + 3) & 3] = round_away(w * scale);
    out[place] = round_away(largest * scale);
    out
}

/// Exponential: mantissa (low 24 bits, signed) * 2^exponent (high 8 bits, signed), exact; below 2^-126 a zero, above the largest f32 an infinity.
pub fn exponential(word: u32) -> f32 {
    let mantissa = (word << 8) as i32 >> 8;
    let exponent = word as i32 >> 24;
    scale_pow2(mantissa as f32, exponent)
}

/// Colour: luma, two signed chroma components and alpha, whose highest set bit gives the scale; `max` is 255 or 65535. Results are 0 to `max`.
pub fn colour(luma: i32, chroma_o: i32, chroma_g: i32, alpha: u32, max: f32) -> [u32; 4] {
    let mut filled = alpha;
    filled |= filled >> 1;
    filled |= filled >> 2;
    filled |= filled >> 4;
    filled |= filled >> 8;
    if filled == 0 {
        return [0, 0, 0, 0];
    }
    let red = luma + chroma_o - chroma_g;
    let green = luma + chroma_g;
    let blue = luma - chroma_o - chroma_g;
    let opacity = ((alpha << 1) & filled) | (alpha & 1);
    let scale = div_rn(max, filled as f32);
    [red, green, blue, opacity as i32].map(|component| {
        let scaled = component as f32 * scale + 0.5;
        if scaled <= 0.0 {
            0
        } else if scaled >= max {
            max as u32
        } else {
            scaled as u32
        }
    })
}
