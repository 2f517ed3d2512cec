// Schedule: marks lower nodes in the child masks of the destination's tiles.

fn mark(tile: u32, slots: u32) {
    mark_bit(tile * 1024u + (slots >> 17u), 1u << ((slots >> 12u) & 31u));
}

@compute @workgroup_size(64)
fn reach_upper(@builtin(global_invocation_id) id: vec3<u32>) {
    reach_leaves(id.x);
}
