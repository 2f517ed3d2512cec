// Test kernel, what the strict forms must cope with: calls in calls, loops with a continuing block, switches, pointers, structs,
// arrays, private and workgroup memory, vectors, folded constants, compound assignment, values that a barrier separates.

struct Params {
    count: u32,
    factor: f32,
    zero: u32,
    unused: u32,
}

struct Pair {
    direction: vec3<f32>,
    weights: array<f32, 4>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> inputs: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> outputs: array<vec4<u32>>;

const FOLDED: f32 = 3.0 * 0.125 - 0.25;

var<private> accumulated: f32;
var<workgroup> shared_values: array<f32, 64>;

fn axpy(a: f32, x: vec3<f32>, y: vec3<f32>) -> vec3<f32> {
    return a * x + y;
}

fn sum_of_products(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let p = a * b;
    return (p.x + p.y) + p.z;
}

fn bump(v: ptr<function, vec3<f32>>, d: f32) {
    *v += vec3<f32>(d);
    (*v).y *= d;
    *v = -*v;
}

fn horner(x: f32) -> f32 {
    let seed = 2.0;
    var r = seed * FOLDED;
    for (var i = 0; i < 5; i++) {
        r = r * x + f32(i);
    }
    return r;
}

fn nested(x: f32) -> f32 {
    var r = x;
    var step = params.factor * 2.0;
    var k = 0;
    loop {
        switch k & 3 {
            case 0: {
                r = horner(r * 0.25) - r;
            }
            case 1, 2: {
                r -= r * x + step;
            }
            default: {
                var v = vec3<f32>(r, x, -r);
                bump(&v, r * x - step);
                r = v.x + v.y * v.z;
            }
        }
        if r * r > 64.0 {
            r = r * 0.015625 + 1.0;
            continue;
        }
        r += step;

        continuing {
            k += 1;
            step = step * 0.5;
            break if f32(k) * 0.25 > 1.6 + 0.01 * x;
        }
    }
    return r;
}

fn weigh(v: vec4<f32>) -> f32 {
    var pair: Pair;
    pair.direction = axpy(v.x, v.yzw, v.zwx);
    for (var k = 0u; k < 4u; k++) {
        pair.weights[k] = v[k] * pair.direction[k % 3u] - v[(k + 1u) & 3u];
        pair.weights[k] += pair.direction.x * pair.direction.y;
    }
    accumulated = sum_of_products(pair.direction, pair.direction.yzx);
    accumulated += pair.weights[0] * pair.weights[1];
    return pair.weights[2] - pair.weights[3] * (v.x + FOLDED);
}

@compute @workgroup_size(64)
fn stress(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let v = inputs[min(id.x, params.count - 1u)];
    let weighed = weigh(v);
    shared_values[local] = accumulated * v.x + v.y;
    workgroupBarrier();
    let other = shared_values[(local + 1u) & 63u];
    if id.x >= params.count {
        return;
    }
    let chosen = select(v.x * v.y, v.z * v.w, v.x * v.x < v.y * v.y) - v.x * v.z;
    let out = vec4<f32>(other * v.z - accumulated * v.w, nested(v.x), weighed, chosen);
    outputs[id.x] = bitcast<vec4<u32>>(out);
}
