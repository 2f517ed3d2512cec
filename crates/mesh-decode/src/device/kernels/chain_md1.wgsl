// Schedule: predictor chain of MD1 meshlets of modes 0 and 2. Needs decode_job, chain_state, md1_counts, md1_rows, predictor_chains, folded_grid.

fn status_before(index: u32) -> u32 {
    return statuses[index];
}

// A meshlet that only ends at the wrong place still needs its codes checked first.
fn is_walked(status: u32) -> bool {
    return status == 0u || status == STATUS_STREAM_END;
}

@compute @workgroup_size(COLUMNS)
fn chain_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    predict_meshlets(workgroup, lane);
}
