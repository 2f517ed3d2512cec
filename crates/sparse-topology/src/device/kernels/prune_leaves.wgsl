// Schedule: the masks of a batch with the voxels whose bit (one a row) is 0 taken away; an invocation a leaf.

struct Params {
    zero: u32,
    list_capacity: u32,
    groups: u32,
    // First row and number of rows of the bits at hand are given in words of 32 rows.
    words: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> list_status: array<u32>;
@group(0) @binding(2) var<storage, read> list_masks: array<u32>;
@group(0) @binding(3) var<storage, read> list_rows: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> bits: array<u32>;
@group(0) @binding(5) var<storage, read_write> filtered: array<u32>;

@compute @workgroup_size(64)
fn prune_leaves(@builtin(global_invocation_id) id: vec3<u32>) {
    let count = min(list_status[1], params.list_capacity);
    for (var leaf = id.x; leaf < count; leaf += params.groups * 64u) {
        let row = list_rows[leaf];
        var at = (row.y << 27u) | (row.x >> 5u);
        var shift = row.x & 31u;
        for (var w = 0u; w < 16u; w++) {
            var rest = list_masks[16u * leaf + w];
            var kept = 0u;
            while (rest != 0u) {
                let bit = rest & (0u - rest);
                if (((bits[min(at, params.words - 1u)] >> shift) & 1u) != 0u) {
                    kept |= bit;
                }
                shift++;
                at += shift >> 5u;
                shift &= 31u;
                rest ^= bit;
            }
            filtered[16u * leaf + w] = kept;
        }
    }
    if (id.x < 16u) {
        filtered[16u * params.list_capacity + id.x] = 0u;
    }
}
