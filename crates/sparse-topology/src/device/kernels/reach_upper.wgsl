// Schedule: marks lower nodes in the child masks of the destination's tiles.

fn mark(tile: u32, slots: u32) {
    let slot = slots >> 12u;
    if (slot >= params.first_slot && slot < params.end_slot) {
        mark_bit(tile * 1024u + (slot >> 5u), 1u << (slot & 31u));
    }
}

@compute @workgroup_size(64)
fn reach_upper(@builtin(global_invocation_id) id: vec3<u32>) {
    reach_leaves(id.x);
}
