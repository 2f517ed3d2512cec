// Schedule: the 64 parts of each listed block are a packet.
// Needs query_params, grid_point. Constants: LANES is 1. params.blocks holds limits of band_results.

// Listed blocks of the level before, by their index in it; `seeds` are their slots.
@group(0) @binding(7) var<storage, read> blocks: array<u32>;

// Query `query` of the block `group`.
fn packet_query(group: u32, query: u32) -> Query {
    let block = blocks[group];
    let row = block / params.seed_counts.x;
    let corner = 4u * vec3<u32>(block % params.seed_counts.x, row % params.seed_counts.y, row / params.seed_counts.y);
    let part = corner + vec3<u32>(query % 4u, (query / 4u) % 4u, query / 16u);
    let inside = min(part, params.counts - 1u);
    var p = grid_point(inside, grid_lo(), grid_h());
    if params.ratio != 1u {
        let ratio = real(params.ratio);
        let middle = vec3<real>(inside) * ratio + vec3<real>(real(0.5) * ratio);
        p = middle * grid_h() + grid_lo();
    }
    return Query(p, seeds[group], group * 64u + query, all(part == inside), params.reach2);
}
