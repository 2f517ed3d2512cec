// Twins: pseudo_normals.rs
// The pseudo-normals of the vertices, one an invocation: the triangles at it, ascending, weighted by their angles.
// Needs strict_float, acos and real_single, or those of f64, folded_grid, triangle_record, pseudo_normal, move_params, facet_sums.

@group(0) @binding(7) var<storage, read> working: array<real>;

fn position(corner: u32) -> vec3<real> {
    let at = 3u * triangles[corner];
    return vec3<real>(working[at], working[at + 1u], working[at + 2u]);
}

fn vertex(index: u32) -> vec3<real> {
    let range = vertex_ranges[index];
    var sum = vec3<real>(real(0.0));
    var weights = real(0.0);
    for (var at = range.x; at < range.y; at += 1u) {
        let corner = vertex_corners[at];
        let t = corner / 3u;
        let k = corner % 3u;
        if counts(t) {
            let angle = corner_angle(position(corner), position(3u * t + (k + 1u) % 3u), position(3u * t + (k + 2u) % 3u));
            sum = add_weighted(sum, facet_normals[t].xyz, angle);
            weights += angle;
        }
    }
    return direction(sum, weights);
}

@compute @workgroup_size(64)
fn refit_vertices(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, lane, 64u, params.groups_x);
    if index >= params.count { return; }
    normal_vectors[params.base + index] = vec4<real>(vertex(index), real(0.0));
}
