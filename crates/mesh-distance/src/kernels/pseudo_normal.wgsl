// Pseudo-normals of faces, edges and corners: twin of pseudo_normal.rs. Needs acos and triangle_record.

// v / |v| with components below TINY set to 0; the zero vector stays.
fn unit_vector(v: vec3<real>) -> vec3<real> {
    let exponent = largest_exponent(v);
    if exponent == 0 {
        return vec3<real>(real(0.0));
    }
    let s = scale_vector(v, EXPONENT_BIAS - exponent);
    let magnitude = sqrt_rn(dt(s, s));
    return vec3<real>(snap(div_rn(s.x, magnitude), TINY), snap(div_rn(s.y, magnitude), TINY), snap(div_rn(s.z, magnitude), TINY));
}

// Unit normal of the triangle a, b, c, or 0 when it has no interior (the test of the triangle record).
fn facet_normal(a: vec3<real>, b: vec3<real>, c: vec3<real>) -> vec3<real> {
    // [1] scale both edges by the same power of two
    let ab = sub(b, a);
    let ac = sub(c, a);
    let exponent = max(largest_exponent(ab), largest_exponent(ac));
    let u = scale_vector(ab, EXPONENT_BIAS - exponent);
    let w = scale_vector(ac, EXPONENT_BIAS - exponent);
    // [2] without interior
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return vec3<real>(real(0.0));
    }
    // [3] unit length
    return unit_vector(n);
}

// Angle at the corner a between the directions to b and c.
fn corner_angle(a: vec3<real>, b: vec3<real>, c: vec3<real>) -> real {
    return acos_strict(dt(unit_vector(sub(b, a)), unit_vector(sub(c, a))));
}

fn add_weighted(sum: vec3<real>, normal: vec3<real>, weight: real) -> vec3<real> {
    return sum + normal * weight;
}

// The stored pseudo-normal of a sum of weighted unit normals: largest component in [1, 2),
// components below CANCELLED set to 0, all 0 when the sum has cancelled.
fn direction(sum: vec3<real>, weights: real) -> vec3<real> {
    let exponent = largest_exponent(sum);
    let limit = weights * CANCELLED;
    if exponent == 0 || (abs(sum.x) <= limit && abs(sum.y) <= limit && abs(sum.z) <= limit) {
        return vec3<real>(real(0.0));
    }
    let k = EXPONENT_BIAS - exponent;
    return vec3<real>(snap(scale_pow2(sum.x, k), CANCELLED), snap(scale_pow2(sum.y, k), CANCELLED), snap(scale_pow2(sum.z, k), CANCELLED));
}
