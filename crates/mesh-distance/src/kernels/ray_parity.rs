//! The rule by which rays decide inside: twin of `ray_parity.wgsl`.
//!
//! A ray from the point meets each triangle of [`super::ray_triangle`] or not; edges and corners that it hits exactly are settled there, as
//! if the point had moved a little, so a closed surface is crossed an odd number of times from inside whatever is hit.

use super::Vec3;
use super::real::Real;
use gpu_shaders::WgslModule;

/// WGSL text of this module; needs `ray_triangle`.
pub const RAY_PARITY: WgslModule = WgslModule { name: "ray_parity", source: include_str!("ray_parity.wgsl") };

/// The direction of ray `k` of three.
pub fn parity_direction<R: Real>(k: u32) -> Vec3<R> {
    [0, 1, 2].map(|axis| if k == axis { R::ONE } else { R::ZERO })
}

/// Whether at least two of three rays say inside: on a closed mesh all three agree, a hole may mislead one.
pub fn majority(odd: [bool; 3]) -> bool {
    (odd[0] && odd[1]) || (odd[2] && (odd[0] || odd[1]))
}
