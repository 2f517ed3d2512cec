//! Twin of `radix_scatter.wgsl`. A tile is a slice of TILE words: item `i` of invocation `t` is word `12 t + i`.

use bytemuck::{Pod, Zeroable};

use super::group_scan_shared::group_exclusive;
use super::{GROUP, quad, radix_count};
use crate::WgslModule;

pub(crate) const RADIX_SCATTER: WgslModule =
    WgslModule { name: "radix_scatter", source: include_str!("radix_scatter.wgsl") };

/// The schedule of the same pass for subgroups of one known size.
pub(crate) const RADIX_SCATTER_SUBGROUP: WgslModule =
    WgslModule { name: "radix_scatter_subgroup", source: include_str!("radix_scatter_subgroup.wgsl") };

/// Pairs of a tile; spans are multiples of it, and it is one of the tiles of the other schedule.
pub(crate) const TILE: u32 = radix_count::TILE;

/// Pairs of an invocation in a tile. Below 16, so that 4-bit counters hold them.
const ITEMS: usize = 12;

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Params {
    pub(crate) zero: u32,
    pub(crate) len: u32,
    pub(crate) span: u32,
    pub(crate) first_group: u32,
    pub(crate) shift: u32,
    pub(crate) stride: u32,
    pub(crate) window_start: u32,
    pub(crate) window_len: u32,
}

fn digit(params: &Params, key: u32) -> u32 {
    // [1] The eight bits of this pass.
    radix_count::digit(key, params.shift)
}

fn load_keys(params: &Params, keys: &[u32], quad: u32) -> [u32; 4] {
    // [2] Four keys; all ones beyond the end.
    quad::masked(keys, params.len, quad, u32::MAX)
}

fn load_values(params: &Params, values: &[u32], quad: u32) -> [u32; 4] {
    // [3] Four values; beyond the end anything will do.
    quad::masked(values, params.len, quad, 0)
}

fn take_rank(seen: [u32; 2], nibble: u32) -> u32 {
    // [4] How often this invocation has met the nibble: sixteen 4-bit counters in two words.
    (seen[usize::from(nibble > 7)] >> (4 * (nibble & 7))) & 15
}

fn count_nibble(mut seen: [u32; 2], nibble: u32) -> [u32; 2] {
    // [5] One more of it.
    seen[usize::from(nibble > 7)] += 1 << (4 * (nibble & 7));
    seen
}

fn paired_counts(seen: [u32; 2], lane: u32) -> u32 {
    // [6] Counters of the nibbles `lane` and `lane + 8` in the halves of a word.
    ((seen[0] >> (4 * lane)) & 15) | (((seen[1] >> (4 * lane)) & 15) << 16)
}

fn quad_sum(words: [u32; 4]) -> u32 {
    // [7] Sum of a quad.
    quad::sum(words)
}

fn quad_exclusive(words: [u32; 4], base: u32) -> [u32; 4] {
    // [8] Exclusive scan of a quad.
    quad::exclusive(words, base)
}

fn pool_word(pool: &[u32], position: u32) -> u32 {
    pool[position as usize]
}

fn nibble_place(pool: &[u32], nibble: u32, local: u32) -> u32 {
    // [9] First position of this invocation's items of the nibble.
    (pool_word(pool, (nibble & 7) * GROUP + local) >> (16 * (nibble >> 3))) & 0xffff
}

fn nibble_places(pool: &[u32], nibbles: &[u32], local: u32) -> Vec<u32> {
    nibbles.iter().map(|nibble| nibble_place(pool, *nibble, local)).collect()
}

fn rank_quad(seen: &mut [u32; 2], nibbles: &[u32]) -> Vec<u32> {
    // [10] Ranks of four items among the invocation's own.
    let rank = |nibble: &u32| {
        let rank = take_rank(*seen, *nibble);
        *seen = count_nibble(*seen, *nibble);
        rank
    };
    nibbles.iter().map(rank).collect()
}

fn rank_items(items: &[u32], shift: u32) -> Vec<u32> {
    // [11] Positions of the blocked items in the tile stably sorted by the four bits at `shift`.
    let nibbles: Vec<u32> = items.iter().map(|key| (key >> shift) & 15).collect();
    let mut pool = vec![0; (8 * GROUP) as usize];
    let mut ranks = Vec::with_capacity(items.len());
    for (local, own) in nibbles.chunks_exact(ITEMS).enumerate() {
        let mut seen = [0; 2];
        ranks.extend(own.chunks_exact(4).flat_map(|four| rank_quad(&mut seen, four)));
        for lane in 0..8 {
            pool[(lane * GROUP) as usize + local] = paired_counts(seen, lane);
        }
    }
    let four = |words: &[u32]| [words[0], words[1], words[2], words[3]];
    let sums: Vec<_> = pool.chunks_exact(8).map(|w| quad_sum(four(w)) + quad_sum(four(&w[4..]))).collect();
    let (exclusive, total) = group_exclusive(&sums);
    for (words, offset) in pool.chunks_exact_mut(8).zip(exclusive) {
        // The upper eight nibbles lie behind all of the lower eight.
        let base = offset + (total << 16);
        let (low, high) = (four(words), four(&words[4..]));
        words[..4].copy_from_slice(&quad_exclusive(low, base));
        words[4..].copy_from_slice(&quad_exclusive(high, base + quad_sum(low)));
    }
    let places = (0..).zip(nibbles.chunks_exact(ITEMS)).flat_map(|(local, own)| nibble_places(&pool, own, local));
    ranks.iter().zip(places).map(|(rank, place)| rank + place).collect()
}

fn put_quad(pool: &mut [u32], words: &[u32], positions: &[u32]) {
    // [12] Four words to their positions in the tile.
    for (word, position) in words.iter().zip(positions) {
        pool[*position as usize] = *word;
    }
}

fn put_items(items: &[u32], positions: &[u32]) -> Vec<u32> {
    let mut pool = vec![0; items.len()];
    for (words, at) in items.chunks_exact(4).zip(positions.chunks_exact(4)) {
        put_quad(&mut pool, words, at);
    }
    pool
}

fn exchange_items(items: &[u32], positions: &[u32]) -> Vec<u32> {
    // [13] The tile rearranged, blocked again.
    put_items(items, positions)
}

/// Next place of each digit, how far places are from positions, and the outputs.
struct Target<'a> {
    places: [u32; 256],
    shifts: [u32; 256],
    keys_out: &'a mut [u32],
    values_out: &'a mut [u32],
}

/// The tile as sorted by the digit: `valid` keys, then what is not there.
struct Sorted<'a> {
    params: &'a Params,
    pool: &'a [u32],
    valid: u32,
}

impl Sorted<'_> {
    fn digit(&self, position: u32) -> u32 {
        digit(self.params, pool_word(self.pool, position))
    }
}

fn open_run(tile: &Sorted<'_>, target: &mut Target<'_>, position: u32) {
    // [14] The first key of a digit in the sorted tile says how far the digit's places are from its positions.
    if position >= tile.valid {
        return;
    }
    let own = tile.digit(position);
    if position > 0 && tile.digit(position - 1) == own {
        return;
    }
    target.shifts[own as usize] = target.places[own as usize].wrapping_sub(position);
}

fn place_key(tile: &Sorted<'_>, target: &mut Target<'_>, position: u32) -> u32 {
    // [15] The place of the key at a position of the sorted tile; the last of a digit moves the digit on.
    if position >= tile.valid {
        return u32::MAX;
    }
    let own = tile.digit(position);
    let place = target.shifts[own as usize].wrapping_add(position);
    if position + 1 == tile.valid || tile.digit(position + 1) != own {
        target.places[own as usize] = place + 1;
    }
    let slot = place.wrapping_sub(tile.params.window_start);
    if slot < tile.params.window_len {
        target.keys_out[slot as usize] = pool_word(tile.pool, position);
    }
    place
}

fn place_value(params: &Params, pool: &[u32], target: &mut Target<'_>, position: u32, place: u32) {
    // [16] The value follows its key.
    let slot = place.wrapping_sub(params.window_start);
    if slot < params.window_len {
        target.values_out[slot as usize] = pool_word(pool, position);
    }
}

fn place_row(tile: &Sorted<'_>, target: &mut Target<'_>, first: u32) -> [u32; 4] {
    [0, 1, 2, 3].map(|row| place_key(tile, target, first + row * GROUP))
}

fn place_values(params: &Params, pool: &[u32], target: &mut Target<'_>, first: u32, row: [u32; 4]) {
    for (place, position) in row.into_iter().zip((first..).step_by(GROUP as usize)) {
        place_value(params, pool, target, position, place);
    }
}

/// The dispatch of `groups` workgroups; `input` and `output` are keys and values.
pub(crate) fn radix_scatter(params: &Params, input: [&[u32]; 2], counts: &[u32], output: [&mut [u32]; 2], groups: u32) {
    let [keys_out, values_out] = output;
    let mut target = Target { places: [0; 256], shifts: [0; 256], keys_out, values_out };
    let totals = &counts[(256 * params.stride) as usize..][..256];
    for group in 0..groups {
        // [17] Next place of each digit: keys of smaller digits, then keys of this digit in earlier spans.
        let (smaller, _) = group_exclusive(totals);
        for row in 0..256 {
            let earlier = counts[(row as u32 * params.stride + params.first_group + group) as usize];
            target.places[row] = smaller[row] + earlier;
        }
        let start = group * params.span;
        let end = (start + params.span).min(params.len);
        for tile in (start..end).step_by(TILE as usize) {
            scatter_tile(params, input, &mut target, tile);
        }
    }
}

fn scatter_tile(params: &Params, [keys, values]: [&[u32]; 2], target: &mut Target<'_>, tile: u32) {
    // [18] The tile sorted by the digit: low four bits, then high four bits.
    let quads = tile / 4..(tile + TILE) / 4;
    let tile_keys: Vec<_> = quads.clone().flat_map(|q| load_keys(params, keys, q)).collect();
    let tile_values: Vec<_> = quads.flat_map(|q| load_values(params, values, q)).collect();
    let low = rank_items(&tile_keys, params.shift);
    let tile_keys = exchange_items(&tile_keys, &low);
    let tile_values = exchange_items(&tile_values, &low);
    let high = rank_items(&tile_keys, params.shift + 4);
    let sorted = Sorted { params, pool: &put_items(&tile_keys, &high), valid: TILE.min(params.len - tile) };
    // [19] Keys to their places, striped.
    for position in 0..TILE {
        open_run(&sorted, target, position);
    }
    let firsts = || (0..GROUP).flat_map(|local| [local, local + 4 * GROUP, local + 8 * GROUP]);
    let rows: Vec<_> = firsts().map(|first| place_row(&sorted, target, first)).collect();
    // [20] Values after them.
    let pool = put_items(&tile_values, &high);
    for (first, row) in firsts().zip(rows) {
        place_values(params, &pool, target, first, row);
    }
}
