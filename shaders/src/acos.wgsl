// Arc cosine from + - * and sqrt_rn: twin of acos.rs. Needs strict_float.wgsl.

const HALF_PI_HIGH: f32 = 1.5707964;
const HALF_PI_LOW: f32 = -4.371139e-8;

// x in [-1, 1], clamped; NaN counts as 1 or -1 by its sign bit. Radians in [0, pi]; acos_strict(1) = +0.
fn acos_strict(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    // [1] Clamp the magnitude on the bits; below 2^-30 it cannot be seen in the result, and its square could underflow.
    var magnitude = bits & 0x7fffffffu;
    if magnitude > 0x3f800000u {
        magnitude = 0x3f800000u;
    }
    if magnitude < 0x30800000u {
        magnitude = 0u;
    }
    let m = bitcast<f32>(magnitude);
    let negative = (bits >> 31u) == 1u;
    // [2] |x| <= 1/2: acos(x) = pi/2 - asin(x).
    if magnitude <= 0x3f000000u {
        let r = m * asin_tail(m * m);
        if negative {
            return HALF_PI_HIGH + (m + (r + HALF_PI_LOW));
        }
        return HALF_PI_HIGH - (m + (r - HALF_PI_LOW));
    }
    // [3] |x| > 1/2: acos(|x|) = 2 asin(sqrt((1 - |x|) / 2)); the argument is exact.
    let z = (1.0 - m) * 0.5;
    let s = sqrt_rn(z);
    let r = s * asin_tail(z);
    if negative {
        return 2.0 * (HALF_PI_HIGH - (s + (r - HALF_PI_LOW)));
    }
    return 2.0 * (s + r);
}

// asin(sqrt(z)) / sqrt(z) - 1 for z in [0, 1/4].
fn asin_tail(z: f32) -> f32 {
    let p5 = 0.037691243 * z + 0.014317043;
    let p4 = p5 * z + 0.031838838;
    let p3 = p4 * z + 0.044513382;
    let p2 = p3 * z + 0.07500522;
    let p1 = p2 * z + 0.1666666;
    return p1 * z;
}
