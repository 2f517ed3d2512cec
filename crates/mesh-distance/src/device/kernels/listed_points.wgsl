// Schedule: the points of query_answers from a list.

@group(0) @binding(8) var<storage, read> points: array<f32>;

fn query_point(i: u32) -> vec3<f32> {
    return vec3<f32>(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);
}
