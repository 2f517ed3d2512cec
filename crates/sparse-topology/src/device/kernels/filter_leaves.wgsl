// Schedule: the masks of a batch with the words of related leaves taken away or kept; the nodes stay as they are.
// Constants: KEEP is whether the related words are kept instead.

@group(0) @binding(7) var<storage, read> list_masks: array<u32>;
@group(0) @binding(8) var<storage, read_write> filtered: array<u32>;

@compute @workgroup_size(256)
fn filter_leaves(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let count = min(list_status[1], params.list_capacity);
    let span = leaf_span(count);
    let first = group.x * span;
    let end = min(first + span, count);
    let slot = local >> 4u;
    let lane = local & 15u;
    for (var base = first; base < end; base += LEAVES) {
        let word = gather_word(base, end, slot, lane);
        let at = 16u * (base + slot) + lane;
        if (base + slot < end) {
            filtered[at] = list_masks[at] & select(~word, word, KEEP);
        }
    }
    if (group.x == 0u && local < 16u) {
        filtered[16u * params.list_capacity + local] = 0u;
    }
}
