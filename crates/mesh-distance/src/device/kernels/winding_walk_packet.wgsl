// Schedule: one walk down the tree for all queries of a packet. Needs winding_certified, nodes, records, moments and a lanes module.
// Constants: LANES (lanes a query, 1 to 8).

// All lanes of a packet open what one of them wants to open: the others become more exact by it.
// LANES lanes share a query: lane `part` of them takes every LANES-th child, and their sums are added at the end.
fn certified_angle(p: vec3<real>, asks: bool, part: u32, reach2: f32, growth: f32) -> Angle {
    var sum = Angle(0.0, select(0.0, params.quantum, part == 0u), 0.0);
    var base = 0u;
    // Nobody asks: no walk.
    var pending = min(vote(u32(asks)), 1u);
    var depth = 0u;
    loop {
        if pending == 0u {
            if depth == 0u { break; }
            depth -= 1u;
            let entry = pop(depth);
            base = entry.x;
            pending = entry.y;
        }
        let node = base + firstTrailingBit(pending);
        pending &= pending - 1u;
        // [1] what is too near for an expansion; unused children are points of no size
        var mine = 0u;
        for (var k = 0u; k < 8u; k += LANES) {
            let child = k + part;
            let m = moments[(node * 8u + child) * 4u];
            let d = vec3<f32>(vec3<real>(m.xyz) - p);
            if asks && m.w > reach2 * dot3(d, d) { mine |= 1u << child; }
        }
        let open = vote(mine);
        let header = nodes[node * NODE_VEC4 + 16u];
        let inner_count = header.z & 0xffu;
        let children = header.z >> 8u;
        // [2] the rest
        for (var k = 0u; k < 8u; k += LANES) {
            let child = k + part;
            sum = far_angle(sum, (node * 8u + child) * 4u, p, child < children && ((open >> child) & 1u) == 0u, growth);
        }
        // [3] near children: nodes later, triangles now
        let inner = open & ((1u << inner_count) - 1u);
        if inner != 0u {
            if pending != 0u {
                push(depth, vec2<u32>(base, pending));
                depth += 1u;
            }
            base = header.x;
            pending = inner;
        }
        // Bit m LANES of own for every m: the children of this lane.
        let own = (0xffu / ((1u << LANES) - 1u)) << part;
        var leaves = (open & own) >> inner_count;
        loop {
            if leaves == 0u { break; }
            sum = near_angle(sum, records[header.y + firstTrailingBit(leaves)], p);
            leaves &= leaves - 1u;
        }
    }
    return whole_angle(sum);
}
