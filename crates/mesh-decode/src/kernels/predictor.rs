//! Residuals and the linear predictor of MD1 and STRIDE.

use gpu_shaders::WgslModule;

/// WGSL text of this module.
pub const PREDICTOR: WgslModule = WgslModule { name: "predictor", source: include_str!("predictor.wgsl") };

/// 0, -1, 1, -2, ..
#[inline]
pub fn unzigzag(value: u32) -> i32 {
    // [1]
    (value >> 1) as i32 ^ 0i32.wrapping_sub((value & 1) as i32)
}

/// Code of a vertex on one axis: the weighted sum of the codes of the shared edge (a, b) and of the opposite vertex (c), shifted and rounded, and its residual.
#[inline]
pub fn predict_code([n0, n1, n2]: [i32; 3], shift: u32, [a, b, c]: [i32; 3], residual: i32) -> i32 {
    // [2]
    let sum = n0 * a + n1 * b + n2 * c + ((1i32 << shift) >> 1);
    (sum >> shift).wrapping_add(residual)
}
