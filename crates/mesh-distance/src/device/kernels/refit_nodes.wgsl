// Bound: cylinder and box round each node of one level, below which all is done. One node an invocation.
// Needs strict_float, acos and real_single, or those of f64, folded_grid, triangle_record, pseudo_normal, move_params, cylinder_fit.

// Node, 8 parent + child, first slot and end of each node, the deepest level first.
@group(0) @binding(1) var<storage, read> node_infos: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(3) var<storage, read_write> nodes: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> boxes: array<u32>;
// Sum of the area normals of each node.
@group(0) @binding(5) var<storage, read_write> node_sums: array<vec4<f32>>;

// Up to so many triangles a node is fitted round their corners, else round its children's cylinders.
const FEW = 64u;

// The box of the children, and the sum of their area normals.
fn children_box(node: u32, children: u32) -> Extents {
    var e = no_extents();
    for (var child = 0u; child < children; child += 1u) {
        for (var k = 0u; k < 3u; k += 1u) {
            let at = node * BOX_WORDS + 8u * k + child;
            e.lo[k] = min(e.lo[k], bitcast<f32>(boxes[at])); // zero free
            e.hi[k] = max(e.hi[k], bitcast<f32>(boxes[at + 24u])); // zero free
        }
    }
    return e;
}

fn triangles_sum(first: u32, end: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    for (var slot = first; slot < end; slot += 1u) {
        let r = records[slot];
        sum += outer_product(vec3<f32>(r.b) - vec3<f32>(r.a), vec3<f32>(r.c) - vec3<f32>(r.a));
    }
    return sum;
}

// A corner of a slot's triangle.
fn slot_corner(slot: u32, k: u32) -> vec3<f32> {
    let r = records[slot];
    return vec3<f32>(select(select(r.c, r.b, k == 1u), r.a, k == 0u));
}

fn fit_triangles(place: u32, first: u32, end: u32, basis: Basis, box_extents: Extents) {
    var along = no_extents();
    for (var slot = first; slot < end; slot += 1u) {
        for (var k = 0u; k < 3u; k += 1u) { along = with_point(along, in_basis(basis, slot_corner(slot, k))); }
    }
    let axis = better_axis(basis, along, box_extents);
    var reach = vec2<f32>(0.0);
    for (var slot = first; slot < end; slot += 1u) {
        for (var k = 0u; k < 3u; k += 1u) { reach = max(reach, point_reach(axis, slot_corner(slot, k))); } // bound only
    }
    write_cylinder(place, axis, reach);
}

fn fit_children(place: u32, node: u32, children: u32, basis: Basis, box_extents: Extents) {
    var along = no_extents();
    for (var child = 0u; child < children; child += 1u) {
        let c = bitcast<vec4<f32>>(nodes[node * NODE_VEC4 + 2u * child]);
        let n = bitcast<vec4<f32>>(nodes[node * NODE_VEC4 + 2u * child + 1u]);
        let middle = in_basis(basis, c.xyz);
        let half = vec3<f32>(cylinder_half(c, n, basis.u), cylinder_half(c, n, basis.v), cylinder_half(c, n, basis.n));
        along = with_point(with_point(along, middle - half), middle + half);
    }
    let axis = better_axis(basis, along, box_extents);
    var reach = vec2<f32>(0.0);
    for (var child = 0u; child < children; child += 1u) {
        let c = bitcast<vec4<f32>>(nodes[node * NODE_VEC4 + 2u * child]);
        let n = bitcast<vec4<f32>>(nodes[node * NODE_VEC4 + 2u * child + 1u]);
        reach = max(reach, cylinder_reach(axis, c, n)); // bound only
    }
    write_cylinder(place, axis, reach);
}

@compute @workgroup_size(64)
fn refit_nodes(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = folded_index(workgroup, lane, 64u, params.groups_x);
    if index >= params.count { return; }
    let info = node_infos[params.first + index];
    let header = nodes[info.x * NODE_VEC4 + 16u];
    let inner = header.z & 0xffu;
    let children = header.z >> 8u;
    let few = info.w - info.z <= FEW;
    // [1] the mean normal, and the box
    var sum = vec3<f32>(0.0);
    if few {
        sum = triangles_sum(info.z, info.w);
    } else {
        for (var child = 0u; child < inner; child += 1u) { sum += node_sums[header.x + child].xyz; }
        sum += triangles_sum(header.y, header.y + children - inner);
    }
    node_sums[info.x] = vec4<f32>(sum, 0.0);
    let box_extents = children_box(info.x, children);
    write_box(info.y, box_extents);
    // [2] the cylinder
    let basis = basis_about(vec3<f32>(unit_vector(vec3<real>(sum))));
    if few {
        fit_triangles(info.y, info.z, info.w, basis, box_extents);
    } else {
        fit_children(info.y, info.x, children, basis, box_extents);
    }
}
