// From digit counts to places: row d of `counts` (stride words, the first `groups` of them counts) becomes its
// exclusive scan, and word 256 * stride + d the sum of the row. One workgroup a row. Header: GROUP.

alias GroupValue = u32;

struct Params {
    zero: u32,
    groups: u32,
    stride: u32,
    pad_a: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> counts: array<vec4<u32>>;

fn quad_sum(words: vec4<u32>) -> u32 {
    // [1] Sum of a quad.
    return (words.x + words.y) + (words.z + words.w);
}

fn quad_exclusive(words: vec4<u32>) -> vec4<u32> {
    // [2] Exclusive scan of a quad.
    return vec4<u32>(0u, words.x, words.x + words.y, words.x + words.y + words.z);
}

@compute @workgroup_size(GROUP)
fn radix_prefix(@builtin(workgroup_id) row: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // [3] The row, 4 * GROUP words at a time; words past the counts are 0 and are not written.
    let first = row.x * params.stride / 4u;
    var base = 0u;
    for (var tile = 0u; tile < params.groups; tile += 4u * GROUP) {
        let word = tile + 4u * local;
        let quad = first + word / 4u;
        var words = vec4<u32>(0u);
        if (word < params.groups) {
            let left = vec4<u32>(params.groups - word);
            words = select(words, counts[quad], vec4<u32>(0u, 1u, 2u, 3u) < left);
        }
        let scan = group_exclusive(quad_sum(words), local);
        if (word < params.groups) {
            counts[quad] = quad_exclusive(words) + vec4<u32>(base + scan.exclusive);
        }
        base += scan.total;
    }
    // [4] All keys of the digit.
    if (local == 0u) {
        let slot = 256u * params.stride + row.x;
        counts[slot / 4u][slot % 4u] = base;
    }
}
