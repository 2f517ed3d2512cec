// Schedule: the record, the face's normal and the tree's leaf of each moved triangle, one an invocation.
// Needs strict_float, acos and real_single, or those of f64, folded_grid, triangle_record, pseudo_normal, move_params, cylinder_fit.

// Working coordinates of the classes of vertices, three numbers each.
@group(0) @binding(1) var<storage, read> working: array<real>;
// Three classes a triangle.
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
// The triangle of each slot, and 8 node + child.
@group(0) @binding(3) var<storage, read> slots: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> records: array<TriangleRecord>;
// Unit normals by triangle, 0 without interior.
@group(0) @binding(5) var<storage, read_write> facet_normals: array<vec4<real>>;
@group(0) @binding(6) var<storage, read_write> normal_vectors: array<vec4<real>>;
@group(0) @binding(7) var<storage, read_write> nodes: array<vec4<u32>>;
@group(0) @binding(8) var<storage, read_write> boxes: array<u32>;

fn corner(facet: u32, k: u32) -> vec3<real> {
    let at = 3u * triangles[3u * facet + k];
    return vec3<real>(working[at], working[at + 1u], working[at + 2u]);
}

@compute @workgroup_size(64)
fn refit_triangles(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = folded_index(workgroup, lane, 64u, params.groups_x);
    if slot >= params.count { return; }
    let facet = slots[slot].x;
    let a = corner(facet, 0u);
    let b = corner(facet, 1u);
    let c = corner(facet, 2u);
    records[slot] = triangle_record(a, b, c, facet);
    let normal = facet_normal(a, b, c);
    facet_normals[facet] = vec4<real>(normal, real(0.0));
    normal_vectors[facet] = vec4<real>(direction(normal, real(1.0)), real(0.0));
    // The leaf.
    let p = vec3<f32>(a);
    let q = vec3<f32>(b);
    let r = vec3<f32>(c);
    let basis = basis_about(vec3<f32>(normal));
    let along = with_point(with_point(with_point(no_extents(), in_basis(basis, p)), in_basis(basis, q)), in_basis(basis, r));
    let box_extents = box_of(a, b, c);
    let axis = better_axis(basis, along, box_extents);
    let reach = max(max(point_reach(axis, p), point_reach(axis, q)), point_reach(axis, r)); // bound only
    write_cylinder(slots[slot].y, axis, reach);
    write_box(slots[slot].y, box_extents);
}
