// Schedule: queries at listed points, neighbours along a curve in one packet.
// Needs query_params. Constants: LANES, REACH.

// Working coordinates, three numbers a point; then, with REACH_EACH, the squared reach of each point.
@group(0) @binding(7) var<storage, read> points: array<real>;
// Indices of the points along the curve.
@group(0) @binding(8) var<storage, read> order: array<u32>;

fn listed_query(index: u32, seeded: bool) -> Query {
    let inside = min(index, params.counts.x - 1u);
    // A coarse query stands for `ratio` points; it takes the one in their middle.
    let place = min(inside * params.ratio + params.ratio / 2u, params.first.x - 1u);
    let i = order[place];
    let p = vec3<real>(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
    var seed = 0u;
    if seeded { seed = seeds[min(place / params.seed_ratio, params.seed_counts.x - 1u)]; }
    var reach2 = params.reach2;
    if REACH == REACH_EACH { reach2 = f32(points[3u * params.first.x + i]); }
    // The last level answers in the order of the list.
    return Query(p, seed, select(inside, i, params.ratio == 1u), index == inside, reach2);
}

// Query `query` of the packet `group`.
fn packet_query(group: u32, query: u32) -> Query {
    return listed_query(group * (64u / LANES) + query, true);
}

// Query `index` in the order of the results, without a seed.
fn single_query(index: u32) -> Query {
    return listed_query(index, false);
}
