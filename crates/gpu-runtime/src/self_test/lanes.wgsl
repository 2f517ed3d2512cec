// How local indices map to the lanes of subgroups. Twin of lanes.rs, which makes the constant WORKGROUP.

struct Params {
    unused: u32,
    zero: u32,
    unused_too: u32,
    unused_three: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> lanes: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP)
fn subgroup_lanes(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) size: u32,
) {
    let at = (group.x * WORKGROUP + local) * 2u;
    // [1] What the built-in values say.
    lanes[at] = vec4<u32>(size, subgroup, lane, params.zero + local);
    // [2] What the operations do: the neighbour, the lanes below, the first lane, the odd local indices.
    let neighbour = subgroupShuffleXor(local, 1u);
    let below = subgroupExclusiveAdd(1u);
    let first = subgroupBroadcastFirst(local);
    let odd = subgroupBallot((local & 1u) == 1u);
    lanes[at + 1u] = vec4<u32>(neighbour, below, first, odd.x);
}
