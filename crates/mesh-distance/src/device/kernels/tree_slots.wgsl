// Schedule: which triangle each slot holds, where it stands in the tree, and which pseudo-normals are its own.
// Needs folded_grid, move_params.

@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> firsts: array<u32>;
@group(0) @binding(4) var<storage, read> edge_halves: array<u32>;
@group(0) @binding(5) var<storage, read_write> slots: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> normal_features: array<u32>;

@compute @workgroup_size(64)
fn tree_slots(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = folded_index(workgroup, lane, 64u, params.groups_x);
    if slot >= params.count { return; }
    let facet = order[slot];
    // `first` is the first node of the lowest level.
    slots[slot] = vec2<u32>(facet, 8u * params.first + slot);
    let edges = params.triangles;
    let vertices = 4u * params.triangles;
    let at = 8u * slot;
    normal_features[at] = firsts[facet];
    normal_features[at + 1u] = edges + edge_halves[3u * facet];
    normal_features[at + 2u] = edges + edge_halves[3u * facet + 2u];
    normal_features[at + 3u] = edges + edge_halves[3u * facet + 1u];
    normal_features[at + 4u] = vertices + triangles[3u * facet];
    normal_features[at + 5u] = vertices + triangles[3u * facet + 1u];
    normal_features[at + 6u] = vertices + triangles[3u * facet + 2u];
    normal_features[at + 7u] = 0u;
}
