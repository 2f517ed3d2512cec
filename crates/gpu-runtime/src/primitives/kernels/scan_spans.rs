//! Twin of `scan_spans.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::group_scan_shared::group_exclusive;
use super::{GROUP, quad};
use crate::WgslModule;

pub(crate) const SCAN_SPANS: WgslModule = WgslModule { name: "scan_spans", source: include_str!("scan_spans.wgsl") };

/// Words of a tile; spans are multiples of it.
pub(crate) const TILE: u32 = 16 * GROUP;

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Params {
    pub(crate) zero: u32,
    pub(crate) len: u32,
    pub(crate) span: u32,
    pub(crate) groups: u32,
    pub(crate) read_slot: u32,
    pub(crate) write_slot: u32,
    pub(crate) pad: [u32; 2],
}

fn words_left(params: &Params, quad: u32) -> u32 {
    // [1] Words from this quad to the end.
    quad::words_left(params.len, quad)
}

fn load_quad(params: &Params, input: &[u32], quad: u32) -> [u32; 4] {
    // [2] Four words; 0 beyond the end.
    quad::masked(input, params.len, quad, 0)
}

fn store_quad(params: &Params, output: &mut [u32], quad: u32, words: [u32; 4]) {
    // [3] Four words; nothing beyond the end is touched.
    let left = words_left(params, quad).min(4) as usize;
    let first = 4 * quad as usize;
    if left > 0 {
        output[first..first + left].copy_from_slice(&words[..left]);
    }
}

fn quad_sum(words: [u32; 4]) -> u32 {
    // [4] Sum of a quad.
    quad::sum(words)
}

fn quad_exclusive(words: [u32; 4], base: u32) -> [u32; 4] {
    // [5] Exclusive scan of a quad.
    quad::exclusive(words, base)
}

/// The dispatch of `params.groups` workgroups.
pub(crate) fn scan_spans(params: &Params, input: &[u32], output: &mut [u32], sums: &[u32], total: &mut [u32]) {
    let carry = total[params.read_slot as usize];
    for group in 0..params.groups {
        // [6] What lies before this span.
        let mut base = sums[..group as usize].iter().fold(carry, |a, b| a.wrapping_add(*b));
        // [7] Tile by tile. A tile is four rows of GROUP quads.
        let start = group * params.span;
        let end = (start + params.span).min(params.len);
        for tile in (start..end).step_by(TILE as usize) {
            for row in 0..4 {
                let first = tile / 4 + row * GROUP;
                let quads: Vec<_> = (first..first + GROUP).map(|quad| load_quad(params, input, quad)).collect();
                let (exclusive, row_total) = group_exclusive(&quads.iter().map(|q| quad_sum(*q)).collect::<Vec<_>>());
                for ((quad, words), offset) in (first..).zip(quads).zip(exclusive) {
                    store_quad(params, output, quad, quad_exclusive(words, base.wrapping_add(offset)));
                }
                base = base.wrapping_add(row_total);
            }
        }
        // [8] The carry of the next dispatch, or the grand total.
        if group + 1 == params.groups {
            total[params.write_slot as usize] = base;
        }
    }
}
