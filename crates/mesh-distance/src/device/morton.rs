//! The order of points along a Morton curve through their box. Decides packets, no bits.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use crate::kernels::Vec3;

/// Bits of the device's keys: ten an axis.
pub(super) const KEY_BITS: u32 = 30;

/// `Params` of point_keys.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(super) struct KeyParams {
    lo: Vec3,
    zero: u32,
    scale: Vec3,
    pub(super) count: u32,
    pub(super) groups_x: u32,
    pad: [u32; 3],
}

impl KeyParams {
    /// Keys over the box of the points.
    pub(super) fn of(points: &[Vec3]) -> KeyParams {
        let (lo, hi) = bounds(points);
        let scale = std::array::from_fn(|k| {
            let scale = (1024.0 / (f64::from(hi[k]) - f64::from(lo[k]))) as f32;
            if scale.is_normal() { scale } else { 0.0 }
        });
        KeyParams { lo, scale, count: points.len() as u32, ..KeyParams::default() }
    }
}

fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    let (mut lo, mut hi) = ([f32::MAX; 3], [f32::MIN; 3]);
    for p in points {
        for k in 0..3 {
            lo[k] = lo[k].min(p[k]);
            hi[k] = hi[k].max(p[k]);
        }
    }
    (lo, hi)
}

/// Indices of the points along the curve.
pub(super) fn order(points: &[Vec3]) -> Vec<u32> {
    let (lo, hi) = bounds(points);
    let cell = |x: f32, k: usize| {
        let extent = f64::from(hi[k]) - f64::from(lo[k]);
        let t = if extent > 0.0 { (f64::from(x) - f64::from(lo[k])) / extent } else { 0.0 };
        spread((t * 2_097_151.0) as u64)
    };
    let key = |p: &[f32; 3]| cell(p[0], 0) | cell(p[1], 1) << 1 | cell(p[2], 2) << 2;
    let mut keyed: Vec<(u64, u32)> = points.par_iter().enumerate().map(|(i, p)| (key(p), i as u32)).collect();
    keyed.par_sort_unstable();
    keyed.into_iter().map(|(_, i)| i).collect()
}

/// The low 21 bits of x, two zeros after each.
fn spread(x: u64) -> u64 {
    let masks =
        [0x1f_0000_0000_ffff, 0x1f_0000_ff00_00ff, 0x100f_00f0_0f00_f00f, 0x10c3_0c30_c30c_30c3, 0x1249_2492_4924_9249];
    masks.into_iter().zip([32, 16, 8, 4, 2]).fold(x & 0x1f_ffff, |x, (mask, shift)| (x | x << shift) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_spreads_bits_and_orders_every_point_once() {
        for bit in 0..21 {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        let points: Vec<[f32; 3]> =
            (0..1000).map(|i| [(i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32]).collect();
        let mut found = order(&points);
        assert_eq!(points[found[0] as usize], [0.0; 3]);
        assert_eq!(points[found[999] as usize], [9.0; 3]);
        found.sort_unstable();
        assert!(found.into_iter().eq(0..1000));
        assert_eq!(order(&[[1.0; 3]; 3]).len(), 3);
    }
}
