// Schedule: masks of the destination's leaves and the number of voxels of each, in place of its first row; sums by group behind the rows.
// Constants: ADD is whether the masks grow instead of being replaced.

@group(0) @binding(7) var<storage, read_write> list_masks: array<u32>;
@group(0) @binding(8) var<storage, read_write> list_rows: array<u32>;

var<workgroup> counts: array<u32, 256>;
var<workgroup> group_total: atomic<u32>;

@compute @workgroup_size(256)
fn gather_leaves(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = min(list_status[1], params.list_capacity);
    let span = leaf_span(count);
    let first = group.x * span;
    let end = min(first + span, count);
    let slot = local >> 4u;
    let lane = local & 15u;
    if (local == 0u) {
        atomicStore(&group_total, 0u);
    }
    for (var base = first; base < end; base += LEAVES) {
        var word = gather_word(base, end, slot, lane);
        let leaf = base + slot;
        if (leaf < end) {
            if (ADD) {
                word |= list_masks[16u * leaf + lane];
            }
            list_masks[16u * leaf + lane] = word;
        }
        counts[local] = select(0u, countOneBits(word), leaf < end);
        workgroupBarrier();
        if (lane == 0u && leaf < end) {
            var bits = 0u;
            for (var i = 0u; i < 16u; i++) {
                bits += counts[local + i];
            }
            list_rows[2u * leaf] = bits;
            atomicAdd(&group_total, bits);
        }
    }
    if (group.x == 0u && local < 16u) {
        list_masks[16u * params.list_capacity + local] = 0u;
    }
    workgroupBarrier();
    if (local == 0u) {
        list_rows[2u * (params.list_capacity + 1u) + group.x] = atomicLoad(&group_total);
    }
}
