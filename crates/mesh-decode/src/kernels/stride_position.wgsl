// Positions from STRIDE codes: twin of stride_position.rs. Needs strict_float, and NORMAL: nothing below 2^-125 but +0 can come out (`is_normal`).

fn settle(x: f32) -> f32 {
    // [1]
    var y = x;
    if !NORMAL { y = flush(x); }
    return y;
}

fn coordinate(code: i32, low: f32, step: f32, scale: f32, centre: f32) -> f32 {
    // [2]
    let offset = settle(f32(code) * step);
    let normalised = settle(low + offset);
    let scaled = settle(normalised * scale);
    return settle(scaled + centre);
}

fn position(code: vec3<i32>, low: vec3<f32>, step: vec3<f32>, scale: f32, centre: vec3<f32>) -> vec3<f32> {
    // [3]
    let x = coordinate(code.x, low.x, step.x, scale, centre.x);
    let y = coordinate(code.y, low.y, step.y, scale, centre.y);
    let z = coordinate(code.z, low.z, step.z, scale, centre.z);
    return vec3<f32>(x, y, z);
}
