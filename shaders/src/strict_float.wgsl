// Correctly rounded f32 arithmetic that is the same on every device: twin of strict_float.rs.
// The domains and proofs are in docs/numerics.md.
//
// div_rn and sqrt_rn take a floating-point estimate and finish in integers. The exact remainder of an estimate that is a few
// units off is far smaller than 2^31, so it may be computed modulo 2^32. Selections instead of branches: the functions are inlined many
// times, and the cost of compiling a loop grows with its branches,
// of which `&&` and `||` are some. No floating-point value in them is subnormal, and none of
// their rounding errors, nor contraction, nor the accuracy of the device's estimate up to 2^-18, can reach the result.

// |x| < 2^-125 becomes +0. Not 2^-126: tininess may be detected before rounding on one device and after it on another.
fn flush(x: f32) -> f32 {
    return select(x, 0.0, (bitcast<u32>(x) & 0x7fffffffu) < 0x01000000u);
}

// |x| < limit becomes +0; limit is a positive normal number.
fn snap(x: f32, limit: f32) -> f32 {
    return select(x, 0.0, (bitcast<u32>(x) & 0x7fffffffu) < bitcast<u32>(limit));
}

// (s, e): s = a + b rounded, s + e = a + b exactly. |a|, |b| <= 2^126, multiples of 2^-126.
fn two_sum(a: f32, b: f32) -> vec2<f32> {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    let e = (a - a_part) + (b - b_part);
    return vec2<f32>(s, e);
}

// The upper 12 bits of the significand (Veltkamp's splitting with 2^12 + 1). |a| < 2^115, a multiple of 2^-126.
fn veltkamp_high(a: f32) -> f32 {
    let t = 4097.0 * a;
    return t - (t - a);
}

// (p, e): p = a * b rounded, p + e = a * b exactly. |a|, |b| < 2^115, |a b| < 2^127; a a multiple of 2^i, b of 2^j,
// i, j and i + j >= -126.
fn two_prod(a: f32, b: f32) -> vec2<f32> {
    let p = a * b;
    let a_high = veltkamp_high(a);
    let a_low = a - a_high;
    let b_high = veltkamp_high(b);
    let b_low = b - b_high;
    let e = (((a_high * b_high - p) + a_high * b_low) + a_low * b_high) + a_low * b_low;
    return vec2<f32>(p, e);
}

// a / b rounded to nearest, ties to even.
fn div_rn(a: f32, b: f32) -> f32 {
    let a_bits = bitcast<u32>(a);
    let b_bits = bitcast<u32>(b);
    let sign = (a_bits ^ b_bits) & 0x80000000u;
    let a_exponent = (a_bits >> 23u) & 0xffu;
    let b_exponent = (b_bits >> 23u) & 0xffu;
    // Significands as integers in [2^23, 2^24); the quotient a_int * 2^shift / b_int lies in [2^23, 2^24 - 1].
    let a_int = (a_bits & 0x007fffffu) | 0x00800000u;
    let b_int = (b_bits & 0x007fffffu) | 0x00800000u;
    let less = u32(a_int < b_int);
    let shift = 23u + less;
    let y = 1.0 / f32(b_int); // estimate: corrected below
    var n = u32((f32(a_int) * y) * bitcast<f32>((127u + shift) << 23u));
    // Exact remainder, |r| < 2^31 in truth, so its residue modulo 2^32 is itself.
    var r = bitcast<i32>((a_int << shift) - n * b_int);
    let correction = i32(floor(f32(r) * y + 0.5));
    n = n + bitcast<u32>(correction);
    r = r - correction * bitcast<i32>(b_int);
    // |r| <= b_int * (1/2 + 2^-8): at most one step to the nearest integer. A tie cannot happen.
    n = n + u32(2 * r > bitcast<i32>(b_int));
    n = n - u32(2 * r < -bitcast<i32>(b_int));
    let exponent = bitcast<i32>(a_exponent + 127u - less) - bitcast<i32>(b_exponent);
    var bits = sign | (bitcast<u32>(exponent) << 23u) | (n & 0x007fffffu);
    bits = select(bits, sign, exponent <= 0);
    bits = select(bits, sign | 0x7f800000u, exponent >= 255);
    // Zeros (subnormals are zeros), infinities and NaNs: decided on the bits.
    let a_nan = (a_bits & 0x7fffffffu) > 0x7f800000u;
    let b_nan = (b_bits & 0x7fffffffu) > 0x7f800000u;
    let a_special = a_exponent - 1u >= 254u;
    let b_special = b_exponent - 1u >= 254u;
    bits = select(bits, sign, a_special | b_special);                                // 0/x, x/inf
    bits = select(bits, sign | 0x7f800000u, (a_exponent == 255u) | (b_exponent == 0u)); // inf/x, x/0
    let neither = a_special & (a_exponent == b_exponent); // 0/0, inf/inf
    bits = select(bits, 0x7fc00000u, a_nan | b_nan | neither);
    return bitcast<f32>(bits);
}

// Square root rounded to nearest, ties to even.
fn sqrt_rn(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let exponent = (bits >> 23u) & 0xffu;
    // x = x_int * 2^(exponent - 150); with an even exponent of two the root of x_int << shift lies in [2^23, 2^24).
    let x_int = (bits & 0x007fffffu) | 0x00800000u;
    let odd = (exponent & 1u) ^ 1u;             // the unbiased exponent is exponent - 127
    let shift = 23u + odd;
    let m = bitcast<f32>((bits & 0x007fffffu) | ((127u + odd) << 23u));
    let y = inverseSqrt(m); // estimate: corrected below
    var n = u32((m * y) * 8388608.0);
    // Exact remainder modulo 2^32, as in div_rn.
    var r = bitcast<i32>((x_int << shift) - n * n);
    let correction = i32(floor(f32(r) * (y * 5.9604644775390625e-8) + 0.5)); // r / (2 n), 5.96e-8 = 2^-24
    r = r - correction * (2 * bitcast<i32>(n) + correction);
    n = n + bitcast<u32>(correction);
    // The root exceeds n + 1/2 iff r > n, and is below n - 1/2 iff r <= -n (r is an integer). A tie cannot happen.
    let up = u32(r > bitcast<i32>(n));
    let down = u32(r <= -bitcast<i32>(n));
    n = n + up - down;
    let half_exponent = (exponent + 127u - odd) >> 1u;
    var root = (half_exponent << 23u) | (n & 0x007fffffu);
    // Zeros (subnormals are zeros), negative numbers, infinities and NaNs: decided on the bits.
    root = select(root, select(0x7fc00000u, bits, bits == 0x7f800000u), bits >= 0x7f800000u);
    root = select(root, bits & 0x80000000u, exponent == 0u);
    return bitcast<f32>(root);
}

// x * 2^k, exact: below 2^-126 a zero of its sign, from 2^128 on an infinity.
fn scale_pow2(x: f32, k: i32) -> f32 {
    let bits = bitcast<u32>(x);
    let sign = bits & 0x80000000u;
    let exponent = bitcast<i32>((bits >> 23u) & 0xffu);
    let scaled = exponent + clamp(k, -512, 512);
    var result = sign | (bitcast<u32>(scaled) << 23u) | (bits & 0x007fffffu);
    result = select(result, sign | 0x7f800000u, scaled >= 255);
    result = select(result, sign, (exponent == 0) | (scaled <= 0));
    let special = select(bits, 0x7fc00000u, (bits & 0x007fffffu) != 0u);
    result = select(result, special, exponent == 255);
    return bitcast<f32>(result);
}
