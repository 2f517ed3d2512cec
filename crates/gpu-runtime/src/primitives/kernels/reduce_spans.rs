//! Twin of `reduce_spans.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::{GROUP, group_reduce_shared, quad};
use crate::WgslModule;

pub(crate) const REDUCE_SPANS: WgslModule =
    WgslModule { name: "reduce_spans", source: include_str!("reduce_spans.wgsl") };

/// Words of a tile; spans are multiples of it.
pub(crate) const TILE: u32 = 16 * GROUP;

/// The operations, by the kernel's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Sum = 0,
    Min = 1,
    Max = 2,
    /// Words that are not zero.
    Count = 3,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Params {
    pub(crate) zero: u32,
    pub(crate) len: u32,
    pub(crate) span: u32,
    pub(crate) first: u32,
}

/// What words beyond the end count for.
pub(crate) fn identity(op: Op) -> u32 {
    // [1] What words beyond the end count for.
    if op == Op::Min { u32::MAX } else { 0 }
}

/// Two partial results.
pub(crate) fn combine(op: Op, a: u32, b: u32) -> u32 {
    // [2] Two partial results.
    match op {
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Sum | Op::Count => a.wrapping_add(b),
    }
}

fn combine_quads(op: Op, a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    // [3] The same, four at a time.
    std::array::from_fn(|i| combine(op, a[i], b[i]))
}

fn weigh_quad(op: Op, input: &[u32], len: u32, quad: u32) -> [u32; 4] {
    // [4] Four words as the operation counts them; the identity beyond the end.
    let words = quad::masked(input, len, quad, identity(op));
    if op == Op::Count { words.map(|w| u32::from(w != 0)) } else { words }
}

/// The dispatch of `groups` workgroups.
pub(crate) fn reduce_spans(op: Op, params: &Params, input: &[u32], partials: &mut [u32], groups: u32) {
    for group in 0..groups {
        // [5] Tile by tile.
        let start = group * params.span;
        let end = (start + params.span).min(params.len);
        let mut sums = [[identity(op); 4]; GROUP as usize];
        for tile in (start..end).step_by(TILE as usize) {
            for (local, sum) in sums.iter_mut().enumerate() {
                let quad = tile / 4 + local as u32;
                for row in 0..4 {
                    *sum = combine_quads(op, *sum, weigh_quad(op, input, params.len, quad + row * GROUP));
                }
            }
        }
        // [6] One word a span.
        let words = sums.map(|s| combine(op, combine(op, s[0], s[1]), combine(op, s[2], s[3])));
        let result = group_reduce_shared::group_reduce(&words, |a, b| combine(op, a, b));
        partials[(params.first + group) as usize] = result;
    }
}

#[cfg(test)]
mod tests {
    use super::super::group_reduce_subgroup;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_forms_reduce_to_the_same_word(values in proptest::collection::vec(any::<u32>(), 256), log in 2u32..8) {
            for op in [Op::Sum, Op::Min, Op::Max] {
                let lanes = group_reduce_subgroup::group_lanes(1 << log, 0);
                let by_lanes = group_reduce_subgroup::group_reduce(&values, lanes, |a, b| combine(op, a, b));
                prop_assert_eq!(by_lanes, group_reduce_shared::group_reduce(&values, |a, b| combine(op, a, b)));
            }
        }
    }
}
