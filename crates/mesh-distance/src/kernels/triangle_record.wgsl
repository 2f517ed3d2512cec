// The 64 bytes (f64: 128) of a triangle that a query reads: twin of triangle_record.rs. Needs strict_float and real_single, or strict_double and real_double.

struct TriangleRecord {
    a: vec3<real>,
    ia: real,
    b: vec3<real>,
    ib: real,
    c: vec3<real>,
    ic: real,
    g: vec3<real>,
    facet: u32,
}

fn dt(u: vec3<real>, v: vec3<real>) -> real {
    return (u.x * v.x + u.y * v.y) + u.z * v.z;
}

// Without a flush: differences of working coordinates are 0 or at least 2^-63.
fn sub(u: vec3<real>, v: vec3<real>) -> vec3<real> {
    return u - v;
}

// u . v with the errors of products and sums added at the end. Components 0 or in 2^-40 to 2^2.
fn dot_compensated(u: vec3<real>, v: vec3<real>) -> real {
    let x = two_prod(u.x, v.x);
    let y = two_prod(u.y, v.y);
    let z = two_prod(u.z, v.z);
    let xy = two_sum(x.x, y.x);
    let xyz = two_sum(xy.x, z.x);
    return xyz.x + ((xy.y + xyz.y) + ((x.y + y.y) + z.y));
}

// a d - b c with the errors of both products, below SMALL set to 0.
fn difference_of_products(a: real, d: real, b: real, c: real) -> real {
    let p = two_prod(a, d);
    let q = two_prod(b, c);
    return snap((p.x - q.x) + (p.y - q.y), SMALL);
}

// Swapping u and v negates every bit of it exactly.
fn cross_compensated(u: vec3<real>, v: vec3<real>) -> vec3<real> {
    return vec3<real>(
        difference_of_products(u.y, v.z, u.z, v.y),
        difference_of_products(u.z, v.x, u.x, v.z),
        difference_of_products(u.x, v.y, u.y, v.x),
    );
}

// The biased exponent of the largest component, 0 for the zero vector.
fn largest_exponent(v: vec3<real>) -> i32 {
    return max(max(exponent_field(v.x), exponent_field(v.y)), exponent_field(v.z));
}

// v * 2^k with components below TINY set to 0.
fn scale_vector(v: vec3<real>, k: i32) -> vec3<real> {
    return vec3<real>(snap(scale_pow2(v.x, k), TINY), snap(scale_pow2(v.y, k), TINY), snap(scale_pow2(v.z, k), TINY));
}

// 1 / |v|^2, or 0 when |v|^2 is below SMALL.
fn reciprocal_square(v: vec3<real>) -> real {
    let g = dt(v, v);
    if g < SMALL {
        return real(0.0);
    }
    return div_rn(real(1.0), g);
}

// The gradient of the barycentric coordinate of c, (n x ab) / |n|^2 with n = ab x ac, or zeros for a triangle without interior.
fn apex_gradient(ab: vec3<real>, ac: vec3<real>) -> vec3<real> {
    // [1] scale both edges by the same power of two: the largest component in [1, 2)
    let exponent = max(largest_exponent(ab), largest_exponent(ac));
    let k = EXPONENT_BIAS - exponent;
    let u = scale_vector(ab, k);
    let w = scale_vector(ac, k);
    // [2] without interior; |u x w|^2 does not cancel
    let n = cross_compensated(u, w);
    if exponent == 0 || dt(n, n) <= (FLAT * dot_compensated(u, u)) * dot_compensated(w, w) {
        return vec3<real>(real(0.0));
    }
    // [3] normal and base edge, each with its largest component in [1, 2)
    let n_exponent = largest_exponent(n);
    let ab_exponent = largest_exponent(ab);
    let m = scale_vector(n, EXPONENT_BIAS - n_exponent);
    let base = scale_vector(ab, EXPONENT_BIAS - ab_exponent);
    // [4] the quotient, then its scale: n is 2^(n_exponent - bias - 2k) m, ab is 2^(ab_exponent - bias) base
    let across = cross_compensated(m, base);
    let square = dt(m, m);
    let scale = ab_exponent - n_exponent + 2 * k;
    let x = scale_pow2(snap(div_rn(across.x, square), TINY), scale);
    let y = scale_pow2(snap(div_rn(across.y, square), TINY), scale);
    let z = scale_pow2(snap(div_rn(across.z, square), TINY), scale);
    if abs(x) > LARGE || abs(y) > LARGE || abs(z) > LARGE {
        return vec3<real>(real(0.0));
    }
    return vec3<real>(x, y, z);
}

// The record of the triangle a, b, c. Working coordinates: 0 or 2^-40 to 2 in magnitude.
fn triangle_record(a: vec3<real>, b: vec3<real>, c: vec3<real>, facet: u32) -> TriangleRecord {
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    return TriangleRecord(a, reciprocal_square(ab), b, reciprocal_square(ac), c, reciprocal_square(bc), apex_gradient(ab, ac), facet);
}
