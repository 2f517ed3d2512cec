// Schedule: vertices of MD1 meshlets of modes 0 and 2. Needs decode_job, chain_state, md1_counts, md1_positions, dequantize, folded_grid.

// Vertices are in the order of the walk.
fn load_places(index: u32, part: u32, lane: u32) {}

fn place_of(part: u32, vertex: u32) -> u32 {
    return vertex;
}

// What is written for a code.
fn word_of(code: i32, axis: u32) -> u32 {
    let grid = params.origin[axis] + code;
    var word = bitcast<u32>(grid);
    if !GRID { word = bitcast<u32>(coordinate(grid, params.exponent)); }
    return word;
}

@compute @workgroup_size(128)
fn dequantize_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    dequantize_meshlets(workgroup, lane);
}
