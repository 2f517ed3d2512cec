// Schedule: packets of one query, for devices without subgroup operations.
// Constants: LANES is 1.

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

fn least(value: f32) -> f32 {
    return value;
}

fn agree(mine: Best) -> Best {
    return mine;
}

@compute @workgroup_size(64)
fn distance_packet(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    if group >= params.group_count { return; }
    walk(group, lane);
}
