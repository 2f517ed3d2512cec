// Schedule: predictor chain and positions of STRIDE meshlets. Needs decode_job, stride_state, predictor_chains, stride_position, strict_float, folded_grid.

// Vertices and triangles, half a word each.
fn counts_of(unit: u32) -> u32 {
    return table[3u * unit + 1u].x;
}

fn is_walked(status: u32) -> bool {
    return status == 0u;
}

// What is written for a code.
fn word_of(code: i32, axis: u32) -> u32 {
    var word = bitcast<u32>(code);
    if !GRID { word = bitcast<u32>(coordinate(code, params.low[axis], params.step[axis], params.scale, params.centre[axis])); }
    return word;
}

@compute @workgroup_size(32)
fn chain_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    predict_meshlets(workgroup, lane);
}
