// Schedule: children of a node on the device. Needs query_params, cylinder_bound.
// A node is 17 vec4: child k is (centre, R) (axis, H), then (child_base, slot_base, inner | children << 8, 0).

const NODE_VEC4 = 17u;

// Bound of the squared distance from below; more than any padded best for an unused child.
fn child_lower(node: u32, child: u32, p: vec3<f32>) -> f32 {
    let at = node * NODE_VEC4 + 2u * child;
    return cylinder_bound(bitcast<vec4<f32>>(nodes[at]), bitcast<vec4<f32>>(nodes[at + 1u]), p);
}

// Bound of the squared distance to the child's nearest triangle from above.
fn child_upper(node: u32, child: u32, p: vec3<f32>) -> f32 {
    let at = node * NODE_VEC4 + 2u * child;
    return cylinder_far(bitcast<vec4<f32>>(nodes[at]), bitcast<vec4<f32>>(nodes[at + 1u]), p);
}

fn node_header(node: u32) -> vec4<u32> {
    return nodes[node * NODE_VEC4 + 16u];
}
