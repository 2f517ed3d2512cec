// Schedule: packets of one query, for devices without subgroup operations. Needs folded_grid, sign_params and a module with `work`. Constants: LANES is 1.

var<private> groups: array<vec2<u32>, 16>;

fn push(depth: u32, entry: vec2<u32>) {
    groups[depth] = entry;
}

fn pop(depth: u32) -> vec2<u32> {
    return groups[depth];
}

fn vote(mine: u32) -> u32 {
    return mine;
}

// The sum over the lanes of a query.
fn of_query(x: f32) -> f32 {
    return x;
}

@compute @workgroup_size(64)
fn robust_sign(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    // A fixed number of workgroups takes the work in turns: its amount is known on the device only.
    var group = folded_index(workgroup, 0u, 1u, params.groups_x);
    let end = groups_of_work();
    loop {
        if group >= end { break; }
        work(group, lane);
        group += params.group_count;
    }
}
