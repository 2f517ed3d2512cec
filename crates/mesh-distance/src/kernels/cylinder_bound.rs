//! Lower bound of the squared distance to everything in a cylinder: twin of `cylinder_bound.wgsl`.
//!
//! A bound decides no bit of an answer, so the two twins need not agree in their words: the device fuses. It must never exceed
//! the computed distance of what the cylinder holds times 1 + 2^-15; the pads of [`crate::tree`] and the proof of
//! `docs/numerics.md`, section 6, see to that.

use gpu_shaders::WgslModule;

/// WGSL text of this module.
pub const CYLINDER_BOUND: WgslModule =
    WgslModule { name: "cylinder_bound", source: include_str!("cylinder_bound.wgsl") };

/// 1 + 2^-15: a cylinder is skipped when its bound exceeds the best squared distance times this.
pub const SLACK: f32 = 1.0 + 1.0 / 32768.0;

/// Number of children of a node.
pub const WIDTH: usize = 8;

/// Eight cylinders, each field an array over them: centre, radius, unit normal (the axis), half height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Cylinders {
    /// Centres, x.
    pub cx: [f32; WIDTH],
    /// Centres, y.
    pub cy: [f32; WIDTH],
    /// Centres, z.
    pub cz: [f32; WIDTH],
    /// Radii.
    pub r: [f32; WIDTH],
    /// Axes, x.
    pub nx: [f32; WIDTH],
    /// Axes, y.
    pub ny: [f32; WIDTH],
    /// Axes, z.
    pub nz: [f32; WIDTH],
    /// Half heights.
    pub h: [f32; WIDTH],
}

/// The bounds of all eight cylinders for the point `p`.
///
/// With e = p - c, s = e.e, h = e.n: max(|h| - H, 0)^2 + max(sqrt(s - h^2) - R, 0)^2.
#[inline(always)]
pub fn cylinder_bounds(c: &Cylinders, p: [f32; 3]) -> [f32; WIDTH] {
    std::array::from_fn(|k| {
        let e = [p[0] - c.cx[k], p[1] - c.cy[k], p[2] - c.cz[k]];
        let s = (e[0] * e[0] + e[1] * e[1]) + e[2] * e[2];
        let h = (e[0] * c.nx[k] + e[1] * c.ny[k]) + e[2] * c.nz[k];
        let above = positive(h.abs() - c.h[k]);
        let beside = positive(positive(s - h * h).sqrt() - c.r[k]);
        above * above + beside * beside
    })
}

/// `max(x, 0)` in the form that compiles to one instruction.
#[inline(always)]
fn positive(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}
