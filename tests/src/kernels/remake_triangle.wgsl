// Triangle record and normals from working coordinates, as a refit on a device makes them: twin of remake_triangle.rs.

struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> corners: array<array<f32, 9>>;
@group(0) @binding(2) var<storage, read_write> words: array<array<u32, 24>>;

// 16 words of the record, 3 of the facet's normal, the angle at a, 3 of a direction, 0.
fn remake_words(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, facet: u32) -> array<u32, 24> {
    // [1] the record
    let r = triangle_record(a, b, c, facet);
    // [2] the normal, the angle, and a sum of weighted normals as a vertex gets it
    let normal = facet_normal(a, b, c);
    let angle = corner_angle(a, b, c);
    let sum = add_weighted(add_weighted(vec3<f32>(0.0), normal, angle), facet_normal(c, b, a), corner_angle(b, c, a));
    let d = direction(sum, angle + corner_angle(b, c, a));
    // [3] as words
    return array<u32, 24>(
        bitcast<u32>(r.a.x), bitcast<u32>(r.a.y), bitcast<u32>(r.a.z), bitcast<u32>(r.ia),
        bitcast<u32>(r.b.x), bitcast<u32>(r.b.y), bitcast<u32>(r.b.z), bitcast<u32>(r.ib),
        bitcast<u32>(r.c.x), bitcast<u32>(r.c.y), bitcast<u32>(r.c.z), bitcast<u32>(r.ic),
        bitcast<u32>(r.g.x), bitcast<u32>(r.g.y), bitcast<u32>(r.g.z), r.facet,
        bitcast<u32>(normal.x), bitcast<u32>(normal.y), bitcast<u32>(normal.z), bitcast<u32>(angle),
        bitcast<u32>(d.x), bitcast<u32>(d.y), bitcast<u32>(d.z), 0u,
    );
}

// One triangle an invocation.
@compute @workgroup_size(64)
fn remake_triangle(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let facet = folded_index(group, local, 64u, params.groups_x);
    if facet >= params.count {
        return;
    }
    let a = vec3<f32>(corners[facet][0], corners[facet][1], corners[facet][2]);
    let b = vec3<f32>(corners[facet][3], corners[facet][4], corners[facet][5]);
    let c = vec3<f32>(corners[facet][6], corners[facet][7], corners[facet][8]);
    words[facet] = remake_words(a, b, c, facet);
}
