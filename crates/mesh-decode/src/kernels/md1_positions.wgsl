// Positions of an MD1 meshlet: twin of md1_positions.rs.

// f32(origin + code) * 2^exponent, exact; `biased` is exponent + 127.
fn position(origin: vec3<i32>, code: vec3<i32>, biased: u32) -> vec3<f32> {
    // [1]
    return vec3<f32>(origin + code) * bitcast<f32>(biased << 23u);
}
