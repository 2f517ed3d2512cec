// Schedule: the vertex that stands for each vertex and for each corner: the first of its position.
// Needs folded_grid, move_params.

@group(0) @binding(1) var<storage, read> homes: array<u32>;
@group(0) @binding(2) var<storage, read> least: array<u32>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read_write> kept: array<u32>;
@group(0) @binding(5) var<storage, read_write> triangles: array<u32>;
@group(0) @binding(6) var<storage, read_write> indices: array<u32>;

@compute @workgroup_size(64)
fn weld_corners(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = folded_index(workgroup, lane, 64u, params.groups_x);
    if i >= params.count { return; }
    if i < params.vertices { kept[i] = ~least[homes[i]]; }
    if i < 3u * params.triangles {
        triangles[i] = ~least[homes[corners[i]]];
        indices[i] = i;
    }
}
