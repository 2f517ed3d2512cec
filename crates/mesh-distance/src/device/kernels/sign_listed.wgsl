// Schedule: the side of 1/2 for listed queries, by ever smaller expansions. Needs sign_list or sign_roots, a points module and a lanes module.

const QUERIES = 64u / LANES;
const REACHES = 3u;

fn work(group: u32, lane: u32) {
    let total = atomicLoad(&counters[params.list]);
    let index = group * QUERIES + lane / LANES;
    // Lanes without a query of their own go along with a neighbour's.
    let at = list_in[min(index, total - 1u)];
    let p = query_point(at);
    let bits = results[at * params.stride + params.upper];
    let asks = index < total && (bits & 0x7fffffffu) != 0u && !is_far_away(p);
    var found = Certain(0.0, 0.0);
    for (var turn = 0u; turn < REACHES; turn += 1u) {
        let open = asks && found.margin == 0.0;
        // Nobody asks: no walk.
        let angle = certified_angle(p, open, lane % LANES, params.reach2[turn], params.growth[turn]);
        if open { found = certain(angle); }
    }
    if lane % LANES == 0u && asks { finish(at, found); }
}

fn groups_of_work() -> u32 {
    return (atomicLoad(&counters[params.list]) + QUERIES - 1u) / QUERIES;
}
