// Schedule: marks leaves in the child masks of the destination's lower nodes.

@group(0) @binding(6) var<storage, read> upper: array<vec2<u32>>;

fn mark(tile: u32, slots: u32) {
    let word = upper[tile * 1024u + (slots >> 17u)];
    let bit = 1u << ((slots >> 12u) & 31u);
    let lower = word.y + countOneBits(word.x & (bit - 1u));
    // A lower node of another page has no bit.
    if ((word.x & bit) != 0u && lower < params.tree_lower_capacity) {
        mark_bit(params.tree_leaf_capacity + lower * 128u + ((slots & 4095u) >> 5u), 1u << (slots & 31u));
    }
}

@compute @workgroup_size(64)
fn reach_lower(@builtin(global_invocation_id) id: vec3<u32>) {
    reach_leaves(id.x);
}
