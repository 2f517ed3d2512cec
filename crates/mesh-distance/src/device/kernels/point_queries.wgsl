// Schedule: queries at listed points, neighbours in the list in one packet.
// Needs query_params. Constants: LANES.

// Working coordinates, three words a point.
@group(0) @binding(7) var<storage, read> points: array<f32>;

fn listed_query(index: u32, seeded: bool) -> Query {
    let inside = min(index, params.counts.x - 1u);
    // A coarse query stands for `ratio` points; it takes the one in their middle.
    let i = min(inside * params.ratio + params.ratio / 2u, params.first.x - 1u);
    let p = vec3<f32>(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
    var seed = 0u;
    if seeded { seed = seeds[min(i / params.seed_ratio, params.seed_counts.x - 1u)]; }
    return Query(p, seed, inside, index == inside);
}

// Query `query` of the packet `group`.
fn packet_query(group: u32, query: u32) -> Query {
    return listed_query(group * (64u / LANES) + query, true);
}

// Query `index` in the order of the results, without a seed.
fn single_query(index: u32) -> Query {
    return listed_query(index, false);
}
