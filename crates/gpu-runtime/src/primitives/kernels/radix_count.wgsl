// Digit counts of spans of keys: counts[d * stride + first_group + g] = keys of span g whose digit
// (key >> shift) & 255 is d, for each of `groups` spans. A workgroup takes `each` consecutive spans, four at most, so that
// their counts of a digit are stored side by side. A span is a multiple of TILE keys. Header: GROUP = 256.

const TILE: u32 = 12u * GROUP;

struct Params {
    zero: u32,
    len: u32,
    span: u32,
    groups: u32,
    each: u32,
    first_group: u32,
    shift: u32,
    stride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> bins: array<atomic<u32>, 1024>; // those of each span

fn digit(key: u32) -> u32 {
    // [1] The eight bits of this pass.
    return (key >> params.shift) & 255u;
}

fn count_quad(quad: u32, first_bin: u32) {
    // [2] Four keys; those beyond the end are not counted.
    let left = params.len - min(params.len, 4u * quad);
    if (left == 0u) {
        return;
    }
    let words = keys[quad];
    atomicAdd(&bins[first_bin + digit(words.x)], 1u);
    if (left > 1u) {
        atomicAdd(&bins[first_bin + digit(words.y)], 1u);
    }
    if (left > 2u) {
        atomicAdd(&bins[first_bin + digit(words.z)], 1u);
    }
    if (left > 3u) {
        atomicAdd(&bins[first_bin + digit(words.w)], 1u);
    }
}

@compute @workgroup_size(GROUP)
fn radix_count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [3] Empty bins.
    for (var i = local; i < 1024u; i += GROUP) {
        atomicStore(&bins[i], 0u);
    }
    workgroupBarrier();
    // [4] Span by span, tile by tile.
    for (var k = 0u; k < params.each; k++) {
        let start = (group.x * params.each + k) * params.span;
        let end = min(start + params.span, params.len);
        for (var tile = start; tile < end; tile += TILE) {
            let quad = tile / 4u + local;
            count_quad(quad, 256u * k);
            count_quad(quad + GROUP, 256u * k);
            count_quad(quad + 2u * GROUP, 256u * k);
        }
    }
    // [5] One count a digit and span.
    workgroupBarrier();
    for (var k = 0u; k < params.each; k++) {
        let span = group.x * params.each + k;
        if (span < params.groups) {
            counts[local * params.stride + params.first_group + span] = atomicLoad(&bins[256u * k + local]);
        }
    }
}
