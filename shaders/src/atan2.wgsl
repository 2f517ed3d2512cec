// Arc tangent of a quotient from + - * and div_rn: twin of atan2.rs. Needs strict_float.wgsl, atan_tail.wgsl.

const PI_HIGH: f32 = 3.1415927;
const PI_LOW: f32 = -8.742278e-8;
const QUARTER_TURN_HIGH: f32 = 1.5707964;
const QUARTER_TURN_LOW: f32 = -4.371139e-8;
const EIGHTH_TURN: f32 = 0.7853982;

// Angle of (x, y) in radians, in [-pi, pi], with the sign of y. Subnormal operands count as zeros of their sign; NaN gives 0x7fc00000.
fn atan2_strict(y: f32, x: f32) -> f32 {
    let y_bits = bitcast<u32>(y);
    let x_bits = bitcast<u32>(x);
    let y_size = y_bits & 0x7fffffffu;
    let x_size = x_bits & 0x7fffffffu;
    let sign = y_bits & 0x80000000u;
    // [1] The smaller over the larger: t in [0, 1]. Equal sizes, zeros and infinities among them, are settled on the bits.
    let steep = y_size > x_size;
    let low = select(y_size, x_size, steep);
    let high = select(x_size, y_size, steep);
    let quotient = div_rn(bitcast<f32>(low), bitcast<f32>(high));
    let t = select(select(quotient, EIGHTH_TURN, low == high), 0.0, low < 0x00800000u);
    // [2] atan(t) = t + r; below 2^-30 r cannot be seen, and t^2 could underflow.
    let r = select(t * atan_tail(t * t), 0.0, (low == high) | (bitcast<u32>(t) < 0x30800000u));
    // [3] The octant: pi/2 - atan(t), pi - atan(t), both with the low part of pi.
    let negative = ((x_bits >> 31u) == 1u) & (x_size >= 0x00800000u);
    let upright = select(QUARTER_TURN_HIGH - (t + (r - QUARTER_TURN_LOW)), QUARTER_TURN_HIGH + (t + (r + QUARTER_TURN_LOW)), negative);
    let level = select(t + r, PI_HIGH - (t + (r - PI_LOW)), negative);
    let angle = bitcast<u32>(select(level, upright, steep)) | sign;
    return bitcast<f32>(select(angle, 0x7fc00000u, (y_size > 0x7f800000u) | (x_size > 0x7f800000u)));
}
