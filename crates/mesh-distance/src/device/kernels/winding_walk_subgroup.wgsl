// Schedule: a walk down the tree by a subgroup for one query, LANES / 8 nodes at a time, a lane a child.
// Needs winding_certified, nodes, records, moments and sign_lanes_subgroup. Constants: LANES, the size of every subgroup, 8 to 32.

// The children that lanes have opened and not visited, a level a row: each lane's own, and a bit a lane.
var<private> rows: array<vec2<u32>, 16>;

// Lane `part` of a subgroup takes child part % 8 of the node of its eight lanes; all lanes take part in every turn.
fn certified_angle(p: vec3<real>, asks: bool, part: u32, reach2: f32, growth: f32) -> Angle {
    let child = part % 8u;
    var sum = Angle(0.0, select(0.0, params.quantum, part == 0u), 0.0);
    var node = 0u;
    var visits = asks && part < 8u;
    var held = vec2<u32>(0u, 0u);
    var depth = 0u;
    loop {
        // [1] expansions, triangles, and what is to be opened
        var opens = false;
        var below = 0u;
        if visits {
            let at = (node * 8u + child) * 4u;
            let header = nodes[node * NODE_VEC4 + 16u];
            let m = moments[at];
            let d = vec3<f32>(vec3<real>(m.xyz) - p);
            let inner_count = header.z & 0xffu;
            let near = child < (header.z >> 8u) && m.w > reach2 * dot3(d, d);
            opens = near && child < inner_count;
            below = header.x + child;
            sum = far_angle(sum, at, p, child < (header.z >> 8u) && !near, growth);
            if near && !opens { sum = near_angle(sum, records[header.y + child - inner_count], p); }
        }
        // [2] those first, what was there before later
        let opened = subgroupBallot(opens).x;
        if opened != 0u {
            if held.y != 0u {
                rows[depth] = held;
                depth += 1u;
            }
            held = vec2<u32>(below, opened);
        }
        if held.y == 0u {
            if depth == 0u { break; }
            depth -= 1u;
            held = rows[depth];
        }
        // [3] the next nodes, one for eight lanes
        var rest = held.y;
        var source = 0u;
        visits = false;
        for (var eight = 0u; eight < LANES / 8u; eight += 1u) {
            if part / 8u == eight {
                visits = rest != 0u;
                source = firstTrailingBit(rest | 0x80000000u);
            }
            rest &= rest - 1u;
        }
        node = subgroupShuffle(held.x, min(source, LANES - 1u));
        held.y = rest;
    }
    return whole_angle(sum);
}
