// Schedule: working coordinates of the vertices that stand for their classes, one an invocation.
// Needs strict_float, real_single and frame_vertex, or those of f64, folded_grid, move_params.

// Three f32 a vertex of the mesh.
@group(0) @binding(1) var<storage, read> positions: array<u32>;
// The vertex of each class.
@group(0) @binding(2) var<storage, read> kept: array<u32>;
@group(0) @binding(3) var<storage, read_write> working: array<real>;

@compute @workgroup_size(64)
fn frame_vertices(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let class_index = folded_index(workgroup, lane, 64u, params.groups_x);
    if class_index >= params.count { return; }
    let vertex = kept[class_index];
    // An index, so that the long function is there once.
    for (var axis = 0u; axis < 3u; axis += 1u) {
        let centre = vec2<u32>(params.centre_low[axis], params.centre_high[axis]);
        working[3u * class_index + axis] = frame_coordinate(positions[3u * vertex + axis], centre, params.exponent);
    }
}
