// Bound: below the squared distance to everything in a cylinder; cylinder_bound.rs is the host's.
// It decides no bit of an answer: fused operations are welcome, the pads hold with and without them.

const SLACK = 1.000030517578125f;

// Centre and radius, axis and half height. With e = p - c, s = e.e, h = e.n: max(|h| - H, 0)^2 + max(sqrt(s - h^2) - R, 0)^2.
fn cylinder_bound(c: vec4<f32>, n: vec4<f32>, p: vec3<f32>) -> f32 {
    let e = p - c.xyz;
    let s = fma(e.z, e.z, fma(e.y, e.y, e.x * e.x)); // bound only
    let h = fma(e.z, n.z, fma(e.y, n.y, e.x * n.x)); // bound only
    let above = max(abs(h) - n.w, 0.0); // bound only
    let beside = max(sqrt(max(fma(-h, h, s), 0.0)) - c.w, 0.0); // bound only
    return fma(above, above, beside * beside); // bound only
}

// Upper bound of the squared distance to any triangle in the cylinder.
fn cylinder_far(c: vec4<f32>, n: vec4<f32>, p: vec3<f32>) -> f32 {
    let e = p - c.xyz;
    let far = sqrt(fma(e.z, e.z, fma(e.y, e.y, e.x * e.x))) + (c.w + n.w); // bound only
    return far * far * 1.00006103515625f; // bound only
}
