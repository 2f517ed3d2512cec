//! Query points of a grid from their indices: twin of `grid_point.wgsl`.

use super::Vec3;
use crate::frame::SNAP;
use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::snap;

/// WGSL text of this module.
pub const GRID_POINT: WgslModule = WgslModule { name: "grid_point", source: include_str!("grid_point.wgsl") };

/// Centre of the cell `index`: (f32(index) + 0.5) * h + lo, snapped to +0 below 2^-40.
///
/// Domain: index < 2^23; |h|, |lo| <= 2^58. Two roundings an axis.
pub fn grid_point(index: [u32; 3], lo: Vec3, h: Vec3) -> Vec3 {
    // [1] the sum with 0.5 is exact below 2^23
    std::array::from_fn(|k| snap((index[k] as f32 + 0.5) * h[k] + lo[k], SNAP))
}
