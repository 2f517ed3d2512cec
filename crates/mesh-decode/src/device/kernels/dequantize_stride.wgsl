// Schedule: vertices of STRIDE meshlets. Needs decode_job, chain_state, stride_counts, stride_rows, stride_position, strict_float, dequantize, folded_grid.

@group(0) @binding(7) var<storage, read> contexts: array<u32>;

// The places in the walk of the vertices of the four meshlets, a byte each.
var<workgroup> places: array<u32, 256>;

fn load_places(index: u32, part: u32, lane: u32) {
    let low = contexts[places_row(index) + min(lane, (params.capacity >> 2u) - 1u)];
    let high = contexts[places_row(index) + min(lane + 32u, (params.capacity >> 2u) - 1u)];
    places[64u * part + lane] = low;
    places[64u * part + lane + 32u] = high;
}

fn place_of(part: u32, vertex: u32) -> u32 {
    return (places[64u * part + (vertex >> 2u)] >> (8u * (vertex & 3u))) & 255u;
}

// What is written for a code.
fn word_of(code: i32, axis: u32) -> u32 {
    var word = bitcast<u32>(code);
    if !GRID { word = bitcast<u32>(coordinate(code, params.low[axis], params.step[axis], params.scale, params.centre[axis])); }
    return word;
}

@compute @workgroup_size(128)
fn dequantize_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    dequantize_meshlets(workgroup, lane);
}
