//! Twin of `radix_prefix.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::group_scan_shared::group_exclusive;
use super::{GROUP, quad};
use crate::WgslModule;

pub(crate) const RADIX_PREFIX: WgslModule =
    WgslModule { name: "radix_prefix", source: include_str!("radix_prefix.wgsl") };

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Params {
    pub(crate) zero: u32,
    pub(crate) groups: u32,
    pub(crate) stride: u32,
    pub(crate) pad: u32,
}

fn quad_sum(words: [u32; 4]) -> u32 {
    // [1] Sum of a quad.
    quad::sum(words)
}

fn quad_exclusive(words: [u32; 4], base: u32) -> [u32; 4] {
    // [2] Exclusive scan of a quad.
    quad::exclusive(words, base)
}

/// The dispatch of 256 workgroups.
pub(crate) fn radix_prefix(params: &Params, counts: &mut [u32]) {
    for row in 0..256 {
        // [3] The row, 4 * GROUP words at a time.
        let (row_start, mut base) = ((row * params.stride) as usize, 0);
        for tile in (0..params.groups).step_by(4 * GROUP as usize) {
            let row_counts = &counts[row_start..row_start + params.stride as usize];
            let quads: Vec<_> =
                (0..GROUP).map(|local| quad::masked(row_counts, params.groups, tile / 4 + local, 0)).collect();
            let (exclusive, total) = group_exclusive(&quads.iter().map(|q| quad_sum(*q)).collect::<Vec<_>>());
            for ((words, offset), word) in quads.into_iter().zip(exclusive).zip((tile..).step_by(4)) {
                if word < params.groups {
                    let at = row_start + word as usize;
                    counts[at..at + 4].copy_from_slice(&quad_exclusive(words, base + offset));
                }
            }
            base += total;
        }
        // [4] All keys of the digit.
        counts[(256 * params.stride + row) as usize] = base;
    }
}
