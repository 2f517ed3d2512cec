//! Positions from STRIDE codes.
//!
//! The formula of the format with every operation rounded separately: x = (g_min + f32(code) * step) * scale + centre, step = g_range / f32(2^bits - 1).
//! Products and sums below 2^-125 count as +0, so no device meets a subnormal number.

use gpu_shaders::WgslModule;
use gpu_shaders::strict_float::{div_rn, flush};

/// WGSL text of this module.
pub const STRIDE_POSITION: WgslModule =
    WgslModule { name: "stride_position", source: include_str!("stride_position.wgsl") };

/// What positions are made of, by axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Smallest normalised coordinate.
    pub low: [f32; 3],
    /// Grid step in normalised units.
    pub step: [f32; 3],
    /// Centre of the mesh.
    pub centre: [f32; 3],
    /// Length of a normalised unit.
    pub scale: f32,
}

/// Grid step of an axis: range / (2^bits - 1), `bits` from 1 to 16.
pub fn grid_step(range: f32, bits: u32) -> f32 {
    div_rn(range, ((1u32 << bits) - 1) as f32)
}

/// Coordinate of a code.
pub fn coordinate(code: i32, low: f32, step: f32, scale: f32, centre: f32) -> f32 {
    // [1]
    let offset = flush(code as f32 * step);
    let normalised = flush(low + offset);
    let scaled = flush(normalised * scale);
    flush(scaled + centre)
}

/// Position of a vertex.
pub fn position(codes: [i32; 3], frame: &Frame) -> [f32; 3] {
    // [2]
    [0, 1, 2].map(|k| coordinate(codes[k], frame.low[k], frame.step[k], frame.scale, frame.centre[k]))
}
