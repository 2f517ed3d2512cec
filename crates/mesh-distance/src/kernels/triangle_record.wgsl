// The 64 bytes of a triangle that a query reads: twin of triangle_record.rs. Needs strict_float.

struct TriangleRecord {
    a: vec3<f32>,
    ia: f32,
    b: vec3<f32>,
    ib: f32,
    c: vec3<f32>,
    ic: f32,
    e: vec3<f32>,
    facet: u32,
}

const SMALL = 0x1p-60f;
const LARGE = 0x1p60f;
const TINY = 0x1p-40f;
const FLAT = 0x1p-46f;

fn dt(u: vec3<f32>, v: vec3<f32>) -> f32 {
    return (u.x * v.x + u.y * v.y) + u.z * v.z;
}

// Without a flush: differences of working coordinates are 0 or at least 2^-63.
fn sub(u: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    return u - v;
}

// u . v with the errors of products and sums added at the end. Components 0 or in 2^-40 to 2^2.
fn dot_compensated(u: vec3<f32>, v: vec3<f32>) -> f32 {
    let x = two_prod(u.x, v.x);
    let y = two_prod(u.y, v.y);
    let z = two_prod(u.z, v.z);
    let xy = two_sum(x.x, y.x);
    let xyz = two_sum(xy.x, z.x);
    return xyz.x + ((xy.y + xyz.y) + ((x.y + y.y) + z.y));
}

// a d - b c with the errors of both products, below 2^-60 set to 0.
fn difference_of_products(a: f32, d: f32, b: f32, c: f32) -> f32 {
    let p = two_prod(a, d);
    let q = two_prod(b, c);
    return snap((p.x - q.x) + (p.y - q.y), SMALL);
}

// Swapping u and v negates every bit of it exactly.
fn cross_compensated(u: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        difference_of_products(u.y, v.z, u.z, v.y),
        difference_of_products(u.z, v.x, u.x, v.z),
        difference_of_products(u.x, v.y, u.y, v.x),
    );
}

// The biased exponent of the largest component, 0 for the zero vector.
fn largest_exponent(v: vec3<f32>) -> i32 {
    let m = (bitcast<vec3<u32>>(v) & vec3<u32>(0x7fffffffu)) >> vec3<u32>(23u);
    return i32(max(max(m.x, m.y), m.z));
}

// v * 2^k with components below 2^-40 set to 0.
fn scale_vector(v: vec3<f32>, k: i32) -> vec3<f32> {
    return vec3<f32>(snap(scale_pow2(v.x, k), TINY), snap(scale_pow2(v.y, k), TINY), snap(scale_pow2(v.z, k), TINY));
}

// 1 / |v|^2, or 0 when |v|^2 is below 2^-60.
fn reciprocal_square(v: vec3<f32>) -> f32 {
    let g = dt(v, v);
    if g < SMALL {
        return 0.0;
    }
    return div_rn(1.0, g);
}

// The quotients (g22, g12, g11) / D of ab and ac, or zeros for a triangle without interior.
fn gram_quotients(ab: vec3<f32>, ac: vec3<f32>) -> vec3<f32> {
    // [1] scale both by the same power of two: the largest component in [1, 2)
    let exponent = max(largest_exponent(ab), largest_exponent(ac));
    let k = 127 - exponent;
    let u = scale_vector(ab, k);
    let w = scale_vector(ac, k);
    // [2] Gram matrix and determinant; D = |u x w|^2 does not cancel
    let g11 = dot_compensated(u, u);
    let g12 = dot_compensated(u, w);
    let g22 = dot_compensated(w, w);
    let n = cross_compensated(u, w);
    let determinant = dt(n, n);
    // [3] without interior
    if exponent == 0 || determinant <= (FLAT * g11) * g22 {
        return vec3<f32>(0.0);
    }
    // [4] quotients in the triangle's own scale
    let e1 = scale_pow2(div_rn(g22, determinant), 2 * k);
    let e2 = scale_pow2(div_rn(g12, determinant), 2 * k);
    let e3 = scale_pow2(div_rn(g11, determinant), 2 * k);
    if e1 > LARGE || e3 > LARGE || e2 > LARGE || e2 < -LARGE {
        return vec3<f32>(0.0);
    }
    return vec3<f32>(e1, e2, e3);
}

// The record of the triangle a, b, c. Working coordinates: 0 or 2^-40 to 2 in magnitude.
fn triangle_record(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, facet: u32) -> TriangleRecord {
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    return TriangleRecord(a, reciprocal_square(ab), b, reciprocal_square(ac), c, reciprocal_square(bc), gram_quotients(ab, ac), facet);
}
