// Pseudo-normals of faces, edges and corners: twin of pseudo_normal.rs. Needs acos and triangle_record.

const CANCELLED = 0x1p-20f;

// v / |v| with components below 2^-40 set to 0; the zero vector stays.
fn unit_vector(v: vec3<f32>) -> vec3<f32> {
    let exponent = largest_exponent(v);
    if exponent == 0 {
        return vec3<f32>(0.0);
    }
    let s = scale_vector(v, 127 - exponent);
    let magnitude = sqrt_rn(dt(s, s));
    return vec3<f32>(snap(div_rn(s.x, magnitude), TINY), snap(div_rn(s.y, magnitude), TINY), snap(div_rn(s.z, magnitude), TINY));
}

// Unit normal of the triangle a, b, c, or 0 when it has no interior (the test of the triangle record).
fn facet_normal(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec3<f32> {
    // [1] scale both edges by the same power of two
    let ab = sub(b, a);
    let ac = sub(c, a);
    let exponent = max(largest_exponent(ab), largest_exponent(ac));
    let u = scale_vector(ab, 127 - exponent);
    let w = scale_vector(ac, 127 - exponent);
    // [2] without interior
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return vec3<f32>(0.0);
    }
    // [3] unit length
    return unit_vector(n);
}

// Angle at the corner a between the directions to b and c.
fn corner_angle(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> f32 {
    return acos_strict(dt(unit_vector(sub(b, a)), unit_vector(sub(c, a))));
}

fn add_weighted(sum: vec3<f32>, normal: vec3<f32>, weight: f32) -> vec3<f32> {
    return sum + normal * weight;
}

// The stored pseudo-normal of a sum of weighted unit normals: largest component in [1, 2),
// components below 2^-20 set to 0, all 0 when the sum has cancelled.
fn direction(sum: vec3<f32>, weights: f32) -> vec3<f32> {
    let exponent = largest_exponent(sum);
    let limit = weights * CANCELLED;
    if exponent == 0 || (abs(sum.x) <= limit && abs(sum.y) <= limit && abs(sum.z) <= limit) {
        return vec3<f32>(0.0);
    }
    let k = 127 - exponent;
    return vec3<f32>(snap(scale_pow2(sum.x, k), CANCELLED), snap(scale_pow2(sum.y, k), CANCELLED), snap(scale_pow2(sum.z, k), CANCELLED));
}
