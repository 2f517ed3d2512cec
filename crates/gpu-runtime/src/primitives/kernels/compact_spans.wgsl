// Compaction of spans, in order: the given word of every flag that is not zero goes to the next place of the output.
// One workgroup a span; `sums` holds the kept words of each span (reduce_spans, OP_COUNT). Carry and total as in
// scan_spans. Places outside window_start .. window_start + window_len are left to another dispatch.
// A span is a multiple of TILE words. Header: GROUP. `given_quad` comes from compact_values or compact_indices.

alias GroupValue = u32;

const TILE: u32 = 8u * GROUP;

struct Params {
    zero: u32,
    len: u32,
    span: u32,
    groups: u32,
    read_slot: u32,
    write_slot: u32,
    first_index: u32,
    window_start: u32,
    window_len: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> flags: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<storage, read> sums: array<u32>;
@group(0) @binding(4) var<storage, read_write> total: array<u32>;

// The kept words of a tile, so that stores to the output are contiguous.
var<workgroup> stage: array<u32, TILE>;

fn kept_quad(quad: u32) -> vec4<u32> {
    // [1] 1 where a flag is not zero; 0 beyond the end.
    let left = params.len - min(params.len, 4u * quad);
    if (left == 0u) {
        return vec4<u32>(0u);
    }
    let inside = vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(left);
    return vec4<u32>((flags[quad] != vec4<u32>(0u)) & inside);
}

fn quad_sum(words: vec4<u32>) -> u32 {
    // [2] Sum of a quad.
    return (words.x + words.y) + (words.z + words.w);
}

fn stage_quad(quad: u32, kept: vec4<u32>, place: u32) {
    // [3] The kept words of a quad to their places in the tile.
    if (quad_sum(kept) == 0u) {
        return;
    }
    let words = given_quad(quad);
    if (kept.x == 1u) {
        stage[place] = words.x;
    }
    if (kept.y == 1u) {
        stage[place + kept.x] = words.y;
    }
    if (kept.z == 1u) {
        stage[place + kept.x + kept.y] = words.z;
    }
    if (kept.w == 1u) {
        stage[place + kept.x + kept.y + kept.z] = words.w;
    }
}

fn emit(place: u32, word: u32) {
    // [4] One word to the output, when its place is in the window.
    let slot = place - params.window_start;
    if (slot < params.window_len) {
        output[slot] = word;
    }
}

@compute @workgroup_size(GROUP)
fn compact_spans(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [5] Kept words before this span.
    var before = 0u;
    for (var i = local; i < group.x; i += GROUP) {
        before += sums[i];
    }
    var base = total[params.read_slot] + group_exclusive(before, local).total;
    // [6] Tile by tile: two rows of GROUP quads, their counts scanned together in the halves of one word.
    let start = group.x * params.span;
    let end = min(start + params.span, params.len);
    for (var tile = start; tile < end; tile += TILE) {
        let quad = tile / 4u + local;
        let a = kept_quad(quad);
        let b = kept_quad(quad + GROUP);
        let rows = group_exclusive(quad_sum(a) | (quad_sum(b) << 16u), local);
        let first_row = rows.total & 0xffffu;
        stage_quad(quad, a, rows.exclusive & 0xffffu);
        stage_quad(quad + GROUP, b, first_row + (rows.exclusive >> 16u));
        workgroupBarrier();
        let count = first_row + (rows.total >> 16u);
        for (var i = local; i < count; i += GROUP) {
            emit(base + i, stage[i]);
        }
        base += count;
    }
    // [7] The carry of the next dispatch, or the count of all.
    if (group.x + 1u == params.groups && local == 0u) {
        total[params.write_slot] = base;
    }
}
