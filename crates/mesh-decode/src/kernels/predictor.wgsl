// Residuals and the linear predictor of MD1 and STRIDE: twin of predictor.rs.

fn unzigzag(value: u32) -> i32 {
    // [1]
    return bitcast<i32>((value >> 1u) ^ (0u - (value & 1u)));
}

// `weights`: n0, n1, n2 and the shift; a and b: codes of the shared edge, c: of the opposite vertex.
fn predict_code(weights: vec4<i32>, a: i32, b: i32, c: i32, residual: i32) -> i32 {
    // [2]
    let shift = u32(weights.w);
    let sum = weights.x * a + weights.y * b + weights.z * c + ((1i << shift) >> 1u);
    return (sum >> shift) + residual;
}
