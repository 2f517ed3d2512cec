// Schedule: the points of query_answers from a list.

@group(0) @binding(8) var<storage, read> points: array<real>;

fn query_point(i: u32) -> vec3<real> {
    return vec3<real>(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
}
