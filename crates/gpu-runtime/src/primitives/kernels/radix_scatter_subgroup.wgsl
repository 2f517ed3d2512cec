// Schedule: one pass of the sort with the words of radix_scatter.wgsl, for devices whose subgroups have one known size.
// Equal digits find each other by votes, so a tile is sorted by all eight bits at once. Invocation `local` is lane
// `local % SUBGROUP` of subgroup `local / SUBGROUP`, which the context's self-test has checked.
// Header: SUBGROUP, the subgroup size; GROUP, a multiple of it, a divisor of 256, at most 8 subgroups.

alias GroupValue = u32;

const ITEMS: u32 = 12u;
const TILE: u32 = ITEMS * GROUP;
const TEAMS: u32 = GROUP / SUBGROUP;
const DIGITS_EACH: u32 = 256u / GROUP;

struct Params {
    zero: u32,
    len: u32,
    span: u32,
    first_group: u32,
    shift: u32,
    stride: u32,
    window_start: u32,
    window_len: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;

var<workgroup> pool: array<atomic<u32>, 3072>; // a count of each digit a subgroup, then keys, then values of the tile
var<workgroup> places: array<u32, 256>;        // next place of each digit
var<workgroup> shifts: array<u32, 256>;        // place minus position in the sorted tile, of each digit

fn digit(key: u32) -> u32 {
    // [1] The eight bits of this pass.
    return (key >> params.shift) & 255u;
}

fn load_key(index: u32) -> u32 {
    // [2] A key; all ones beyond the end.
    if (index >= params.len) {
        return 0xffffffffu;
    }
    return keys[index];
}

fn load_value(index: u32) -> u32 {
    // [3] A value; beyond the end anything will do.
    if (index >= params.len) {
        return 0u;
    }
    return values[index];
}

fn peers(own: u32) -> vec4<u32> {
    // [4] The lanes that hold the same digit: eight votes.
    var same = subgroupBallot(true);
    for (var bit = 0u; bit < 8u; bit++) {
        let one = ((own >> bit) & 1u) == 1u;
        same &= subgroupBallot(one) ^ vec4<u32>(select(0xffffffffu, 0u, one));
    }
    return same;
}

fn lanes_before(same: vec4<u32>, lane: u32) -> u32 {
    // [5] How many lanes of the same lie below the own one.
    let below = (1u << (lane & 31u)) - 1u;
    if (SUBGROUP <= 32u) {
        return countOneBits(same.x & below);
    }
    let word = vec4<u32>(lane / 32u);
    let index = vec4<u32>(0u, 1u, 2u, 3u);
    let mask = select(select(vec4<u32>(0u), vec4<u32>(below), index == word), vec4<u32>(0xffffffffu), index < word);
    let bits = countOneBits(same & mask);
    return bits.x + bits.y + bits.z + bits.w;
}

fn lanes_of(same: vec4<u32>) -> u32 {
    // [6] How many lanes the same has.
    if (SUBGROUP <= 32u) {
        return countOneBits(same.x);
    }
    let bits = countOneBits(same);
    return bits.x + bits.y + bits.z + bits.w;
}

fn first_lane(same: vec4<u32>) -> u32 {
    // [7] The lowest lane of the same.
    if (SUBGROUP <= 32u || same.x != 0u) {
        return firstTrailingBit(same.x);
    }
    if (same.y != 0u) {
        return 32u + firstTrailingBit(same.y);
    }
    if (same.z != 0u) {
        return 64u + firstTrailingBit(same.z);
    }
    return 96u + firstTrailingBit(same.w);
}

fn rank_item(key: u32, local: u32) -> u32 {
    // [8] How many items of the digit the subgroup has met before this one. The first lane of the peers counts for all.
    let own = digit(key);
    let same = peers(own);
    let before = lanes_before(same, local % SUBGROUP);
    var earlier = 0u;
    if (before == 0u) {
        earlier = atomicAdd(&pool[(local / SUBGROUP) * 256u + own], lanes_of(same));
    }
    return subgroupShuffle(earlier, first_lane(same)) + before;
}

fn rank_quad(quad: vec4<u32>, local: u32) -> vec4<u32> {
    // In this order: later items of a lane come after the earlier ones of all lanes.
    let x = rank_item(quad.x, local);
    let y = rank_item(quad.y, local);
    let z = rank_item(quad.z, local);
    let w = rank_item(quad.w, local);
    return vec4<u32>(x, y, z, w);
}

fn first_position(key: u32, local: u32) -> u32 {
    // [9] First position of the subgroup's items of the digit.
    return atomicLoad(&pool[(local / SUBGROUP) * 256u + digit(key)]);
}

fn first_positions(quad: vec4<u32>, local: u32) -> vec4<u32> {
    return vec4<u32>(
        first_position(quad.x, local),
        first_position(quad.y, local),
        first_position(quad.z, local),
        first_position(quad.w, local),
    );
}

fn place_digits(local: u32) {
    // [10] From counts to first positions, and from positions to places, for the digits of this invocation.
    var count = 0u;
    for (var i = 0u; i < DIGITS_EACH; i++) {
        for (var team = 0u; team < TEAMS; team++) {
            count += atomicLoad(&pool[team * 256u + local * DIGITS_EACH + i]);
        }
    }
    var position = group_exclusive(count, local).exclusive;
    for (var i = 0u; i < DIGITS_EACH; i++) {
        let own = local * DIGITS_EACH + i;
        let first = position;
        for (var team = 0u; team < TEAMS; team++) {
            let count_of_team = atomicLoad(&pool[team * 256u + own]);
            atomicStore(&pool[team * 256u + own], position);
            position += count_of_team;
        }
        shifts[own] = places[own] - first;
        places[own] += position - first;
    }
}

fn load_key_quad(first: u32) -> vec4<u32> {
    return vec4<u32>(
        load_key(first),
        load_key(first + SUBGROUP),
        load_key(first + 2u * SUBGROUP),
        load_key(first + 3u * SUBGROUP),
    );
}

fn load_value_quad(first: u32) -> vec4<u32> {
    return vec4<u32>(
        load_value(first),
        load_value(first + SUBGROUP),
        load_value(first + 2u * SUBGROUP),
        load_value(first + 3u * SUBGROUP),
    );
}

fn put_quad(words: vec4<u32>, positions: vec4<u32>) {
    // [11] Four words to their positions in the tile.
    atomicStore(&pool[positions.x], words.x);
    atomicStore(&pool[positions.y], words.y);
    atomicStore(&pool[positions.z], words.z);
    atomicStore(&pool[positions.w], words.w);
}

fn place_key(position: u32, valid: u32) -> u32 {
    // [12] The key at a position of the sorted tile to its place.
    if (position >= valid) {
        return 0xffffffffu;
    }
    let key = atomicLoad(&pool[position]);
    let place = shifts[digit(key)] + position;
    let slot = place - params.window_start;
    if (slot < params.window_len) {
        keys_out[slot] = key;
    }
    return place;
}

fn place_value(position: u32, place: u32) {
    // [13] The value follows its key.
    let slot = place - params.window_start;
    if (slot < params.window_len) {
        values_out[slot] = atomicLoad(&pool[position]);
    }
}

fn place_row(first: u32, valid: u32) -> vec4<u32> {
    return vec4<u32>(
        place_key(first, valid),
        place_key(first + GROUP, valid),
        place_key(first + 2u * GROUP, valid),
        place_key(first + 3u * GROUP, valid),
    );
}

fn place_values(first: u32, row: vec4<u32>) {
    place_value(first, row.x);
    place_value(first + GROUP, row.y);
    place_value(first + 2u * GROUP, row.z);
    place_value(first + 3u * GROUP, row.w);
}

fn first_places(local: u32, group: u32) {
    // [14] Next place of each digit: keys of smaller digits, then keys of this digit in earlier spans.
    var count = 0u;
    for (var i = 0u; i < DIGITS_EACH; i++) {
        count += counts[256u * params.stride + local * DIGITS_EACH + i];
    }
    var smaller = group_exclusive(count, local).exclusive;
    for (var i = 0u; i < DIGITS_EACH; i++) {
        let own = local * DIGITS_EACH + i;
        places[own] = smaller + counts[own * params.stride + params.first_group + group];
        smaller += counts[256u * params.stride + own];
    }
}

@compute @workgroup_size(GROUP)
fn radix_scatter_subgroup(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    first_places(local, group.x);
    let start = group.x * params.span;
    let end = min(start + params.span, params.len);
    for (var tile = start; tile < end; tile += TILE) {
        // [15] Ranks of the items of this invocation: a subgroup apart in the tile.
        for (var i = local; i < 256u * TEAMS; i += GROUP) {
            atomicStore(&pool[i], 0u);
        }
        workgroupBarrier();
        let first = tile + (local / SUBGROUP) * ITEMS * SUBGROUP + local % SUBGROUP;
        let keys_a = load_key_quad(first);
        let keys_b = load_key_quad(first + 4u * SUBGROUP);
        let keys_c = load_key_quad(first + 8u * SUBGROUP);
        let values_a = load_value_quad(first);
        let values_b = load_value_quad(first + 4u * SUBGROUP);
        let values_c = load_value_quad(first + 8u * SUBGROUP);
        let ranks_a = rank_quad(keys_a, local);
        let ranks_b = rank_quad(keys_b, local);
        let ranks_c = rank_quad(keys_c, local);
        // [16] Positions in the tile sorted by the digit.
        workgroupBarrier();
        place_digits(local);
        workgroupBarrier();
        let positions_a = ranks_a + first_positions(keys_a, local);
        let positions_b = ranks_b + first_positions(keys_b, local);
        let positions_c = ranks_c + first_positions(keys_c, local);
        workgroupBarrier();
        // [17] Keys to their places, in the order of positions.
        put_quad(keys_a, positions_a);
        put_quad(keys_b, positions_b);
        put_quad(keys_c, positions_c);
        workgroupBarrier();
        let valid = min(TILE, params.len - tile);
        let row_a = place_row(local, valid);
        let row_b = place_row(local + 4u * GROUP, valid);
        let row_c = place_row(local + 8u * GROUP, valid);
        // [18] Values after them.
        workgroupBarrier();
        put_quad(values_a, positions_a);
        put_quad(values_b, positions_b);
        put_quad(values_c, positions_c);
        workgroupBarrier();
        place_values(local, row_a);
        place_values(local + 4u * GROUP, row_b);
        place_values(local + 8u * GROUP, row_c);
        workgroupBarrier();
    }
}
