// Schedule: queries at listed points, three numbers a point. Needs sign_params.

fn query_point(at: u32) -> vec3<real> {
    return vec3<real>(points[3u * at], points[3u * at + 1u], points[3u * at + 2u]);
}
