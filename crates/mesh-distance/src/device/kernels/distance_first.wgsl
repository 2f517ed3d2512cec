// Schedule: the first level, one query a workgroup, from nothing.
// Gives seeds only: whatever it finds is a real triangle, so no bit of a distance depends on it.
// Needs query_params, a queries module, query_results, triangle_distance, tree_nodes.

const FIRST_LANES = 128u;
// A node is popped with 15 others and leaves at most 8 children: 112 entries more a level, 16 levels.
const STACK = 2048u;
const NO_NODE = 0xffffffffu;

var<workgroup> stack: array<u32, STACK>;
var<workgroup> stack_size: atomic<u32>;
var<workgroup> upper: atomic<u32>;
var<workgroup> winner: atomic<u32>;

@compute @workgroup_size(128)
fn distance_first(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    // The whole workgroup leaves together.
    if group >= params.group_count { return; }
    let query = single_query(group);
    if lane == 0u {
        stack[0] = 0u;
        atomicStore(&stack_size, 1u);
        atomicStore(&upper, 0x7f7fffffu);
        atomicStore(&winner, NO_NODE);
    }
    workgroupBarrier();
    let bounded = vec3<f32>(query.p);
    var best = NOTHING;
    var best_slot = NO_NODE;
    loop {
        let size = workgroupUniformLoad(&stack_size);
        if size == 0u { break; }
        // [1] up to 16 nodes off the stack, a child a lane
        let taken = min(size, FIRST_LANES / 8u);
        let item = lane / 8u;
        let child = lane % 8u;
        var entry = NO_NODE;
        var lower = 0.0;
        if item < taken {
            let node = stack[size - taken + item];
            let header = node_header(node);
            let inner = header.z & 0xffu;
            if child < (header.z >> 8u) {
                lower = child_lower(node, child, bounded);
                // [2] the farthest point of a child bounds the distance from above
                atomicMin(&upper, bitcast<u32>(child_upper(node, child, bounded)));
                entry = select(header.y + child - inner + 0x80000000u, header.x + child, child < inner);
            }
        }
        workgroupBarrier();
        if lane == 0u { atomicStore(&stack_size, size - taken); }
        workgroupBarrier();
        // [3] children that may hold the nearest triangle: leaves are tested, nodes pushed
        if entry != NO_NODE && lower <= bitcast<f32>(atomicLoad(&upper)) {
            if entry >= 0x80000000u {
                let slot = entry & 0x7fffffffu;
                let d2 = triangle_distance(records[slot], query.p);
                if d2 < best {
                    best = d2;
                    best_slot = slot;
                    atomicMin(&upper, bitcast<u32>(f32(d2) * 1.0001)); // bound only
                }
            } else {
                let top = atomicAdd(&stack_size, 1u);
                // Never full (see STACK); a lost entry would only cost the seed its quality.
                if top < STACK { stack[top] = entry; }
            }
        }
        workgroupBarrier();
    }
    // [4] any lane within the bound may give the seed: the lowest slot of the best distance
    atomicStore(&upper, 0x7f7fffffu);
    workgroupBarrier();
    atomicMin(&upper, bitcast<u32>(f32(best)));
    workgroupBarrier();
    if best_slot != NO_NODE && bitcast<u32>(f32(best)) == atomicLoad(&upper) { atomicMin(&winner, best_slot); }
    workgroupBarrier();
    if lane == 0u { write_result(query, best, atomicLoad(&winner)); }
}
