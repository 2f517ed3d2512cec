// Schedule: the rows of the list of pairs that name a word and a bit of its masks.

struct Params {
    zero: u32,
    count: u32,
    pad: u32,
    groups: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> list_masks: array<u32>;
@group(0) @binding(2) var<storage, read> list_rows: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> pairs: array<vec4<u32>>;

@compute @workgroup_size(64)
fn pair_rows(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let pair = pairs[i];
        let leaf = pair.z >> 4u;
        var rank = countOneBits(list_masks[pair.z] & ((1u << pair.w) - 1u));
        for (var w = 16u * leaf; w < pair.z; w++) {
            rank += countOneBits(list_masks[w]);
        }
        let first = list_rows[leaf];
        let low = first.x + rank;
        pairs[i] = vec4<u32>(pair.xy, low, first.y + select(0u, 1u, low < rank));
    }
}
