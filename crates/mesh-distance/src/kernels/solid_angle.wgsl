// Solid angles of triangles, and their sum in fixed point: twin of solid_angle.rs. Needs atan2, triangle_record.

// Solid angle of the triangle seen from p in turns, in [-1/2, 1/2]. |p| <= FAR_AWAY in every component.
fn solid_angle(r: TriangleRecord, p: vec3<real>) -> real {
    // [1] from the point to the corners, the largest component in [1, 2)
    let pa = sub(r.a, p);
    let pb = sub(r.b, p);
    let pc = sub(r.c, p);
    let exponent = max(max(largest_exponent(pa), largest_exponent(pb)), largest_exponent(pc));
    let a = scale_vector(pa, EXPONENT_BIAS - exponent);
    let b = scale_vector(pb, EXPONENT_BIAS - exponent);
    let c = scale_vector(pc, EXPONENT_BIAS - exponent);
    // [2] the normal, likewise
    let ab = sub(r.b, r.a);
    let ac = sub(r.c, r.a);
    let edge_exponent = max(largest_exponent(ab), largest_exponent(ac));
    let m = cross_compensated(scale_vector(ab, EXPONENT_BIAS - edge_exponent), scale_vector(ac, EXPONENT_BIAS - edge_exponent));
    let n = vec3<real>(snap(m.x, TINY), snap(m.y, TINY), snap(m.z, TINY));
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
    // [5] angles below TINY are 0; so is everything on the plane or without area
    let angle = snap(atan2_strict(y, x), TINY);
    return select(angle, real(0.0), y == real(0.0)) * TURNS;
}

// x in units of 2^-FRACTION, cut off towards 0. |x| < 2^17.
fn to_fixed(x: real) -> vec2<limb> {
    let bits = bitcast<limb>(x);
    let exponent = exponent_field(x);
    // Zeros are shifted out like everything below a unit.
    let hidden = limb(1u) << bitcast<u32>(SIGNIFICAND_BITS);
    let significand = (bits & (hidden - limb(1u))) | hidden;
    let shift = exponent - (EXPONENT_BIAS + SIGNIFICAND_BITS) + FRACTION;
    let left = significand << (bitcast<u32>(shift) & (LIMB_BITS - 1u));
    let right = significand >> (bitcast<u32>(-shift) & (LIMB_BITS - 1u));
    let low = select(select(limb(0u), right, shift > -SIGNIFICAND_BITS - 1), left, shift > 0);
    let high = select(limb(0u), significand >> ((LIMB_BITS - bitcast<u32>(shift)) & (LIMB_BITS - 1u)), shift > 0);
    let negative = add_fixed(vec2<limb>(~low, ~high), vec2<limb>(limb(1u), limb(0u)));
    return select(vec2<limb>(low, high), negative, (bits >> (LIMB_BITS - 1u)) == limb(1u));
}

// The sum, modulo 2^64 (f64: 2^128).
fn add_fixed(u: vec2<limb>, v: vec2<limb>) -> vec2<limb> {
    let low = u.x + v.x;
    let carry = limb(low < u.x);
    return vec2<limb>(low, u.y + v.y + carry);
}

// Whether a winding number is above 1/2.
fn above_half(w: vec2<limb>) -> bool {
    let half = limb(1u) << (bitcast<u32>(FRACTION) - LIMB_BITS - 1u);
    let positive = (w.y >> (LIMB_BITS - 1u)) == limb(0u);
    return positive && (w.y > half || (w.y == half && w.x > limb(0u)));
}
