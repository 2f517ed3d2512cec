// Schedule: queries at the cell centres of a grid, a small block of cells a packet.
// Needs query_params, grid_point. Constants: LANES.

// Cells of a packet of 64 / LANES queries along each axis.
fn block_size() -> vec3<u32> {
    if LANES == 1u { return vec3<u32>(4u, 4u, 4u); }
    if LANES == 2u { return vec3<u32>(4u, 4u, 2u); }
    if LANES == 4u { return vec3<u32>(4u, 2u, 2u); }
    return vec3<u32>(2u, 2u, 2u);
}

// The centre of the cell for the finest level; for a coarser one the centre of the cells it stands for. Where the bits
// count, ratio is 1 and this is grid_point.
fn cell_centre(cell: vec3<u32>) -> vec3<real> {
    if params.ratio == 1u { return grid_point(params.first + cell, grid_lo(), grid_h()); }
    let middle = vec3<real>(params.first + cell * params.ratio) + vec3<real>(real(0.5) * real(params.ratio));
    return middle * grid_h() + grid_lo();
}

fn seed_of(cell: vec3<u32>) -> u32 {
    let s = min(cell * params.ratio / params.seed_ratio, params.seed_counts - 1u);
    return seeds[(s.z * params.seed_counts.y + s.y) * params.seed_counts.x + s.x];
}

fn cell_query(cell: vec3<u32>, seeded: bool) -> Query {
    let inside = min(cell, params.counts - 1u);
    let at = (inside.z * params.counts.y + inside.y) * params.counts.x + inside.x;
    var seed = 0u;
    if seeded { seed = seed_of(inside); }
    return Query(cell_centre(inside), seed, at, all(cell == inside), params.reach2);
}

// Query `query` of the packet `group`.
fn packet_query(group: u32, query: u32) -> Query {
    let size = block_size();
    let block = vec3<u32>(group % params.blocks.x, (group / params.blocks.x) % params.blocks.y, group / (params.blocks.x * params.blocks.y));
    let local = vec3<u32>(query % size.x, (query / size.x) % size.y, query / (size.x * size.y));
    return cell_query(block * size + local, true);
}

// Query `index` in the order of the results, without a seed.
fn single_query(index: u32) -> Query {
    let cell = vec3<u32>(index % params.counts.x, (index / params.counts.x) % params.counts.y, index / (params.counts.x * params.counts.y));
    return cell_query(cell, false);
}
