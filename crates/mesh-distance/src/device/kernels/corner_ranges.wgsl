// Schedule: where the corners of each vertex begin and end among the sorted corners. Needs folded_grid, move_params.

// The vertex of each corner, ascending.
@group(0) @binding(1) var<storage, read> sorted_vertices: array<u32>;
// Cleared before.
@group(0) @binding(2) var<storage, read_write> vertex_ranges: array<vec2<u32>>;

@compute @workgroup_size(64)
fn corner_ranges(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = folded_index(workgroup, lane, 64u, params.groups_x);
    if i >= params.count { return; }
    let vertex = sorted_vertices[i];
    let last = i + 1u == params.count;
    if i == 0u || sorted_vertices[i - min(i, 1u)] != vertex { vertex_ranges[vertex].x = i; }
    if last || sorted_vertices[i + select(1u, 0u, last)] != vertex { vertex_ranges[vertex].y = i + 1u; }
}
