// Arc cosine in f64 from + - * and sqrt_rn: twin of acos_double.rs. Needs strict_double.wgsl, f64 and 64-bit integers.

const HALF_PI_HIGH = 1.5707963267948966lf;
const HALF_PI_LOW = 6.123233995736766e-17lf;

// x in [-1, 1], clamped; NaN counts as 1 or -1 by its sign bit. Radians in [0, pi]; acos_strict(1) = +0.
fn acos_strict(x: f64) -> f64 {
    let bits = bitcast<u64>(x);
    // [1] Clamp the magnitude on the bits; below 2^-70 it cannot be seen in the result, and its square could underflow.
    var magnitude = bits & 0x7ffffffffffffffflu;
    if magnitude > 0x3ff0000000000000lu {
        magnitude = 0x3ff0000000000000lu;
    }
    if magnitude < 0x3b90000000000000lu {
        magnitude = 0lu;
    }
    let m = bitcast<f64>(magnitude);
    let negative = (bits >> 63u) == 1lu;
    // [2] |x| <= 1/2: acos(x) = pi/2 - asin(x).
    if magnitude <= 0x3fe0000000000000lu {
        let r = m * asin_tail(m * m);
        if negative {
            return HALF_PI_HIGH + (m + (r + HALF_PI_LOW));
        }
        return HALF_PI_HIGH - (m + (r - HALF_PI_LOW));
    }
    // [3] |x| > 1/2: acos(|x|) = 2 asin(sqrt((1 - |x|) / 2)); the argument is exact.
    let z = (1.0lf - m) * 0.5lf;
    let s = sqrt_rn(z);
    let r = s * asin_tail(z);
    if negative {
        return 2.0lf * (HALF_PI_HIGH - (s + (r - HALF_PI_LOW)));
    }
    return 2.0lf * (s + r);
}

// asin(sqrt(z)) / sqrt(z) - 1 for z in [0, 1/4].
fn asin_tail(z: f64) -> f64 {
    let p13 = 0.02961201126495512lf * z - 0.01924167174674304lf;
    let p12 = p13 * z + 0.019554513336123378lf;
    let p11 = p12 * z + 0.0030448799094556773lf;
    let p10 = p11 * z + 0.009319560794767446lf;
    let p9 = p10 * z + 0.009621842970100282lf;
    let p8 = p9 * z + 0.011566459612121669lf;
    let p7 = p8 * z + 0.01396378001220357lf;
    let p6 = p7 * z + 0.017352816540325496lf;
    let p5 = p6 * z + 0.02237215744350722lf;
    let p4 = p5 * z + 0.03038194447553234lf;
    let p3 = p4 * z + 0.044642857142551895lf;
    let p2 = p3 * z + 0.07500000000000118lf;
    let p1 = p2 * z + 0.16666666666666666lf;
    return p1 * z;
}
