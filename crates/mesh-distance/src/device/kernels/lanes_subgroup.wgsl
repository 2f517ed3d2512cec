// Schedule: packets as wide as a subgroup.
// Relies on consecutive local indices being consecutive lanes, which the context's self-test confirms.
// Constants: LANES, SUBGROUPS (subgroups of a workgroup of 64 at their smallest size).

// A level pushes at most one group, and a tree has at most 16 levels.
var<workgroup> groups: array<vec2<u32>, 16u * SUBGROUPS>;
var<private> stack_base: u32;

// All lanes of a subgroup write the same entry and read back what they wrote: no lane can pass a vote before all
// lanes have reached it, so an entry is never overwritten before every lane has read it.
fn push(depth: u32, entry: vec2<u32>) {
    groups[stack_base + depth] = entry;
}

fn pop(depth: u32) -> vec2<u32> {
    return groups[stack_base + depth];
}

fn vote(mine: u32) -> u32 {
    return subgroupOr(mine);
}

// The least of the LANES values of a query.
fn least(value: f32) -> f32 {
    var x = value;
    for (var step = 1u; step < LANES; step *= 2u) {
        let other = subgroupShuffleXor(x, step);
        x = select(x, other, other < x);
    }
    return x;
}

fn agree(mine: Best) -> Best {
    var best = mine;
    for (var step = 1u; step < LANES; step *= 2u) {
        // By words: a subgroup moves 32 bits everywhere.
        let low = subgroupShuffleXor(low_word(best.d2), step);
        let high = subgroupShuffleXor(high_word(best.d2), step);
        let facet = subgroupShuffleXor(best.facet, step);
        let slot = subgroupShuffleXor(best.slot, step);
        best = nearer(best, real_of_words(low, high), facet, slot);
    }
    return best;
}

@compute @workgroup_size(64)
fn distance_packet(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
) {
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    if group >= params.group_count { return; }
    stack_base = subgroup * 16u;
    walk(group, lane);
}
