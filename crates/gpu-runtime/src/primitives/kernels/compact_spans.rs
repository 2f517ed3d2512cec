//! Twin of `compact_spans.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::group_scan_shared::group_exclusive;
use super::{GROUP, quad};
use crate::WgslModule;

pub(crate) const COMPACT_SPANS: WgslModule =
    WgslModule { name: "compact_spans", source: include_str!("compact_spans.wgsl") };

/// Words of a tile; spans are multiples of it.
pub(crate) const TILE: u32 = 8 * GROUP;

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Params {
    pub(crate) zero: u32,
    pub(crate) len: u32,
    pub(crate) span: u32,
    pub(crate) groups: u32,
    pub(crate) read_slot: u32,
    pub(crate) write_slot: u32,
    pub(crate) first_index: u32,
    pub(crate) window_start: u32,
    pub(crate) window_len: u32,
    pub(crate) pad: [u32; 3],
}

fn kept_quad(params: &Params, flags: &[u32], quad: u32) -> [u32; 4] {
    // [1] 1 where a flag is not zero; 0 beyond the end.
    quad::masked(flags, params.len, quad, 0).map(|flag| u32::from(flag != 0))
}

fn quad_sum(words: [u32; 4]) -> u32 {
    // [2] Sum of a quad.
    quad::sum(words)
}

fn stage_quad(stage: &mut [u32], words: [u32; 4], kept: [u32; 4], place: u32) {
    // [3] The kept words of a quad to their places in the tile.
    let places = quad::exclusive(kept, place);
    for i in 0..4 {
        if kept[i] == 1 {
            stage[places[i] as usize] = words[i];
        }
    }
}

fn emit(params: &Params, output: &mut [u32], place: u32, word: u32) {
    // [4] One word to the output, when its place is in the window.
    let slot = place.wrapping_sub(params.window_start);
    if slot < params.window_len {
        output[slot as usize] = word;
    }
}

/// The dispatch of `params.groups` workgroups; `given_quad` gives the four words of a quad.
pub(crate) fn compact_spans(
    params: &Params,
    flags: &[u32],
    given_quad: impl Fn(u32) -> [u32; 4],
    output: &mut [u32],
    sums: &[u32],
    total: &mut [u32],
) {
    let carry = total[params.read_slot as usize];
    for group in 0..params.groups {
        // [5] Kept words before this span.
        let mut base = sums[..group as usize].iter().fold(carry, |a, b| a.wrapping_add(*b));
        // [6] Tile by tile: two rows of GROUP quads, their counts scanned together in the halves of one word.
        let start = group * params.span;
        let end = (start + params.span).min(params.len);
        for tile in (start..end).step_by(TILE as usize) {
            let mut stage = vec![0; TILE as usize];
            let first = tile / 4;
            let count = |quad| quad_sum(kept_quad(params, flags, quad));
            let packed: Vec<_> = (first..first + GROUP).map(|q| count(q) | (count(q + GROUP) << 16)).collect();
            let (exclusive, total) = group_exclusive(&packed);
            let first_row = total & 0xffff;
            for (quad, offsets) in (first..).zip(exclusive) {
                for (quad, place) in [(quad, offsets & 0xffff), (quad + GROUP, first_row + (offsets >> 16))] {
                    let kept = kept_quad(params, flags, quad);
                    if quad_sum(kept) > 0 {
                        stage_quad(&mut stage, given_quad(quad), kept, place);
                    }
                }
            }
            let count = first_row + (total >> 16);
            for i in 0..count {
                emit(params, output, base + i, stage[i as usize]);
            }
            base += count;
        }
        // [7] The carry of the next dispatch, or the count of all.
        if group + 1 == params.groups {
            total[params.write_slot as usize] = base;
        }
    }
}
