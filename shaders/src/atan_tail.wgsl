// The polynomial of the f32 arc tangent: twin of atan_tail.rs.

// atan(sqrt(z)) / sqrt(z) - 1 for z in [0, 1].
fn atan_tail(z: f32) -> f32 {
    let p8 = -0.0018038781 * z + 0.01093995;
    let p7 = p8 * z - 0.031192485;
    let p6 = p7 * z + 0.057945937;
    let p5 = p6 * z - 0.0840161;
    let p4 = p5 * z + 0.10951285;
    let p3 = p4 * z - 0.14264043;
    let p2 = p3 * z + 0.1999853;
    let p1 = p2 * z - 0.333333;
    return p1 * z;
}
