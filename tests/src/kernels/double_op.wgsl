// The functions of strict_double, acos_double and atan2_double on given operands: twin of double_op.rs.

struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> operands: array<array<f64, 4>>;
@group(0) @binding(2) var<storage, read_write> results: array<array<f64, 11>>;

// a and b are any words, c and d lie in the domains of two_sum and two_prod.
fn double_op(a: f64, b: f64, c: f64, d: f64, k: i32) -> array<f64, 11> {
    // [1] of any words
    let quotient = div_rn(a, b);
    let root = sqrt_rn(a);
    let scaled = scale_pow2(a, k);
    let snapped = snap(a, 0x1p-100lf);
    // [2] in the domains
    let angle = acos_strict(c);
    let sum = two_sum(c, d);
    let product = two_prod(c, d);
    // [3] in every octant
    let wide = atan2_strict(a, b);
    let near = atan2_strict(c, d);
    return array<f64, 11>(quotient, root, scaled, snapped, angle, sum.x, sum.y, product.x, product.y, wide, near);
}

@compute @workgroup_size(64)
fn apply_double(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = folded_index(group, local, 64u, params.groups_x);
    if i >= params.count {
        return;
    }
    let x = operands[i];
    results[i] = double_op(x[0], x[1], x[2], x[3], bitcast<i32>(i % 4600u) - 2300);
}
