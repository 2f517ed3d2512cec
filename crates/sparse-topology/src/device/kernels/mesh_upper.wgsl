// Schedule: every task marks its lower node in the child mask of its tile: the host lists no task without a voxel.

@compute @workgroup_size(64)
fn mesh_upper(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var task = id.x; task < params.count; task += params.groups * 64u) {
        let slot = slots_of_leaf(block_of_task(task) << vec3<u32>(2u)) >> 12u;
        mark_bit(tasks[3u * task + 1u] * 1024u + (slot >> 5u), 1u << (slot & 31u));
    }
}
