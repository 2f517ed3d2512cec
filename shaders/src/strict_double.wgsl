// Correctly rounded f64 arithmetic that is the same on every device with f64: twin of strict_double.rs.
// The functions of strict_float.wgsl under the same names; a kernel has one of the two modules. Needs f64 and 64-bit integers.
//
// div_rn and sqrt_rn begin with an f32 estimate, sharpen it by Newton's iteration in f64 to a few units, and finish in integers: the exact
// remainder is far smaller than 2^63, so it may be computed modulo 2^64. Selections instead of branches, as in strict_float.

// |x| < limit becomes +0; limit is a positive normal number.
fn snap(x: f64, limit: f64) -> f64 {
    return select(x, 0.0lf, (bitcast<u64>(x) & 0x7ffffffffffffffflu) < bitcast<u64>(limit));
}

// (s, e): s = a + b rounded, s + e = a + b exactly. |a|, |b| <= 2^1022, multiples of 2^-1022.
fn two_sum(a: f64, b: f64) -> vec2<f64> {
    let s = a + b;
    let b_part = s - a;
    let a_part = s - b_part;
    let e = (a - a_part) + (b - b_part);
    return vec2<f64>(s, e);
}

// The upper 26 bits of the significand (Veltkamp's splitting with 2^27 + 1). |a| < 2^995, a multiple of 2^-1022.
fn veltkamp_high(a: f64) -> f64 {
    let t = 134217729.0lf * a;
    return t - (t - a);
}

// (p, e): p = a * b rounded, p + e = a * b exactly. |a|, |b| < 2^995, |a b| < 2^1023; a a multiple of 2^i, b of 2^j,
// i, j and i + j >= -1022.
fn two_prod(a: f64, b: f64) -> vec2<f64> {
    let p = a * b;
    let a_high = veltkamp_high(a);
    let a_low = a - a_high;
    let b_high = veltkamp_high(b);
    let b_low = b - b_high;
    let e = (((a_high * b_high - p) + a_high * b_low) + a_low * b_high) + a_low * b_low;
    return vec2<f64>(p, e);
}

// a / b rounded to nearest, ties to even.
fn div_rn(a: f64, b: f64) -> f64 {
    let a_bits = bitcast<u64>(a);
    let b_bits = bitcast<u64>(b);
    let sign = (a_bits ^ b_bits) & 0x8000000000000000lu;
    let a_exponent = u32(a_bits >> 52u) & 0x7ffu;
    let b_exponent = u32(b_bits >> 52u) & 0x7ffu;
    // Significands as integers in [2^52, 2^53); the quotient a_int * 2^shift / b_int lies in [2^52, 2^53 - 1].
    let a_int = (a_bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let b_int = (b_bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let less = u32(a_int < b_int);
    // 1 / m, m = b_int / 2^52 in [1, 2): 2^-20, 2^-40, a few 2^-53.
    let m = bitcast<f64>((b_bits & 0x000ffffffffffffflu) | 0x3ff0000000000000lu);
    let start = 1.0 / f32(m); // estimate: corrected below
    let y0 = f64(start);
    let y1 = y0 + y0 * (1.0lf - m * y0);
    let y = y1 + y1 * (1.0lf - m * y1);
    let ma = bitcast<f64>((a_bits & 0x000ffffffffffffflu) | (u64(1023u + less) << 52u));
    var n = u64((ma * y) * 4503599627370496.0lf);
    // Exact remainder, |r| < 2^63 in truth, so its residue modulo 2^64 is itself.
    var r = bitcast<i64>((a_int << (52u + less)) - n * b_int);
    let correction = i64(floor(f64(r) * (y * 0x1p-52lf) + 0.5lf));
    n = n + bitcast<u64>(correction);
    r = r - correction * bitcast<i64>(b_int);
    // |r| <= b_int * (1/2 + 2^-40): at most one step to the nearest integer. A tie cannot happen.
    n = n + u64(2li * r > bitcast<i64>(b_int));
    n = n - u64(2li * r < -bitcast<i64>(b_int));
    let exponent = bitcast<i32>(a_exponent + 1023u - less) - bitcast<i32>(b_exponent);
    var bits = sign | (u64(bitcast<u32>(exponent) & 0x7ffu) << 52u) | (n & 0x000ffffffffffffflu);
    bits = select(bits, sign, exponent <= 0);
    bits = select(bits, sign | 0x7ff0000000000000lu, exponent >= 2047);
    // Zeros (subnormals are zeros), infinities and NaNs: decided on the bits.
    let a_nan = (a_bits & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu;
    let b_nan = (b_bits & 0x7ffffffffffffffflu) > 0x7ff0000000000000lu;
    let a_special = a_exponent - 1u >= 2046u;
    let b_special = b_exponent - 1u >= 2046u;
    bits = select(bits, sign, a_special | b_special);                                              // 0/x, x/inf
    bits = select(bits, sign | 0x7ff0000000000000lu, (a_exponent == 2047u) | (b_exponent == 0u));  // inf/x, x/0
    let neither = a_special & (a_exponent == b_exponent); // 0/0, inf/inf
    bits = select(bits, 0x7ff8000000000000lu, a_nan | b_nan | neither);
    return bitcast<f64>(bits);
}

// Square root rounded to nearest, ties to even.
fn sqrt_rn(x: f64) -> f64 {
    let bits = bitcast<u64>(x);
    let exponent = u32(bits >> 52u) & 0x7ffu;
    // x = x_int * 2^(exponent - 1075); with an even exponent of two the root of x_int << shift lies in [2^52, 2^53).
    let x_int = (bits & 0x000ffffffffffffflu) | 0x0010000000000000lu;
    let odd = (exponent & 1u) ^ 1u;             // the unbiased exponent is exponent - 1023
    let m = bitcast<f64>((bits & 0x000ffffffffffffflu) | (u64(1023u + odd) << 52u));
    // 1 / sqrt(m): 2^-20, 2^-39, a few 2^-53.
    let start = inverseSqrt(f32(m)); // estimate: corrected below
    let y0 = f64(start);
    let y1 = y0 + (0.5lf * y0) * (1.0lf - (m * y0) * y0);
    let y = y1 + (0.5lf * y1) * (1.0lf - (m * y1) * y1);
    var n = u64((m * y) * 4503599627370496.0lf);
    // Exact remainder modulo 2^64, as in div_rn.
    var r = bitcast<i64>((x_int << (52u + odd)) - n * n);
    let correction = i64(floor(f64(r) * (y * 0x1p-53lf) + 0.5lf)); // r / (2 n)
    r = r - correction * (2li * bitcast<i64>(n) + correction);
    n = n + bitcast<u64>(correction);
    // The root exceeds n + 1/2 iff r > n, and is below n - 1/2 iff r <= -n (r is an integer). A tie cannot happen.
    let up = u64(r > bitcast<i64>(n));
    let down = u64(r <= -bitcast<i64>(n));
    n = n + up - down;
    let half_exponent = (exponent + 1023u - odd) >> 1u;
    var root = (u64(half_exponent) << 52u) | (n & 0x000ffffffffffffflu);
    // Zeros (subnormals are zeros), negative numbers, infinities and NaNs: decided on the bits.
    root = select(root, select(0x7ff8000000000000lu, bits, bits == 0x7ff0000000000000lu), bits >= 0x7ff0000000000000lu);
    root = select(root, bits & 0x8000000000000000lu, exponent == 0u);
    return bitcast<f64>(root);
}

// x * 2^k, exact: below 2^-1022 a zero of its sign, from 2^1024 on an infinity.
fn scale_pow2(x: f64, k: i32) -> f64 {
    let bits = bitcast<u64>(x);
    let sign = bits & 0x8000000000000000lu;
    let exponent = bitcast<i32>(u32(bits >> 52u) & 0x7ffu);
    let scaled = exponent + clamp(k, -4096, 4096);
    var result = sign | (u64(bitcast<u32>(scaled) & 0x7ffu) << 52u) | (bits & 0x000ffffffffffffflu);
    result = select(result, sign | 0x7ff0000000000000lu, scaled >= 2047);
    result = select(result, sign, (exponent == 0) | (scaled <= 0));
    let special = select(bits, 0x7ff8000000000000lu, (bits & 0x000ffffffffffffflu) != 0lu);
    result = select(result, special, exponent == 2047);
    return bitcast<f64>(result);
}
