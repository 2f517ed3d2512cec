// The self-test kernel of f64: one function a pattern, each the twin of the function of its name in doubles.rs.
// Needs strict_double.wgsl, acos_double.wgsl and atan2_double.wgsl.

struct Params {
    count: u32,
    zero: u32,
    pattern: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> inputs: array<array<u64, 4>>;
@group(0) @binding(2) var<storage, read_write> outputs: array<array<u64, 2>>;

fn floats(v: array<u64, 4>) -> array<f64, 4> {
    return array<f64, 4>(bitcast<f64>(v[0]), bitcast<f64>(v[1]), bitcast<f64>(v[2]), bitcast<f64>(v[3]));
}

fn bits(a: f64, b: f64) -> array<u64, 2> {
    return array<u64, 2>(bitcast<u64>(a), bitcast<u64>(b));
}

// Products and sums that fuse where nothing forbids it; in the second an operation that does nothing stands between.
fn contraction(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(f[0] * f[1] - f[2] * f[3], (0.0lf + f[0] * f[1]) + f[2] * f[3]);
}

// Sums of three products, on scalars and on a vector.
fn squares(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    let p = vec3<f64>(f[0], f[1], f[2]) * vec3<f64>(f[1], f[2], f[0]) - vec3<f64>(f[2], f[0], f[1]) * f[3];
    return bits(f[0] * f[0] + f[1] * f[1] + f[2] * f[2], (p.x - p.y) + p.z);
}

// Sums that real numbers would simplify or reorder.
fn reassociation(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(((f[0] + f[1]) - f[0]) - f[1], ((f[0] + f[1]) + f[2]) + f[3]);
}

fn sum_error(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    let s = two_sum(f[0], f[1]);
    return bits(s.x, s.y);
}

fn product_error(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    let p = two_prod(f[0], f[1]);
    return bits(p.x, p.y);
}

fn division(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(div_rn(f[0], f[1]), div_rn(f[2], f[3]));
}

fn square_root(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(sqrt_rn(f[0]), sqrt_rn(abs(f[1])));
}

fn scaling(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(scale_pow2(f[0], bitcast<i32>(u32(v[3] & 0x7fflu)) - 1024), snap(f[1], 1.0lf));
}

fn arc_cosine(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(acos_strict(f[0]), acos_strict(f[1]));
}

fn arc_tangent(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(atan2_strict(f[0], f[1]), atan2_strict(f[2], f[3]));
}

fn from_integer(v: array<u64, 4>) -> array<u64, 2> {
    let x = u32(v[0] & 0xfffffffflu);
    let y = u32(v[1] & 0xfffffffflu);
    let z = u32(v[2] & 0xfffffffflu);
    return bits(f64(x), f64(bitcast<i32>(y)) * f64(z));
}

// Sums and shifts of 64 bits, with their carries.
fn limbs(v: array<u64, 4>) -> array<u64, 2> {
    let low = v[0] + v[1];
    let high = v[2] * v[3] + u64(low < v[0]);
    let shift = u32(v[3] & 63lu);
    return array<u64, 2>(low ^ (v[2] << shift), high ^ (v[1] >> shift));
}

// Recorded, not compared: whether the device keeps subnormal results.
fn subnormals(v: array<u64, 4>) -> array<u64, 2> {
    let f = floats(v);
    return bits(f[0] * f[1], f[2] * f[3]);
}

@compute @workgroup_size(64)
fn strict_double_self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.count {
        return;
    }
    let v = inputs[id.x];
    var out = array<u64, 2>(0lu, 0lu);
    switch params.pattern {
        case 0u: { out = contraction(v); }
        case 1u: { out = squares(v); }
        case 2u: { out = reassociation(v); }
        case 3u: { out = sum_error(v); }
        case 4u: { out = product_error(v); }
        case 5u: { out = division(v); }
        case 6u: { out = square_root(v); }
        case 7u: { out = scaling(v); }
        case 8u: { out = arc_cosine(v); }
        case 9u: { out = arc_tangent(v); }
        case 10u: { out = from_integer(v); }
        case 11u: { out = limbs(v); }
        case 12u: { out = subnormals(v); }
        default: {}
    }
    outputs[id.x] = out;
}
