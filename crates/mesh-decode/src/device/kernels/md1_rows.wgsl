// Schedule: where MD1 meshlets of modes 0 and 2 have their contexts and residuals. Needs decode_job.

// A word a vertex, the vertices a, b and c that it is predicted from, a byte each; without a context c is the vertex itself.
fn context_row(index: u32) -> u32 {
    return params.capacity * index;
}

fn axis_words() -> u32 {
    return params.capacity;
}

// A word a vertex for x, then y and z; with PACKED for x and y together, then z.
fn residual_row(index: u32) -> u32 {
    return select(3u, 2u, PACKED) * params.capacity * index;
}
