// One pass of the sort: every key and value of a span goes to its place by the digit (key >> shift) & 255, equal digits
// in the order of the input. One workgroup a span; `counts` is what radix_prefix left. A tile of TILE pairs is sorted
// by the digit in workgroup memory, four bits at a time, so that stores run along the digit's places. Places outside
// window_start .. window_start + window_len are left to another dispatch. A span is a multiple of TILE.
// Header: GROUP = 256. Keys beyond the end are all ones: they sort behind every real key of the tile and are dropped.

alias GroupValue = u32;

const TILE: u32 = 12u * GROUP;

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

// The twelve words an invocation holds: consecutive in the tile when blocked, GROUP apart when striped.
struct Items {
    a: vec4<u32>,
    b: vec4<u32>,
    c: vec4<u32>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> values: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;

var<workgroup> pool: array<vec4<u32>, 768>; // nibble counts, then keys, then values of the tile
var<workgroup> places: array<u32, 256>;     // next place of each digit
var<workgroup> shifts: array<u32, 256>;     // place minus position in the sorted tile, of each digit

fn digit(key: u32) -> u32 {
    // [1] The eight bits of this pass.
    return (key >> params.shift) & 255u;
}

fn load_keys(quad: u32) -> vec4<u32> {
    // [2] Four keys; all ones beyond the end.
    let left = params.len - min(params.len, 4u * quad);
    if (left == 0u) {
        return vec4<u32>(0xffffffffu);
    }
    return select(vec4<u32>(0xffffffffu), keys[quad], vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(left));
}

fn load_values(quad: u32) -> vec4<u32> {
    // [3] Four values; beyond the end anything will do.
    if (4u * quad >= params.len) {
        return vec4<u32>(0u);
    }
    return values[quad];
}

fn take_rank(seen: vec2<u32>, nibble: u32) -> u32 {
    // [4] How often this invocation has met the nibble: sixteen 4-bit counters in two words.
    return (select(seen.x, seen.y, nibble > 7u) >> (4u * (nibble & 7u))) & 15u;
}

fn count_nibble(seen: vec2<u32>, nibble: u32) -> vec2<u32> {
    // [5] One more of it.
    let one = 1u << (4u * (nibble & 7u));
    return seen + select(vec2<u32>(one, 0u), vec2<u32>(0u, one), nibble > 7u);
}

fn paired_counts(seen: vec2<u32>, lane: u32) -> u32 {
    // [6] Counters of the nibbles `lane` and `lane + 8` in the halves of a word.
    return ((seen.x >> (4u * lane)) & 15u) | (((seen.y >> (4u * lane)) & 15u) << 16u);
}

fn quad_sum(words: vec4<u32>) -> u32 {
    // [7] Sum of a quad.
    return (words.x + words.y) + (words.z + words.w);
}

fn quad_exclusive(words: vec4<u32>) -> vec4<u32> {
    // [8] Exclusive scan of a quad.
    return vec4<u32>(0u, words.x, words.x + words.y, words.x + words.y + words.z);
}

fn pool_word(position: u32) -> u32 {
    return pool[position / 4u][position % 4u];
}

fn nibble_place(nibble: u32, local: u32) -> u32 {
    // [9] First position of this invocation's items of the nibble.
    return (pool_word((nibble & 7u) * GROUP + local) >> (16u * (nibble >> 3u))) & 0xffffu;
}

fn nibble_places(nibbles: vec4<u32>, local: u32) -> vec4<u32> {
    return vec4<u32>(
        nibble_place(nibbles.x, local),
        nibble_place(nibbles.y, local),
        nibble_place(nibbles.z, local),
        nibble_place(nibbles.w, local),
    );
}

struct Ranked {
    ranks: vec4<u32>,
    seen: vec2<u32>,
}

fn rank_quad(before: vec2<u32>, nibbles: vec4<u32>) -> Ranked {
    // [10] Ranks of four items among the invocation's own.
    var seen = before;
    var ranks: vec4<u32>;
    ranks.x = take_rank(seen, nibbles.x);
    seen = count_nibble(seen, nibbles.x);
    ranks.y = take_rank(seen, nibbles.y);
    seen = count_nibble(seen, nibbles.y);
    ranks.z = take_rank(seen, nibbles.z);
    seen = count_nibble(seen, nibbles.z);
    ranks.w = take_rank(seen, nibbles.w);
    seen = count_nibble(seen, nibbles.w);
    return Ranked(ranks, seen);
}

fn rank_items(items: Items, shift: u32, local: u32) -> Items {
    // [11] Positions of the blocked items in the tile stably sorted by the four bits at `shift`.
    let a = (items.a >> vec4<u32>(shift)) & vec4<u32>(15u);
    let b = (items.b >> vec4<u32>(shift)) & vec4<u32>(15u);
    let c = (items.c >> vec4<u32>(shift)) & vec4<u32>(15u);
    let first = rank_quad(vec2<u32>(0u), a);
    let second = rank_quad(first.seen, b);
    let third = rank_quad(second.seen, c);
    // Counts of all invocations, the pair of nibbles major: their scan is every first position.
    for (var lane = 0u; lane < 8u; lane++) {
        let word = lane * GROUP + local;
        pool[word / 4u][word % 4u] = paired_counts(third.seen, lane);
    }
    workgroupBarrier();
    let low = pool[2u * local];
    let high = pool[2u * local + 1u];
    let scan = group_exclusive(quad_sum(low) + quad_sum(high), local);
    // The upper eight nibbles lie behind all of the lower eight.
    let base = scan.exclusive + (scan.total << 16u);
    pool[2u * local] = quad_exclusive(low) + vec4<u32>(base);
    pool[2u * local + 1u] = quad_exclusive(high) + vec4<u32>(base + quad_sum(low));
    workgroupBarrier();
    let result = Items(
        first.ranks + nibble_places(a, local),
        second.ranks + nibble_places(b, local),
        third.ranks + nibble_places(c, local),
    );
    workgroupBarrier();
    return result;
}

fn put_quad(words: vec4<u32>, positions: vec4<u32>) {
    // [12] Four words to their positions in the tile.
    pool[positions.x / 4u][positions.x % 4u] = words.x;
    pool[positions.y / 4u][positions.y % 4u] = words.y;
    pool[positions.z / 4u][positions.z % 4u] = words.z;
    pool[positions.w / 4u][positions.w % 4u] = words.w;
}

fn put_items(items: Items, positions: Items) {
    put_quad(items.a, positions.a);
    put_quad(items.b, positions.b);
    put_quad(items.c, positions.c);
    workgroupBarrier();
}

fn exchange_items(items: Items, positions: Items, local: u32) -> Items {
    // [13] The tile rearranged, blocked again.
    put_items(items, positions);
    let result = Items(pool[3u * local], pool[3u * local + 1u], pool[3u * local + 2u]);
    workgroupBarrier();
    return result;
}

fn open_run(position: u32, valid: u32) {
    // [14] The first key of a digit in the sorted tile says how far the digit's places are from its positions.
    if (position >= valid) {
        return;
    }
    let own = digit(pool_word(position));
    if (position > 0u) {
        if (digit(pool_word(position - 1u)) == own) {
            return;
        }
    }
    shifts[own] = places[own] - position;
}

fn place_key(position: u32, valid: u32) -> u32 {
    // [15] The place of the key at a position of the sorted tile; the last of a digit moves the digit on.
    if (position >= valid) {
        return 0xffffffffu;
    }
    let key = pool_word(position);
    let own = digit(key);
    let place = shifts[own] + position;
    var last = position + 1u == valid;
    if (!last) {
        last = digit(pool_word(position + 1u)) != own;
    }
    if (last) {
        places[own] = place + 1u;
    }
    let slot = place - params.window_start;
    if (slot < params.window_len) {
        keys_out[slot] = key;
    }
    return place;
}

fn place_value(position: u32, place: u32) {
    // [16] The value follows its key.
    let slot = place - params.window_start;
    if (slot < params.window_len) {
        values_out[slot] = pool_word(position);
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

@compute @workgroup_size(GROUP)
fn radix_scatter(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [17] Next place of each digit: keys of smaller digits, then keys of this digit in earlier spans.
    let smaller = group_exclusive(counts[256u * params.stride + local], local).exclusive;
    places[local] = smaller + counts[local * params.stride + params.first_group + group.x];
    let start = group.x * params.span;
    let end = min(start + params.span, params.len);
    for (var tile = start; tile < end; tile += TILE) {
        // [18] The tile sorted by the digit: low four bits, then high four bits.
        let quad = tile / 4u + 3u * local;
        var tile_keys = Items(load_keys(quad), load_keys(quad + 1u), load_keys(quad + 2u));
        var tile_values = Items(load_values(quad), load_values(quad + 1u), load_values(quad + 2u));
        let low = rank_items(tile_keys, params.shift, local);
        tile_keys = exchange_items(tile_keys, low, local);
        tile_values = exchange_items(tile_values, low, local);
        let high = rank_items(tile_keys, params.shift + 4u, local);
        put_items(tile_keys, high);
        // [19] Keys to their places, striped.
        let valid = min(TILE, params.len - tile);
        for (var i = local; i < TILE; i += GROUP) {
            open_run(i, valid);
        }
        workgroupBarrier();
        let rows = Items(
            place_row(local, valid),
            place_row(local + 4u * GROUP, valid),
            place_row(local + 8u * GROUP, valid),
        );
        // [20] Values after them.
        workgroupBarrier();
        put_items(tile_values, high);
        place_values(local, rows.a);
        place_values(local + 4u * GROUP, rows.b);
        place_values(local + 8u * GROUP, rows.c);
        workgroupBarrier();
    }
}
