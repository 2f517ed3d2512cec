// Positions of an MD1 meshlet: twin of md1_positions.rs.

// A coordinate of a grid point.
fn coordinate(grid: i32, biased: u32) -> f32 {
    // [1]
    return f32(grid) * bitcast<f32>(biased << 23u);
}

// f32(origin + code) * 2^exponent, exact; `biased` is exponent + 127.
fn position(origin: vec3<i32>, code: vec3<i32>, biased: u32) -> vec3<f32> {
    // [2]
    return vec3<f32>(origin + code) * bitcast<f32>(biased << 23u);
}
