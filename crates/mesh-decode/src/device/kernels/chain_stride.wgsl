// Schedule: predictor chain of STRIDE meshlets. Needs decode_job, chain_state, stride_counts, stride_rows, predictor_chains, folded_grid.

// Of the walk, then of the residuals; both are the first word of a quad.
fn status_before(index: u32) -> u32 {
    let walk = contexts[walk_status_at(index) >> 2u].x;
    return select(walk, residuals[residual_status_at(index) >> 2u].x, walk == 0u);
}

fn is_walked(status: u32) -> bool {
    return status == 0u;
}

@compute @workgroup_size(COLUMNS)
fn chain_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    predict_meshlets(workgroup, lane);
}
