// Schedule: the chosen outputs of each query, from the triangle that won.
// Needs strict_float, folded_grid, triangle_record, triangle_distance, pseudo_normal, query_answer, and listed_points or
// grid_cells for `query_point`. Constants: OUTPUTS (a bit an output), SIGNED, LISTED_SIGNS, LIMITED.

struct Params {
    lo: vec3<u32>,
    zero: u32,
    h: vec3<u32>,
    exponent: i32,
    counts: vec3<u32>,
    groups_x: u32,
    first: vec3<u32>,
    count: u32,
    lo_high: vec3<u32>,
    // Limits are one for all queries (0) or one each (1).
    limit_step: u32,
    h_high: vec3<u32>,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(2) var<storage, read> normal_vectors: array<vec4<real>>;
@group(0) @binding(3) var<storage, read> normal_features: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> limits: array<real>;
@group(0) @binding(6) var<storage, read_write> results: array<u32>;
// Distances that hold signs made before (LISTED_SIGNS); else anything.
@group(0) @binding(7) var<storage, read> signs: array<u32>;

// Entries of an output: distance, square, triangle, feature, u v, point, normal, gradient.
fn width(output: u32) -> u32 {
    return select(select(3u, 2u, output == 4u), 1u, output < 4u);
}

// Words of an entry: triangles and features are one, whatever the numbers.
fn entry_words(output: u32) -> u32 {
    return select(REAL_WORDS, 1u, output == 2u || output == 3u);
}

fn answer(i: u32) -> array<vec2<u32>, 15> {
    let p = query_point(i);
    let slot = slots[i];
    let r = records[slot];
    let closest = closest_feature(r, p);
    if LIMITED {
        if scale_pow2(sqrt_rn(closest.d2), params.exponent) > limits[i * params.limit_step] { return query_miss(); }
    }
    let normal = normal_vectors[normal_features[slot * 8u + closest.feature]].xyz;
    var inside = SIGNED && is_negative(normal, closest.e);
    if LISTED_SIGNS { inside = (signs[(i + 1u) * REAL_WORDS - 1u] >> 31u) == 1u; }
    return query_answer(closest, r.facet, normal, inside, params.exponent);
}

@compute @workgroup_size(64)
fn query_answers(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = folded_index(workgroup, local, 64u, params.groups_x);
    if i >= params.count { return; }
    var entries = answer(i);
    var stride = 0u;
    for (var output = 0u; output < 8u; output += 1u) {
        if ((OUTPUTS >> output) & 1u) != 0u { stride += width(output) * entry_words(output); }
    }
    var at = i * stride;
    var entry = 0u;
    for (var output = 0u; output < 8u; output += 1u) {
        for (var k = 0u; k < width(output); k += 1u) {
            if ((OUTPUTS >> output) & 1u) != 0u {
                results[at] = entries[entry].x;
                if entry_words(output) == 2u { results[at + 1u] = entries[entry].y; }
                at += entry_words(output);
            }
            entry += 1u;
        }
    }
}
