// Schedule: predictor chain and positions of MD1 meshlets of modes 0 and 2. Needs decode_job, md1_block, predictor_chains, md1_positions, folded_grid.

@group(0) @binding(4) var<storage, read_write> statuses: array<u32>;

// Vertices and triangles, half a word each.
fn counts_of(unit: u32) -> u32 {
    let entry = unit_entry(table[unit]);
    return entry.vertices | (entry.triangles << 16u);
}

// A meshlet that only ends at the wrong place still needs its codes checked first.
fn is_walked(status: u32) -> bool {
    return status == 0u || status == STATUS_STREAM_END;
}

// What is written for a code.
fn word_of(code: i32, axis: u32) -> u32 {
    let grid = params.origin[axis] + code;
    var word = bitcast<u32>(grid);
    if !GRID { word = bitcast<u32>(coordinate(grid, params.exponent)); }
    return word;
}

@compute @workgroup_size(32)
fn chain_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    predict_meshlets(workgroup, lane);
}
