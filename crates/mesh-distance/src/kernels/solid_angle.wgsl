// Solid angles of triangles, and their sum in fixed point: twin of solid_angle.rs. Needs atan2, triangle_record.

const TURNS = 0.15915494;
const TINY_DOT = 0x1p-80f;
const TINY_TERM = 0x1p-100f;
const FAR_AWAY = 4096.0;
const FRACTION = 36;

// Solid angle of the triangle seen from p in turns, in [-1/2, 1/2]. |p| <= 4096 in every component.
fn solid_angle(r: TriangleRecord, p: vec3<f32>) -> f32 {
    // [1] from the point to the corners, the largest component in [1, 2)
    let pa = sub(r.a, p);
    let pb = sub(r.b, p);
    let pc = sub(r.c, p);
    let exponent = max(max(largest_exponent(pa), largest_exponent(pb)), largest_exponent(pc));
    let a = scale_vector(pa, 127 - exponent);
    let b = scale_vector(pb, 127 - exponent);
    let c = scale_vector(pc, 127 - exponent);
    // [2] the normal, likewise
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let edge_exponent = max(largest_exponent(ab), largest_exponent(ac));
    let m = cross_compensated(scale_vector(ab, 127 - edge_exponent), scale_vector(ac, 127 - edge_exponent));
    let n = vec3<f32>(snap(m.x, TINY), snap(m.y, TINY), snap(m.z, TINY));
    // [3] numerator, in the scale of the denominator
    let y = scale_pow2(dt(a, n), 2 * (edge_exponent - exponent));
    // [4] denominator
    let la = sqrt_rn(dt(a, a));
    let lb = sqrt_rn(dt(b, b));
    let lc = sqrt_rn(dt(c, c));
    let t0 = snap((la * lb) * lc, TINY_TERM);
    let t1 = snap(snap(dt(a, b), TINY_DOT) * lc, TINY_TERM);
    let t2 = snap(snap(dt(a, c), TINY_DOT) * lb, TINY_TERM);
    let t3 = snap(snap(dt(b, c), TINY_DOT) * la, TINY_TERM);
    let x = ((t0 + t1) + t2) + t3;
    // [5] angles below 2^-40 are 0; so is everything on the plane or without area
    let angle = snap(atan2_strict(y, x), TINY);
    return select(angle, 0.0, y == 0.0) * TURNS;
}

// x in units of 2^-36, cut off towards 0. |x| < 2^17.
fn to_fixed(x: f32) -> vec2<u32> {
    let bits = bitcast<u32>(x);
    let exponent = bitcast<i32>((bits >> 23u) & 0xffu);
    // Zeros are shifted out like everything below a unit.
    let significand = (bits & 0x007fffffu) | 0x00800000u;
    let shift = exponent - 150 + FRACTION;
    let left = significand << (bitcast<u32>(shift) & 31u);
    let right = significand >> (bitcast<u32>(-shift) & 31u);
    let low = select(select(0u, right, shift > -24), left, shift > 0);
    let high = select(0u, significand >> (bitcast<u32>(32 - shift) & 31u), shift > 0);
    let negative = add_fixed(vec2<u32>(~low, ~high), vec2<u32>(1u, 0u));
    return select(vec2<u32>(low, high), negative, (bits >> 31u) == 1u);
}

// The sum, modulo 2^64.
fn add_fixed(u: vec2<u32>, v: vec2<u32>) -> vec2<u32> {
    let low = u.x + v.x;
    let carry = u32(low < u.x);
    return vec2<u32>(low, u.y + v.y + carry);
}

// Whether a winding number is above 1/2.
fn above_half(w: vec2<u32>) -> bool {
    let high = bitcast<i32>(w.y);
    return high > 8 || (high == 8 && w.x > 0u);
}
