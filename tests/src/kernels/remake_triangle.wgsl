// Triangle record and normals from working coordinates, as a refit on a device makes them: twin of remake_triangle.rs.

struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> corners: array<array<real, 9>>;
@group(0) @binding(2) var<storage, read_write> results: array<array<real, 22>>;

// 15 numbers of the record, 3 of the facet's normal, the angle at a, 3 of a direction.
fn remake_triangle(a: vec3<real>, b: vec3<real>, c: vec3<real>) -> array<real, 22> {
    // [1] the record
    let r = triangle_record(a, b, c, 0u);
    // [2] the normal, the angle, and a sum of weighted normals as a vertex gets it
    let normal = facet_normal(a, b, c);
    let angle = corner_angle(a, b, c);
    let sum = add_weighted(add_weighted(vec3<real>(real(0.0)), normal, angle), facet_normal(c, b, a), corner_angle(b, c, a));
    let d = direction(sum, angle + corner_angle(b, c, a));
    // [3] in order
    return array<real, 22>(
        r.a.x, r.a.y, r.a.z, r.ia,
        r.b.x, r.b.y, r.b.z, r.ib,
        r.c.x, r.c.y, r.c.z, r.ic,
        r.g.x, r.g.y, r.g.z,
        normal.x, normal.y, normal.z, angle,
        d.x, d.y, d.z,
    );
}

// One triangle an invocation.
@compute @workgroup_size(64)
fn remake_triangles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let facet = folded_index(group, local, 64u, params.groups_x);
    if facet >= params.count {
        return;
    }
    let a = vec3<real>(corners[facet][0], corners[facet][1], corners[facet][2]);
    let b = vec3<real>(corners[facet][3], corners[facet][4], corners[facet][5]);
    let c = vec3<real>(corners[facet][6], corners[facet][7], corners[facet][8]);
    results[facet] = remake_triangle(a, b, c);
}
