// Schedule: the points of query_answers at the cells of a grid. Needs grid_point.

fn query_point(i: u32) -> vec3<real> {
    let cell = vec3<u32>(i % params.counts.x, (i / params.counts.x) % params.counts.y, i / (params.counts.x * params.counts.y));
    return grid_point(params.first + cell, real_vector(params.lo, params.lo_high), real_vector(params.h, params.h_high));
}
