//! Query points of a grid from their indices: twin of `grid_point.wgsl`.

use super::Vec3;
use super::real::{Real, snap};
use gpu_shaders::WgslModule;

/// WGSL text of this module.
pub const GRID_POINT: WgslModule = WgslModule { name: "grid_point", source: include_str!("grid_point.wgsl") };

/// Centre of the cell `index`: (real(index) + 1/2) * h + lo, snapped to +0 below `TINY`.
///
/// Domain: index < 2^23; |h|, |lo| <= 2^58. Two roundings an axis.
pub fn grid_point<R: Real>(index: [u32; 3], lo: Vec3<R>, h: Vec3<R>) -> Vec3<R> {
    // [1] the sum with 0.5 is exact below 2^23
    std::array::from_fn(|k| snap((R::from_f64(f64::from(index[k])) + R::HALF) * h[k] + lo[k], R::TINY))
}
