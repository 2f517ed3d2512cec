// Schedule: a packet of neighbouring queries walks the tree once, by votes.
// Needs query_params, a queries module, query_results, triangle_distance, tree_nodes and lanes_subgroup or
// lanes_single, which hold the entry point, the stack and the votes. Constants: LANES (lanes a query), DESCEND, REACH, OUTPUT ...

// Beyond any sum of two squared distances in a tree of working coordinates.
const NO_SUM = 3e38;

struct Best {
    d2: real,
    facet: u32,
    slot: u32,
}

// The lexicographic minimum of (squared distance, facet).
fn nearer(best: Best, d2: real, facet: u32, slot: u32) -> Best {
    if d2 < best.d2 || (d2 == best.d2 && facet < best.facet) { return Best(d2, facet, slot); }
    return best;
}

fn test_triangle(best: Best, slot: u32, p: vec3<real>) -> Best {
    let r = records[slot];
    return nearer(best, triangle_distance(r, p), r.facet, slot);
}

// Beyond a query's reach every triangle is a miss, so there is nothing to look for.
fn within_reach(d2: f32, query: Query) -> f32 {
    if REACH == REACH_NONE { return d2; }
    return min(d2, query.reach2); // bound only
}

// What a node's lower bound may be at most: the pad covers the rounding of the bound itself (docs/numerics.md).
fn padded(d2: f32) -> f32 {
    return d2 * SLACK;
}

// A second seed: the leaf at the end of a way down that takes, at each node, the child whose least and largest distance have the smallest sum.
// Each query goes its own way, its lanes share the children, and all lanes stay together until the last one has arrived.
fn descend(p: vec3<f32>, part: u32) -> u32 {
    var node = 0u;
    var slot = 0u;
    var under_way = true;
    loop {
        if vote(u32(under_way)) == 0u { break; }
        let header = node_header(node);
        var least_sum = NO_SUM;
        var nearest = 0u;
        for (var k = 0u; k < 8u; k += LANES) {
            let child = k + part;
            if child < (header.z >> 8u) {
                let sum = child_lower(node, child, p) + child_upper(node, child, p);
                if sum < least_sum {
                    least_sum = sum;
                    nearest = child;
                }
            }
        }
        // Where no sum is a number, the first child: it is as good as another.
        let all = least(least_sum);
        let chosen = u32(least(select(8.0, f32(nearest), least_sum == all))) % 8u;
        let inner = header.z & 0xffu;
        if under_way && chosen >= inner {
            slot = header.y + chosen - inner;
            under_way = false;
        }
        node = select(node, header.x + chosen, under_way);
    }
    return slot;
}

fn walk(group: u32, lane: u32) {
    let query = packet_query(group, lane / LANES);
    let part = lane % LANES;
    let p = query.p;
    // Nodes are bounded in f32, whatever the numbers.
    let bounded = vec3<f32>(p);
    // [1] the seeds are real candidates, evaluated exactly
    var best = test_triangle(Best(NOTHING, 0xffffffffu, 0u), query.seed, p);
    if DESCEND { best = test_triangle(best, descend(bounded, part), p); }
    var bound = padded(within_reach(f32(best.d2), query));
    // [2] base and mask name the children still to visit; they are the same in all lanes of a packet
    var base = 0u;
    var pending = 1u;
    var depth = 0u;
    loop {
        if pending == 0u {
            if depth == 0u { break; }
            depth -= 1u;
            let group_entry = pop(depth);
            base = group_entry.x;
            pending = group_entry.y;
        }
        let node = base + firstTrailingBit(pending);
        pending &= pending - 1u;
        // [3] each lane bounds its share of the eight children for its query; empty slots are far away
        var mine = 0u;
        for (var k = 0u; k < 8u; k += LANES) {
            let child = k + part;
            if child_lower(node, child, bounded) <= bound { mine |= 1u << child; }
        }
        let all = vote(mine);
        let header = node_header(node);
        let inner_count = header.z & 0xffu;
        // [4] inner children wanted by any query become the next group
        let inner = all & ((1u << inner_count) - 1u);
        if inner != 0u {
            if pending != 0u {
                push(depth, vec2<u32>(base, pending));
                depth += 1u;
            }
            base = header.x;
            pending = inner;
        }
        // [5] leaves: the lanes that want one test its triangle
        var leaves = all >> inner_count;
        if leaves != 0u {
            var wanted = mine >> inner_count;
            if LANES == 1u {
                loop {
                    if leaves == 0u { break; }
                    let leaf = firstTrailingBit(leaves);
                    leaves &= leaves - 1u;
                    if ((wanted >> leaf) & 1u) != 0u { best = test_triangle(best, header.y + leaf, p); }
                }
            } else {
                loop {
                    if wanted == 0u { break; }
                    let leaf = firstTrailingBit(wanted);
                    wanted &= wanted - 1u;
                    best = test_triangle(best, header.y + leaf, p);
                }
            }
            bound = padded(within_reach(least(f32(best.d2)), query));
        }
    }
    // [6] the lanes of a query agree on the winner
    best = agree(best);
    if part == 0u { write_result(query, best.d2, best.slot); }
}
