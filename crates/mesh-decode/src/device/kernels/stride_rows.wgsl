// Schedule: where STRIDE meshlets have their contexts and residuals, with the status that each dispatch found. Needs decode_job.

// A word a vertex of the walk: the places of the vertices a, b and c that it is predicted from, a byte each; without a context c is its own place. Behind
// params.capacity of them the place of each vertex, a byte each, then the status of the walk and its counts.
fn context_row(index: u32) -> u32 {
    return (params.capacity + (params.capacity >> 2u) + 4u) * index;
}

fn places_row(index: u32) -> u32 {
    return context_row(index) + params.capacity;
}

fn walk_status_at(index: u32) -> u32 {
    return context_row(index) + params.capacity + (params.capacity >> 2u);
}

// The words of an axis: a residual each, or with HALVES two.
fn axis_words() -> u32 {
    return select(params.capacity, params.capacity >> 1u, HALVES);
}

// Residuals in the order of the walk for x, then y and z, then the status of the residuals.
fn residual_row(index: u32) -> u32 {
    return (3u * axis_words() + 4u) * index;
}

fn residual_status_at(index: u32) -> u32 {
    return residual_row(index) + 3u * axis_words();
}
