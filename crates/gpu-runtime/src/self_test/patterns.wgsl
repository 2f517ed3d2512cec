// The self-test kernel: one function a pattern, each the twin of the function of its name in patterns.rs.
// Needs strict_float.wgsl and acos.wgsl.

struct Params {
    count: u32,
    zero: u32,
    per_pattern: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> inputs: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> outputs: array<vec2<u32>>;

// Products and sums that fuse where nothing forbids it; in the second an operation that does nothing stands between.
fn contraction(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(f.x * f.y - f.z * f.w, (0.0 + f.x * f.y) + f.z * f.w));
}

// Sums of three products, on scalars and on a vector.
fn squares(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    let p = f * f.yzwx - f.zwxy * f.w;
    return bitcast<vec2<u32>>(vec2<f32>(f.x * f.x + f.y * f.y + f.z * f.z, (p.x - p.y) + (p.z - p.w)));
}

// Sums that real numbers would simplify or reorder.
fn reassociation(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(((f.x + f.y) - f.x) - f.y, ((f.x + f.y) + f.z) + f.w));
}

// Minus signs that must not move: -(x - x) is -0.
fn negation(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(-(f.x - f.y), (f.x - f.y) * -f.z));
}

fn sum_error(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(two_sum(f.x, f.y));
}

fn product_error(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(two_prod(f.x, f.y));
}

fn division(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(div_rn(f.x, f.y), div_rn(f.z, f.w)));
}

fn square_root(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(sqrt_rn(f.x), sqrt_rn(abs(f.y))));
}

fn arc_cosine(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(acos_strict(f.x), acos_strict(f.y)));
}

// A sum and a product that lie halfway between two numbers.
fn ties(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(f.x + f.y, f.z * f.w));
}

fn add_product(sum: ptr<function, f32>, a: f32, b: f32) {
    *sum = *sum + a * b;
}

// Products and sums through a loop and through a pointer.
fn polynomial(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    var value = f.x;
    var sum = 0.0;
    for (var i = 0u; i < 4u; i++) {
        value = value * f.y + f32(i);
        add_product(&sum, f[i], f[3u - i]);
    }
    return bitcast<vec2<u32>>(vec2<f32>(value, sum));
}

fn scaling(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(scale_pow2(f.x, bitcast<i32>(v.y)), flush(f.z)));
}

fn to_float(v: vec4<u32>) -> vec2<u32> {
    return bitcast<vec2<u32>>(vec2<f32>(f32(v.x), f32(bitcast<i32>(v.y))));
}

fn to_integer(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return vec2<u32>(u32(f.x), bitcast<u32>(i32(f.y)));
}

fn rounding(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(floor(f.x), round(f.y)));
}

// Order of numbers, and the test for NaN that works everywhere.
fn comparison(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    let order = u32(f.x < f.y) | (u32(f.x <= f.y) << 1u) | (u32(f.x == f.y) << 2u) | (u32(f.x != f.y) << 3u);
    let nan = u32((bitcast<u32>(f.z) & 0x7fffffffu) > 0x7f800000u);
    return vec2<u32>(order, nan);
}

// x / 0 = x, x % 0 = 0, and the smallest i32 by -1 is itself with remainder 0.
fn integer_division(v: vec4<u32>) -> vec2<u32> {
    let i = bitcast<vec4<i32>>(v);
    let signed = bitcast<u32>(i.x / i.y) + 3u * bitcast<u32>(i.x % i.y);
    return vec2<u32>(signed, v.z / v.w + 3u * (v.z % v.w));
}

fn integer_bits(v: vec4<u32>) -> vec2<u32> {
    let shift = v.y & 31u;
    let shifted = (v.x << shift) ^ (v.x >> shift) ^ bitcast<u32>(bitcast<i32>(v.x) >> shift);
    let counted = firstLeadingBit(v.z) ^ (countOneBits(v.z) << 8u) ^ (firstTrailingBit(v.z) << 16u);
    return vec2<u32>((v.x * v.y) ^ shifted, counted ^ reverseBits(v.w) ^ (countLeadingZeros(v.w) << 24u));
}

// Recorded, not compared: whether the device keeps subnormal results and operands.
fn subnormals(v: vec4<u32>) -> vec2<u32> {
    let f = bitcast<vec4<f32>>(v);
    return bitcast<vec2<u32>>(vec2<f32>(f.x * f.y, f.z + f.w));
}

@compute @workgroup_size(64)
fn strict_float_self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.count {
        return;
    }
    let v = inputs[id.x];
    var out = vec2<u32>(0u);
    switch id.x / params.per_pattern {
        case 0u: { out = contraction(v); }
        case 1u: { out = squares(v); }
        case 2u: { out = reassociation(v); }
        case 3u: { out = negation(v); }
        case 4u: { out = sum_error(v); }
        case 5u: { out = product_error(v); }
        case 6u: { out = division(v); }
        case 7u: { out = square_root(v); }
        case 8u: { out = arc_cosine(v); }
        case 9u: { out = ties(v); }
        case 10u: { out = polynomial(v); }
        case 11u: { out = scaling(v); }
        case 12u: { out = to_float(v); }
        case 13u: { out = to_integer(v); }
        case 14u: { out = rounding(v); }
        case 15u: { out = comparison(v); }
        case 16u: { out = integer_division(v); }
        case 17u: { out = integer_bits(v); }
        case 18u: { out = subnormals(v); }
        default: {}
    }
    outputs[id.x] = out;
}
