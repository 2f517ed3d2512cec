// Schedule: packets as wide as a subgroup. Needs folded_grid, sign_params and a module with `work`.
// Relies on consecutive local indices being consecutive lanes, which the context's self-test confirms. Constants: LANES (lanes a query), SUBGROUPS.

var<workgroup> groups: array<vec2<u32>, 16u * SUBGROUPS>;
var<private> stack_base: u32;

// All lanes of a subgroup write the same entry and read back what they wrote, as in lanes_subgroup.wgsl.
fn push(depth: u32, entry: vec2<u32>) {
    groups[stack_base + depth] = entry;
}

fn pop(depth: u32) -> vec2<u32> {
    return groups[stack_base + depth];
}

fn vote(mine: u32) -> u32 {
    return subgroupOr(mine);
}

// The sum over the lanes of a query.
fn of_query(x: f32) -> f32 {
    var sum = x;
    for (var step = 1u; step < LANES; step *= 2u) {
        sum += subgroupShuffleXor(sum, step);
    }
    return sum;
}

@compute @workgroup_size(64)
fn robust_sign(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
) {
    stack_base = subgroup * 16u;
    // A fixed number of workgroups takes the work in turns: its amount is known on the device only.
    var group = folded_index(workgroup, 0u, 1u, params.groups_x);
    let end = groups_of_work();
    loop {
        if group >= end { break; }
        work(group, lane);
        group += params.group_count;
    }
}
