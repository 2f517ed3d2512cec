//! The voxel of a point, in f32.

use gpu_shaders::strict_float::{div_rn, flush};

/// Where a voxel has no number.
pub const NO_VOXEL: u32 = 1;

/// `floor((x - origin) / size + add)` on one axis: the coordinate, and [`NO_VOXEL`] instead of 0 where it is outside of `i32` or not a number.
///
/// Subnormal numbers count as zeros.
pub fn voxel_of_axis(x: f32, origin: f32, size: f32, add: f32) -> (i32, u32) {
    // [1] position in index space
    let position = div_rn(flush(x) - flush(origin), size);
    // [2] the voxel that holds it
    let voxel = (position + add).floor();
    // [3] -2^31 is a coordinate, 2^31 and what is larger or not a number is none
    let bits = voxel.to_bits();
    let outside = (bits & 0x7fff_ffff) >= 0x4f00_0000 && bits != 0xcf00_0000;
    if outside { (0, NO_VOXEL) } else { (voxel as i32, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_range_and_halves() {
        let voxel = |x: f32| voxel_of_axis(x, 0.0, 1.0, 0.5);
        assert_eq!([0.5, -0.5, -0.6, 2.4].map(voxel), [(1, 0), (0, 0), (-1, 0), (2, 0)]);
        assert_eq!(voxel(-2_147_483_648.0), (i32::MIN, 0));
        assert_eq!(voxel(2_147_483_500.0), (2_147_483_520, 0));
        for bad in [2_147_483_648.0, -2_147_484_000.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(voxel(bad), (0, NO_VOXEL), "{bad}");
        }
        // A subnormal number below zero is a zero, not a number below zero.
        assert_eq!(voxel_of_axis(-1e-40, 0.0, 1.0, 0.0), (0, 0));
        assert_eq!(voxel_of_axis(1e-40, 2e-38, 1e-38, 0.0), voxel_of_axis(0.0, 2e-38, 1e-38, 0.0));
    }
}
