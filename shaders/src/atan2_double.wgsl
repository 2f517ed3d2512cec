// Arc tangent of a quotient in f64 from + - * and div_rn: twin of atan2_double.rs. Needs strict_double.wgsl, f64 and 64-bit integers.

const PI_HIGH = 3.141592653589793lf;
const PI_LOW = 1.2246467991473532e-16lf;
const QUARTER_TURN_HIGH = 1.5707963267948966lf;
const QUARTER_TURN_LOW = 6.123233995736766e-17lf;
const EIGHTH_TURN = 0.7853981633974483lf;

// Angle of (x, y) in radians, in [-pi, pi], with the sign of y. Subnormal operands count as zeros of their sign; NaN gives 0x7ff8000000000000.
fn atan2_strict(y: f64, x: f64) -> f64 {
    let y_bits = bitcast<u64>(y);
    let x_bits = bitcast<u64>(x);
    let y_size = y_bits & 0x7ffffffffffffffflu;
    let x_size = x_bits & 0x7ffffffffffffffflu;
    let sign = y_bits & 0x8000000000000000lu;
    // [1] The smaller over the larger: t in [0, 1]. Equal sizes, zeros and infinities among them, are settled on the bits.
    let steep = y_size > x_size;
    let low = select(y_size, x_size, steep);
    let high = select(x_size, y_size, steep);
    let quotient = div_rn(bitcast<f64>(low), bitcast<f64>(high));
    let t = select(select(quotient, EIGHTH_TURN, low == high), 0.0lf, low < 0x0010000000000000lu);
    // [2] atan(t) = t + r; below 2^-70 r cannot be seen, and t^2 could underflow.
    let r = select(t * atan_tail_double(t * t), 0.0lf, (low == high) | (bitcast<u64>(t) < 0x3b90000000000000lu));
    // [3] The octant: pi/2 - atan(t), pi - atan(t), both with the low part of pi.
    let negative = ((x_bits >> 63u) == 1lu) & (x_size >= 0x0010000000000000lu);
    let upright = select(QUARTER_TURN_HIGH - (t + (r - QUARTER_TURN_LOW)), QUARTER_TURN_HIGH + (t + (r + QUARTER_TURN_LOW)), negative);
    let level = select(t + r, PI_HIGH - (t + (r - PI_LOW)), negative);
    let angle = bitcast<u64>(select(level, upright, steep)) | sign;
    return bitcast<f64>(select(angle, 0x7ff8000000000000lu, (y_size > 0x7ff0000000000000lu) | (x_size > 0x7ff0000000000000lu)));
}

// atan(sqrt(z)) / sqrt(z) - 1 for z in [0, 1].
fn atan_tail_double(z: f64) -> f64 {
    let p20 = -8.401334709313915e-6lf * z + 0.00010120818856458876lf;
    let p19 = p20 * z - 0.0005798634519491824lf;
    let p18 = p19 * z + 0.0021123018965373145lf;
    let p17 = p18 * z - 0.0055306611486003465lf;
    let p16 = p17 * z + 0.011193234172867479lf;
    let p15 = p16 * z - 0.01847073662803758lf;
    let p14 = p15 * z + 0.026023726149816545lf;
    let p13 = p14 * z - 0.0326960977880037lf;
    let p12 = p13 * z + 0.03816093541787423lf;
    let p11 = p12 * z - 0.042842606036668875lf;
    let p10 = p11 * z + 0.04744200335491086lf;
    let p9 = p10 * z - 0.05259241073597335lf;
    let p8 = p9 * z + 0.058816767928433225lf;
    let p7 = p8 * z - 0.06666577657204739lf;
    let p6 = p7 * z + 0.07692299025679779lf;
    let p5 = p6 * z - 0.09090908492484247lf;
    let p4 = p5 * z + 0.11111111083534594lf;
    let p3 = p4 * z - 0.1428571428494233lf;
    let p2 = p3 * z + 0.1999999999998886lf;
    let p1 = p2 * z - 0.33333333333333276lf;
    return p1 * z;
}
