// Schedule: masks of the destination's leaves and the number of voxels of each, in place of its first row; sums by group behind the rows.
// Constants: ADD is whether the masks grow instead of being replaced. `BATCH`, `fill_batch` and `gather_word` come from the module of the words;
// a batch of more than 16 leaves has no barrier in `gather_word`.

@group(0) @binding(7) var<storage, read_write> list_masks: array<u32>;
@group(0) @binding(8) var<storage, read_write> list_rows: array<u32>;

var<workgroup> counts: array<atomic<u32>, BATCH>;
var<workgroup> group_total: atomic<u32>;

@compute @workgroup_size(256)
fn gather_leaves(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = min(list_status[1], params.list_capacity);
    let span = leaf_span(count);
    let first = group.x * span;
    let end = min(first + span, count);
    let lane = local & 15u;
    var total = 0u;
    if (local == 0u) {
        atomicStore(&group_total, 0u);
    }
    for (var base = first; base < end; base += BATCH) {
        workgroupBarrier();
        if (local < BATCH) {
            atomicStore(&counts[local], 0u);
        }
        fill_batch(base, end, local);
        workgroupBarrier();
        for (var at = 0u; at < BATCH && base + at < end; at += LEAVES) {
            let slot = at + (local >> 4u);
            var word = gather_word(base, end, slot, lane);
            if (base + slot < end) {
                let target_word = 16u * (base + slot) + lane;
                if (ADD) {
                    word |= list_masks[target_word];
                }
                list_masks[target_word] = word;
                atomicAdd(&counts[slot], countOneBits(word));
            }
        }
        workgroupBarrier();
        if (local < BATCH && base + local < end) {
            let bits = atomicLoad(&counts[local]);
            list_rows[2u * (base + local)] = bits;
            total += bits;
        }
    }
    if (group.x == 0u && local < 16u) {
        list_masks[16u * params.list_capacity + local] = 0u;
    }
    workgroupBarrier();
    atomicAdd(&group_total, total);
    workgroupBarrier();
    if (local == 0u) {
        list_rows[2u * (params.list_capacity + 1u) + group.x] = atomicLoad(&group_total);
    }
}
