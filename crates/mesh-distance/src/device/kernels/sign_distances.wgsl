// Schedule: the distance of each query from the triangle that won, for the passes of a sign; 0, which has no side, for a miss.
// Needs sign_params, triangle_distance, folded_grid and a points module. Constants: LIMITED.

// Working coordinates, three numbers a point; grids have none and read nothing here.
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
// One for all queries (params.stride is 0) or one each (1).
@group(0) @binding(4) var<storage, read> limits: array<real>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn sign_distances(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = folded_index(workgroup, lane, 64u, params.groups_x);
    if at >= params.total { return; }
    let d2 = triangle_distance(records[slots[at]], query_point(at));
    let distance = scale_pow2(sqrt_rn(d2), params.exponent);
    var words = vec2<u32>(low_word(distance), high_word(distance));
    if LIMITED {
        if distance > limits[at * params.stride] { words = vec2<u32>(0u, 0u); }
    }
    results[at * REAL_WORDS] = words.x;
    if REAL_WORDS == 2u { results[at * REAL_WORDS + 1u] = words.y; }
}
