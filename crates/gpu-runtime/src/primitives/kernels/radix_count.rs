//! Twin of `radix_count.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::{GROUP, quad};
use crate::WgslModule;

pub(crate) const RADIX_COUNT: WgslModule = WgslModule { name: "radix_count", source: include_str!("radix_count.wgsl") };

/// Keys of a tile; spans are multiples of it.
pub(crate) const TILE: u32 = 12 * GROUP;

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Params {
    pub(crate) zero: u32,
    pub(crate) len: u32,
    pub(crate) span: u32,
    pub(crate) first_group: u32,
    pub(crate) shift: u32,
    pub(crate) stride: u32,
    pub(crate) pad: [u32; 2],
}

/// The eight bits of a pass.
pub(crate) fn digit(key: u32, shift: u32) -> u32 {
    // [1] The eight bits of this pass.
    (key >> shift) & 255
}

fn count_quad(params: &Params, keys: &[u32], bins: &mut [u32; 256], quad: u32) {
    // [2] Four keys; those beyond the end are not counted.
    let left = quad::words_left(params.len, quad).min(4) as usize;
    for key in &quad::masked(keys, params.len, quad, 0)[..left] {
        bins[digit(*key, params.shift) as usize] += 1;
    }
}

/// The dispatch of `groups` workgroups.
pub(crate) fn radix_count(params: &Params, keys: &[u32], counts: &mut [u32], groups: u32) {
    for group in 0..groups {
        // [3] Empty bins, one an invocation.
        let mut bins = [0; 256];
        // [4] Tile by tile.
        let start = group * params.span;
        let end = (start + params.span).min(params.len);
        for tile in (start..end).step_by(TILE as usize) {
            for quad in tile / 4..(tile + TILE) / 4 {
                count_quad(params, keys, &mut bins, quad);
            }
        }
        // [5] One count a digit.
        for (row, count) in (0..).zip(bins) {
            counts[(row * params.stride + params.first_group + group) as usize] = count;
        }
    }
}
