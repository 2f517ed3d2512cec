// Exclusive scan of spans of words: output[i] = carry + sums of the spans before + input of the own span before i,
// sums modulo 2^32. One workgroup a span; `sums` holds one word a span (reduce_spans). The carry comes from
// total[read_slot] and the last workgroup leaves the grand total in total[write_slot], another word of the same array.
// A span is a multiple of TILE words. Header: GROUP.

alias GroupValue = vec4<u32>;

const TILE: u32 = 16u * GROUP;

struct Params {
    zero: u32,
    len: u32,
    span: u32,
    groups: u32,
    read_slot: u32,
    write_slot: u32,
    pad_a: u32,
    pad_b: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> output: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> sums: array<u32>;
@group(0) @binding(4) var<storage, read_write> total: array<u32>;

fn words_left(quad: u32) -> u32 {
    // [1] Words from this quad to the end.
    return params.len - min(params.len, 4u * quad);
}

fn load_quad(quad: u32) -> vec4<u32> {
    // [2] Four words; 0 beyond the end.
    let left = words_left(quad);
    if (left == 0u) {
        return vec4<u32>(0u);
    }
    return select(vec4<u32>(0u), input[quad], vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(left));
}

fn store_quad(quad: u32, words: vec4<u32>) {
    // [3] Four words; nothing beyond the end is touched.
    let left = words_left(quad);
    if (left >= 4u) {
        output[quad] = words;
        return;
    }
    if (left > 0u) {
        output[quad].x = words.x;
    }
    if (left > 1u) {
        output[quad].y = words.y;
    }
    if (left > 2u) {
        output[quad].z = words.z;
    }
}

fn quad_sum(words: vec4<u32>) -> u32 {
    // [4] Sum of a quad.
    return (words.x + words.y) + (words.z + words.w);
}

fn quad_exclusive(words: vec4<u32>) -> vec4<u32> {
    // [5] Exclusive scan of a quad.
    return vec4<u32>(0u, words.x, words.x + words.y, words.x + words.y + words.z);
}

@compute @workgroup_size(GROUP)
fn scan_spans(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [6] What lies before this span. The few sums are added again by every workgroup: cheaper than one dispatch more.
    var before = vec4<u32>(0u);
    for (var i = local; i < group.x; i += GROUP) {
        before.x += sums[i];
    }
    var base = total[params.read_slot] + group_exclusive(before, local).total.x;
    // [7] Tile by tile. A tile is four rows of GROUP quads; the four rows are scanned at once.
    let start = group.x * params.span;
    let end = min(start + params.span, params.len);
    for (var tile = start; tile < end; tile += TILE) {
        let quad = tile / 4u + local;
        let a = load_quad(quad);
        let b = load_quad(quad + GROUP);
        let c = load_quad(quad + 2u * GROUP);
        let d = load_quad(quad + 3u * GROUP);
        let rows = group_exclusive(vec4<u32>(quad_sum(a), quad_sum(b), quad_sum(c), quad_sum(d)), local);
        let offsets = rows.exclusive + quad_exclusive(rows.total) + vec4<u32>(base);
        store_quad(quad, quad_exclusive(a) + vec4<u32>(offsets.x));
        store_quad(quad + GROUP, quad_exclusive(b) + vec4<u32>(offsets.y));
        store_quad(quad + 2u * GROUP, quad_exclusive(c) + vec4<u32>(offsets.z));
        store_quad(quad + 3u * GROUP, quad_exclusive(d) + vec4<u32>(offsets.w));
        base += quad_sum(rows.total);
    }
    // [8] The carry of the next dispatch, or the grand total.
    if (group.x + 1u == params.groups && local == 0u) {
        total[params.write_slot] = base;
    }
}
