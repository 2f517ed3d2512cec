// Schedule: the points of query_answers at the cells of a grid. Needs grid_point.

fn query_point(i: u32) -> vec3<f32> {
    let cell = vec3<u32>(i % params.counts.x, (i / params.counts.x) % params.counts.y, i / (params.counts.x * params.counts.y));
    return grid_point(params.first + cell, params.lo, params.h);
}
