// Schedule: queries at listed points, three words a point. Needs sign_params.

fn query_point(at: u32) -> vec3<f32> {
    return vec3<f32>(points[3u * at], points[3u * at + 1u], points[3u * at + 2u]);
}
