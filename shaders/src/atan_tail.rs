//! The polynomial of the f32 arc tangent: twin of `atan_tail.wgsl`.
//!
//! Apart from [`atan2`](crate::atan2), since bounds in f32 use it in kernels of f64, too.

use crate::WgslModule;

/// WGSL text of this module.
pub const ATAN_TAIL: WgslModule = WgslModule { name: "atan_tail", source: include_str!("atan_tail.wgsl") };

/// `atan(sqrt(z)) / sqrt(z) - 1` for z in [0, 1].
pub fn atan_tail(z: f32) -> f32 {
    let p8 = -0.001_803_878_1 * z + 0.010_939_95;
    let p7 = p8 * z - 0.031_192_485;
    let p6 = p7 * z + 0.057_945_937;
    let p5 = p6 * z - 0.084_016_1;
    let p4 = p5 * z + 0.109_512_85;
    let p3 = p4 * z - 0.142_640_43;
    let p2 = p3 * z + 0.199_985_3;
    let p1 = p2 * z - 0.333_333;
    p1 * z
}
