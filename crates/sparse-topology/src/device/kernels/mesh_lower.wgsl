// Schedule: every task marks the leaves that have a voxel in the child mask of their lower node.

@group(0) @binding(5) var<storage, read> upper: array<vec2<u32>>;

@compute @workgroup_size(64)
fn mesh_lower(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    for (var task = group.x; task < params.count; task += params.groups) {
        if (leaf_is_met(task, local)) {
            let tile = tasks[3u * task + 1u];
            let slots = slots_of_leaf(leaf_of_task(task, local));
            let word = upper[tile * 1024u + (slots >> 17u)];
            let bit = 1u << ((slots >> 12u) & 31u);
            let lower = min(word.y + countOneBits(word.x & (bit - 1u)), params.lower_capacity - 1u);
            mark_bit(params.tiles * 1024u + lower * 128u + ((slots & 4095u) >> 5u), 1u << (slots & 31u));
        }
    }
}
