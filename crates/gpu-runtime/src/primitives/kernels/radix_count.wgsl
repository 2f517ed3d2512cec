// Digit counts of spans of keys: counts[d * stride + first_group + g] = keys of span g whose digit
// (key >> shift) & 255 is d. One workgroup a span; a span is a multiple of TILE keys. Header: GROUP = 256.

const TILE: u32 = 12u * GROUP;

struct Params {
    zero: u32,
    len: u32,
    span: u32,
    first_group: u32,
    shift: u32,
    stride: u32,
    pad_a: u32,
    pad_b: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> bins: array<atomic<u32>, 256>;

fn digit(key: u32) -> u32 {
    // [1] The eight bits of this pass.
    return (key >> params.shift) & 255u;
}

fn count_quad(quad: u32) {
    // [2] Four keys; those beyond the end are not counted.
    let left = params.len - min(params.len, 4u * quad);
    if (left == 0u) {
        return;
    }
    let words = keys[quad];
    atomicAdd(&bins[digit(words.x)], 1u);
    if (left > 1u) {
        atomicAdd(&bins[digit(words.y)], 1u);
    }
    if (left > 2u) {
        atomicAdd(&bins[digit(words.z)], 1u);
    }
    if (left > 3u) {
        atomicAdd(&bins[digit(words.w)], 1u);
    }
}

@compute @workgroup_size(GROUP)
fn radix_count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [3] Empty bins, one an invocation.
    atomicStore(&bins[local], 0u);
    workgroupBarrier();
    // [4] Tile by tile.
    let start = group.x * params.span;
    let end = min(start + params.span, params.len);
    for (var tile = start; tile < end; tile += TILE) {
        let quad = tile / 4u + local;
        count_quad(quad);
        count_quad(quad + GROUP);
        count_quad(quad + 2u * GROUP);
    }
    // [5] One count a digit.
    workgroupBarrier();
    counts[local * params.stride + params.first_group + group.x] = atomicLoad(&bins[local]);
}
