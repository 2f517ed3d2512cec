// The solid angle of many triangles seen from afar: twin of winding_expansion.rs. Needs triangle_record.

const SPHERE = 0.07957747;

struct Moments {
    centre: vec3<f32>,
    size2: f32,
    normal: vec3<f32>,
    rounding: f32,
    tensor0: vec4<f32>,
    tensor1: vec2<f32>,
    spread: f32,
    unused: f32,
}

// |p - c|^2 > beta^2 size^2.
fn is_far(m: Moments, p: vec3<f32>, beta2: f32) -> bool {
    let d = sub(m.centre, p);
    return dt(d, d) > beta2 * m.size2;
}

// Solid angle of the child's triangles seen from p, in turns. |p| <= 4096, |p - c| >= 2^-30.
fn expansion(m: Moments, p: vec3<f32>) -> f32 {
    // [1] the direction
    let d = sub(m.centre, p);
    let d2 = dt(d, d);
    let i1 = div_rn(1.0, sqrt_rn(d2));
    let i2 = div_rn(1.0, d2);
    let u = vec3<f32>(snap(d.x * i1, TINY), snap(d.y * i1, TINY), snap(d.z * i1, TINY));
    // [2] u . M u and the trace
    let t0 = m.tensor0;
    let t1 = m.tensor1;
    let v = vec3<f32>(
        snap(dt(t0.xyz, u), TINY),
        snap(dt(vec3<f32>(t0.y, t0.w, t1.x), u), TINY),
        snap(dt(vec3<f32>(t0.z, t1.x, t1.y), u), TINY),
    );
    let derivative = snap(((t0.x + t0.w) + t1.y) - 3.0 * dt(u, v), SMALL);
    // [3] dipole and derivative
    let angle = snap(dt(m.normal, u) + i1 * derivative, SMALL);
    return (i2 * angle) * SPHERE;
}
