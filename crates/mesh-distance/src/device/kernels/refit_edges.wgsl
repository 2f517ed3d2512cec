// Twins: pseudo_normals.rs
// The pseudo-normals of the edges, one an invocation: the triangles at one end that hold the other end, ascending.
// Needs strict_float, acos and real_single, or those of f64, folded_grid, triangle_record, pseudo_normal, move_params, facet_sums.
// Constants: OWN (an entry for every half-edge: only the first on each edge has the vector).

// A half-edge 3 t + k of each edge: from corner k of triangle t to the next.
@group(0) @binding(7) var<storage, read> edge_halves: array<u32>;

fn edge(half: u32) -> vec3<real> {
    let next = select(half + 1u, half - 2u, half % 3u == 2u);
    let from_end = triangles[half];
    let to_end = triangles[next];
    // [1] the end of fewer triangles
    let ranges = vec4<u32>(vertex_ranges[from_end], vertex_ranges[to_end]);
    let by_from = ranges.y - ranges.x <= ranges.w - ranges.z;
    let range = select(ranges.zw, ranges.xy, by_from);
    let other = select(from_end, to_end, by_from);
    // [2] a triangle that counts has three different vertices, so it comes once; an edge from a vertex to itself has none
    var sum = vec3<real>(real(0.0));
    var weights = real(0.0);
    for (var at = range.x; at < range.y; at += 1u) {
        let t = vertex_corners[at] / 3u;
        let holds = triangles[3u * t] == other || triangles[3u * t + 1u] == other || triangles[3u * t + 2u] == other;
        if holds && from_end != to_end && counts(t) {
            sum = add_weighted(sum, facet_normals[t].xyz, real(1.0));
            weights += real(1.0);
        }
    }
    return direction(sum, weights);
}

@compute @workgroup_size(64)
fn refit_edges(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, lane, 64u, params.groups_x);
    if index >= params.count { return; }
    let half = edge_halves[index];
    if OWN && half != index { return; }
    normal_vectors[params.base + index] = vec4<real>(edge(half), real(0.0));
}
