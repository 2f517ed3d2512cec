// Schedule: where MD1 meshlets of modes 0 and 2 have their contexts and residuals. Needs decode_job.

// A word a vertex, the vertices a, b and c that it is predicted from, a byte each; without a context c is the vertex itself.
fn context_row(index: u32) -> u32 {
    return params.capacity * index;
}

// A word a vertex for x, then y and z, params.capacity apart.
fn residual_row(index: u32) -> u32 {
    return 3u * params.capacity * index;
}
