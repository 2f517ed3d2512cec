// Schedule: the masks of a batch with the words of related leaves taken away or kept; the nodes stay as they are.
// Constants: KEEP is whether the related words are kept instead. `BATCH`, `fill_batch` and `gather_word` come from the module of the words.

@group(0) @binding(7) var<storage, read> list_masks: array<u32>;
@group(0) @binding(8) var<storage, read_write> filtered: array<u32>;

@compute @workgroup_size(256)
fn filter_leaves(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = min(list_status[1], params.list_capacity);
    let span = leaf_span(count);
    let first = group.x * span;
    let end = min(first + span, count);
    let lane = local & 15u;
    for (var base = first; base < end; base += BATCH) {
        workgroupBarrier();
        fill_batch(base, end, local);
        workgroupBarrier();
        for (var at = 0u; at < BATCH && base + at < end; at += LEAVES) {
            let slot = at + (local >> 4u);
            let word = gather_word(base, end, slot, lane);
            if (base + slot < end) {
                let target_word = 16u * (base + slot) + lane;
                filtered[target_word] = list_masks[target_word] & select(~word, word, KEEP);
            }
        }
    }
    if (group.x == 0u && local < 16u) {
        filtered[16u * params.list_capacity + local] = 0u;
    }
}
