// The solid angle of many triangles seen from afar: twin of winding_expansion.rs. Needs triangle_record.

struct Moments {
    centre: vec3<real>,
    size2: real,
    normal: vec3<real>,
    rounding: real,
    tensor0: vec4<real>,
    tensor1: vec2<real>,
    spread: real,
    unused: real,
}

// |p - c|^2 > beta^2 size^2.
fn is_far(m: Moments, p: vec3<real>, beta2: real) -> bool {
    let d = sub(m.centre, p);
    return dt(d, d) > beta2 * m.size2;
}

// Solid angle of the child's triangles seen from p, in turns. |p| <= FAR_AWAY, |p - c| >= 2^-30.
fn expansion(m: Moments, p: vec3<real>) -> real {
    // [1] the direction
    let d = sub(m.centre, p);
    let d2 = dt(d, d);
    let i1 = div_rn(real(1.0), sqrt_rn(d2));
    let i2 = div_rn(real(1.0), d2);
    let u = vec3<real>(snap(d.x * i1, TINY), snap(d.y * i1, TINY), snap(d.z * i1, TINY));
    // [2] u . M u and the trace
    let t0 = m.tensor0;
    let t1 = m.tensor1;
    let v = vec3<real>(
        snap(dt(t0.xyz, u), TINY),
        snap(dt(vec3<real>(t0.y, t0.w, t1.x), u), TINY),
        snap(dt(vec3<real>(t0.z, t1.x, t1.y), u), TINY),
    );
    let derivative = snap(((t0.x + t0.w) + t1.y) - real(3.0) * dt(u, v), SMALL);
    // [3] dipole and derivative
    let angle = snap(dt(m.normal, u) + i1 * derivative, SMALL);
    return (i2 * angle) * SPHERE;
}
