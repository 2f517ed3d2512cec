// Schedule: winding numbers of listed points, a point an invocation, expansions where the criterion allows them.
// Needs sign_params, solid_angle, winding_expansion, folded_grid, sign_listed_points.

@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(4) var<storage, read> moments: array<Moments>;
@group(0) @binding(5) var<storage, read_write> results: array<vec2<limb>>;

fn fast_winding(p: vec3<real>) -> vec2<limb> {
    var sum = vec2<limb>(limb(0u), limb(0u));
    // A level leaves one group of children behind; a tree has at most 16 levels.
    var groups: array<vec2<u32>, 16>;
    var depth = 0u;
    var base = 0u;
    var pending = 1u;
    loop {
        if pending == 0u {
            if depth == 0u { break; }
            depth -= 1u;
            base = groups[depth].x;
            pending = groups[depth].y;
        }
        let node = base + firstTrailingBit(pending);
        pending &= pending - 1u;
        let header = nodes[node * NODE_VEC4 + 16u];
        let inner_count = header.z & 0xffu;
        let children = header.z >> 8u;
        var inner = 0u;
        for (var k = 0u; k < children; k++) {
            let m = moments[node * 8u + k];
            if is_far(m, p, real(params.beta2)) {
                sum = add_fixed(sum, to_fixed(expansion(m, p)));
            } else if k < inner_count {
                inner |= 1u << k;
            } else {
                sum = add_fixed(sum, to_fixed(solid_angle(records[header.y + k - inner_count], p)));
            }
        }
        if inner != 0u {
            if pending != 0u {
                groups[depth] = vec2<u32>(base, pending);
                depth += 1u;
            }
            base = header.x;
            pending = inner;
        }
    }
    return sum;
}

@compute @workgroup_size(64)
fn winding_value(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = folded_index(workgroup, lane, 64u, params.groups_x);
    if at >= params.total { return; }
    let p = query_point(at);
    var sum = vec2<limb>(limb(0u), limb(0u));
    if !is_far_away(p) { sum = fast_winding(p); }
    results[at] = sum;
}
